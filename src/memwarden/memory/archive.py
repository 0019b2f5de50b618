"""The archive of a conversation: what left the state of its graph, or its prompt, stays readable for as long as it is there.

Rows of this database, wherever checkpoints are kept: scoped, sealed where checkpoints are sealed, and gone with the
conversation, whether it is deleted, expires or is erased.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memwarden.db import archive_table
from memwarden.db import erasure as erasures
from memwarden.db.archive_table import ArchiveTurn
from memwarden.db.database import Transaction
from memwarden.errors import InvalidInputError, NotFoundError, StateConflictError
from memwarden.memory.dependencies import Dependencies
from memwarden.model.archive import ArchivedRow, ArchiveKind
from memwarden.model.erasure import Fence
from memwarden.model.scope import Scope, checked_name

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

    from memwarden.checkpoint.keeping import Keeping

PAGE = 100
"""How much of an archive is read at a time by whoever reads all of it."""

MOST_BYTES = 100 * 2**20
"""Bytes of one thing, compressed; what a legal hold puts aside is twice as long, and PostgreSQL takes no more than 256 MB."""


@dataclass(frozen=True, slots=True)
class Archived:
    """One thing that was put aside: a message, or a tool's whole result, for which ``message`` is null.

    ``place`` orders what is in one conversation's archive; ``name`` is the tool's, for a tool's result, whose ``id``
    is its reference; ``text`` is the message's, where it is one.
    """

    place: int
    kind: ArchiveKind
    id: str
    name: str
    kept_at: datetime
    message: AnyMessage | None
    text: str


@dataclass(frozen=True, slots=True)
class _Thing:
    """What is to be put aside, before it has a place."""

    kind: ArchiveKind
    id: str
    name: str
    raw: bytes


async def fence(deps: Dependencies, scope: Scope, conversation_id: str) -> Fence:
    """Return what was erased last of a conversation; see `UserMemory.fence`."""
    thread_id = checked_name(conversation_id, "conversation id")
    return Fence(await erasures.latest(deps.database, scope, thread_id))


async def keep_messages(
    deps: Dependencies,
    scope: Scope,
    conversation_id: str,
    messages: Sequence[AnyMessage],
    began: Fence | None = None,
) -> int:
    """Put messages aside in their order, each once by its id; return how many were not there before.

    Raises `InvalidInputError` for a message without an id, and `StateConflictError`, having kept nothing, when the
    conversation or the user was erased since ``began``, or since this was called.
    """
    thread_id = checked_name(conversation_id, "conversation id")
    began = began or await fence(deps, scope, thread_id)
    things = _packed(deps, scope, messages)
    if not things:
        return 0
    async with _turn(deps, scope, thread_id, began) as (tx, turn):
        return await archive_table.insert(tx, thread_id, _rows(deps, scope, thread_id, things, turn))


async def keep_tool_result(
    deps: Dependencies,
    scope: Scope,
    conversation_id: str,
    tool: str,
    call_id: str,
    content: str,
    began: Fence | None = None,
) -> str:
    """Put aside what a tool answered to a call, once; return the reference by which `tool_result` finds it.

    The reference is the call's id, or a hash where that is no name, or was given to another result of the conversation
    before. Raises as `keep_messages` does.
    """
    thread_id = checked_name(conversation_id, "conversation id")
    name = checked_name(tool, "name of the tool") if tool else ""
    began = began or await fence(deps, scope, thread_id)
    raw = content.encode("utf-8", "surrogatepass")
    async with _turn(deps, scope, thread_id, began) as (tx, turn):
        # Some models count their calls anew in every turn, so that an id comes again with another result.
        for reference in (_name_of(call_id), _hash(call_id.encode("utf-8", "surrogatepass") + b"\0" + raw)):
            thing = _Thing(ArchiveKind.TOOL_RESULT, reference, name, raw)
            if await archive_table.insert(tx, thread_id, _rows(deps, scope, thread_id, [thing], turn)):
                return reference
            there = await archive_table.get_in(tx, thread_id, thing.kind, reference)
            if there is not None and _raw(_keeping(deps, scope), thread_id, there) == raw:
                return reference
    raise AssertionError("unreachable: the second reference is of the content itself")


async def archived(
    deps: Dependencies, scope: Scope, conversation_id: str, *, after: int = 0, limit: int = 1_000
) -> list[Archived]:
    """Return what was put aside of a conversation after the place ``after``, in order."""
    thread_id = checked_name(conversation_id, "conversation id")
    rows = await archive_table.page(deps.database, scope, thread_id, after, limit)
    keeping = _keeping(deps, scope)
    return [_archived(keeping, thread_id, row) for row in rows]


async def tool_result(deps: Dependencies, scope: Scope, conversation_id: str, reference: str) -> str:
    """Return what a tool answered, whole; raise `NotFoundError` for a reference that leads nowhere here."""
    thread_id = checked_name(conversation_id, "conversation id")
    kind = ArchiveKind.TOOL_RESULT
    row = await archive_table.get(deps.database, scope, thread_id, kind, _name_of(reference))
    if row is None:
        raise NotFoundError(
            "There is no tool result with this reference in the conversation; give the reference as it stands in the"
            " prompt, or call the tool again."
        )
    return _text(_raw(_keeping(deps, scope), thread_id, row))


async def exchanges(
    deps: Dependencies, scope: Scope, conversation_id: str, messages: Collection[str]
) -> list[int]:
    """Return the places of those messages of the user's, of what was answered to them, and of the results of tools called there."""
    found: list[int] = []
    results: dict[str, int] = {}
    called: set[str] = set()
    within, after = False, 0
    while page := await archived(deps, scope, conversation_id, after=after, limit=PAGE):
        after = page[-1].place
        for item in page:
            if item.kind is ArchiveKind.TOOL_RESULT:
                results[item.id] = item.place
            if item.message is None:
                continue
            if item.message.type == "human":
                within = item.message.id in messages
            if within:
                found.append(item.place)
                called |= {_name_of(call["id"] or "") for call in getattr(item.message, "tool_calls", ())}
    return found + [place for reference, place in results.items() if reference in called]


