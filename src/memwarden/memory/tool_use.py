"""What was done in a conversation, read off its tool calls and how they ended. Pure; it looks at nothing anybody said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage

from memwarden.memory.episodes import MAX_ACTIONS
from memwarden.model.episode import Episode

NOT_A_TASK = frozenset({"propose_memory", "ask_memory"})
"""Tools of memory itself."""

WAITING = "The conversation stopped at a question that was not answered."
_NO_NAME = re.compile(r"[^\w.:/-]+")


@dataclass(frozen=True, slots=True)
class Found:
    """An episode, and the id of the message it was read up to."""

    episode: Episode
    until: str


def episode_of(
    messages: Sequence[AnyMessage], after: str, occurred_at: datetime, *, waiting: bool
) -> Found | None:
    """Return what was done after the message ``after`` (the beginning, where there is no such), or null for nothing.

    ``waiting`` says that the graph stopped to ask and got no answer.
    """
    ended = [call for call in _calls(_later(messages, after)) if call[0] not in NOT_A_TASK]
    if not ended:
        return None
    last_tool, last_ended, until = ended[-1]
    done = [tool for tool, worked, _ in ended if worked]
    episode = Episode(
        task_type=done[-1] if done else last_tool,
        actions=tuple(
            f"{tool}: {'done' if worked else 'failed'}" for tool, worked, _ in ended[-MAX_ACTIONS:]
        ),
        result=_result(len(ended), len(done), last_ended),
        occurred_at=occurred_at,
        follow_up=WAITING if waiting else None,
    )
    return Found(episode, until)


def _result(calls: int, worked: int, last_worked: bool) -> str:
    if worked == calls:
        return "done"
    if worked == 0:
        return "it failed"
    return "done after a failed attempt" if last_worked else "done in part; the last step failed"


def _later(messages: Sequence[AnyMessage], after: str) -> Sequence[AnyMessage]:
    places = [place for place, message in enumerate(messages) if message.id == after]
    return messages[places[-1] + 1 :] if places else messages


def _calls(messages: Sequence[AnyMessage]) -> list[tuple[str, bool, str]]:
    """Return (tool, whether it worked, id of the result) of every tool call that ended, in order."""
    named = {call["id"]: call["name"] for m in messages if isinstance(m, AIMessage) for call in m.tool_calls}
    return [
        (_plain(named.get(m.tool_call_id) or m.name or "tool"), m.status != "error", m.id or m.tool_call_id)
        for m in messages
        if isinstance(m, ToolMessage)
    ]


def _plain(name: str) -> str:
    """Return a tool's name as a task type may be written."""
    return _NO_NAME.sub("_", name).strip("_")[:64] or "tool"
