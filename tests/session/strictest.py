"""What the strictest provider says of a history, written apart from the code that puts one right."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage


def complaints(messages: Sequence[BaseMessage]) -> list[str]:
    """Return everything a provider would refuse in a history, in words."""
    ids = [message.id for message in messages]
    found = ["ids are missing or not unique"] if None in ids or len(set(ids)) != len(ids) else []
    said = list(messages)
    while said and isinstance(said[0], SystemMessage):
        said.pop(0)
    if said and not isinstance(said[0], HumanMessage):
        found.append(f"begins with {said[0].type}")
    for place, message in enumerate(said):
        found += _wrong(message, said[place - 1] if place else None, place)
        found += _unanswered(message, said[place + 1 :])
    return found + _uncalled(said)


def _wrong(message: BaseMessage, before: BaseMessage | None, place: int) -> list[str]:
    found = []
    if isinstance(message, SystemMessage):
        found.append(f"a system message at {place}")
    if isinstance(message, HumanMessage) and isinstance(before, ToolMessage):
        found.append(f"a question right after results at {place}")
    if not _says_something(message):
        found.append(f"an empty {message.type} message at {place}")
    if isinstance(message, AIMessage) and message.invalid_tool_calls:
        found.append(f"calls that are none at {place}")
    asks = isinstance(before, HumanMessage | ToolMessage)
    if isinstance(message, AIMessage) and message.tool_calls and not asks:
        found.append(f"calls without a question before them at {place}")
    return found


def _unanswered(message: BaseMessage, behind: Sequence[BaseMessage]) -> list[str]:
    """Return what is wrong with the results behind an answer with calls: each must stand there, in order."""
    if not isinstance(message, AIMessage):
        return []
    ids = [call["id"] for call in message.tool_calls]
    results = [m.tool_call_id for m in behind[: len(ids)] if isinstance(m, ToolMessage)]
    return [] if results == ids else [f"the calls {ids} are followed by the results {results}"]


def _uncalled(said: Sequence[BaseMessage]) -> list[str]:
    """Return what is wrong with results: each belongs to the answer that the run of results follows."""
    found, open_calls = [], 0
    for place, message in enumerate(said):
        if isinstance(message, ToolMessage):
            open_calls -= 1
            if open_calls < 0:
                found.append(f"a result without a call at {place}")
        else:
            open_calls = len(message.tool_calls) if isinstance(message, AIMessage) else 0
    return found


def _says_something(message: BaseMessage) -> bool:
    if isinstance(message, AIMessage) and message.tool_calls:
        return True
    if isinstance(message.content, str):
        return bool(message.content.strip())
    return any(
        block.strip()
        if isinstance(block, str)
        else block.get("type") != "text" or block.get("text", "").strip()
        for block in message.content
    )
