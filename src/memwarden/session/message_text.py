"""The text of a message and the calls it makes, whatever it was built from. Pure; never raises."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool, with arguments as text by name."""

    id: str
    name: str
    arguments: tuple[tuple[str, str], ...]


def text_of(message: BaseMessage) -> str:
    """Return the text of a message; images, sounds and other blocks have none."""
    content: object = message.content
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content)) if isinstance(content, Sequence) else ""


def calls_of(message: BaseMessage) -> Iterator[Call]:
    """Yield the calls an answer makes, in order."""
    if isinstance(message, AIMessage):
        for call in message.tool_calls:
            arguments = ((str(name), as_text(value)) for name, value in call["args"].items())
            yield Call(str(call.get("id") or ""), call["name"], tuple(arguments))


def tool_names(messages: Iterable[AnyMessage]) -> dict[str, str]:
    """Return the name of the tool that each call was for, by the call's id."""
    return {call.id: call.name for message in messages for call in calls_of(message)}


def tool_of(message: ToolMessage, names: Mapping[str, str]) -> str:
    """Return the name of the tool a result is from."""
    return message.name or names.get(message.tool_call_id) or "tool"


def as_text(value: object) -> str:
    """Return an argument as text: a string as it is, everything else as JSON where it has that form."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__


def _texts(blocks: Sequence[object]) -> Iterator[str]:
    for block in blocks:
        if isinstance(block, str):
            yield block
        elif (
            isinstance(block, Mapping)
            and block.get("type", "text") == "text"
            and isinstance(block.get("text"), str)
        ):
            yield block["text"]
