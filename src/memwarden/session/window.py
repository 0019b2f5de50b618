"""How much a prompt may hold, and when it is compacted. Pure, and without anything of LangChain's."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """How much a prompt may hold, in tokens, and when and how far it is compacted.

    ``at`` and ``to`` are shares of ``tokens``: above the first a prompt is compacted to the second. ``answer`` is room for
    the model's answer. ``recent_turns`` stay word for word, unless they alone are too long.
    """

    tokens: int
    answer: int = 0
    at: float = 0.8
    to: float = 0.5
    recent_turns: int = 3
    summary: float = 0.2
    """Share of ``tokens`` that a summary may take; pinned items are not part of it."""

    @property
    def threshold(self) -> int:
        """Tokens above which a prompt is compacted."""
        return min(int(self.tokens * self.at), self.tokens - self.answer)

    @property
    def target(self) -> int:
        """Tokens to which a prompt is compacted."""
        return min(int(self.tokens * self.to), self.threshold)
