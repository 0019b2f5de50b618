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


@pytest.mark.parametrize(
    ("kind", "days"), [(MemoryType.PREFERENCE, 10), (MemoryType.FACT, 20), (MemoryType.EPISODE, 30)]
)
def test_each_type_has_its_own_retention(kind: MemoryType, days: int) -> None:
    retention = Retention(timedelta(days=10), timedelta(days=20), timedelta(days=30))
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert retention.expiry(kind, now) == now + timedelta(days=days)
