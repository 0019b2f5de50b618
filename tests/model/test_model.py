"""Plain types: frozen, checked, in UTC."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden import Episode, Scope
from memwarden.memory.retention import Retention
from memwarden.model.clock import system_clock
from memwarden.model.ids import is_id, new_id
from memwarden.model.record import MemoryType

instants = st.datetimes(datetime(1990, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(instants, instants)
def test_ids_sort_by_time(one: datetime, two: datetime) -> None:
    first, second = new_id(one), new_id(two)
    assert is_id(first)
    assert len(first) == 26
    if abs(one - two) >= timedelta(milliseconds=2):
        assert (first < second) == (one < two)


@given(st.text(max_size=30))
def test_a_text_is_an_id_only_in_its_one_form(text: str) -> None:
    if is_id(text):
        assert len(text) == 26
        assert text == text.upper()
    assert not is_id(new_id(system_clock()).lower())


def test_the_clock_is_in_utc() -> None:
    assert system_clock().tzinfo is UTC


def test_a_scope_cannot_be_changed() -> None:
    scope = Scope("acme", "asha")
    with pytest.raises(FrozenInstanceError):
        scope.user_id = "bob"  # type: ignore[misc]
    assert Scope("acme", "asha") == scope
    assert Scope("ACME", "asha") != scope


def test_an_episode_is_plain_json() -> None:
    at = datetime(2026, 3, 1, 9, tzinfo=UTC)
    episode = Episode("leave_request", ("checked balance", "filed request"), "approved", at, follow_up=None)
    assert json.loads(json.dumps(episode.as_details())) == {
        "task_type": "leave_request",
        "actions": ["checked balance", "filed request"],
        "result": "approved",
        "occurred_at": "2026-03-01T09:00:00+00:00",
        "follow_up": None,
    }


DAYS = Retention(
    preference=timedelta(days=10),
    fact=timedelta(days=20),
    episode=timedelta(days=30),
    unused=timedelta(days=15),
    purposes={"p": timedelta(days=5), "q": timedelta(days=12)},
)
THEN = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "purpose", "stated", "used"),
    [
        (MemoryType.PREFERENCE, "x", 10, 10),
        (MemoryType.FACT, "x", 15, 20),
        (MemoryType.EPISODE, "x", 30, None),
        (MemoryType.PREFERENCE, "p", 5, 5),
        (MemoryType.FACT, "q", 12, 12),
        (MemoryType.FACT, "x; q; p", 5, 5),
        (MemoryType.EPISODE, "p", 5, None),
    ],
)
def test_each_type_and_purpose_has_its_own_retention(
    kind: MemoryType, purpose: str, stated: int, used: int | None
) -> None:
    assert DAYS.once_stated(kind, purpose, THEN) == THEN + timedelta(days=stated)
    assert DAYS.once_used(kind, purpose, THEN) == (None if used is None else THEN + timedelta(days=used))


@given(st.sampled_from(MemoryType), st.sampled_from(["x", "p", "q", "p; q"]), instants)
def test_what_was_never_used_lives_no_longer_than_what_was(
    kind: MemoryType, purpose: str, at: datetime
) -> None:
    used = DAYS.once_used(kind, purpose, at)
    assert at < DAYS.once_stated(kind, purpose, at)
    assert used is None or DAYS.once_stated(kind, purpose, at) <= used
