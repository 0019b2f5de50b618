"""A downstream agent as a tool: the supervisor's model words a request, and reads what the agent answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, StructuredTool
from langgraph import errors
from langgraph.errors import GraphBubbleUp

from memwarden.agent.downstream import DownstreamAgent
from memwarden.errors import ConfigurationError, DatabaseError, ThreadBusyError

FROM_SUPERVISOR = "supervisor"

# Early releases of LangGraph 1.2 know no such errors.
_is_invalid_resume: Callable[[BaseException], bool] = getattr(errors, "is_invalid_resume", lambda _: False)

REQUEST = """
request: everything the agent needs to know, in your words; it sees nothing else of this conversation."""


def ask_tool(agent: DownstreamAgent) -> BaseTool:
    """Return the tool ``ask_<name>(request)``, which runs the agent on a request and returns its answer.

    The agent gets the run's context, and a checkpoint namespace of its own for each call. What the supervisor's model
    wrote is marked as nobody's word, so that no memory command in it is carried out.
    """

    async def ask_async(request: str, runtime: ToolRuntime[Any, Any]) -> str | ToolMessage:
        try:
            result = await agent.graph.ainvoke(_asked(request), context=runtime.context)
        except Exception as error:  # noqa: BLE001 - a foreign graph may raise anything, and the supervisor can go on
            return _failure(agent, error, runtime)
        return _answer(agent, result, runtime)

    def ask(request: str, runtime: ToolRuntime[Any, Any]) -> str | ToolMessage:
        try:
            result = agent.graph.invoke(_asked(request), context=runtime.context)
        except Exception as error:  # noqa: BLE001 - as above
            return _failure(agent, error, runtime)
        return _answer(agent, result, runtime)

    return StructuredTool.from_function(
        func=ask, coroutine=ask_async, name=agent.tool_name, description=agent.description + REQUEST
    )


def _asked(request: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(request, additional_kwargs={"lc_source": FROM_SUPERVISOR})]}


def _answer(
    agent: DownstreamAgent, result: Mapping[str, Any], runtime: ToolRuntime[Any, Any]
) -> str | ToolMessage:
    answers = (m.text for m in reversed(result["messages"]) if isinstance(m, AIMessage))
    said = next((text for text in answers if text), None)
    return said or _error(agent, f"The agent {agent.name} gave no answer.", runtime)


def _failure(agent: DownstreamAgent, error: Exception, runtime: ToolRuntime[Any, Any]) -> ToolMessage:
    """Return what the supervisor is told of an agent that failed; raise again what is not for a model to deal with."""
    # After these the run itself cannot go on: it waits for somebody, was set up wrongly, or has lost its thread.
    if isinstance(error, (GraphBubbleUp, ConfigurationError, DatabaseError, ThreadBusyError)):
        raise error
    if _is_invalid_resume(error):
        raise error
    return _error(
        agent, f"The agent {agent.name} failed ({type(error).__name__}) and gave no answer.", runtime
    )


def _error(agent: DownstreamAgent, text: str, runtime: ToolRuntime[Any, Any]) -> ToolMessage:
    return ToolMessage(text, name=agent.tool_name, tool_call_id=runtime.tool_call_id or "", status="error")
