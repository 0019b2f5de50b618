"""A second opinion on what the guard would keep: it may ask or refuse, and can allow nothing.

Pattern and frame come first and are judged without it. An opinion is heard about a verdict that stores, which
it may turn into a question, and about one that asks because words with an innocent reading spoke against it
("I design forms for a cancer registry"), which it may turn into a refusal. So a model that is wrong, misled or
absent costs the user a question or a memory, and never keeps one that should not be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from memwarden.guard.explain import explain
from memwarden.guard.lint import is_contextual
from memwarden.model.verdict import Candidate, Decision, Reason, Verdict

CONSENTABLE = (Reason.SENSITIVE, Reason.IDENTIFIER)
"""Reasons that do not count against a statement kept for a purpose its owner consented to; the rules decide which."""

_KEPT = (Decision.STORE, Decision.REDACT)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What an opinion holds against keeping a statement: its reason, and whether the user may still confirm it."""

    reason: Reason
    refuse: bool = False


class SecondOpinion(Protocol):
    """Somebody, or some model, that is asked about a statement before it is kept."""

    async def __call__(self, candidate: Candidate, verdict: Verdict) -> Doubt | None:
        """Return a doubt about keeping what ``verdict`` would store of ``candidate``, or null for none.

        Whatever it raises is taken as a doubt by the caller.
        """
        ...


def is_kept(verdict: Verdict) -> bool:
    """Tell whether a verdict stores something, which is when a second opinion is heard."""
    return verdict.decision in _KEPT and verdict.stored is not None


def is_contested(verdict: Verdict) -> bool:
    """Tell whether a verdict asks although something was found that mostly speaks against keeping a text."""
    return verdict.decision is Decision.ASK and any(is_contextual(found) for found in verdict.findings)


def contested(verdict: Verdict) -> Doubt:
    """Return the doubt that a contested verdict leaves when nobody speaks for it."""
    return Doubt(verdict.reasons[0], refuse=True)


def lowered(verdict: Verdict, doubt: Doubt | None) -> Verdict:
    """Return ``verdict`` lowered to what ``doubt`` leaves of it."""
    if doubt is None or not (is_kept(verdict) or (is_contested(verdict) and doubt.refuse)):
        return verdict
    decision = Decision.REFUSE if doubt.refuse else Decision.ASK
    reasons = (doubt.reason, *(reason for reason in verdict.reasons if reason is not doubt.reason))
    stored = None if doubt.refuse else verdict.stored
    return replace(
        verdict,
        decision=decision,
        reasons=reasons,
        stored=stored,
        explanation=explain(decision, reasons, stored),
    )