@asynccontextmanager
async def _turn(
    deps: Dependencies, scope: Scope, thread_id: str, began: Fence
) -> AsyncIterator[tuple[Transaction, ArchiveTurn]]:
    """Open a transaction that holds the thread's row, unless something was erased since ``began``."""
    async with deps.database.transaction(scope) as tx:
        turn = await archive_table.take_turn(tx, thread_id, deps.clock())
        if turn.erasure_id != began.erasure_id:
            raise StateConflictError(
                "This conversation or everything about its user was erased meanwhile; nothing of it was put aside."
            )
        yield tx, turn


def _packed(deps: Dependencies, scope: Scope, messages: Sequence[AnyMessage]) -> list[_Thing]:
    from memwarden.checkpoint.message_codec import packed

    serde = _keeping(deps, scope).serde
    things = []
    for message in messages:
        if not message.id:
            raise InvalidInputError(
                "A message without an id cannot be archived; take it from the graph's state, which gives it one."
            )
        things.append(_Thing(ArchiveKind.MESSAGE, _name_of(message.id), "", packed(message, serde)))
    return things


def _rows(
    deps: Dependencies, scope: Scope, thread_id: str, things: Sequence[_Thing], turn: ArchiveTurn
) -> list[ArchivedRow]:
    """Return things as they are kept, in the places that follow the last one."""
    keeping, now = _keeping(deps, scope), deps.clock()
    rows = []
    for place, thing in enumerate(things, start=turn.place + 1):
        kept = keeping.archived(thread_id, thing.kind.value, thing.id, thing.raw)
        if len(kept) > MOST_BYTES:
            raise InvalidInputError(
                f"A {thing.kind.value.replace('_', ' ')} has {len(kept) / 2**20:.0f} MB, compressed;"
                f" {MOST_BYTES // 2**20} MB can be archived."
            )
        rows.append(ArchivedRow(thing.kind, thing.id, thing.name, kept, now, place))
    return rows


def _archived(keeping: Keeping, thread_id: str, row: ArchivedRow) -> Archived:
    from memwarden.checkpoint.message_codec import unpacked

    raw = _raw(keeping, thread_id, row)
    message = unpacked(raw, keeping.serde) if row.kind is ArchiveKind.MESSAGE else None
    text = _text(raw) if message is None else str(message.text)
    return Archived(row.place, row.kind, row.id, row.name, row.kept_at, message, text)


def _raw(keeping: Keeping, thread_id: str, row: ArchivedRow) -> bytes:
    return keeping.unarchived(thread_id, row.kind.value, row.id, row.content)


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogatepass")


def _keeping(deps: Dependencies, scope: Scope) -> Keeping:
    from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

    from memwarden.checkpoint.keeping import Keeping

    return Keeping(scope, JsonPlusSerializer(allowed_msgpack_modules=None), deps.sealer)


def _name_of(given: str) -> str:
    """Return what a row can be named by: the id that was given, or its hash where that is no name."""
    try:
        return checked_name(given, "id")
    except InvalidInputError:
        return _hash(given.encode("utf-8", "surrogatepass"))


def _hash(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()
