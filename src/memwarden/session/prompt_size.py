"""How many tokens a prompt has, as far as that can be told without the model's own tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.messages.utils import count_tokens_approximately
from langchain_core.tools import BaseTool

Count = Callable[[Sequence[AnyMessage]], int]
"""Gives the tokens of messages."""

FILE_TOKENS = 1_500
"""What a file, a sound or a film counts: its bytes are not what a provider counts, and it counts by pages or seconds."""

LEAST_SCALE, GREATEST_SCALE = 0.5, 4.0
_BYTES_PER_TOKEN = 4
_DATA = frozenset({"base64", "data", "file_data", "url", "file_id"})
_IMAGES = frozenset({"image", "image_url"})


def tokens_of(messages: Sequence[AnyMessage], tools: Sequence[BaseTool | dict[str, Any]] = ()) -> int:
    """Return about how many tokens messages and tools' schemas have.

    LangChain's estimate, four characters a token, with what is not ASCII counted by its bytes: a letter of Devanagari
    or Telugu is a token of its own in most vocabularies, and counting four of them as one overflows the window.
    """
    known = count_tokens_approximately(
        [_without_data(message) for message in messages], tools=list(tools) or None
    )
    return known + sum(_wide(message) for message in messages) // _BYTES_PER_TOKEN


def text_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return (len(text.encode("utf-8", "surrogatepass")) + _BYTES_PER_TOKEN - 1) // _BYTES_PER_TOKEN


def scale_of(reported: int, estimated: int) -> float:
    """Return by what the provider's own count of a prompt differs from the estimate of it, within reason."""
    if reported <= 0 or estimated <= 0:
        return 1.0
    return min(max(reported / estimated, LEAST_SCALE), GREATEST_SCALE)


def reported_by(answer: AIMessage) -> int:
    """Return the tokens of the prompt of an answer as its provider counted them; 0 where it does not say."""
    return 0 if answer.usage_metadata is None else answer.usage_metadata["input_tokens"]


def _wide(message: AnyMessage) -> int:
    """Return the bytes of a message's words beyond one a character."""
    said = message.text if not isinstance(message, AIMessage) else message.text + _arguments(message)
    return 0 if said.isascii() else len(said.encode("utf-8", "surrogatepass")) - len(said)


def _arguments(message: AIMessage) -> str:
    return "".join(str(call["args"]) for call in message.tool_calls)


def _without_data(message: AnyMessage) -> AnyMessage:
    """Return a message whose files and sounds count what a provider counts, instead of their bytes."""
    if not isinstance(message.content, list) or not any(_is_file(block) for block in message.content):
        return message
    stand_in = {"type": "text", "text": "x" * (FILE_TOKENS * _BYTES_PER_TOKEN)}
    return message.model_copy(
        update={"content": [stand_in if _is_file(block) else block for block in message.content]}
    )


def _is_file(block: str | dict[str, Any]) -> bool:
    if isinstance(block, str) or block.get("type") in _IMAGES:
        return False
    return any(name in _DATA for name in _names(block))


def _names(block: dict[str, Any]) -> set[str]:
    """Return the names of a block's fields, and of those one level further in."""
    inner = {name for held in block.values() if isinstance(held, dict) for name in held}
    return set(block) | inner
