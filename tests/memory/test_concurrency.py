"""Writers of one user's memory take turns; nothing is lost, nothing is doubled."""

from __future__ import annotations

import asyncio

import pytest

from memwarden import Memwarden, Origin, Outcome, Status, UserMemory
from memwarden.errors import NotFoundError, StateConflictError
from tests.conftest import Addresses

CITIES = (
    "Pune", "Mumbai", "Delhi", "Chennai", "Kolkata", "Hyderabad", "Jaipur", "Nagpur", "Indore", "Surat",
    "Kochi", "Mysore", "Bhopal", "Patna", "Agra", "Nashik", "Madurai", "Salem", "Vellore", "Guntur",
)  # fmt: skip


async def test_twenty_writers_of_one_slot_leave_one_value_and_the_whole_history(user: UserMemory) -> None:
    results = await asyncio.gather(
        *(user.remember(f"I live in {city}", origin=Origin.USER_TURN) for city in CITIES)
    )
    assert all(result.outcome is Outcome.STORED for result in results)
    (active,) = await user.memories()
    history = await user.history(active.id)
    assert len(history) == len(CITIES)
    assert [record.status for record in history].count(Status.ACTIVE) == 1
    assert len({record.content for record in history}) == len(CITIES)


async def test_twenty_writers_of_one_sentence_leave_one_record(user: UserMemory) -> None:
    await asyncio.gather(*(user.remember("I have two cats", origin=Origin.USER_TURN) for _ in range(20)))
    assert len(await user.memories()) == 1


async def test_a_proposal_confirmed_and_declined_at_once_has_one_outcome(user: UserMemory) -> None:
    for _ in range(5):
        proposed = await user.propose(
            "Works night shifts", quote="I work night shifts", message="I work night shifts"
        )
        assert proposed.proposal is not None
        outcomes = await asyncio.gather(
            user.confirm(proposed.proposal.id), user.decline(proposed.proposal.id), return_exceptions=True
        )
        assert sum(isinstance(outcome, StateConflictError) for outcome in outcomes) == 1
        assert len(await user.memories()) == (0 if isinstance(outcomes[0], StateConflictError) else 1)
        await user.forget_everything()


async def test_forgetting_and_correcting_at_once_has_one_outcome(user: UserMemory) -> None:
    for _ in range(5):
        record = (await user.remember("I live in Pune", origin=Origin.USER_TURN)).record
        assert record is not None
        outcomes = await asyncio.gather(
            user.forget(record.id), user.correct(record.id, "I live in Mumbai"), return_exceptions=True
        )
        for outcome in outcomes:
            assert not isinstance(outcome, Exception) or isinstance(
                outcome, NotFoundError | StateConflictError
            ), outcome
        assert all("Pune" not in r.content for r in await user.memories())
        await user.forget_everything()


@pytest.mark.parametrize(
    ("said", "corrections"),
    [
        ("I have two cats", ["I have three cats", "I have four cats", "I have five cats"]),
        ("I live in Pune", ["Mumbai", "Delhi", "Chennai"]),
    ],
)
async def test_of_corrections_at_once_one_counts(user: UserMemory, said: str, corrections: list[str]) -> None:
    record = (await user.remember(said, origin=Origin.USER_TURN)).record
    assert record is not None
    results = await asyncio.gather(
        *(user.correct(record.id, text) for text in corrections), return_exceptions=True
    )
    late = [result for result in results if isinstance(result, BaseException)]
    assert len(late) == len(corrections) - 1
    assert all(isinstance(error, StateConflictError | NotFoundError) for error in late)
    (kept,) = await user.memories()
    assert [r.id for r in await user.history(kept.id)] == [kept.id, record.id]


async def test_two_processes_worth_of_pools_agree(
    addresses: Addresses, memwarden: Memwarden, user: UserMemory
) -> None:
    async with Memwarden.open(addresses.app) as other:
        twin = other.scoped(user.scope)
        await asyncio.gather(
            *(
                who.remember(f"I live in {city}", origin=Origin.USER_TURN)
                for city, who in zip(CITIES, [user, twin] * 10, strict=True)
            )
        )
    assert len(await user.memories()) == 1
