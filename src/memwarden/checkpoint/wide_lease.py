"""The turn of a writer in wide rows: a lease on the thread, renewed for as long as the work takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide_rows import Lease, ThreadState, WideRows
from memwarden.errors import DatabaseError, DatabaseUnavailableError
from memwarden.model.clock import Clock
from memwarden.model.scope import Scope

LASTS = timedelta(seconds=60)
"""How long a lease lasts that is not renewed: what a writer that was killed holds up the next one."""

RENEWED_S = 20.0
PATIENCE_S = 90.0
"""How long to wait for somebody else's lease: longer than one lasts whose owner is gone."""

_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.01, 0.5
_LOST = "The store was too slow to keep the thread's turn; try again."


class Held:
    """A lease that is held, and the state that is written when it is given back after all went well."""

    def __init__(
        self, rows: WideRows, lease: Lease, found: ThreadState, clock: Clock, *, asked: float
    ) -> None:
        self._rows = rows
        self._clock = clock
        self._extending = asyncio.Lock()
        self._ends = asked + LASTS.total_seconds()
        self._limit: asyncio.Timeout | None = None
        self._lost = False
        self.lease = lease
        self.found = found
        self.state = found

    def check(self) -> None:
        """Raise `DatabaseError` where the turn was lost meanwhile, so that nothing more is written.

        Both clocks are asked: one stands still while the machine sleeps, the other can be set.
        """
        if self._lost or _instant() >= self._ends or self._clock() >= self.lease.until:
            raise DatabaseError(_LOST)

    async def reserve(self, count: int) -> None:
        """Take numbers for so many parts, before anything is kept under them."""
        self.check()
        await self._extend(count)
        self.check()

    async def renew(self) -> None:
        """Hold on to the lease."""
        while not self._lost:
            await asyncio.sleep(RENEWED_S)
            with suppress(DatabaseError):
                await self._extend(0)

    def limited(self) -> asyncio.Timeout:
        """Return what ends the work with a `TimeoutError` when the turn is lost."""
        self._limit = asyncio.timeout_at(self._ends)
        return self._limit

    async def give_back(self, *, well: bool) -> None:
        """Write the thread's state and give the turn back; what did not go well leaves the thread as active as it was.

        A thread without items that never came to be, or is deleted, is nothing any more. Raises `DatabaseError` where all
        went well but for the turn, which was somebody else's by then.
        """
        # A renewal that is under way would take the turn again, for nobody.
        async with self._extending:
            state = self.state
            if not well:
                state = replace(self.found, parts=self.state.parts, horizon=self.state.horizon)
            scope, thread_id = self.lease.scope, self.lease.thread_id
            if state.active_at is None and not await self._rows.scan(scope, thread_id, "", keys.END, limit=1):
                await self._rows.drop(self.lease)
            elif not await self._rows.release(self.lease, state) and well:
                raise DatabaseError(_LOST)

    async def _extend(self, reserve: int) -> None:
        async with self._extending:
            asked, now = _instant(), self._clock()
            lease = replace(self.lease, until=now + LASTS)
            state = await self._rows.lease(lease, now, reserve=reserve)
            kept = (self.state.parts + reserve, self.found.generation)
            # A thread that the store removed, or that somebody else had in between, is another one.
            if state is None or state.parts < kept[0] or state.generation != kept[1]:
                self._lost = True
                self._end_at(asked)
                return
            self.lease = lease
            self.state = replace(self.state, parts=state.parts)
            self._end_at(asked + LASTS.total_seconds())

    def _end_at(self, when: float) -> None:
        self._ends = when
        if self._limit is not None:
            with suppress(RuntimeError):  # the work has just ended
                self._limit.reschedule(when)


@asynccontextmanager
async def held(rows: WideRows, scope: Scope, thread_id: str, clock: Clock) -> AsyncIterator[Held]:
    """Wait for the thread's turn, hold it, and give it back with the state it has by then."""
    async with holding(await _waited(rows, scope, thread_id, clock)) as one:
        yield one


@asynccontextmanager
async def holding(one: Held) -> AsyncIterator[Held]:
    """Hold a lease that was got, and give it back; the work ends with `DatabaseError` when the lease is lost."""
    renewing = asyncio.create_task(one.renew())
    limit = one.limited()
    well = False
    try:
        async with limit:
            yield one
        well = True
    except TimeoutError:
        if limit.expired():
            raise DatabaseError(_LOST) from None
        raise
    finally:
        try:
            await asyncio.shield(one.give_back(well=well))
        finally:
            renewing.cancel()


async def at_once(
    rows: WideRows,
    scope: Scope,
    thread_id: str,
    clock: Clock,
    *,
    expecting: tuple[int, int],
    reserve: int,
) -> Held | None:
    """Take the thread's turn if nobody has it and the thread is as expected."""
    asked, now = _instant(), clock()
    lease = _lease(scope, thread_id, now)
    state = await rows.lease(lease, now, expecting=expecting, reserve=reserve)
    return None if state is None else Held(rows, lease, state, clock, asked=asked)


async def _waited(rows: WideRows, scope: Scope, thread_id: str, clock: Clock) -> Held:
    wait, waited = _FIRST_WAIT_S, 0.0
    while waited < PATIENCE_S:
        asked, now = _instant(), clock()
        lease = _lease(scope, thread_id, now)
        state = await rows.lease(lease, now)
        if state is not None:
            return Held(rows, lease, state, clock, asked=asked)
        await asyncio.sleep(wait)
        waited += wait
        wait = min(2 * wait, _LONGEST_WAIT_S)
    raise DatabaseUnavailableError("Somebody else is writing to this thread for too long; try again later.")


def _instant() -> float:
    return asyncio.get_running_loop().time()


def _lease(scope: Scope, thread_id: str, now: datetime) -> Lease:
    return Lease(scope, thread_id, uuid4().hex, now + LASTS)
