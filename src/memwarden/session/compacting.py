"""Compaction: a history that nears the window becomes a shorter one, a summary and a ledger. Nothing of it is lost.

What leaves goes to the archive first, then into the summary; a summary that cannot be had from a model is made without.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from langchain_core.messages import AnyMessage, SystemMessage

from memwarden.session.compaction import Split, split
from memwarden.session.ledger import merged, pinned_in
from memwarden.session.pairing import repaired
from memwarden.session.pinned import Pinned
from memwarden.session.prompt_size import Count
from memwarden.session.summarise import Summarised
from memwarden.session.summary import Summary, bounded, empty, section
from memwarden.session.window import Window

Archive = Callable[[Sequence[AnyMessage]], Awaitable[object]]
"""Keeps messages that leave the prompt."""

Summarise = Callable[[Summary, Split, Sequence[Pinned]], Awaitable[Summarised]]
"""Makes a summary grow by the messages that leave; never fails for want of a model."""


@dataclass(frozen=True, slots=True)
class Remembering:
    """What a prompt holds of a conversation: its messages, the summary of earlier ones, and what is pinned."""

    messages: tuple[AnyMessage, ...]
    summary: Summary
    ledger: tuple[Pinned, ...]

    @property
    def section(self) -> str:
        """What stands in the system message for messages that left the prompt; empty without any."""
        return section(self.summary, self.ledger)


def remembering(
    messages: Sequence[AnyMessage], summary: Summary | None, ledger: Sequence[Pinned] | None
) -> Remembering:
    """Return what a state holds of a conversation."""
    return Remembering(tuple(messages), summary or empty(), tuple(ledger or ()))


@dataclass(frozen=True, slots=True)
class Compactor:
    """How a conversation is compacted: the window, what counts tokens, where messages go, who summarises."""

    window: Window
    count: Count
    archive: Archive
    summarise: Summarise

    async def __call__(self, before: Remembering, overhead: int) -> Remembering:
        """Return what the prompt is to hold; the same object, where it is right and has room.

        ``overhead`` are the tokens of everything else in the prompt: rules, memory, documents, tools' schemas.
        """
        whole = repaired(before.messages)
        if whole.messages != before.messages or whole.left_out:
            await self._kept_first(whole.left_out)
            before = Remembering(whole.messages, before.summary, before.ledger)
        if self.size(before, overhead) <= self.window.threshold:
            return before
        ledger = tuple(merged(before.ledger, pinned_in(before.messages)))
        parts = self._split(before.messages, ledger, overhead)
        await self._kept_first((*parts.evicted, *parts.cut))
        summary = before.summary
        if parts.evicted:
            summary = (await self.summarise(summary, parts, ledger)).summary
        summary, _ = bounded(summary, self._summary_tokens(ledger, overhead), self._section_tokens)
        return Remembering(parts.kept, summary, ledger)

    def size(self, held: Remembering, overhead: int) -> int:
        """Return the tokens of the prompt that would be sent."""
        return overhead + self._section_tokens(held.section) + self.count(held.messages)

    async def _kept_first(self, leaving: Sequence[AnyMessage]) -> None:
        if leaving:
            await self.archive(leaving)

    def _split(self, messages: Sequence[AnyMessage], ledger: Sequence[Pinned], overhead: int) -> Split:
        beside = overhead + self._section_tokens(section(empty(), ledger))
        beside += self._summary_tokens(ledger, overhead)
        return split(
            messages,
            self.window.recent_turns,
            max(0, self.window.target - beside),
            max(0, self.window.threshold - beside),
            self.count,
        )

    def _summary_tokens(self, ledger: Sequence[Pinned], overhead: int) -> int:
        """Return what the summary may take: its share, and never more than half of what rules and pinned items leave."""
        left = self.window.threshold - overhead - self._section_tokens(section(empty(), ledger))
        return max(0, min(int(self.window.tokens * self.window.summary), left // 2))

    def _section_tokens(self, said: str) -> int:
        return self.count([SystemMessage(said)]) if said else 0
