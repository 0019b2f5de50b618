"""An agent that a supervisor may delegate to, and the record of those that took part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage
from langgraph.graph.state import CompiledStateGraph

from memwarden.errors import ConfigurationError

ASK = "ask_"
HAND_OVER = "hand_over_to_"

# With either prefix before it, what every provider takes for the name of a tool.
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,47}")


@dataclass(frozen=True, slots=True)
class DownstreamAgent:
    """An agent behind a supervisor: a graph whose state has ``messages``, and what the supervisor's model is told of it.

    It is asked as a tool, ``ask_<name>``, and answers the supervisor; with ``handoff`` it takes the conversation over by
    ``hand_over_to_<name>`` and answers the user itself. An agent that is not ``meaningful`` says nothing of what the
    conversation is about, such as one that only words or translates. Compile its graph without a checkpointer: it
    takes the supervisor's.
    """

    name: str
    description: str
    graph: CompiledStateGraph[Any, Any, Any, Any]
    meaningful: bool = True
    handoff: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigurationError(
                f"The agent's name {self.name!r} cannot be part of a tool's name; use a letter and up to 47 letters,"
                " digits, underscores or hyphens after it."
            )
        if not self.description.strip():
            raise ConfigurationError(
                f"The agent {self.name} has no description; say what a supervisor may send it."
            )

    @property
    def tool_name(self) -> str:
        """The tool by which the supervisor's model reaches it."""
        return (HAND_OVER if self.handoff else ASK) + self.name


def meaningful_agents(state: Mapping[str, Any], agents: Iterable[DownstreamAgent]) -> list[str]:
    """Return which meaningful agents took part, in the order in which they came in.

    ``state`` is the supervisor's: ``(await graph.aget_state(config)).values``, or what a run returned.
    """
    meaningful = {agent.name for agent in agents if agent.meaningful}
    return [name for name in state.get("agents_involved", ()) if name in meaningful]


def union(known: Sequence[str], more: Sequence[str]) -> list[str]:
    """Return each name once, in the order of its first appearance."""
    return list(dict.fromkeys([*known, *more]))


def open_calls(messages: Sequence[AnyMessage]) -> list[ToolCall]:
    """Return the tool calls of the latest answer that have no result yet."""
    answered: set[str] = set()
    for message in reversed(messages):
        if isinstance(message, ToolMessage):
            answered.add(message.tool_call_id)
        elif isinstance(message, AIMessage):
            return [call for call in message.tool_calls if call["id"] not in answered]
    return []


def taking_over(calls: Sequence[ToolCall]) -> ToolCall | None:
    """Return the call that hands the conversation over: the first of them, since one agent answers the user."""
    return next((call for call in calls if call["name"].startswith(HAND_OVER)), None)
