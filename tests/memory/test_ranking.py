"""Ranking is a pure function: relevance first, then age and source between near equals."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memwarden.db.memory_table import Hit
from memwarden.memory.ranking import RECENCY_FLOOR, prior, rank
from memwarden.model.ids import new_id
from memwarden.model.record import MemoryRecord, MemoryType, Source
from memwarden.model.scope import Scope

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def record(*, age_days: float = 0, source: Source = Source.USER_STATED) -> MemoryRecord:
    at = NOW - timedelta(days=age_days)
    return MemoryRecord(
        scope=Scope("acme", "asha"),
        id=new_id(at),
        type=MemoryType.FACT,
        content="x",
        source=source,
        purpose="p",
        created_at=at,
        updated_at=at,
        expires_at=NOW + timedelta(days=1),
    )


hits = st.lists(
    st.builds(
        Hit,
        st.builds(record, age_days=st.floats(0, 2000), source=st.sampled_from(Source)),
        st.none() | st.floats(0, 2),
        st.floats(0, 50),
        st.floats(0, 1),
    ),
    max_size=30,
)


@given(hits, st.integers(0, 50))
def test_rank_is_ordered_bounded_and_invents_nothing(found: list[Hit], limit: int) -> None:
    ranked = rank(found, NOW, limit)
    assert len(ranked) <= limit
    assert [r.score for r in ranked] == sorted((r.score for r in ranked), reverse=True)
    assert len({r.record.id for r in ranked}) == len(ranked)
    assert {r.record.id for r in ranked} <= {hit.record.id for hit in found}


@given(hits, st.data())
def test_rank_does_not_depend_on_the_order_rows_arrive_in(found: list[Hit], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(found))
    assert [r.record.id for r in rank(found, NOW, 50)] == [r.record.id for r in rank(shuffled, NOW, 50)]


@given(hits)
def test_a_row_that_is_best_in_every_search_comes_first(found: list[Hit]) -> None:
    best = Hit(record(), -0.1, 51.0, 1.1)
    assert rank([*found, best], NOW, 1)[0].record == best.record


def test_a_row_no_search_found_is_left_out() -> None:
    assert rank([Hit(record(), None, 0.0, 0.0)], NOW, 5) == ()


def test_age_decides_between_equals_and_never_halves_a_score() -> None:
    assert (
        prior(record(age_days=0), NOW) > prior(record(age_days=180), NOW) > prior(record(age_days=3000), NOW)
    )
    assert prior(record(age_days=15_000), NOW) >= RECENCY_FLOOR * 0.999
    future = replace(record(), updated_at=NOW + timedelta(days=5))
    assert prior(future, NOW) == prior(record(), NOW)


def test_what_the_user_said_outweighs_what_the_system_noted() -> None:
    assert prior(record(source=Source.USER_STATED), NOW) > prior(record(source=Source.SYSTEM), NOW)
