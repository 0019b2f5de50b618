"""Of a home address the city is kept, and nothing else."""

from __future__ import annotations

import pytest

from memwarden.guard import judge
from memwarden.model.verdict import Candidate, Decision, Origin


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("I live at 14 Rose Street, Pune 411001", "Pune"),
        ("My home address is Flat 4B, 12 Hill Road, Bandra, Mumbai, India", "Mumbai"),
        ("I live at 221 Baker Street, London NW1 6XE, UK", "London"),
        ("Remember that I live at 5 Lake View Road, Hyderabad", "Hyderabad"),
    ],
)
def test_the_city_is_kept(text: str, city: str) -> None:
    verdict = judge(Candidate(text, Origin.USER_TURN))
    assert verdict.decision is Decision.REDACT
    assert verdict.stored is not None
    assert verdict.stored.key == "location"
    assert verdict.stored.value == city
    assert not any(ch.isdigit() for ch in verdict.stored.content)
    assert city in verdict.explanation


@pytest.mark.parametrize(
    "text",
    [
        "I live at 14 Rose Street",
        "I live at 14 Rose Street, Kothrud Colony",
        "The shop is at 14 Rose Street, Pune 411001",
    ],
)
def test_where_the_city_is_not_plain_the_user_is_asked_at_most(text: str) -> None:
    verdict = judge(Candidate(text, Origin.USER_TURN))
    assert verdict.decision in (Decision.ASK, Decision.REFUSE)
