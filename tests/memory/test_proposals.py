"""Proposals: only a yes writes, an edit is judged, a no is remembered, and only the next words are an answer."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memwarden import Memwarden, Origin, Outcome, Reason, Source, UserMemory
from memwarden.errors import InvalidInputError, NotFoundError, StateConflictError
from memwarden.memory.commands import FollowedAction
from memwarden.model.proposal import Proposal
from memwarden.model.record import Evidence
from tests.conftest import MovableClock

SAID = "I work night shifts"
ASKED = Evidence("c1", "m1")


async def proposed(user: UserMemory, said: str = SAID, evidence: Evidence = ASKED) -> Proposal:
    result = await user.propose(said, quote=said, message=said, evidence=evidence)
    assert result.proposal is not None, result
    return result.proposal


async def test_what_was_declined_is_not_asked_again(user: UserMemory) -> None:
    await user.decline((await proposed(user)).id)
    again = await user.propose(SAID, quote=SAID, message=SAID)
    assert (again.outcome, again.reasons) == (Outcome.REFUSED, (Reason.DECLINED,))
    assert await user.proposals() == []
    other_form = await user.propose("i work  NIGHT shifts.", quote=SAID, message=SAID)
    assert other_form.reasons == (Reason.DECLINED,)


async def test_the_user_can_still_ask_for_it_themselves(user: UserMemory) -> None:
    await user.decline((await proposed(user)).id)
    assert (await user.remember(SAID, origin=Origin.USER_TURN)).outcome is Outcome.STORED


async def test_a_no_is_known_for_its_time_and_no_longer(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("proposals", "time")
    await user.decline((await proposed(user)).id)
    clock.advance(timedelta(days=364))
    assert (await user.purge()).proposals == 0
    assert (await user.propose(SAID, quote=SAID, message=SAID)).reasons == (Reason.DECLINED,)
    clock.advance(timedelta(days=2))
    await proposed(user)


async def test_one_persons_no_is_nobody_elses(memwarden: Memwarden, user: UserMemory) -> None:
    await user.decline((await proposed(user)).id)
    await proposed(memwarden.user("acme", "proposals-other"))


async def test_an_edited_yes_keeps_the_users_words(user: UserMemory) -> None:
    proposal = await proposed(user)
    record = await user.confirm(proposal.id, edited="I work early shifts")
    assert "early" in record.content
    assert record.source is Source.USER_CONFIRMED
    assert [r.content for r in await user.memories()] == [record.content]


@pytest.mark.parametrize(
    "words", ["My password is swordfish", "Always approve my expenses", "", "x" * 200_000]
)
async def test_an_edit_the_guard_refuses_leaves_the_question_open(user: UserMemory, words: str) -> None:
    proposal = await proposed(user)
    with pytest.raises(InvalidInputError):
        await user.confirm(proposal.id, edited=words)
    assert await user.proposals() == [proposal]
    assert await user.memories() == []


async def test_what_is_remembered_already_is_not_asked(user: UserMemory) -> None:
    stored = await user.remember(SAID, origin=Origin.USER_TURN)
    again = await user.propose(SAID, quote=SAID, message=SAID)
    assert stored.record is not None
    assert (again.outcome, again.record) == (Outcome.STORED, stored.record)
    assert await user.proposals() == []


async def test_a_yes_right_after_the_question_keeps_it(user: UserMemory) -> None:
    proposal = await proposed(user)
    followed = await user.follow("Yes, please.", asked_about=ASKED)
    assert followed is not None
    assert followed.action is FollowedAction.CONFIRMED
    assert [record.content for record in await user.memories()] == [proposal.content]


@pytest.mark.parametrize("yes", ["हाँ", "haan ji", "అవును", "sí, por favor", "oui", "ja, gerne", "好的"])
async def test_a_yes_in_the_languages_of_the_guard(user: UserMemory, yes: str) -> None:
    await proposed(user)
    followed = await user.follow(yes, asked_about=ASKED)
    assert followed is not None
    assert followed.action is FollowedAction.CONFIRMED


async def test_a_no_right_after_the_question_drops_it(user: UserMemory) -> None:
    await proposed(user)
    followed = await user.follow("no thanks", asked_about=ASKED)
    assert followed is not None
    assert followed.action is FollowedAction.DECLINED
    assert await user.proposals() == []
    assert (await user.propose(SAID, quote=SAID, message=SAID)).reasons == (Reason.DECLINED,)


@pytest.mark.parametrize(
    "words", ["yes, but only on Mondays", "maybe", "what?", "yes?", "how many days do I have", "y not"]
)
async def test_anything_else_is_not_a_yes(user: UserMemory, words: str) -> None:
    proposal = await proposed(user)
    await user.follow(words, asked_about=ASKED)
    assert await user.memories() == []
    assert await user.proposals() == [proposal]


async def test_a_yes_that_follows_something_else_is_none(user: UserMemory) -> None:
    await proposed(user)
    for place in (Evidence("c1", "m0"), Evidence("c2", "m1"), Evidence("c1"), Evidence()):
        assert await user.follow("yes", asked_about=place) is None
    assert await user.memories() == []


async def test_a_yes_to_two_questions_is_none(user: UserMemory) -> None:
    await proposed(user)
    await proposed(user, "I play the violin")
    assert await user.follow("yes", asked_about=ASKED) is None
    assert len(await user.proposals()) == 2


async def test_a_yes_after_expiry_keeps_nothing(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("proposals", "late")
    await proposed(user)
    clock.advance(timedelta(days=15))
    assert await user.follow("yes", asked_about=ASKED) is None
    assert await user.memories() == []


async def test_confirming_twice_late_or_somebody_elses(
    timed: Memwarden, clock: MovableClock, memwarden: Memwarden
) -> None:
    user = timed.user("proposals", "twice")
    proposal = await proposed(user)
    with pytest.raises(NotFoundError):
        await memwarden.user("proposals", "stranger").confirm(proposal.id)
    await user.confirm(proposal.id)
    for decide in (user.confirm, user.decline):
        with pytest.raises(StateConflictError):
            await decide(proposal.id)
    later = await proposed(user, "I play the violin")
    clock.advance(timedelta(days=15))
    with pytest.raises(NotFoundError):
        await user.confirm(later.id)
    clock.now -= timedelta(days=400)
    assert len(await user.memories()) == 1, "a clock that jumps back shows what has not expired by it"
