"""Consolidate: put one user's memory in order. What expired goes, doubles become one, contradictions are asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from memwarden.db import consent_table, memory_table, upkeep_table
from memwarden.db.database import Transaction
from memwarden.db.memory_table import Pair
from memwarden.memory.consent import is_allowed
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_SYSTEM
from memwarden.memory.keep import log
from memwarden.memory.likeness import Likeness, likeness
from memwarden.memory.propose import ask_which
from memwarden.memory.purge import purge
from memwarden.memory.reembed import reembed
from memwarden.memory.settle import merged
from memwarden.model.audit import Action
from memwarden.model.consent import Standing
from memwarden.model.outcome import Outcome
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope

BATCH = 200
"""New records that are compared with all others before the place is noted."""

MOST_PAIRS = 5_000
NEAR = 0.6
"""Cosine distance from which two sentences are too far apart to say the same or the opposite; with the offline model
"Reports to Anita" and "Reports to Ravi" are 0.42 apart, "Has two cats" and "Plays the flute" 0.66."""

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What was done: records purged, given new vectors, merged into others; and questions put to the user."""

    purged: int = 0
    reembedded: int = 0
    merged: int = 0
    asked: int = 0


async def consolidate(deps: Dependencies, scope: Scope) -> Consolidated:
    """Put the user's memory in order; safe to stop, to run again and to run beside everything else.

    Only what was written since the last time is compared with the rest. While the user has memory switched off
    nothing but the purge takes place. Raises `StateConflictError` when everything about them was erased meanwhile.
    """
    standing = await consent_table.standing_of(deps.database, scope, None)
    purged = (await purge(deps, scope)).memories
    if standing.off:
        return Consolidated(purged=purged)
    reembedded = await reembed(deps, scope)
    merged_, asked = 0, 0
    since = await upkeep_table.consolidated_at(deps.database, scope) or _BEGINNING
    while True:
        now = deps.clock()
        marks = await memory_table.written_since(deps.database, scope, since, BATCH)
        until = marks[-1] if len(marks) == BATCH else now
        for pair in await memory_table.alike(
            deps.database,
            scope,
            deps.embedder.model,
            since=since,
            until=until,
            now=now,
            distance=NEAR,
            limit=MOST_PAIRS,
        ):
            outcome = await _settle(deps, scope, pair, standing)
            merged_ += outcome is Likeness.SAME
            asked += outcome is Likeness.CONTRADICTS
        async with deps.database.transaction(scope) as tx:
            await memory_table.lock_user(tx)
            await is_allowed(deps, tx, "", None, standing)
            await upkeep_table.done(tx, until, deps.embedder.model)
        if len(marks) < BATCH:
            return Consolidated(purged, reembedded, merged_, asked)
        since = until


async def _settle(deps: Dependencies, scope: Scope, pair: Pair, standing: Standing) -> Likeness:
    """Merge or ask about one pair; return which, or ``OTHER`` when neither was called for."""
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        now = deps.clock()
        newer = await memory_table.get(tx, scope, pair.newer, now)
        older = await memory_table.get(tx, scope, pair.older, now)
        if newer is None or older is None:
            return Likeness.OTHER  # one of them stepped aside meanwhile, perhaps for the pair before
        if not all([await is_allowed(deps, tx, r.purpose, None, standing) for r in (newer, older)]):
            return Likeness.OTHER
        how = likeness(newer.content, older.content, pair.similarity)
        if how is Likeness.SAME and (newer.type, newer.purpose) == (older.type, older.purpose):
            await _merge(tx, newer, older, now)
            return how
        if how is Likeness.CONTRADICTS:
            asked = await ask_which(deps, tx, newer, older, BY_THE_SYSTEM)
            return how if asked.outcome is Outcome.PROPOSED else Likeness.OTHER
    return Likeness.OTHER


async def _merge(tx: Transaction, newer: MemoryRecord, older: MemoryRecord, now: datetime) -> None:
    await memory_table.absorb(tx, merged(newer, older))
    await memory_table.supersede_record(tx, older.id, by=newer.id, now=now)
    await log(tx, newer.scope, now, Action.MERGED, BY_THE_SYSTEM, older.id)
