"""A history as the strictest provider takes it: every call with its results, in order, and nothing without its turn.

The rules are those of the providers taken together: system messages first (Anthropic); then a human message (Anthropic,
Bedrock); the results of an answer's calls directly behind it, each once and in order (OpenAI, Anthropic); an answer with
calls directly behind a human message or results (Gemini); no human message directly behind results (Mistral); no message
without text or calls (Anthropic, Bedrock).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_OID, uuid4, uuid5

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, SystemMessage, ToolCall, ToolMessage

from memwarden.session.roles import PLACEHOLDER, WRITTEN_BY, checked

NO_RESULT = "No result: the call was not carried out to its end."
NO_OUTPUT = "(no output)"
NO_TEXT = "(no text)"
GOES_ON = "(The conversation goes on.)"
NO_ANSWER = "(No answer was given.)"


@dataclass(frozen=True, slots=True)
class Repaired:
    """A history that providers take, and what of the given one is not in it: results without a call, empty answers."""

    messages: tuple[AnyMessage, ...]
    left_out: tuple[AnyMessage, ...]


def repaired(messages: Sequence[object]) -> Repaired:
    """Return a history put right where another tool broke it; one that is right comes back as it is.

    Messages keep their ids and their order, but for results, which go behind their calls, and system messages, which
    go to the head. Raises `InvalidInputError` for a message of an unknown role.
    """
    identified = _with_ids(checked(messages))
    left_out: list[AnyMessage] = []
    system = [message for message in identified if isinstance(message, SystemMessage)]
    rest = [message for message in identified if not isinstance(message, SystemMessage)]
    paired = _paired(rest, left_out)
    worded = _worded(paired, left_out)
    return Repaired((*system, *_in_turn(worded)), tuple(left_out))


def _with_ids(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Give an id to messages without one, and another to a message that has the id of an earlier one."""
    taken: set[str] = set()
    out: list[AnyMessage] = []
    for message in messages:
        known = message
        if not message.id or message.id in taken:
            known = message.model_copy(update={"id": str(uuid4())})
        taken.add(str(known.id))
        out.append(known)
    return out


def _paired(messages: Sequence[AnyMessage], left_out: list[AnyMessage]) -> list[AnyMessage]:
    """Put each result behind the call it answers, a note where there is none, and leave out what answers nothing."""
    results: dict[str, list[tuple[int, ToolMessage]]] = {}
    for place, message in enumerate(messages):
        if isinstance(message, ToolMessage):
            results.setdefault(message.tool_call_id, []).append((place, message))
    used: set[int] = set()
    out: list[AnyMessage] = []
    for place, message in enumerate(messages):
        if isinstance(message, AIMessage):
            answer = _with_valid_calls(message)
            until = _asked_again(messages, place, answer)
            out.append(answer)
            out.extend(_result(answer, call, results, used, place, until) for call in answer.tool_calls)
        elif not isinstance(message, ToolMessage):
            out.append(message)
    left_out += [
        message
        for place, message in enumerate(messages)
        if isinstance(message, ToolMessage) and place not in used
    ]
    return out


def _with_valid_calls(message: AIMessage) -> AIMessage:
    """Return an answer without calls that no tool could be given, and with an id for each call."""
    seen: set[str] = set()
    calls: list[ToolCall] = []
    for place, call in enumerate(message.tool_calls):
        call_id = call.get("id") or f"{message.id}/{place}"
        if call_id not in seen:
            calls.append(call if call.get("id") else {**call, "id": call_id})
        seen.add(call_id)
    if calls == message.tool_calls and not message.invalid_tool_calls:
        return message
    invalid = {call.get("id") for call in message.invalid_tool_calls}
    kwargs = {name: held for name, held in message.additional_kwargs.items() if name != "tool_calls"}
    content = message.content
    if isinstance(content, list):
        content = [
            block
            for block in content
            if isinstance(block, str) or not _is_call(block) or block.get("id") not in invalid
        ]
    changed = {"tool_calls": calls, "invalid_tool_calls": [], "additional_kwargs": kwargs, "content": content}
    return message.model_copy(update=changed)


def _is_call(block: dict[str, object]) -> bool:
    return block.get("type") in {"tool_use", "tool_call", "function_call", "invalid_tool_call"}


def _asked_again(messages: Sequence[AnyMessage], place: int, answer: AIMessage) -> int:
    """Return the place of the next answer that has a call of the same id, which some providers count anew each time."""
    ids = {call["id"] for call in answer.tool_calls}
    if not ids:
        return place
    for later in range(place + 1, len(messages)):
        message = messages[later]
        if isinstance(message, AIMessage) and any(call.get("id") in ids for call in message.tool_calls):
            return later
    return len(messages)


def _result(
    answer: AIMessage,
    call: ToolCall,
    results: dict[str, list[tuple[int, ToolMessage]]],
    used: set[int],
    after: int,
    until: int,
) -> ToolMessage:
    call_id = str(call["id"])
    found = [(place, result) for place, result in results.get(call_id, ()) if after < place < until]
    if not found:
        return ToolMessage(
            NO_RESULT, tool_call_id=call_id, name=call["name"], status="error", id=_made_id(answer, call_id)
        )
    # A result that came after a note of ours that there was none is the one that counts.
    place, result = next((one for one in found if one[1].text != NO_RESULT), found[0])
    used.add(place)
    return result


def _worded(messages: Sequence[AnyMessage], left_out: list[AnyMessage]) -> list[AnyMessage]:
    """Give words to what came without: an empty answer goes, an empty question or result says that it is."""
    out: list[AnyMessage] = []
    for message in messages:
        if not _is_empty(message):
            out.append(message)
        elif isinstance(message, AIMessage):
            if not message.tool_calls:
                left_out.append(message)
            else:
                out.append(message)
        else:
            said = NO_OUTPUT if isinstance(message, ToolMessage) else NO_TEXT
            out.append(message.model_copy(update={"content": said}))
    return out


def _is_empty(message: AnyMessage) -> bool:
    content = message.content
    if isinstance(content, str):
        return not content.strip()
    return all(_is_blank(block) for block in content)


def _is_blank(block: str | dict[str, object]) -> bool:
    if isinstance(block, str):
        return not block.strip()
    return block.get("type") == "text" and not str(block.get("text", "")).strip()


def _in_turn(messages: Sequence[AnyMessage]) -> Iterator[AnyMessage]:
    """Put a placeholder where a provider would refuse what comes next."""
    before: AnyMessage | None = None
    for message in messages:
        if isinstance(message, HumanMessage):
            if isinstance(before, ToolMessage):
                yield _placeholder(AIMessage, NO_ANSWER, message)
        elif isinstance(message, AIMessage) and (
            before is None or (message.tool_calls and isinstance(before, AIMessage))
        ):
            yield _placeholder(HumanMessage, GOES_ON, message)
        yield message
        before = message


def _placeholder(
    role: type[AIMessage] | type[HumanMessage], said: str, before: AnyMessage
) -> AIMessage | HumanMessage:
    return role(said, id=_made_id(before, said), additional_kwargs={WRITTEN_BY: PLACEHOLDER})


def _made_id(beside: AnyMessage, what: str) -> str:
    """Return an id that is the same whenever the same history is put right."""
    return str(uuid5(NAMESPACE_OID, f"{beside.id}/{what}"))
