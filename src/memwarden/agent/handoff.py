"""A downstream agent that takes the conversation over for the rest of the turn, and answers the user itself.

The supervisor's tool only notes in the state who takes over; the agent then runs where the supervisor's next model call
would have been. So every tool call has its result by then, also when several were made in one step, which a jump to
another node out of the tool would cut off.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.types import Command

from memwarden.agent.downstream import DownstreamAgent, open_calls, taking_over

TAKES_OVER = """
Call it alone: the agent takes the conversation over and answers the user itself, and you are not asked again in this turn."""


def hand_over_tool(agent: DownstreamAgent) -> BaseTool:
    """Return the tool ``hand_over_to_<name>()``, which lets the agent answer the user."""

    def hand_over(runtime: ToolRuntime[Any, Any]) -> Command[Any] | ToolMessage:
        call_id = runtime.tool_call_id or ""
        first = taking_over(open_calls(runtime.state["messages"]))
        if first is not None and first["id"] != call_id:
            refused = "Not handed over: another agent was called first, and one answers the user."
            return ToolMessage(refused, name=agent.tool_name, tool_call_id=call_id, status="error")
        done = ToolMessage(f"Handed over to {agent.name}.", name=agent.tool_name, tool_call_id=call_id)
        return Command(update={"messages": [done], "handed_over_to": agent.name})

    return StructuredTool.from_function(
        func=hand_over, name=agent.tool_name, description=agent.description + TAKES_OVER
    )


def heard_by(agent: DownstreamAgent, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """Return the conversation as the agent gets it: what was said, and its own tool calls with their results.

    Other agents' tool calls are left out with their results, since it has no such tools.
    """
    heard: list[AnyMessage] = []
    foreign = False
    for message in messages:
        if not isinstance(message, ToolMessage):
            foreign = (
                isinstance(message, AIMessage) and bool(message.tool_calls) and message.name != agent.name
            )
        if not foreign:
            heard.append(message)
    return heard


def joining(
    agent: DownstreamAgent, heard: Sequence[AnyMessage], result: Mapping[str, Any]
) -> list[BaseMessage]:
    """Return what an agent's run adds to the conversation: its answers under its name, and its complete tool calls.

    It ends with an answer in any case: without one the supervisor's loop would go round again.
    """
    known = {message.id for message in heard}
    new = [m for m in result["messages"] if m.id not in known and isinstance(m, (AIMessage, ToolMessage))]
    answered = {m.tool_call_id for m in new if isinstance(m, ToolMessage)}
    called: set[str | None] = set()
    joined: list[BaseMessage] = []
    for message in new:
        if isinstance(message, AIMessage):
            calls = {call["id"] for call in message.tool_calls}
            if calls <= answered:
                called |= calls
                joined.append(message.model_copy(update={"name": agent.name}))
        elif message.tool_call_id in called:
            joined.append(message)
    if not joined or not isinstance(joined[-1], AIMessage) or joined[-1].tool_calls:
        joined.append(AIMessage(f"The agent {agent.name} gave no answer.", name=agent.name))
    return joined
