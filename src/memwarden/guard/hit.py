"""A span that something was found in, while a text is still in its folded form."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.guard.normalise import Folded
from memwarden.model.verdict import Finding, Reason


@dataclass(frozen=True, slots=True)
class Hit:
    """What was found, from ``start`` to ``end`` of a folded text."""

    reason: Reason
    kind: str
    start: int
    end: int

    def finding(self, source: Folded) -> Finding:
        """Return the hit at its place in the original text."""
        start, end = source.span(self.start, self.end)
        return Finding(self.reason, start, end, self.kind)
