"""One message as bytes of its own, and back: what a thread's archive keeps of it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langgraph.checkpoint.serde._msgpack import SAFE_MSGPACK_TYPES

from memwarden.checkpoint.codec import Serde
from memwarden.errors import InvalidInputError

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

_LENGTH = 4
"""Bytes that say how long the message without its text is."""

_BARE, _APART = b"\x00", b"\x01"
"""Whether the text stands behind the message, or its content is blocks and in it."""


def packed(message: AnyMessage, serde: Serde) -> bytes:
    """Return a message as bytes; raise `InvalidInputError` for one that is of no kind of LangChain's.

    One of a class of the application's is kept as LangChain's own of its kind, so that it can always be read.
    """
    known = _of_langchain(message)
    if isinstance(known.content, str):
        # The serialiser would lose unpaired surrogates, which a tool may well bring along.
        head = _dumped(known.model_copy(update={"content": ""}), serde)
        return _APART + head + known.content.encode("utf-8", "surrogatepass")
    return _BARE + _dumped(known, serde)


def unpacked(raw: bytes, serde: Serde) -> AnyMessage:
    """Return the message that was packed."""
    start = 1 + _LENGTH
    end = start + int.from_bytes(raw[1:start], "big")
    named = start + 1 + raw[start]
    message = serde.loads_typed((raw[start + 1 : named].decode(), raw[named:end]))
    if raw[:1] == _APART:
        message.content = raw[end:].decode("utf-8", "surrogatepass")
    return cast("AnyMessage", message)


def _dumped(message: BaseMessage, serde: Serde) -> bytes:
    name, data = serde.dumps_typed(message)
    head = bytes([len(name)]) + name.encode() + data
    return len(head).to_bytes(_LENGTH, "big") + head


def _of_langchain(message: BaseMessage) -> BaseMessage:
    if (type(message).__module__, type(message).__name__) in SAFE_MSGPACK_TYPES:
        return message
    try:
        return messages_from_dict([message_to_dict(message)])[0]
    except ValueError as error:
        raise InvalidInputError(
            "A message of a kind that LangChain does not know cannot be archived; make it one of LangChain's own."
        ) from error
