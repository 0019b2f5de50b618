"""Consolidate: put one user's memory in order. What expired goes, doubles become one, contradictions are asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from memwarden.db import consent_table, memory_table, upkeep_table
from memwarden.db.database import Transaction
from memwarden.db.memory_table import FreeText, Pair
from memwarden.memory.consent import is_allowed
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_SYSTEM
from memwarden.memory.keep import log
from memwarden.memory.likeness import Likeness, likeness
from memwarden.memory.likeness_index import LikenessIndex
from memwarden.memory.propose import ask_which
from memwarden.memory.purge import purge
from memwarden.memory.reembed import reembed
from memwarden.memory.settle import merged
from memwarden.model.audit import Action
from memwarden.model.consent import Standing
from memwarden.model.outcome import Outcome
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope

BATCH = 1_000
"""Statements that are read at once; when new ones are among them, the place is noted once they are settled."""

TOGETHER = 20
"""Pairs that are settled in one transaction, during which nobody else writes the user's memory."""

_TICK = timedelta(microseconds=1)
"""The shortest time the database tells apart."""

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What was done: records purged, given new vectors, merged into others; and questions put to the user."""

    purged: int = 0
    reembedded: int = 0
    merged: int = 0
    asked: int = 0


@dataclass(frozen=True, slots=True)
class _Run:
    """What one run works with: what the user let be done when it began, and the statements read so far."""

    deps: Dependencies
    scope: Scope
    standing: Standing
    index: LikenessIndex


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
    since = await upkeep_table.consolidated_at(deps.database, scope) or _BEGINNING
    now = deps.clock()
    merges, asked = 0, 0
    run = _Run(deps, scope, standing, LikenessIndex())
    if await memory_table.anything_since(deps.database, scope, since):
        async for page, more in _pages(run, now):
            new = await asyncio.to_thread(_added, run, page, since)
            merges += await _merge_doubles(run, new)
            asked += await _ask_about_rivals(run, new)
            if new and more:
                # Others of the same instant may stand on the next page.
                await _note(run, page[-1].recorded_at - _TICK)
    await _note(run, now)
    return Consolidated(purged, reembedded, merges, asked)


async def _pages(run: _Run, now: datetime) -> AsyncIterator[tuple[list[FreeText], bool]]:
    """Yield all statements written until ``now``, the oldest first, and whether more may follow."""
    place, more = (_BEGINNING, ""), True
    while more:
        page = await memory_table.free_texts(run.deps.database, run.scope, place, now, BATCH)
        more = len(page) == BATCH
        yield page, more
        if page:
            place = (page[-1].recorded_at, page[-1].id)


def _added(run: _Run, page: Sequence[FreeText], since: datetime) -> list[str]:
    """Add to the index what the user lets be used, and return the ids of what is new of it."""
    allowed = [text for text in page if run.standing.allows(text.purpose, run.deps.consent_mode)]
    for text in allowed:
        run.index.add(text.id, text.content, (text.type, text.purpose))
    return [text.id for text in allowed if text.recorded_at > since]


async def _merge_doubles(run: _Run, new: Sequence[str]) -> int:
    """Merge into each new statement all earlier ones that say the same; return how many."""
    merges = 0
    searches = {newer: run.index.doubles(newer) for newer in new}
    while searches:
        for pairs in await _next(run, searches, Likeness.SAME):
            gone = await _merge(run, pairs)
            for older in gone:
                run.index.drop(older)
            merges += len(gone)
    return merges


async def _ask_about_rivals(run: _Run, new: Sequence[str]) -> int:
    """Ask about each new statement that contradicts an earlier one, once, as a statement waits once; return how many."""
    asked = 0
    searches = {newer: run.index.rivals(newer) for newer in new}
    while searches:
        for pairs in await _next(run, searches, Likeness.CONTRADICTS):
            for newer, outcome in (await _ask(run, pairs)).items():
                asked += outcome is Outcome.PROPOSED
                del searches[newer]
    return asked


async def _next(run: _Run, searches: dict[str, Iterator[str]], how: Likeness) -> list[list[Pair]]:
    """Return what each search finds next, in parts for one transaction each; a search that is over is taken out."""
    found = await asyncio.to_thread(_found, searches)
    if not found:
        return []
    model = run.deps.embedder.model
    near = await memory_table.similarities(run.deps.database, run.scope, model, found)
    pairs = await asyncio.to_thread(_that_are, run.index, near, how)
    return [pairs[start : start + TOGETHER] for start in range(0, len(pairs), TOGETHER)]


def _found(searches: dict[str, Iterator[str]]) -> list[tuple[str, str]]:
    found = [(newer, next(search, None)) for newer, search in searches.items()]
    for newer, older in found:
        if older is None:
            del searches[newer]
    return [(newer, older) for newer, older in found if older is not None]


def _that_are(index: LikenessIndex, near: Sequence[Pair], how: Likeness) -> list[Pair]:
    return [pair for pair in near if index.compared(pair.newer, pair.older, pair.similarity) is how]


async def _merge(run: _Run, pairs: Sequence[Pair]) -> list[str]:
    """Merge the older of each pair into the newer, as far as that is called for still; return the ids that are gone."""
    gone = []
    async with run.deps.database.transaction(run.scope) as tx:
        records = await _locked(run, tx, pairs)
        now = run.deps.clock()
        for pair in pairs:
            newer, older = records.get(pair.newer), records.get(pair.older)
            if newer is None or older is None or not _are(Likeness.SAME, newer, older, pair):
                continue
            if (newer.type, newer.purpose) == (older.type, older.purpose):
                records[newer.id] = merged(newer, older)
                await memory_table.absorb(tx, records[newer.id])
                await memory_table.supersede_record(tx, older.id, by=newer.id, now=now)
                await log(tx, run.scope, now, Action.MERGED, BY_THE_SYSTEM, older.id)
                del records[older.id]
                gone.append(older.id)
    return gone


async def _ask(run: _Run, pairs: Sequence[Pair]) -> dict[str, Outcome]:
    """Ask which of each pair holds, as far as it is a question still; return what came of it, by the newer one's id."""
    outcomes = {}
    async with run.deps.database.transaction(run.scope) as tx:
        records = await _locked(run, tx, pairs)
        for pair in pairs:
            newer, older = records.get(pair.newer), records.get(pair.older)
            if newer is None or older is None or not _are(Likeness.CONTRADICTS, newer, older, pair):
                continue
            outcomes[newer.id] = (await ask_which(run.deps, tx, newer, older, BY_THE_SYSTEM)).outcome
    return outcomes


def _are(how: Likeness, newer: MemoryRecord, older: MemoryRecord, pair: Pair) -> bool:
    return likeness(newer.content, older.content, pair.similarity) is how


async def _locked(run: _Run, tx: Transaction, pairs: Sequence[Pair]) -> dict[str, MemoryRecord]:
    """Return the records of pairs as they are now that nobody else writes, those alone that may be used."""
    await memory_table.lock_user(tx)
    names = {name for pair in pairs for name in (pair.newer, pair.older)}
    records = await memory_table.get_all(tx, run.scope, sorted(names), run.deps.clock())
    purposes = {record.purpose for record in records}
    allowed = {why for why in purposes if await is_allowed(run.deps, tx, why, None, run.standing)}
    found = {record.id: record for record in records if record.purpose in allowed}
    for name in names - found.keys():
        run.index.drop(name)
    return found


async def _note(run: _Run, until: datetime) -> None:
    """Note that what was written until an instant is settled."""
    async with run.deps.database.transaction(run.scope) as tx:
        await memory_table.lock_user(tx)
        await is_allowed(run.deps, tx, "", None, run.standing)
        await upkeep_table.done(tx, until, run.deps.embedder.model)
