"""A second opinion on what the guard would keep: it may ask or refuse, and can allow nothing.

Pattern and frame come first and are judged without it; an opinion is only ever heard about a verdict that
stores. So a model that is wrong, misled or absent costs the user a question, never a memory that should not be.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from memwarden.guard.explain import explain
from memwarden.model.verdict import Candidate, Decision, Reason, Statement, Verdict

_KEPT = (Decision.STORE, Decision.REDACT)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What an opinion holds against keeping a statement: its reason, and whether the user may still confirm it."""

    reason: Reason
    refuse: bool = False


class SecondOpinion(Protocol):
    """Somebody, or some model, that is asked about a statement before it is kept."""

    async def __call__(self, candidate: Candidate, statement: Statement) -> Doubt | None:
        """Return a doubt about keeping ``statement``, which ``candidate`` led to, or null for none.

        Whatever it raises is taken as a doubt by the caller.
        """
        ...


def is_kept(verdict: Verdict) -> bool:
    """Tell whether a verdict stores something, which is when a second opinion is heard."""
    return verdict.decision in _KEPT and verdict.stored is not None


def lowered(verdict: Verdict, doubt: Doubt | None) -> Verdict:
    """Return ``verdict`` lowered to what ``doubt`` leaves of it; one that does not store stays as it is."""
    if doubt is None or not is_kept(verdict):
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
