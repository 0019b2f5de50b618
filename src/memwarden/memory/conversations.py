"""What the checkpoints and the archives of a user's conversations hold, as far as it is messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from memwarden.db import thread_table
from memwarden.memory.archive import PAGE, Archived, archived
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.threads import saver_of
from memwarden.model.archive import ArchiveKind
from memwarden.model.scope import Scope
from memwarden.model.thread import Thread

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

MOST = 100_000
INTERRUPT = "__interrupt__"
"""The channel under which LangGraph saves a question that a graph stopped to ask."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message: who said it (human, ai, tool, system) and its text; ``tool`` names the tool of a result."""

    role: str
    text: str
    id: str | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation: when it began and was last active, and what its latest state holds.

    ``notes`` are what remains in the agent's prompt of messages that left it: its summary, and what is pinned.
    """

    id: str
    started_at: datetime
    last_active_at: datetime
    messages: tuple[Message, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a conversation's archive holds: a message that left its state, or a tool's whole result.

    ``role`` is the message's (human, ai, tool, system), null for what is none; ``tool`` names the tool of a result.
    """

    conversation_id: str
    place: int
    kind: ArchiveKind
    id: str
    role: str | None
    tool: str | None
    text: str
    kept_at: datetime


async def conversations(deps: Dependencies, scope: Scope) -> list[Conversation]:
    """Return the user's conversations, the latest active first."""
    threads = await thread_table.list_all(deps.database, scope, MOST)
    return [await _conversation(deps, scope, thread) for thread in threads]


async def earlier(deps: Dependencies, scope: Scope) -> list[Earlier]:
    """Return what is in the archives of the user's conversations, each in order, the latest active conversation first."""
    found: list[Earlier] = []
    for thread in await thread_table.list_all(deps.database, scope, MOST):
        page = await archived(deps, scope, thread.id, limit=PAGE)
        while page:
            found += [_earlier(thread.id, item) for item in page]
            page = await archived(deps, scope, thread.id, after=page[-1].place, limit=PAGE)
    return found


@dataclass(frozen=True, slots=True)
class Latest:
    """The latest state of a conversation: its messages, whether its graph waits for an answer, and notes of earlier ones.

    ``transcript`` is the history that the person sees, null where the graph keeps none of its own.
    """

    messages: Sequence[AnyMessage]
    waiting: bool
    notes: tuple[str, ...] = ()
    transcript: Sequence[AnyMessage] | None = None


async def latest(deps: Dependencies, scope: Scope, thread_id: str) -> Latest:
    """Return what a conversation's latest checkpoint holds; no messages where its graph keeps no ``messages``."""
    found = await saver_of(deps, scope).aget_tuple(
        {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    )
    values: dict[str, Any] = {} if found is None else found.checkpoint["channel_values"]
    messages = values.get("messages", [])
    transcript = values.get("transcript")
    pending = () if found is None else found.pending_writes or ()
    return Latest(
        messages if isinstance(messages, list) else [],
        any(channel == INTERRUPT for _, channel, _ in pending),
        _notes(values.get("summary"), values.get("ledger")),
        transcript if isinstance(transcript, list) else None,
    )


def _notes(summary: object, ledger: object) -> tuple[str, ...]:
    """Return the lines of a summary and the words of pinned items, as far as a graph's state has some of ours."""
    sections = summary.values() if isinstance(summary, dict) else ()
    lines = [line for lines in sections if isinstance(lines, list) for line in lines]
    items = ledger if isinstance(ledger, list) else ()
    pinned = [item.get("text") for item in items if isinstance(item, dict)]
    return tuple(said for said in (*pinned, *lines) if isinstance(said, str) and said)


async def whole(deps: Dependencies, scope: Scope, thread_id: str) -> Latest:
    """Return the same as `latest`, with the messages that left the history before those that are still in it."""
    state = await latest(deps, scope, thread_id)
    present = {message.id for message in state.messages}
    left: list[AnyMessage] = []
    after = 0
    while page := await archived(deps, scope, thread_id, after=after, limit=PAGE):
        after = page[-1].place
        left += [item.message for item in page if item.message is not None and item.message.id not in present]
    return Latest([*left, *state.messages], state.waiting, state.notes, state.transcript)


async def _conversation(deps: Dependencies, scope: Scope, thread: Thread) -> Conversation:
    state = await latest(deps, scope, thread.id)
    return Conversation(
        thread.id,
        thread.started_at,
        thread.last_active_at,
        tuple(map(as_message, state.messages)),
        state.notes,
    )


def as_message(message: AnyMessage) -> Message:
    """Return what is shown of one message."""
    return Message(message.type, message.text, message.id, getattr(message, "name", None))


def _earlier(conversation_id: str, item: Archived) -> Earlier:
    said = item.message
    return Earlier(
        conversation_id,
        item.place,
        item.kind,
        item.id,
        None if said is None else said.type,
        item.name or None if said is None else said.name,
        item.text,
        item.kept_at,
    )
