"""Workers: processes, or tasks of one, that do what is in the queue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from procrastinate.exceptions import ConnectorException

from memwarden.errors import DatabaseUnavailableError
from memwarden.jobs.queue import QUEUE, Told, enqueue, job_queue, revive
from memwarden.jobs.sweeps import SWEEPS
from memwarden.jobs.work import Done, Job
from memwarden.memory.dependencies import Dependencies

CONCURRENCY = 4
POLL_S = 5.0
PAUSE_S = 5.0
"""Seconds before a worker that lost the database tries again."""

GRACE_S = 10.0
"""Seconds that jobs in progress have to end when a worker stops."""

_log = logging.getLogger("memwarden.jobs")


def tell_nobody(job: Job, done: Done) -> None:
    """Keep what was done to oneself."""


async def work_once(deps: Dependencies, told: Told = tell_nobody) -> int:
    """Look for everything that is to be done now, do it, and return how many jobs were done."""
    count = 0

    def counted(job: Job, done: Done) -> None:
        nonlocal count
        count += 1
        told(job, done)

    app = job_queue(deps, counted)
    await revive(app)
    for sweep in SWEEPS.values():
        for job in await sweep.jobs(deps):
            await enqueue(app, job)
    await app.run_worker_async(
        queues=[QUEUE],
        wait=False,
        concurrency=CONCURRENCY,
        listen_notify=False,
        delete_jobs="successful",
        install_signal_handlers=False,
    )
    return count


async def work_until_stopped(
    deps: Dependencies, told: Told = tell_nobody, *, concurrency: int = CONCURRENCY
) -> None:
    """Do what is found until cancelled; jobs in progress get ten seconds, and are done again where that is not enough.

    A database that goes away is waited for.
    """
    while True:
        try:
            await job_queue(deps, told).run_worker_async(
                queues=[QUEUE],
                concurrency=concurrency,
                fetch_job_polling_interval=POLL_S,
                listen_notify=False,
                delete_jobs="successful",
                install_signal_handlers=False,
                shutdown_graceful_timeout=GRACE_S,
            )
        except (ConnectorException, DatabaseUnavailableError) as error:
            _log.warning("The worker lost the database (%s) and tries again.", type(error).__name__)
        await asyncio.sleep(PAUSE_S)


@asynccontextmanager
async def work_in_background(deps: Dependencies, told: Told = tell_nobody) -> AsyncIterator[None]:
    """Do what is found, one job at a time, beside what the block does, and stop when it ends."""
    task = asyncio.create_task(work_until_stopped(deps, told, concurrency=1))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
