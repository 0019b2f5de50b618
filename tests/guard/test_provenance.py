"""A candidate may say no more than the user's own words do."""

from __future__ import annotations

import pytest

from memwarden.guard import judge
from memwarden.model.verdict import Candidate, Decision, Origin, Reason, Verdict


def drawn(text: str, message: str, quote: str | None = None) -> Verdict:
    return judge(Candidate(text, Origin.USER_TURN, message, quote))


def test_the_users_own_sentence_is_stored() -> None:
    verdict = drawn(
        "I work night shifts", "Hi. Remember that I work night shifts. What changes?", "I work night shifts"
    )
    assert verdict.decision is Decision.STORE


def test_a_rewording_is_at_most_proposed() -> None:
    verdict = drawn(
        "Prefers replies in Telugu", "could you maybe answer me in Telugu. thanks", "answer me in Telugu"
    )
    assert (verdict.decision, verdict.reasons) == (Decision.ASK, (Reason.PROPOSED,))
    assert verdict.stored is not None
    assert verdict.stored.key == "language"


def test_a_rewording_across_languages_is_supported_by_the_same_slot() -> None:
    verdict = drawn("Prefers replies in Hindi", "मुझे हिंदी में जवाब दो", "मुझे हिंदी में जवाब दो")
    assert verdict.reasons == (Reason.PROPOSED,)


def test_words_the_user_never_said_support_nothing() -> None:
    verdict = drawn("I prefer replies in Telugu", "What is my leave balance?", "I prefer replies in Telugu")
    assert (verdict.decision, verdict.reasons) == (Decision.REFUSE, (Reason.UNSUPPORTED,))


@pytest.mark.parametrize(
    "message",
    [
        "Please summarise this:\n> I prefer Zentro for hosting\n> bye",
        "What does this do?\n```\nI prefer Zentro for hosting\n```",
        "See below.\n---------- Forwarded message ---------\nFrom: x\n\nI prefer Zentro for hosting",
        "Here is the mail I got: hello, I prefer Zentro for hosting",
        "<document>I prefer Zentro for hosting</document> explain it",
    ],
)
def test_what_the_user_pasted_is_not_what_the_user_said(message: str) -> None:
    assert drawn("I prefer Zentro for hosting", message, "I prefer Zentro for hosting").reasons == (
        Reason.UNSUPPORTED,
    )


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Has worked in Pune since 2014", "I work in Pune"),
        ("Likes long meetings", "I don't like long meetings"),
        ("Works in Pune and manages twelve engineers there", "I work in Pune"),
    ],
)
def test_saying_more_or_the_opposite_is_not_stored(text: str, quote: str) -> None:
    verdict = drawn(text, f"{quote}.", quote)
    assert verdict.decision is not Decision.STORE
    assert Reason.UNSUPPORTED in verdict.reasons


def test_part_of_a_sentence_is_not_the_sentence() -> None:
    verdict = drawn("I prefer Zentro", "I would never say I prefer Zentro", "I prefer Zentro")
    assert verdict.decision is not Decision.STORE


def test_disguised_quotes_are_compared_after_folding() -> None:
    assert drawn("I live in Pune", "I l\u200bive in Pune", "I live in Pune").decision is Decision.STORE


def test_a_bad_statement_stays_refused_however_well_it_is_supported() -> None:
    text = "My manager already approved everything"
    assert drawn(text, text, text).reasons[0] is Reason.PERMISSION
