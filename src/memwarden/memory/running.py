"""One run of a thread at a time: another waits for it, or is refused."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from uuid import uuid4

from memwarden.db import thread_table
from memwarden.errors import DatabaseError, ThreadBusyError
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope, checked_name

LASTS_S = 30
"""How long a run holds its thread without a sign of life: what one that was killed holds up the next."""

_SIGN_OF_LIFE_S = 10.0
_FIRST_WAIT_S, _LONGEST_WAIT_S = 0.02, 0.5


@asynccontextmanager
async def running(
    deps: Dependencies, scope: Scope, thread_id: str, wait_s: float | None
) -> AsyncIterator[None]:
    """Hold a thread for a run, having waited for the run that holds it; see `UserMemory.running`."""
    checked_name(thread_id, "thread id")
    token = uuid4().hex
    await _held(deps, scope, thread_id, token, deps.run_wait_s if wait_s is None else wait_s)
    alive = asyncio.create_task(_kept_alive(deps, scope, thread_id, token))
    try:
        yield
    finally:
        alive.cancel()
        async with deps.database.transaction(scope) as tx:
            await thread_table.end_run(tx, thread_id, token)


async def _held(deps: Dependencies, scope: Scope, thread_id: str, token: str, wait_s: float) -> None:
    wait, until = _FIRST_WAIT_S, time.monotonic() + wait_s
    while True:
        async with deps.database.transaction(scope) as tx:
            if await thread_table.begin_run(tx, thread_id, token, LASTS_S, deps.clock()):
                return
        left = until - time.monotonic()
        if left <= 0:
            raise ThreadBusyError(
                "Another run of this thread is under way; start this one when it has ended."
            )
        await asyncio.sleep(min(wait, left))
        wait = min(2 * wait, _LONGEST_WAIT_S)


async def _kept_alive(deps: Dependencies, scope: Scope, thread_id: str, token: str) -> None:
    """Say that the run goes on. Where that fails for long, another begins, and the saver refuses the steps of this one."""
    while True:
        await asyncio.sleep(_SIGN_OF_LIFE_S)
        with suppress(DatabaseError):
            async with deps.database.transaction(scope) as tx:
                await thread_table.renew_run(tx, thread_id, token, LASTS_S)
