"""Messages as quoted lines for a model to summarise, in parts that fit its window. Pure.

Each message is one line that begins with whose it is; what it says stands as a JSON string without angle brackets, so
no text can end its line, its quotes or the section.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolMessage

from memwarden.session.admissible import hides
from memwarden.session.message_text import calls_of, text_of, tool_names, tool_of
from memwarden.session.roles import is_users_own

LEFT_OUT = " [... left out ...] "
_SHORTEST_CUT = 80


@dataclass(frozen=True, slots=True)
class Part:
    """Messages that are summarised together, and their lines."""

    messages: tuple[AnyMessage, ...]
    text: str


def next_part(messages: Sequence[AnyMessage], most_tokens: int, count: Callable[[str], int]) -> Part:
    """Return as many of the first messages as fit, at least one exchange of calls and results; what is too long is cut.

    ``messages`` has at least one.
    """
    names = tool_names(messages)
    taken: list[AnyMessage] = []
    lines: list[str] = []
    room = most_tokens
    for unit in _units(messages):
        quoted = [_line(message, names) for message in unit]
        cost = sum(map(count, quoted))
        if cost > room and not taken:
            # A single step that is too long for the window goes alone, its messages cut to equal shares.
            share = most_tokens // len(unit)
            return Part(tuple(unit), "\n".join(_cut_line(message, names, share, count) for message in unit))
        if cost > room:
            break
        taken += unit
        lines += quoted
        room -= cost
    return Part(tuple(taken), "\n".join(lines))


def quoted(text: str) -> str:
    """Return a text as a JSON string on one line, without angle brackets."""
    if not text.replace("\n", " ").isprintable():
        text = "".join(" " if hides(ch) and ch != "\n" else ch for ch in text)
    return json.dumps(text, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")


def _units(messages: Sequence[AnyMessage]) -> list[list[AnyMessage]]:
    """Group each message with the results behind it, so that a call and what came of it are read together."""
    units: list[list[AnyMessage]] = []
    for message in messages:
        if isinstance(message, ToolMessage) and units:
            units[-1].append(message)
        else:
            units.append([message])
    return units


def _line(message: AnyMessage, names: Mapping[str, str], most: int | None = None) -> str:
    said = text_of(message)
    pieces = [f"{_role(message, names)}: {quoted(_shortened(said, most))}"] if said.strip() else []
    pieces += [
        f"the assistant calls {quoted(call.name)} with {_arguments(call.arguments, most)}"
        for call in calls_of(message)
    ]
    return "\n".join(pieces) or f"{_role(message, names)}: (no text)"


def _arguments(arguments: Sequence[tuple[str, str]], most: int | None) -> str:
    return (
        ", ".join(f"{quoted(name)}: {quoted(_shortened(value, most))}" for name, value in arguments)
        or "nothing"
    )


def _cut_line(
    message: AnyMessage, names: Mapping[str, str], most_tokens: int, count: Callable[[str], int]
) -> str:
    """Return a line of at most ``most_tokens``, or as short as it gets, of which head and tail are left."""
    line = _line(message, names)
    most = len(text_of(message)) + sum(
        len(value) for call in calls_of(message) for _, value in call.arguments
    )
    while count(line) > most_tokens and most > _SHORTEST_CUT:
        most = max(_SHORTEST_CUT, min(most // 2, most * most_tokens // max(1, count(line))))
        line = _line(message, names, most)
    return line


def _shortened(text: str, most: int | None) -> str:
    if most is None or len(text) <= most:
        return text
    half = (most - len(LEFT_OUT)) // 2
    return text[:half] + LEFT_OUT + text[-half:]


def _role(message: AnyMessage, names: Mapping[str, str]) -> str:
    if isinstance(message, ToolMessage):
        failed = " (failed)" if message.status == "error" else ""
        return f"result of {quoted(tool_of(message, names))}{failed}"
    if isinstance(message, AIMessage):
        return "the assistant"
    if isinstance(message, HumanMessage):
        return "the user" if is_users_own(message) else "a note of the application"
    return "the application" if isinstance(message, SystemMessage) else "another"
