"""What holds for any text: disguise gains nothing, nothing odd crashes, spans point into the original."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden.errors import InvalidInputError
from memwarden.guard import DEFAULT_SLOTS, command, judge, recognise, redact
from memwarden.guard.normalise import clean, fold
from memwarden.model.verdict import Candidate, Decision, Origin
from tests.guard.corpus import Line, SecretString, guard_lines, secret_strings

pytestmark = pytest.mark.slow
"""Each test tries many texts."""

_BAD = [line for line in guard_lines() if line.label != "allow"]
_GOOD = [line for line in guard_lines() if line.label == "allow" and line.lang == "en"]
_INVISIBLE = "\u200b\u2060\ufeff\u00ad\u200e\u202e\ufe0f\u2063"
_TWINS = str.maketrans("aceopxyiABCEHKMOPTX", "асеорхуіАВСЕНКМОРТХ")
_KEPT = (Decision.STORE, Decision.REDACT)

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _fullwidth(text: str) -> str:
    return "".join(chr(ord(ch) + 0xFEE0) if "!" <= ch <= "~" else ch for ch in text)


@quick
@given(
    st.sampled_from(_BAD),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(_INVISIBLE)), min_size=1, max_size=12),
)
def test_invisible_characters_never_turn_a_refusal_into_a_record(
    line: Line, inserted: list[tuple[int, str]]
) -> None:
    text = line.text
    for place, ch in inserted:
        at = place % (len(text) + 1)
        text = text[:at] + ch + text[at:]
    assert judge(Candidate(text, line.origin)).decision not in _KEPT


@quick
@given(st.sampled_from(_BAD), st.sampled_from(["twins", "fullwidth"]))
def test_look_alike_letters_never_turn_a_refusal_into_a_record(line: Line, disguise: str) -> None:
    text = line.text
    text = text.translate(_TWINS) if disguise == "twins" else _fullwidth(text)
    assert judge(Candidate(text, line.origin)).decision not in _KEPT


@quick
@given(
    st.sampled_from(_GOOD),
    st.lists(st.tuples(st.integers(0, 400), st.sampled_from(_INVISIBLE)), min_size=1, max_size=6),
)
def test_invisible_characters_never_turn_an_innocent_line_into_a_refusal(
    line: Line, inserted: list[tuple[int, str]]
) -> None:
    text = line.text
    for place, ch in inserted:
        at = place % (len(text) + 1)
        text = text[:at] + ch + text[at:]
    assert judge(Candidate(text, line.origin)).decision is not Decision.REFUSE


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=600), st.sampled_from(list(Origin)))
def test_any_text_gets_a_verdict_or_a_typed_error(text: str, origin: Origin) -> None:
    try:
        verdict = judge(Candidate(text, origin))
    except InvalidInputError:
        return
    assert verdict.explanation
    assert bool(verdict.reasons) is (verdict.decision is not Decision.STORE)
    assert (verdict.stored is None) is (verdict.decision is Decision.REFUSE)
    for finding in verdict.findings:
        assert 0 <= finding.start <= finding.end <= len(text)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=400))
def test_folding_keeps_its_map(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.lower) == len(folded.starts) == len(folded.ends)
    assert all(0 <= start < end <= len(text) for start, end in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300))
def test_redacting_and_commands_accept_anything(text: str) -> None:
    once = redact(text)
    assert isinstance(once, str)
    command(text)
    recognise(text, DEFAULT_SLOTS)
    assert "\n" not in clean(text)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([s for s in secret_strings() if s.category in "ABC"]),
    st.integers(0, 300),
    st.sampled_from(_INVISIBLE),
)
def test_a_hidden_character_does_not_save_a_secret(string: SecretString, place: int, ch: str) -> None:
    text = string.text
    at = place % (len(text) + 1)
    redacted = redact(text[:at] + ch + text[at:])
    plain = "".join(c for c in redacted if unicodedata.category(c) != "Cf" and c != "\ufe0f")
    assert not any(span in plain for span in string.spans)


ADVERSARIAL = {
    "one run": "a" * 100_000,
    "single letters": "a " * 50_000,
    "digits": "1" * 100_000,
    "spaced digits": "1 " * 50_000,
    "keywords": "password " * 11_000,
    "assignments": "password=" * 11_000,
    "urls": "a://b:c@" * 12_500,
    "key headers": "-----BEGIN PRIVATE KEY----- " * 3_500,
    "escapes": "%41" * 33_000,
    "base64": "QUJD" * 25_000,
    "number words": "nine " * 20_000,
    "blanks": "x" + " " * 100_000 + "x",
    "marks": "a" + "\u0301" * 100_000,
    "commands": "remember that " * 7_000,
    "indic": "पासवर्ड " * 12_500,
    "comments": "<!--" * 25_000,
}


def taken(act: Callable[[str], object], text: str) -> float:
    """Return the seconds of processor time that something takes, the least of two."""
    times = []
    for _ in range(2):
        started = time.process_time()
        act(text)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_time_stays_linear_on_hostile_text(name: str) -> None:
    text = ADVERSARIAL[name]
    for act in (redact, command, lambda t: judge(Candidate(t, Origin.USER_TURN))):
        # Four times the text takes four times as long, and not sixteen; a tenth of a second is the clock's own noise.
        assert taken(act, text) <= 8 * taken(act, text[: len(text) // 4]) + 0.1
    judge(Candidate(text[:3_900] or "x", Origin.USER_TURN))


def test_a_megabyte_is_refused_unread() -> None:
    def judged(text: str) -> object:
        return judge(Candidate(text, Origin.USER_TURN))

    verdict = judge(Candidate("x" * 1_000_000, Origin.USER_TURN))
    assert verdict.decision is Decision.REFUSE
    assert len(verdict.redacted) < 100
    assert taken(judged, "x" * 1_000_000) <= taken(judged, "x y " * 900) + 0.02
