"""What a new statement does to those already kept: it merges with its double, and asks where it contradicts."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memwarden import MemoryRecord, Memwarden, Origin, Outcome, Reason, Status, UserMemory
from memwarden.model.audit import Action
from memwarden.model.record import Evidence
from tests.conftest import MovableClock


async def stored(user: UserMemory, text: str, evidence: Evidence | None = None) -> MemoryRecord:
    record = (await user.remember(text, origin=Origin.USER_TURN, evidence=evidence or Evidence())).record
    assert record is not None
    return record


async def test_a_double_takes_the_newest_wording_the_oldest_date_and_all_evidence(
    timed: Memwarden, clock: MovableClock
) -> None:
    user = timed.user("settle", "double")
    first = await stored(user, "I have two cats", Evidence("c1", "m1"))
    clock.advance(timedelta(days=3))
    second = await stored(user, "I have 2 cats", Evidence("c2", "m5"))
    (kept,) = await user.memories()
    assert kept == second
    assert kept.content == "Has 2 cats"
    assert kept.created_at == first.created_at
    assert kept.evidence == Evidence("c2", "m5", (Evidence("c1", "m1"),))
    assert [(r.id, r.status) for r in await user.history(kept.id)] == [
        (second.id, Status.ACTIVE),
        (first.id, Status.SUPERSEDED),
    ]
    assert Action.MERGED in [event.action for event in await user.audit()]
    (then,) = await user.memories(as_of=clock.now - timedelta(days=1))
    assert then.content == "Has two cats"


async def test_evidence_is_listed_once_and_survives_another_merge(user: UserMemory) -> None:
    for number, text in enumerate(("I have two cats", "I have 2 cats", "I have two cats", "I have 2 cats")):
        await stored(user, text, Evidence("c", f"m{number % 2}"))
    (kept,) = await user.memories()
    assert {kept.evidence.message_id, *(place.message_id for place in kept.evidence.also)} == {"m0", "m1"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I eat meat", "I don't eat meat"),
        ("I have two cats", "I have three cats"),
        ("I report to Anita", "I report to Ravi"),
    ],
)
async def test_a_contradiction_is_asked_and_not_guessed(user: UserMemory, before: str, after: str) -> None:
    old = await stored(user, before)
    asked = await user.remember(after, origin=Origin.USER_TURN)
    assert asked.outcome is Outcome.PROPOSED
    assert asked.reasons[0] is Reason.CONTRADICTS
    assert old.content in asked.explanation
    assert [r.id for r in await user.memories()] == [old.id]
    assert asked.proposal is not None
    assert asked.proposal.replaces == old.id
    new = await user.confirm(asked.proposal.id)
    assert [r.id for r in await user.memories()] == [new.id]
    assert [r.id for r in await user.history(new.id)] == [new.id, old.id]


async def test_a_no_to_a_contradiction_leaves_what_was(user: UserMemory) -> None:
    old = await stored(user, "I eat meat")
    asked = await user.remember("I don't eat meat", origin=Origin.USER_TURN)
    assert asked.proposal is not None
    await user.decline(asked.proposal.id)
    assert [r.id for r in await user.memories()] == [old.id]


async def test_what_the_agent_proposes_is_held_against_what_is_kept_too(user: UserMemory) -> None:
    old = await stored(user, "I eat meat")
    said = "I don't eat meat"
    asked = await user.propose(said, quote=said, message=said)
    assert asked.proposal is not None
    assert asked.proposal.replaces == old.id
    assert Reason.CONTRADICTS in asked.reasons


async def test_a_correction_of_the_contradicted_record_is_no_contradiction(user: UserMemory) -> None:
    old = await stored(user, "I have two cats")
    corrected = await user.correct(old.id, "I have three cats")
    assert corrected.outcome is Outcome.STORED
    assert [r.content for r in await user.memories()] == ["Has three cats"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have two cats", "I have two dogs"),
        ("I like tea", "I like coffee"),
        ("I work night shifts", "I sometimes work night shifts"),
        ("I play the violin", "I play the flute"),
    ],
)
async def test_two_facts_stay_two(user: UserMemory, one: str, other: str) -> None:
    await stored(user, one)
    await stored(user, other)
    assert len(await user.memories()) == 2
    done = await user.consolidate()
    assert (done.merged, done.asked) == (0, 0)
