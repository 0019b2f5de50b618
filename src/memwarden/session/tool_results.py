"""Tool results in a prompt: kept once as a whole, shown in part, and in one line once their turn has passed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AnyMessage, ToolMessage

from memwarden.session.tool_views import ToolView, in_a_line, is_long, reference_of, view_of, with_view
from memwarden.session.turns import in_turns

KeepWhole = Callable[[ToolMessage], Awaitable[str | None]]
"""Keeps the whole of a result and returns the reference it is found under; null where there is nowhere to keep it."""

EVERY_TOOL = ToolView()


@dataclass(frozen=True, slots=True)
class ToolResults:
    """What prompts show of tools' results: ``views`` by the tool's name, ``most_tokens`` for all.

    Those of the latest ``whole_turns`` turns are shown so; those of earlier ones in a line. ``untouched`` tools are left
    as they are.
    """

    most_tokens: int = 1_000
    whole_turns: int = 1
    views: Mapping[str, ToolView] = field(default_factory=dict)
    untouched: frozenset[str] = frozenset()

    async def shown(self, message: ToolMessage, keep: KeepWhole) -> ToolMessage:
        """Return a result as a prompt shows it, having kept the whole of it if that is more."""
        if self._stays(message) or reference_of(message) is not None:
            return message
        view = view_of(message, self.views.get(message.name or "", EVERY_TOOL), self.most_tokens)
        if view is None:
            return message
        reference = await keep(message)
        return message if reference is None else with_view(message, view, reference)

    async def settled(self, messages: Sequence[AnyMessage], keep: KeepWhole) -> list[AnyMessage]:
        """Return a history whose results are shown as their age has it; whole, in part, or in a line."""
        turns = in_turns(messages).turns
        recent = {m.id for turn in turns[max(0, len(turns) - self.whole_turns) :] for m in turn.messages}
        out: list[AnyMessage] = []
        for message in messages:
            if not isinstance(message, ToolMessage):
                out.append(message)
            elif message.id in recent:
                out.append(await self.shown(message, keep))
            else:
                out.append(await self._as_old(message, keep))
        return out

    async def _as_old(self, message: ToolMessage, keep: KeepWhole) -> ToolMessage:
        if self._stays(message) or not is_long(message):
            return message
        reference = reference_of(message) or await keep(message)
        return message if reference is None else in_a_line(message, reference)

    def _stays(self, message: ToolMessage) -> bool:
        return (message.name or "") in self.untouched
