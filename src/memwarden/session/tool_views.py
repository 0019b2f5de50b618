"""What of a tool's result a prompt shows: declared fields, or head and tail, and where the whole of it can be read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import ToolMessage

from memwarden.session.prompt_size import text_tokens
from memwarden.session.shortening import head_and_tail, shortened

REFERENCE = "memwarden_result"
"""Where a result that was shortened says under which reference the whole of it is kept."""

READ_TOOL = "read_tool_result"
LINE_CHARACTERS = 120
_LEFT_OUT = "[... left out ...]"


@dataclass(frozen=True, slots=True)
class ToolView:
    """What the prompt shows of one tool's results.

    ``fields`` are names in a JSON object, or in each object of a JSON list; ``a.b`` reaches inside. Without any, or where
    the result is not JSON, it is the head and tail within ``most_tokens`` (null: as for every tool).
    """

    fields: tuple[str, ...] = ()
    most_tokens: int | None = None


def reference_of(message: ToolMessage) -> str | None:
    """Return the reference under which the whole of a shortened result is kept, or null for a whole one."""
    found = message.additional_kwargs.get(REFERENCE)
    return found if isinstance(found, str) else None


def view_of(message: ToolMessage, view: ToolView, most_tokens: int) -> str | None:
    """Return what the prompt shows of a result, or null when that is the whole of it."""
    most = most_tokens if view.most_tokens is None else view.most_tokens
    whole = message.text
    chosen = _chosen(whole, view.fields) if view.fields else None
    shown = whole if chosen is None else chosen
    if text_tokens(shown) > most:
        return head_and_tail(shown, most, _LEFT_OUT)
    return None if chosen is None or chosen == whole else shown


def with_view(message: ToolMessage, shown: str, reference: str) -> ToolMessage:
    """Return a result that shows so much, and says where the whole of it is kept."""
    content = f"{shown}\n{pointer(reference)}"
    if not isinstance(message.content, str):
        blocks = shortened(message, max(1, text_tokens(shown)), _LEFT_OUT).content
        return _marked(message, [*blocks, {"type": "text", "text": pointer(reference)}], reference)
    return _marked(message, content, reference)


def in_a_line(message: ToolMessage, reference: str) -> ToolMessage:
    """Return a result of an earlier turn as one line, and where the whole of it is kept."""
    first = " ".join(message.text.replace(pointer(reference), "").split())
    line = first if len(first) <= LINE_CHARACTERS else f"{first[:LINE_CHARACTERS].rstrip()} ..."
    return _marked(message, f"{line} {pointer(reference)}", reference)


def is_long(message: ToolMessage) -> bool:
    """Tell whether a result is longer than it is as one line."""
    return not isinstance(message.content, str) or len(message.content) > 2 * LINE_CHARACTERS


def pointer(reference: str) -> str:
    """Return the words by which a prompt points to the whole of a result."""
    return f"[{READ_TOOL}({json.dumps(reference, ensure_ascii=False)}) gives the whole]"


def _marked(message: ToolMessage, content: object, reference: str) -> ToolMessage:
    kwargs = {**message.additional_kwargs, REFERENCE: reference}
    return message.model_copy(update={"content": content, "additional_kwargs": kwargs})


def _chosen(text: str, fields: Sequence[str]) -> str | None:
    """Return the declared fields of a JSON text as JSON, or null for a text that has none of them."""
    try:
        held = json.loads(text)
    except ValueError:
        return None
    if isinstance(held, list):
        rows = [_of_object(row, fields) for row in held if isinstance(row, Mapping)]
        return json.dumps(rows, ensure_ascii=False) if rows and any(rows) else None
    chosen = _of_object(held, fields) if isinstance(held, Mapping) else {}
    return json.dumps(chosen, ensure_ascii=False) if chosen else None


def _of_object(held: Mapping[str, object], fields: Sequence[str]) -> dict[str, object]:
    found = {field: _reached(held, field.split(".")) for field in fields}
    return {field: value for field, value in found.items() if value is not _MISSING}


_MISSING = object()


def _reached(held: object, path: Sequence[str]) -> object:
    for name in path:
        if not isinstance(held, Mapping) or name not in held:
            return _MISSING
        held = held[name]
    return held
