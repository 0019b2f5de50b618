"""Background jobs: found by sweeps, done once, done again after a crash."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, Scope
from memwarden.jobs import work_in_background, work_once, work_state
from memwarden.jobs.queue import enqueue, job_queue, revive
from memwarden.jobs.work import PURGE, Done, Job
from memwarden.jobs.worker import tell_nobody
from tests.conftest import Addresses, MovableClock

Admin = psycopg.AsyncConnection[DictRow]


async def jobs(admin: Admin, scope: Scope) -> list[DictRow]:
    cursor = await admin.execute(
        "SELECT * FROM memwarden_jobs.procrastinate_jobs WHERE args ->> 'tenant_id' = %s AND args ->> 'user_id' = %s",
        (scope.tenant_id, scope.user_id),
    )
    return await cursor.fetchall()


async def test_what_expired_is_purged_by_the_worker(
    timed: Memwarden, clock: MovableClock, admin: Admin
) -> None:
    user = timed.user("jobs", "expired")
    await user.remember("I live in Pune", origin=Origin.USER_TURN)
    clock.advance(timedelta(days=181))
    assert await user.memories() == []
    seen: list[Job] = []
    assert await work_once(timed.dependencies, lambda job, done: seen.append(job)) >= 1
    assert Job(PURGE, user.scope) in seen
    cursor = await admin.execute(
        "SELECT count(*) AS n FROM memwarden.memory WHERE tenant_id = 'jobs' AND user_id = 'expired'"
    )
    row = await cursor.fetchone()
    assert row is not None
    assert row["n"] == 0
    assert await jobs(admin, user.scope) == []


async def test_one_kind_waits_once_for_each_user(memwarden: Memwarden, admin: Admin) -> None:
    app = job_queue(memwarden.dependencies, tell_nobody)
    one, two = Scope("jobs", "once"), Scope("jobs", "once-too")
    assert [await enqueue(app, Job(PURGE, scope)) for scope in (one, one, two, one)] == [
        True,
        False,
        True,
        False,
    ]
    assert len(await jobs(admin, one)) == 1
    await work_once(memwarden.dependencies)
    assert await jobs(admin, one) == []


@pytest.mark.parametrize("name", ["a'b", "%s", "x" * 255, "\u202e", "a\x1fb", '"}', "名前"])
async def test_any_name_can_be_a_jobs_subject(memwarden: Memwarden, name: str) -> None:
    done: list[Job] = []
    await enqueue(job_queue(memwarden.dependencies, tell_nobody), Job(PURGE, Scope("jobs", name)))
    await work_once(memwarden.dependencies, lambda job, _: done.append(job))
    assert Job(PURGE, Scope("jobs", name)) in done


async def test_the_job_of_a_worker_that_died_is_done_by_another(memwarden: Memwarden, admin: Admin) -> None:
    scope = Scope("jobs", "died")
    app = job_queue(memwarden.dependencies, tell_nobody)
    await enqueue(app, Job(PURGE, scope))
    worker = await app.job_manager.register_worker()
    while (job := await app.job_manager.fetch_job(None, worker)) is not None:
        if job.task_kwargs.get("user_id") == "died":
            break
    assert [row["status"] for row in await jobs(admin, scope)] == ["doing"]
    assert await revive(app) == 0, "it gave a sign of life just now"
    await admin.execute(
        "UPDATE memwarden_jobs.procrastinate_workers SET last_heartbeat = now() - interval '1 hour' WHERE id = %s",
        (worker,),
    )
    done: list[Job] = []
    await work_once(memwarden.dependencies, lambda job, _: done.append(job))
    assert Job(PURGE, scope) in done
    assert await jobs(admin, scope) == []


async def test_a_worker_in_the_background_does_what_waits_and_stops(memwarden: Memwarden) -> None:
    scope = Scope("jobs", "background")
    done = asyncio.Event()

    def told(job: Job, _: Done) -> None:
        if job.scope == scope:
            done.set()

    await enqueue(job_queue(memwarden.dependencies, tell_nobody), Job(PURGE, scope))
    async with work_in_background(memwarden.dependencies, told):
        await asyncio.wait_for(done.wait(), 20)


async def test_the_queue_holds_ids_and_nothing_else(
    timed: Memwarden, clock: MovableClock, admin: Admin
) -> None:
    user = timed.user("jobs", "ids")
    await user.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)
    app = job_queue(timed.dependencies, tell_nobody)
    await enqueue(app, Job(PURGE, user.scope))
    (row,) = await jobs(admin, user.scope)
    assert row["args"] == {"tenant_id": "jobs", "user_id": "ids"}
    assert "Wolfenbuettel" not in str(row)
    erasure = await user.forget_everything()
    assert erasure.removed["jobs"] == 1
    assert await jobs(admin, user.scope) == []


async def test_a_migrated_database_can_be_migrated_again(addresses: Addresses) -> None:
    from memwarden.db.migrate import migrate

    await asyncio.to_thread(migrate, addresses.admin)


async def test_the_state_of_the_work_is_shown(memwarden: Memwarden) -> None:
    before = {state.kind: state.waiting for state in await work_state(memwarden.dependencies)}
    await enqueue(job_queue(memwarden.dependencies, tell_nobody), Job(PURGE, Scope("jobs", "state")))
    after = {state.kind: state.waiting for state in await work_state(memwarden.dependencies)}
    assert after[PURGE] == before.get(PURGE, 0) + 1
    await work_once(memwarden.dependencies)
    done = {state.kind: state.waiting for state in await work_state(memwarden.dependencies)}
    assert done.get(PURGE, 0) == 0
