"""The queue: procrastinate's tasks for our kinds of job, and the sweeps that fill it."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable

from procrastinate import App, RetryStrategy
from procrastinate.jobs import Status

from memwarden.db.job_connector import JobConnector
from memwarden.errors import MemwardenError
from memwarden.jobs.sweeps import SWEEPS, Sweep
from memwarden.jobs.work import (
    FINISH_ERASURE,
    FINISH_TENANT_ERASURE,
    REMOVE,
    REVIEW,
    TITLE,
    Done,
    Job,
    UnfinishedError,
    do,
)
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope

QUEUE = "memwarden"
KEPT_HOURS = 24 * 7
"""Hours a job that failed for good can be looked at."""

STALLED_S = 60
"""Seconds without a sign of life after which a worker's jobs are given to another."""

_RETRY = RetryStrategy(max_attempts=12, exponential_wait=2)
_log = logging.getLogger("memwarden.jobs")

Told = Callable[[Job, Done], None]
"""Is told of each job that was done."""


def job_queue(deps: Dependencies, told: Told) -> App:
    """Return procrastinate's application with our tasks, on the pool of ``deps``; it opens nothing of its own."""
    app = App(connector=JobConnector(deps.database))
    for kind in SWEEPS:
        _register(app, deps, kind, told)
    for sweep in SWEEPS.values():
        _register_sweep(app, deps, sweep)
    _register_upkeep(app)
    return app


async def enqueue(app: App, job: Job) -> bool:
    """Put a job in the queue, unless one of its kind waits or runs for the same subject; return whether it was put there.

    Two that look at the same moment may put it there twice, which does no harm: the lock has them run one after the
    other, and the second finds nothing to do.
    """
    lock = _lock(job)
    for status in (Status.TODO, Status.DOING):
        if list(await app.job_manager.list_jobs_async(lock=lock, status=status.value)):
            return False
    arguments = {"tenant_id": job.scope.tenant_id, "user_id": job.scope.user_id} | _named(job)
    await app.configure_task(_name(job.kind), queue=QUEUE, lock=lock).defer_async(**arguments)
    return True


def _register(app: App, deps: Dependencies, kind: str, told: Told) -> None:
    @app.task(name=_name(kind), queue=QUEUE, retry=_RETRY)
    async def run(tenant_id: str, user_id: str, thread_id: str = "", erasure_id: str = "") -> None:
        job = Job(kind, Scope(tenant_id, user_id), thread_id or erasure_id)
        try:
            done = await do(deps, job)
        except MemwardenError as error:
            # What the queue logs has the chain of causes in it, and a database's may quote a row.
            raise UnfinishedError(f"{kind} failed: {type(error).__name__}") from None
        told(job, done)


def _register_sweep(app: App, deps: Dependencies, sweep: Sweep) -> None:
    name = f"memwarden.sweep.{sweep.kind}"

    @app.periodic(cron=sweep.cron, periodic_id=sweep.kind)
    @app.task(name=name, queue=QUEUE, lock=name, queueing_lock=name)
    async def look(timestamp: int = 0) -> None:
        try:
            found = await sweep.jobs(deps)
        except MemwardenError as error:
            raise UnfinishedError(f"The sweep {sweep.kind} failed: {type(error).__name__}") from None
        for job in found:
            await enqueue(app, job)


def _register_upkeep(app: App) -> None:
    @app.periodic(cron="* * * * *", periodic_id="stalled")
    @app.task(name="memwarden.stalled", queue=QUEUE, lock="memwarden.stalled", queueing_lock="stalled")
    async def stalled(timestamp: int = 0) -> None:
        await revive(app)

    @app.periodic(cron="47 3 * * *", periodic_id="old")
    @app.task(name="memwarden.old", queue=QUEUE, lock="memwarden.old", queueing_lock="old")
    async def old(timestamp: int = 0) -> None:
        await app.job_manager.delete_old_jobs(
            KEPT_HOURS, include_failed=True, include_cancelled=True, include_aborted=True
        )


async def revive(app: App, silent_s: float = STALLED_S) -> int:
    """Give the jobs of workers that were silent for so many seconds to whoever comes next; return how many."""
    found = list(await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=silent_s))
    for job in found:
        if job.queueing_lock is None:
            await app.job_manager.retry_job(job)
        else:  # a sweep, of which the next one may wait already
            await app.job_manager.finish_job(job, Status.ABORTED, delete_job=True)
    if found:
        _log.warning("%d jobs of workers that went silent are done again.", len(found))
    return len(found)


def _name(kind: str) -> str:
    return f"memwarden.{kind}"


def _named(job: Job) -> dict[str, str]:
    if job.kind in (FINISH_ERASURE, FINISH_TENANT_ERASURE):
        return {"erasure_id": job.about}
    return {"thread_id": job.about} if job.kind in (REVIEW, REMOVE, TITLE) else {}


def _lock(job: Job) -> str:
    """Return a name for the kind and its subject, of a length that an index takes, whatever they are called."""
    subject = "\0".join((job.scope.tenant_id, job.scope.user_id, job.about))
    return f"{job.kind}:{hashlib.sha256(subject.encode()).hexdigest()[:32]}"
