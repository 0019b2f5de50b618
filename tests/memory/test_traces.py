"""Read traces: why an answer was what it was, also after the memory behind it is gone."""

from __future__ import annotations

import pytest

from memwarden import MemoryRecord, Memwarden, Origin, UserMemory
from memwarden.errors import InvalidInputError, NotFoundError


async def stored(user: UserMemory, text: str) -> MemoryRecord:
    record = (await user.remember(text, origin=Origin.USER_TURN)).record
    assert record is not None
    return record


async def test_an_answer_leads_to_its_memories_and_back(user: UserMemory) -> None:
    pune, cats = await stored(user, "I live in Pune"), await stored(user, "I have two cats")
    await user.trace("a1", await user.recall("cats"), conversation_id="c1")
    await user.trace("a2", await user.recall())
    why = await user.why("a1")
    assert {record.id for record in why.records} == {pune.id, cats.id}
    assert (why.gone, why.traces[0].conversation_id) == ((), "c1")
    assert [trace.answer_id for trace in await user.used_in(pune.id)] == ["a2", "a1"]
    assert [trace.answer_id for trace in await user.used_in(cats.id)] == ["a1"]


async def test_traces_outlive_what_they_lead_to_without_its_words(user: UserMemory) -> None:
    pune, cats = await stored(user, "I live in Pune"), await stored(user, "I have two cats")
    await user.trace("a1", await user.recall("cats"), conversation_id="c1")
    await user.forget(cats.id)
    forgotten = {record.id: record.content for record in (await user.why("a1")).records}
    assert forgotten == {pune.id: pune.content, cats.id: ""}
    await user.forget_everything()
    why = await user.why("a1")
    assert (why.records, set(why.gone)) == ((), {pune.id, cats.id})
    assert why.traces[0].conversation_id is None
    assert [trace.answer_id for trace in await user.used_in(cats.id)] == ["a1"]


async def test_nothing_recalled_leaves_no_trace(user: UserMemory) -> None:
    assert await user.trace("a1", await user.recall("anything")) is None
    with pytest.raises(NotFoundError):
        await user.why("a1")


async def test_nobody_elses_answers(memwarden: Memwarden, user: UserMemory) -> None:
    record = await stored(user, "I live in Pune")
    await user.trace("a1", await user.recall())
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-stranger")
    with pytest.raises(NotFoundError):
        await stranger.why("a1")
    assert await stranger.used_in(record.id) == []
    assert await user.used_in("x") == []


@pytest.mark.parametrize("answer", ["", "x" * 256, "a\0b"])
async def test_an_answer_needs_an_id(user: UserMemory, answer: str) -> None:
    await stored(user, "I live in Pune")
    with pytest.raises(InvalidInputError):
        await user.trace(answer, await user.recall())
