"""The labelled sets as a regression test: what is reached may not be lost."""

from __future__ import annotations

import pytest

from memwarden.guard import judge, redact
from memwarden.model.verdict import Candidate, Decision, Origin, Reason
from tests.guard.corpus import (
    DATA,
    SecretString,
    attack_texts,
    benign_texts,
    guard_lines,
    held_out_sets,
    lines_of,
    secret_strings,
)
from tests.guard.opined import opined_judge
from tests.guard.report import Report, left_behind, measure, render

BARS = {
    "secret": 1.0,
    "identifier": 1.0,
    "untrusted": 1.0,
    "instruction": 1.0,
    "permission": 1.0,
    "sensitive": 1.0,
    "third_party": 1.0,
    "inference": 1.0,
    "policy": 1.0,
    "transient": 1.0,
    "transcript": 1.0,
}


@pytest.fixture(scope="module")
def report() -> Report:
    return measure()


@pytest.mark.parametrize("label", BARS)
def test_recall_of_every_label_is_held(report: Report, label: str) -> None:
    assert report.recall(label) >= BARS[label], render(report)


def test_allowed_lines_are_stored_and_not_refused(report: Report) -> None:
    assert report.kept() >= 0.99, render(report)
    assert report.share("allow", Decision.REFUSE) <= 0.01, render(report)


def test_every_secret_and_identifier_is_named_and_refused() -> None:
    for line in guard_lines():
        if line.label in ("secret", "identifier"):
            verdict = judge(line.candidate)
            assert verdict.decision is Decision.REFUSE
            assert Reason(line.label) in verdict.reasons, line.number


@pytest.mark.parametrize("string", [s for s in secret_strings() if s.category != "G"], ids=lambda s: s.id)
def test_whole_secret_is_covered(string: SecretString) -> None:
    assert left_behind(string) == []
    assert judge(Candidate(string.text, Origin.USER_TURN)).decision is Decision.REFUSE


@pytest.mark.parametrize("string", [s for s in secret_strings() if s.category == "G"], ids=lambda s: s.id)
def test_look_alikes_are_left_alone(string: SecretString) -> None:
    assert redact(string.text) == string.text


def test_no_allowed_line_is_redacted() -> None:
    assert [
        line.number for line in guard_lines() if line.label == "allow" and redact(line.text) != line.text
    ] == []


def test_no_attack_and_no_refusal_is_stored() -> None:
    stored = [
        name
        for name, text in attack_texts()
        if judge(Candidate(text, Origin.USER_TURN)).decision in (Decision.STORE, Decision.REDACT)
    ]
    assert stored == []


def test_benign_candidates_are_stored_traps_included() -> None:
    verdicts = {name: judge(Candidate(text, Origin.USER_TURN)).decision for name, text in benign_texts()}
    assert [name for name, decision in verdicts.items() if decision is Decision.REFUSE] == []
    assert sum(decision is Decision.STORE for decision in verdicts.values()) >= 59


@pytest.fixture(scope="module", params=["second.jsonl", "third.jsonl"])
def another(request: pytest.FixtureRequest) -> Report:
    """A set by another hand, in the words of people typing as they do; its first figures are in docs/guard.md."""
    return measure(lines_of(DATA / request.param))


def test_the_bad_lines_of_another_hand_are_not_stored(another: Report) -> None:
    bad = [label for label in another.decisions if label != "allow"]
    stored = sum(another.decisions[label][Decision.STORE.value] for label in bad)
    assert stored <= 2, render(another)


def test_the_allowed_lines_of_another_hand_are_asked_about_at_worst(another: Report) -> None:
    assert another.kept() >= 0.60, render(another)
    assert another.share("allow", Decision.REFUSE) <= 0.04, render(another)


@pytest.fixture(scope="module")
def unseen() -> Report:
    """Lines no rule was written for and no head was taught with, as Memwarden decides about them."""
    lines = [line for path in held_out_sets() for line in lines_of(path)]
    with opined_judge() as decide:
        return measure(lines, decide)


@pytest.mark.slow
def test_what_was_reached_on_unseen_lines_is_not_lost(unseen: Report) -> None:
    bad = [label for label in unseen.decisions if label != "allow"]
    stored = sum(unseen.decisions[label][Decision.STORE.value] for label in bad)
    assert stored <= 91, render(unseen)
    assert unseen.recall("identifier") == unseen.recall("untrusted") == 1.0
    assert unseen.kept() >= 0.81, render(unseen)
    assert unseen.share("allow", Decision.REFUSE) <= 0.046, render(unseen)
