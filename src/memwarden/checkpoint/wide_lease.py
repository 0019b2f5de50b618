"""The turn of a writer in wide rows: a lease on the thread, renewed for as long as the work takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

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


class Held:
    """A lease that is held, and the state that is written when it is given back."""

    def __init__(self, rows: WideRows, lease: Lease, state: ThreadState) -> None:
        self._rows = rows
        self.lease = lease
        self.state = state
        self.dropped = False
        self._lost = False

    def check(self) -> None:
        """Raise `DatabaseError` where the turn was lost meanwhile, so that nothing more is written."""
        if self._lost:
            raise DatabaseError("The store was too slow to keep the thread's turn; try again.")

    async def reserve(self, count: int, clock: Clock) -> None:
        """Take numbers for so many parts, before anything is kept under them."""
        self.check()
        now = clock()
        state = await self._rows.lease(replace(self.lease, until=now + LASTS), now, reserve=count)
        if state is None:
            self._lost = True
        else:
            self.state = replace(self.state, parts=state.parts)
        self.check()

    async def renew(self, clock: Clock) -> None:
        """Hold on to the lease."""
        held_until = time.monotonic() + LASTS.total_seconds()
        while not self._lost:
            await asyncio.sleep(RENEWED_S)
            asked, now = time.monotonic(), clock()
            with suppress(DatabaseError):
                if await self._rows.lease(replace(self.lease, until=now + LASTS), now) is None:
                    self._lost = True
                held_until = asked + LASTS.total_seconds()
            self._lost = self._lost or time.monotonic() + RENEWED_S > held_until


@asynccontextmanager
async def held(rows: WideRows, scope: Scope, thread_id: str, clock: Clock) -> AsyncIterator[Held]:
    """Wait for the thread's turn, hold it, and give it back with the state it has by then."""
    async with holding(rows, await _waited(rows, scope, thread_id, clock), clock) as one:
        yield one


@asynccontextmanager
async def holding(rows: WideRows, one: Held, clock: Clock) -> AsyncIterator[Held]:
    """Hold a lease that was got, and give it back."""
    renewing = asyncio.create_task(one.renew(clock))
    try:
        yield one
    finally:
        renewing.cancel()
        if not one.dropped:
            await asyncio.shield(rows.release(one.lease, one.state))


async def at_once(
    rows: WideRows,
    scope: Scope,
    thread_id: str,
    now: datetime,
    *,
    expecting: tuple[int, int],
    reserve: int,
) -> Held | None:
    """Take the thread's turn if nobody has it and the thread is as expected."""
    lease = _lease(scope, thread_id, now)
    state = await rows.lease(lease, now, expecting=expecting, reserve=reserve)
    return None if state is None else Held(rows, lease, state)


async def _waited(rows: WideRows, scope: Scope, thread_id: str, clock: Clock) -> Held:
    wait, waited = _FIRST_WAIT_S, 0.0
    while waited < PATIENCE_S:
        now = clock()
        lease = _lease(scope, thread_id, now)
        state = await rows.lease(lease, now)
        if state is not None:
            return Held(rows, lease, state)
        await asyncio.sleep(wait)
        waited += wait
        wait = min(2 * wait, _LONGEST_WAIT_S)
    raise DatabaseUnavailableError("Somebody else is writing to this thread for too long; try again later.")


def _lease(scope: Scope, thread_id: str, now: datetime) -> Lease:
    return Lease(scope, thread_id, uuid4().hex, now + LASTS)
