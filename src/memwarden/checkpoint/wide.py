"""Checkpoints in a store of wide rows, such as MongoDB or DynamoDB: no transactions, no item above the store's limit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.engine import Query
from memwarden.checkpoint.wide_lease import Held, at_once, held, holding
from memwarden.checkpoint.wide_listing import listed
from memwarden.checkpoint.wide_rows import ThreadState, WideRows
from memwarden.checkpoint.wide_thread import Thread
from memwarden.db.failures import NotAsExpectedError
from memwarden.errors import DatabaseError
from memwarden.model.checkpoint import (
    Ancestor,
    CheckpointRow,
    PartRow,
    Rows,
    Turn,
    ValueRow,
    Whole,
    WriteRow,
    in_order,
)
from memwarden.model.clock import Clock, system_clock
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope

DIRECTORY = "_"
"""Under this name and the empty thread, which no thread is called, the users of a tenant are listed."""


class WideEngine:
    """Keeps checkpoints in wide rows; the writers of a thread take turns by a lease.

    With ``keep``, a thread that nobody wrote to for so long is gone at once, and the store removes what is left of it by
    itself, all of it at one time and never before; without, threads stay until they are deleted.
    """

    def __init__(self, rows: WideRows, *, keep: timedelta | None = None, clock: Clock = system_clock) -> None:
        self._rows = rows
        self._keep = keep
        self._clock = clock

    @property
    def limit(self) -> int:
        """The most bytes of one item."""
        return self._rows.limit

    @property
    def eraser(self) -> Eraser:
        """What takes part in erasures for this store."""
        from memwarden.checkpoint.wide_eraser import WideEraser

        return WideEraser(self, self._rows, self._clock)

    async def whole(self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str | None) -> Whole:
        """Return a checkpoint in two trips."""
        thread = self._thread(scope, thread_id)
        fence, found, expired = await asyncio.gather(
            self._fence(scope, thread_id),
            thread.checkpoint(ns, checkpoint_id),
            self._is_expired(scope, thread_id),
        )
        if found is None or expired:
            return Whole(fence, None, (), ())
        values, writes = await asyncio.gather(
            thread.values([(ns, channel, str(version)) for channel, version in found.versions.items()]),
            thread.writes_in(*keys.writes_after(ns, found.id)),
        )
        return Whole(fence, found, tuple(values), in_order(writes))

    async def ancestors(
        self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str, channels: Sequence[str], limit: int
    ) -> list[Ancestor]:
        """Return ancestors: those next in time in one trip, and one by one where the thread was forked."""
        thread = self._thread(scope, thread_id)
        start = await thread.checkpoint(ns, checkpoint_id)
        if start is None:
            return []
        first, _ = keys.checkpoints_of(ns)
        older = await thread.checkpoints_in(
            first, keys.checkpoint(ns, checkpoint_id), backwards=True, limit=limit
        )
        near = {row.id: row for row in older}
        chain: list[CheckpointRow] = []
        parent = start.parent_id
        while parent is not None and len(chain) < limit:
            row = near.get(parent) or await thread.checkpoint(ns, parent)
            if row is None:
                break
            chain.append(row)
            parent = row.parent_id
        if not chain:
            return []
        return await self._held(thread, ns, chain, frozenset(channels))

    async def page(
        self, scope: Scope, query: Query, after: CheckpointRow | None, limit: int
    ) -> list[CheckpointRow]:
        """Return a page of checkpoints."""
        threads = [query.thread_id] if query.thread_id is not None else await self._rows.threads(scope)
        there = [name for name in threads if not await self._is_expired(scope, name)]
        return await listed({name: self._thread(scope, name) for name in there}, query, after, limit)

    async def values(
        self, scope: Scope, wanted: Sequence[tuple[str, str, str, str]]
    ) -> dict[tuple[str, str, str, str], ValueRow]:
        """Return values, one trip for each thread."""
        found: dict[tuple[str, str, str, str], ValueRow] = {}
        for thread_id in {name for name, _, _, _ in wanted}:
            some = [(ns, channel, version) for name, ns, channel, version in wanted if name == thread_id]
            for value in await self._thread(scope, thread_id).values(dict.fromkeys(some)):
                found[thread_id, value.ns, value.channel, value.version] = value
        return found

    async def writes(
        self, scope: Scope, checkpoints: Sequence[CheckpointRow]
    ) -> dict[tuple[str, str, str], list[WriteRow]]:
        """Return writes, one request for each checkpoint, all at the same time."""
        found = await asyncio.gather(
            *(
                self._thread(scope, row.thread_id).writes_in(*keys.writes_after(row.ns, row.id))
                for row in checkpoints
            )
        )
        return {
            (row.thread_id, row.ns, row.id): list(in_order(writes))
            for row, writes in zip(checkpoints, found, strict=True)
            if writes
        }

    async def parts(self, scope: Scope, thread_id: str, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return parts."""
        return await self._thread(scope, thread_id).parts(numbers)

    async def threads_of_runs(self, scope: Scope, runs: Sequence[str]) -> list[str]:
        """Return the threads of runs, having looked at every checkpoint of the user."""
        found = []
        for thread_id in await self._rows.threads(scope):
            rows = await self._thread(scope, thread_id).checkpoints_in(*keys.all_of("c"))
            if any(row.run_id in runs for row in rows):
                found.append(thread_id)
        return sorted(found)

    async def put_as_expected(
        self, scope: Scope, thread_id: str, at: datetime, expected: Turn, rows: Rows
    ) -> None:
        """Write in three trips: the turn with the parts' numbers, the items, and the turn given back."""
        one = await at_once(
            self._rows,
            scope,
            thread_id,
            self._clock(),
            expecting=(expected.parts, expected.generation),
            reserve=len(rows.parts),
        )
        if one is None:
            raise NotAsExpectedError("Somebody else wrote in between; nothing was written.")
        async with holding(self._rows, one, self._clock):
            if one.state.active_at is None or self._has_expired(one.state):
                raise NotAsExpectedError("The thread has begun anew; nothing was written.")
            thread = self._thread(scope, thread_id)
            fence, head = await asyncio.gather(self._fence(scope, thread_id), thread.head(rows.follows))
            if fence != expected.erasure_id or head != rows.follows:
                raise NotAsExpectedError("The thread is another by now; nothing was written.")
            await self._stamped(one, at)
            one.check()
            await thread.put(rows, one.state.horizon)

    @asynccontextmanager
    async def turn(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[WideTurn]:
        """Hold the lease of a thread, which begins here if there is none."""
        async with held(self._rows, scope, thread_id, self._clock) as one:
            if one.state.active_at is None or self._has_expired(one.state):
                await self._begun(one, at)
            await self._stamped(one, at)
            fence = await self._fence(scope, thread_id)
            yield WideTurn(self._thread(scope, thread_id), one, fence, self._clock)

    @asynccontextmanager
    async def turn_of(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[WideTurn | None]:
        """Hold the lease of a thread that is there, under a new generation."""
        one = await self._next_generation(scope, thread_id)
        if one is None:
            yield None
            return
        async with holding(self._rows, one, self._clock):
            fence = await self._fence(scope, thread_id)
            yield WideTurn(self._thread(scope, thread_id), one, fence, self._clock)

    async def delete(self, scope: Scope, thread_id: str, at: datetime) -> None:
        """Delete the items, then that there was a thread."""
        one = await self._next_generation(scope, thread_id, expired=True)
        if one is None:
            # What a writer that was killed may have left without a thread.
            await self._thread(scope, thread_id).drop_all()
            return
        async with holding(self._rows, one, self._clock):
            await self._thread(scope, thread_id).drop_all()
            one.check()
            await self._rows.drop(one.lease)
            one.dropped = True

    async def _held(
        self, thread: Thread, ns: str, chain: Sequence[CheckpointRow], channels: frozenset[str]
    ) -> list[Ancestor]:
        ids = sorted(row.id for row in chain)
        wanted = dict.fromkeys(
            (ns, channel, str(row.versions[channel]))
            for row in chain
            for channel in channels.intersection(row.versions)
        )
        values, writes = await asyncio.gather(
            thread.values(wanted), thread.writes_in(*keys.writes_between(ns, ids[0], ids[-1]))
        )
        by_version = {(value.channel, value.version): value for value in values if value.form > 0}
        by_checkpoint: dict[str, list[WriteRow]] = {}
        for write in writes:
            if write.channel in channels:
                by_checkpoint.setdefault(write.checkpoint_id, []).append(write)
        return [
            Ancestor(
                row.id,
                {
                    channel: by_version[channel, str(row.versions[channel])]
                    for channel in channels.intersection(row.versions)
                    if (channel, str(row.versions[channel])) in by_version
                },
                in_order(by_checkpoint.get(row.id, ())),
            )
            for row in chain
        ]

    async def _next_generation(self, scope: Scope, thread_id: str, *, expired: bool = False) -> Held | None:
        """Take the turn of a thread, and tell whoever remembers its parts that some may go; null where there is none.

        The new generation is written before anything is removed: a writer that is killed in between leaves nobody who
        trusts what was there.
        """
        while True:
            state = await self._rows.state(scope, thread_id)
            if state is None or (self._has_expired(state) and not expired):
                return None
            async with held(self._rows, scope, thread_id, self._clock) as one:
                if one.state.active_at is None and await self._is_empty(one):
                    await self._rows.drop(one.lease)
                    one.dropped = True
                    return None
                one.state = replace(one.state, generation=one.state.generation + 1)
            again = await at_once(
                self._rows,
                scope,
                thread_id,
                self._clock(),
                expecting=(one.state.parts, one.state.generation),
                reserve=0,
            )
            if again is not None:
                return again

    async def _is_empty(self, one: Held) -> bool:
        return not await self._thread(one.lease.scope, one.lease.thread_id).keys()

    async def _begun(self, one: Held, at: datetime) -> None:
        """Make a thread new: nothing of one that expired is left, and nobody mistakes it for one that was there before."""
        scope, thread_id = one.lease.scope, one.lease.thread_id
        await self._thread(scope, thread_id).drop_all()
        await self._rows.put(
            Scope(scope.tenant_id, DIRECTORY), "", [{keys.user(scope.user_id): scope.user_id.encode()}], None
        )
        generation = max(one.state.generation + 1, int(at.timestamp() * 1_000_000))
        one.state = ThreadState(parts=one.state.parts, generation=generation, active_at=at)

    async def _stamped(self, one: Held, at: datetime) -> None:
        """Note that the thread is written to, and put off its end where that comes too soon; seldom, since it takes all items."""
        horizon = one.state.horizon
        if self._keep is None:
            one.state = replace(one.state, active_at=at)
            return
        if horizon is None or at + self._keep > horizon:
            horizon = at + 2 * self._keep
            await self._rows.stamp(one.lease.scope, one.lease.thread_id, horizon)
        one.state = replace(one.state, active_at=max(at, one.state.active_at or at), horizon=horizon)

    async def _is_expired(self, scope: Scope, thread_id: str) -> bool:
        if self._keep is None:
            return False
        state = await self._rows.state(scope, thread_id)
        return state is not None and self._has_expired(state)

    def _has_expired(self, state: ThreadState) -> bool:
        if self._keep is None or state.active_at is None:
            return False
        return state.active_at + self._keep < self._clock()

    async def _fence(self, scope: Scope, thread_id: str) -> str | None:
        """Return which erasures writers of a thread have to heed, as one name."""
        wanted = [keys.fence(None), keys.fence(thread_id)]
        found = await self._rows.get(scope, "", wanted)
        return "|".join(found.get(key, b"").decode() for key in wanted) if found else None

    def _thread(self, scope: Scope, thread_id: str) -> Thread:
        return Thread(self._rows, scope, thread_id)


class WideTurn:
    """A thread whose lease is held."""

    def __init__(self, thread: Thread, one: Held, fence: str | None, clock: Clock) -> None:
        self._thread = thread
        self._held = one
        self._clock = clock
        self.found = Turn(one.state.parts, one.state.generation, fence)

    async def known_parts(self, hashes: Sequence[bytes] | None = None) -> dict[bytes, int]:
        """Return the numbers of parts."""
        names = await self._thread.names()
        return names if hashes is None else {name: names[name] for name in hashes if name in names}

    async def head(self) -> str | None:
        """Return the latest checkpoint."""
        found = await self._thread.checkpoint("", None)
        return None if found is None else found.id

    async def put(self, rows: Rows) -> None:
        """Write rows, once their parts have their numbers."""
        if rows.parts:
            await self._held.reserve(rows.parts[-1].number - self._held.state.parts, self._clock)
        self._held.check()
        await self._thread.put(rows, self._held.state.horizon)

    async def checkpoints(self) -> list[CheckpointRow]:
        """Return every checkpoint."""
        found = await self._thread.checkpoints_in(*keys.all_of("c"))
        return sorted(sorted(found, key=lambda row: row.id, reverse=True), key=lambda row: row.ns)

    async def values(self) -> list[ValueRow]:
        """Return every value."""
        return await self._thread.all_values()

    async def writes(self) -> list[WriteRow]:
        """Return every write."""
        return await self._thread.writes_in(*keys.all_of("w"))

    async def parts(self) -> list[PartRow]:
        """Return every part that has a name; others are left over from a writer that was killed."""
        names = {number: name for name, number in (await self._thread.names()).items()}
        found = await self._thread.all_parts()
        missing = [number for number in names if number not in found]
        if missing:
            raise DatabaseError("The thread misses parts; it cannot be copied.")
        return [PartRow(number, names[number], found[number]) for number in sorted(names)]

    async def drop(
        self, checkpoints: Sequence[CheckpointRow], values: Sequence[ValueRow], keep: Sequence[int]
    ) -> None:
        """Remove items."""
        self._held.check()
        await self._thread.drop(checkpoints, values, keep)
