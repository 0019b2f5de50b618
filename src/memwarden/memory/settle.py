"""Settle: what a new statement does to those already kept. It replaces, merges with or contradicts one, or neither."""

from __future__ import annotations

from collections.abc import Sequence
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

Near = Sequence[tuple[MemoryRecord, float | None]]
"""Kept records and the cosine similarity of their vectors to a new one's, null where they cannot be compared."""


async def neighbours(deps: Dependencies, tx: Transaction, record: MemoryRecord, vector: Vectors) -> Near:
    """Return the free-text records nearest to a new one; none for a slot, which has one value, and for an episode."""
    if record.key is not None or record.type is MemoryType.EPISODE:
        return ()
    return await memory_table.nearest(
        tx, record.scope, vector, deps.embedder.model, record.updated_at, LOOKED_AT
    )


def contradicted(near: Near, record: MemoryRecord, replaces: str | None) -> MemoryRecord | None:
    """Return the kept record that cannot be true beside ``record``, unless that is the one it replaces."""
    if _is_known(near, record):
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
    tx: Transaction,
    record: MemoryRecord,
    vector: Vectors,
    cause: Cause,
    near: Near,
    *,
    replaces: str | None = None,
) -> Kept:
    """Keep ``record``; one that says the same in other words merges into it: newest wording, oldest date, all evidence."""
    if replaces is None and (same := _double(near, record)) is not None:
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


def _double(near: Near, record: MemoryRecord) -> MemoryRecord | None:
    if _is_known(near, record):
        return None  # the very same sentence is renewed, not merged
    return next(
        (
            old
            for old, similarity in near
            if (old.type, old.purpose) == (record.type, record.purpose)
            and likeness(record.content, old.content, similarity) is Likeness.SAME
        ),
        None,
    )


def _is_known(near: Near, record: MemoryRecord) -> bool:
    return any(old.content == record.content for old, _ in near)
