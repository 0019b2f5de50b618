"""Texts too long for a prompt: their head and tail, with a note of what is missing between."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import AnyMessage

from memwarden.session.prompt_size import text_tokens

_HEAD = 2 / 3


def head_and_tail(text: str, most_tokens: int, note: str) -> str:
    """Return the beginning and the end of a text, together with ``note`` within so many tokens; a short text whole."""
    if text_tokens(text) <= most_tokens:
        return text
    room = max(0, most_tokens - text_tokens(note) - 2)
    head, tail = _cut(text, int(room * _HEAD)), _cut(text[::-1], room - int(room * _HEAD))[::-1]
    return f"{head}\n{note}\n{tail}" if room else note


def shortened(message: AnyMessage, most_tokens: int, note: str) -> AnyMessage:
    """Return a message whose words are within so many tokens; of blocks, texts are shortened and the rest is named."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": head_and_tail(message.content, most_tokens, note)})
    share = max(1, most_tokens // max(1, len(message.content)))
    return message.model_copy(update={"content": [_block(block, share, note) for block in message.content]})


def _block(block: str | dict[str, Any], most_tokens: int, note: str) -> str | dict[str, Any]:
    if isinstance(block, str):
        return head_and_tail(block, most_tokens, note)
    if block.get("type") == "text":
        return {**block, "text": head_and_tail(str(block.get("text", "")), most_tokens, note)}
    if block.get("type") in {"tool_use", "tool_call", "function_call"}:
        return block
    return {"type": "text", "text": f"[{block.get('type', 'something')} left out]"}


def _cut(text: str, tokens: int) -> str:
    """Return as much of a text's beginning as is within so many tokens; 4 bytes each, never half a character."""
    return text.encode("utf-8", "surrogatepass")[: tokens * 4].decode("utf-8", "ignore")
