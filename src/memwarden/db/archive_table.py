"""The rows of the table ``archive``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, LiteralString, cast

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.multi_row import multi_row
from memwarden.db.statements import statements
from memwarden.model.archive import ArchivedRow, ArchiveKind
from memwarden.model.scope import Scope

_SQL = statements("archive")
_STAY_OUT = statements("erasure")["stay_out"]
_NOTE = statements("thread")["note"]

_ROWS, _BYTES = 400, 16 * 2**20
"""Rows, and bytes of content but for a single row's, that one statement writes."""


@dataclass(frozen=True, slots=True)
class ArchiveTurn:
    """What a writer finds with its turn: the last place given out, and what it has to heed."""

    place: int
    erasure_id: str | None


async def take_turn(tx: Transaction, thread_id: str, at: datetime) -> ArchiveTurn:
    """Note that a conversation goes on, and keep its other writers and erasures out until the transaction ends."""
    # One trip: a statement sees what was committed before it began, and so after the locks were got.
    together: LiteralString = ";\n".join((_STAY_OUT, _NOTE, _SQL["latest_place"]))
    rows = await tx.fetch(together, {"thread_id": thread_id, "at": at})
    return ArchiveTurn(**cast("Mapping[str, Any]", rows[0]))


async def insert(tx: Transaction, thread_id: str, rows: Sequence[ArchivedRow]) -> int:
    """Put rows aside in the thread's turn; return how many were not there before, which stay as they were."""
    kept = 0
    for some in _portions(rows):
        params: dict[str, object] = {"thread_id": thread_id}
        shared = {"tenant_id": tx.scope.tenant_id, "user_id": tx.scope.user_id, "thread_id": thread_id}
        kept += len(await tx.fetch(multi_row(_SQL["insert"], some, "rows", params, shared), params))
    return kept


async def page(db: Database, scope: Scope, thread_id: str, after_place: int, limit: int) -> list[ArchivedRow]:
    """Return what was put aside after a place, in order."""
    named = {"thread_id": thread_id, "after": after_place, "limit": limit}
    return [_row(row) for row in await db.fetch(scope, _SQL["page"], named)]


async def get(db: Database, scope: Scope, thread_id: str, kind: ArchiveKind, id: str) -> ArchivedRow | None:  # noqa: A002 - the column's name
    """Return one thing, or null."""
    rows = await db.fetch(scope, _SQL["get"], {"thread_id": thread_id, "kind": kind.value, "id": id})
    return _row(rows[0]) if rows else None


async def get_in(tx: Transaction, thread_id: str, kind: ArchiveKind, id: str) -> ArchivedRow | None:  # noqa: A002
    """Return one thing as a transaction sees it, or null."""
    rows = await tx.fetch(_SQL["get"], {"thread_id": thread_id, "kind": kind.value, "id": id})
    return _row(rows[0]) if rows else None


async def drop(tx: Transaction, thread_id: str, places: Sequence[int]) -> None:
    """Delete what stands at these places."""
    await tx.fetch(_SQL["drop"], {"thread_id": thread_id, "places": list(places)})


def _portions(rows: Sequence[ArchivedRow]) -> Iterator[list[ArchivedRow]]:
    """Yield rows in their order, as many at a time as one statement takes."""
    portion: list[ArchivedRow] = []
    size = 0
    for row in rows:
        if portion and (len(portion) == _ROWS or size + len(row.content) > _BYTES):
            yield portion
            portion, size = [], 0
        portion.append(row)
        size += len(row.content)
    if portion:
        yield portion


def _row(row: Row) -> ArchivedRow:
    r = cast("Mapping[str, Any]", row)
    return ArchivedRow(
        kind=ArchiveKind(r["kind"]),
        id=r["id"],
        name=r["name"],
        content=bytes(r["content"]),
        kept_at=r["kept_at"].astimezone(UTC),
        place=r["place"],
    )
