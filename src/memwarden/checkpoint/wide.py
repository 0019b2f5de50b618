"""Checkpoints in a store of wide rows, such as MongoDB or DynamoDB: no transactions, no item above the store's limit.

A thread is there from when its own item says that it was active: everything else of a new thread is written before, and
of one that is deleted is removed after.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from uuid import uuid4

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.engine import Query
from memwarden.checkpoint.wide_lease import Held, at_once, held, holding
from memwarden.checkpoint.wide_listing import listed
from memwarden.checkpoint.wide_marks import Marks, hidden_in, marks_of, unhide
from memwarden.checkpoint.wide_rows import ThreadState, WideRows
from memwarden.checkpoint.wide_thread import Thread
from memwarden.checkpoint.wide_turn import WideTurn
from memwarden.db.failures import NotAsExpectedError
from memwarden.errors import DatabaseError
from memwarden.model.checkpoint import (
    Ancestor,
    CheckpointRow,
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

_ATTEMPTS = 5
_AT_ONCE = 20
"""Threads whose state is asked for at a time."""


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
        """The most bytes of a part, which is kept with one more that says how."""
        return self._rows.limit - 1

    @property
    def eraser(self) -> Eraser:
        """What takes part in erasures for this store."""
        from memwarden.checkpoint.wide_eraser import WideEraser

        return WideEraser(self, self._rows, self._clock)

    async def whole(self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str | None) -> Whole:
        """Return a checkpoint in three trips, the last of which is to see that nobody removed it meanwhile."""
        for _ in range(_ATTEMPTS):
            marks, state, found = await asyncio.gather(
                marks_of(self._rows, scope, thread_id),
                self._rows.state(scope, thread_id),
                self._thread(scope, thread_id).checkpoint(ns, checkpoint_id),
            )
            thread = self._thread(scope, thread_id, marks)
            if marks.hidden:
                found = await thread.checkpoint(ns, checkpoint_id)
            if found is None or not self._is_there(state):
                return Whole(marks.fence, None, (), ())
            values, writes = await asyncio.gather(
                thread.values([(ns, channel, str(version)) for channel, version in found.versions.items()]),
                thread.writes_in(*keys.writes_after(ns, found.id)),
            )
            if not await thread.have_gone([found]):
                return Whole(marks.fence, found, tuple(values), in_order(writes))
        raise DatabaseError("Checkpoints were removed again and again while one was read; read it again.")

    async def ancestors(
        self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str, channels: Sequence[str], limit: int
    ) -> list[Ancestor]:
        """Return ancestors: those next in time in one trip, and one by one where the thread was forked.

        Raises `KeyError` where the checkpoint was removed meanwhile.
        """
        marks, state = await asyncio.gather(
            marks_of(self._rows, scope, thread_id), self._rows.state(scope, thread_id)
        )
        thread = self._thread(scope, thread_id, marks)
        start = await thread.checkpoint(ns, checkpoint_id) if self._is_there(state) else None
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
        found = await self._held(thread, ns, chain, frozenset(channels)) if chain else []
        after, gone = await asyncio.gather(marks_of(self._rows, scope, thread_id), thread.have_gone([start]))
        if gone or keys.checkpoint(ns, checkpoint_id) in after.hidden:
            raise KeyError(checkpoint_id)
        return found

    async def page(
        self, scope: Scope, query: Query, after: CheckpointRow | None, limit: int
    ) -> list[CheckpointRow]:
        """Return a page of checkpoints."""
        threads = [query.thread_id] if query.thread_id is not None else await self._rows.threads(scope)
        there: list[str] = []
        for start in range(0, len(threads), _AT_ONCE):
            some = threads[start : start + _AT_ONCE]
            states = await asyncio.gather(*(self._rows.state(scope, name) for name in some))
            there += [name for name, state in zip(some, states, strict=True) if self._is_there(state)]
        hidden = await hidden_in(self._rows, scope, there)
        seen = {name: Thread(self._rows, scope, name, hidden=hidden.get(name, ())) for name in there}
        return await listed(seen, query, after, limit)

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
        """Return writes, one request for each checkpoint, all at the same time.

        Raises `KeyError` where one of the checkpoints was removed, so that what else was read of it may lack something.
        """
        found = await asyncio.gather(
            *(
                self._thread(scope, row.thread_id).writes_in(*keys.writes_after(row.ns, row.id))
                for row in checkpoints
            )
        )
        for thread_id in {row.thread_id for row in checkpoints}:
            own = [row for row in checkpoints if row.thread_id == thread_id]
            if await self._thread(scope, thread_id).have_gone(own):
                raise KeyError(thread_id)
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
            self._clock,
            expecting=(expected.parts, expected.generation),
            reserve=len(rows.parts),
        )
        if one is None:
            raise NotAsExpectedError("Somebody else wrote in between; nothing was written.")
        async with holding(one):
            if not self._is_there(one.found):
                raise NotAsExpectedError("The thread has begun anew; nothing was written.")
            thread = self._thread(scope, thread_id, one=one)
            marks, head = await asyncio.gather(
                marks_of(self._rows, scope, thread_id), thread.head(rows.follows)
            )
            if marks.fence != expected.erasure_id or marks.hidden or head != rows.follows:
                raise NotAsExpectedError("The thread is another by now; nothing was written.")
            await self._activate(one, at)
            await thread.put(rows, one.state.horizon)

    @asynccontextmanager
    async def turn(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[WideTurn]:
        """Hold the lease of a thread, which begins with the first write where there is none."""
        async with held(self._rows, scope, thread_id, self._clock) as one:
            marks = await marks_of(self._rows, scope, thread_id)
            if self._is_there(one.found):
                await self._unhidden(one, marks)
                yield self._turn(one, marks, partial(self._activate, one, at))
            else:
                # Unlike any it had before, so that nobody mistakes the thread for one that was there.
                one.state = replace(one.found, generation=uuid4().int >> 66)
                yield self._turn(one, marks, partial(self._begin, one, at), anew=True)

    @asynccontextmanager
    async def turn_of(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[WideTurn | None]:
        """Hold the lease of a thread that is there, under a new generation."""
        one = await self._next_generation(scope, thread_id)
        if one is None:
            yield None
            return
        async with holding(one):
            marks = await marks_of(self._rows, scope, thread_id)
            await self._unhidden(one, marks)
            yield self._turn(one, marks, _nothing_to_do)

    async def delete(self, scope: Scope, thread_id: str, at: datetime) -> None:
        """Let a thread not be there any more, then delete its items and that there was one."""
        async with held(self._rows, scope, thread_id, self._clock) as one:
            one.state = replace(one.found, generation=one.found.generation + 1, active_at=None)
        await self._cleared(scope, thread_id)

    async def _cleared(self, scope: Scope, thread_id: str) -> None:
        """Delete what is left of a thread that is deleted, or that never came to be."""
        async with held(self._rows, scope, thread_id, self._clock) as one:
            if one.found.active_at is None:
                await self._thread(scope, thread_id, one=one).drop_all()
                await unhide(self._rows, scope, thread_id)

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

    async def _next_generation(self, scope: Scope, thread_id: str) -> Held | None:
        """Take the turn of a thread, and tell whoever remembers its parts that some may go; null where there is none.

        The new generation is written before anything is removed: a writer that is killed in between leaves nobody who
        trusts what was there.
        """
        while True:
            state = await self._rows.state(scope, thread_id)
            if not self._is_there(state):
                if state is not None and state.active_at is None:
                    await self._cleared(scope, thread_id)
                return None
            async with held(self._rows, scope, thread_id, self._clock) as one:
                if not self._is_there(one.found):
                    continue
                one.state = replace(one.found, generation=one.found.generation + 1)
            again = await at_once(
                self._rows,
                scope,
                thread_id,
                self._clock,
                expecting=(one.state.parts, one.state.generation),
                reserve=0,
            )
            if again is not None:
                return again

    async def _begin(self, one: Held, at: datetime) -> None:
        """Make a thread new: nothing is left of one that expired, was deleted, or never came to be."""
        scope, thread_id = one.lease.scope, one.lease.thread_id
        await self._thread(scope, thread_id, one=one).drop_all()
        one.check()
        await unhide(self._rows, scope, thread_id)
        user = {keys.user(scope.user_id): scope.user_id.encode()}
        await self._rows.put(Scope(scope.tenant_id, DIRECTORY), "", [user], None)
        horizon = None if self._keep is None else at + 2 * self._keep
        one.state = replace(one.state, active_at=at, horizon=horizon)

    async def _activate(self, one: Held, at: datetime) -> None:
        """Note that the thread is written to, and put off its end where that comes too soon; seldom, since it takes all items.

        That is never so near that the store could remove a thread while somebody writes to it.
        """
        horizon = one.state.horizon
        if self._keep is None:
            wanted = None
        elif horizon is None or at + self._keep * 1.1 >= horizon:
            wanted = at + 2 * self._keep
        else:
            wanted = horizon
        if wanted != horizon:
            one.check()
            await self._rows.stamp(one.lease.scope, one.lease.thread_id, wanted)
        one.state = replace(one.state, active_at=max(at, one.state.active_at or at), horizon=wanted)

    async def _unhidden(self, one: Held, marks: Marks) -> None:
        """Remove the hidden checkpoints that somebody left who was killed while adding or removing them."""
        if marks.hidden:
            scope, thread_id = one.lease.scope, one.lease.thread_id
            await self._thread(scope, thread_id, one=one).drop_checkpoints(marks.hidden)
            one.check()
            await unhide(self._rows, scope, thread_id)

    def _is_there(self, state: ThreadState | None) -> bool:
        """Return whether a thread with this state is there: it came to be, was not deleted, and has not expired."""
        if state is None or state.active_at is None:
            return False
        return self._keep is None or state.active_at + self._keep >= self._clock()

    def _turn(
        self, one: Held, marks: Marks, prepare: Callable[[], Awaitable[None]], *, anew: bool = False
    ) -> WideTurn:
        thread = self._thread(one.lease.scope, one.lease.thread_id, one=one)
        return WideTurn(self._rows, thread, one, marks.fence, prepare, anew=anew)

    def _thread(
        self, scope: Scope, thread_id: str, marks: Marks | None = None, *, one: Held | None = None
    ) -> Thread:
        hidden = frozenset[str]() if marks is None else marks.hidden
        check = None if one is None else one.check
        return Thread(self._rows, scope, thread_id, hidden=hidden, check=check)


async def _nothing_to_do() -> None:
    """Prepare nothing."""
