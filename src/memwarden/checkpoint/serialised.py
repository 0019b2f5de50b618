"""Messages as bytes, remembered for as long as they live: a graph saves its whole history again at every step."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from memwarden.checkpoint.codec import Serde

Parts = tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class _Known:
    """What a message was when it was serialised, by whom, and what that gave."""

    message: weakref.ref[BaseMessage]
    serde: Serde
    fields: tuple[dict[str, Any], dict[str, Any] | None]
    parts: Parts


class Serialised:
    """Gives the parts of messages, from memory where nothing of the message has changed since.

    What it remembers goes with the message: nothing that somebody said outlives the state it is in. A message that holds
    anything but plain data, such as a tool's artifact, is serialised each time: nobody can tell whether that has changed.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def parts(self, message: BaseMessage, serde: Serde, make: Callable[[BaseMessage], Parts]) -> Parts:
        """Return what ``make`` gives for the message."""
        key = id(message)
        known = self._known.get(key)
        if (
            known is not None
            and known.message() is message
            and known.serde is serde
            and known.fields == _fields(message)
        ):
            return known.parts
        parts = make(message)
        if not _is_plain(_fields(message)):
            return parts
        # A copy, to see what is changed inside the message; texts, which are most of it, are not copied.
        fields = copy.deepcopy(_fields(message))
        reference = weakref.ref(message, lambda _: self._known.pop(key, None))
        self._known[key] = _Known(reference, serde, fields, parts)
        return parts


def _fields(message: BaseMessage) -> tuple[dict[str, Any], dict[str, Any] | None]:
    return message.__dict__, message.__pydantic_extra__


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return type(value) is dict and all(_is_plain(held) for pair in value.items() for held in pair)
    if isinstance(value, list | tuple):
        return type(value) in (list, tuple) and all(map(_is_plain, value))
    return value is None or type(value) in (str, bytes, bool, int, float)
