"""Settle: what a new statement does to those already kept. It replaces, merges with or contradicts one, or neither."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memwarden.db import memory_table
from memwarden.db.database import Transaction
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, Kept, keep
from memwarden.memory.likeness import Likeness, likeness
from memwarden.model.record import MemoryRecord, MemoryType

if TYPE_CHECKING:
    from memwarden.embed import Vectors

LOOKED_AT = 16
"""Nearest records that a new statement is compared with."""


async def contradicted(
    deps: Dependencies, tx: Transaction, record: MemoryRecord, vector: Vectors, replaces: str | None
) -> MemoryRecord | None:
    """Return the kept record that cannot be true beside ``record``, unless that is the one it replaces."""
    near = await _near(deps, tx, record, vector)
    if any(old.content == record.content for old, _ in near):
        return None  # said before, and let stand then
    return next(
        (
            old
            for old, similarity in near
            if old.id != replaces
            and likeness(record.content, old.content, similarity) is Likeness.CONTRADICTS
        ),
        None,
    )


async def settle(
    deps: Dependencies,
    tx: Transaction,
    record: MemoryRecord,
    vector: Vectors,
    cause: Cause,
    *,
    replaces: str | None = None,
) -> Kept:
    """Keep ``record``; one that says the same in other words merges into it: newest wording, oldest date, all evidence."""
    if replaces is None and (same := await _same(deps, tx, record, vector)) is not None:
        return await keep(tx, merged(record, same), vector, cause, replaces=same.id, merges=True)
    return await keep(tx, record, vector, cause, replaces=replaces)


def merged(newer: MemoryRecord, older: MemoryRecord) -> MemoryRecord:
    """Return ``newer`` with the date, the evidence and the longer life of both."""
    return replace(
        newer,
        created_at=min(newer.created_at, older.created_at),
        evidence=newer.evidence.joined(older.evidence),
        expires_at=max(newer.expires_at, older.expires_at),
    )


async def _same(
    deps: Dependencies, tx: Transaction, record: MemoryRecord, vector: Vectors
) -> MemoryRecord | None:
    near = await _near(deps, tx, record, vector)
    if any(old.content == record.content for old, _ in near):
        return None  # the very same sentence is renewed, not merged
    return next(
        (
            old
            for old, similarity in near
            if old.type is record.type
            and old.purpose == record.purpose
            and likeness(record.content, old.content, similarity) is Likeness.SAME
        ),
        None,
    )


async def _near(
    deps: Dependencies, tx: Transaction, record: MemoryRecord, vector: Vectors
) -> list[tuple[MemoryRecord, float | None]]:
    """Return the free-text records nearest to a new one; a slot has one value and needs no comparing."""
    if record.key is not None or record.type is MemoryType.EPISODE:
        return []
    return await memory_table.nearest(
        tx, record.scope, vector, deps.embedder.model, record.updated_at, LOOKED_AT
    )
