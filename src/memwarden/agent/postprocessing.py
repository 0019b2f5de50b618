"""Postprocessing for LangGraph: after a run, a subgraph settles the history, and what it makes of it replaces the history.

The subgraph is invoked by a node of the main graph rather than added as one: what a subgraph returns is merged into the
history of the graph around it, where what was taken out would come back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ExtendedModelResponse
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage, RemoveMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Command

from memwarden.agent.compaction import Tools, compact_node
from memwarden.agent.context import scope_of, thread_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.nodes import MemoryState
from memwarden.agent.tool_results import keeping, tool_results_of, trim_tool_results_node
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.warden import Memwarden
from memwarden.session.histories import appended, for_the_person, joined, unseen
from memwarden.session.ledger import merged
from memwarden.session.pinned import Pinned
from memwarden.session.roles import own_words
from memwarden.session.state import SessionState
from memwarden.session.summary import Summary
from memwarden.session.tool_views import ToolView
from memwarden.session.window import Window

Postprocessing = CompiledStateGraph[Any, Any, Any, Any]


class HistoriesState(AgentState[Any]):
    """The agent's state, with the history that the person sees."""

    transcript: NotRequired[Annotated[list[AnyMessage], appended]]
    seen_message_ids: NotRequired[Annotated[list[str], joined]]
    summary: NotRequired[Summary]
    ledger: NotRequired[Annotated[list[Pinned], merged]]


class SettlingState(SessionState, MemoryState):
    """What postprocessing works on: what the next prompt is made of."""


def postprocessing(
    memwarden: Memwarden | SyncMemwarden,
    *,
    views: Mapping[str, ToolView] | None = None,
    most_tokens: int | None = None,
    model: BaseChatModel | None = None,
    tools: Tools = (),
    rules: str = "",
    summariser: BaseChatModel | None = None,
    window: Window | None = None,
) -> Postprocessing:
    """Return the subgraph of what is done after a run: tool results are shortened, a long history is compacted.

    Its state is `SettlingState`; build your own of it where more is to be done, and give it to `postprocess_node`.
    """
    opened = asynchronous(memwarden)
    trim = trim_tool_results_node(opened, views=views, most_tokens=most_tokens)
    compact = compact_node(
        opened, model=model, tools=tools, rules=rules, summariser=summariser, window=window
    )
    graph = StateGraph(SettlingState)
    graph.add_node("trim_tool_results", trim)
    graph.add_node("compact", compact)
    graph.add_edge(START, "trim_tool_results")
    graph.add_edge("trim_tool_results", "compact")
    graph.add_edge("compact", END)
    return graph.compile(checkpointer=False)


def postprocess_node(subgraph: Postprocessing) -> Runnable[Any, dict[str, Any]]:
    """Return the last node of a graph: it invokes the subgraph, whose history replaces that of the graph.

    The new messages join the transcript, as far as the person sees them, and the ids of those that were seen.
    """

    async def settle_async(state: dict[str, Any]) -> dict[str, Any]:
        return settled(state, await subgraph.ainvoke(_given(state), context=get_runtime().context))

    def settle_sync(state: dict[str, Any]) -> dict[str, Any]:
        return settled(state, subgraph.invoke(_given(state), context=get_runtime().context))

    return RunnableLambda(settle_sync, afunc=settle_async, name="postprocess")


class PostprocessingMiddleware(AgentMiddleware[HistoriesState, Any, Any]):
    """Keeps the two histories of an agent's conversations: what the model sees, and what the person sees.

    The person's messages and the words of answers join ``transcript``, which only grows. After each run the results of
    earlier turns' tools shrink to a line (``views`` as for `ToolResultsMiddleware`); where more is to be done with what the
    model sees, give ``subgraph``, such as `postprocessing` makes, whose history replaces that of the agent.
    """

    state_schema = HistoriesState

    def __init__(
        self,
        memwarden: Memwarden | SyncMemwarden,
        *,
        views: Mapping[str, ToolView] | None = None,
        subgraph: Postprocessing | None = None,
    ) -> None:
        super().__init__()
        self._memwarden = asynchronous(memwarden)
        self._results = tool_results_of(self._memwarden, views, None)
        self._subgraph = subgraph

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Call the model, and note what the person said as they said it: a prompt may have room for a part of it only."""
        return _heard(request, await handler(request))

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Call the model, and note what the person said as they said it: a prompt may have room for a part of it only."""
        return _heard(request, handler(request))

    async def aafter_agent(self, state: HistoriesState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Settle the histories of this run."""
        if self._subgraph is not None:
            return settled(state, await self._subgraph.ainvoke(_given(state), context=runtime.context))
        return settled(state, await across(self._memwarden, lambda: self._shrunk(state, runtime)))

    def after_agent(self, state: HistoriesState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Settle the histories of this run."""
        if self._subgraph is not None:
            return settled(state, self._subgraph.invoke(_given(state), context=runtime.context))
        return settled(state, blocking(self._memwarden, lambda: self._shrunk(state, runtime)))

    async def _shrunk(self, state: HistoriesState, runtime: Runtime[Any]) -> dict[str, Any]:
        began = cast("dict[str, Any]", state).get("memory_fence")
        keep = keeping(self._memwarden.scoped(scope_of(runtime.context)), thread_of(runtime), began)
        return {"messages": await self._results.settled(state["messages"], keep)}


def _heard(
    request: ModelRequest[Any], response: ModelResponse[Any]
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    update = heard(dict(request.state), request.state["messages"])
    return ExtendedModelResponse(response, Command(update=update)) if update else response


def heard(state: Mapping[str, Any], messages: Sequence[AnyMessage]) -> dict[str, Any]:
    """Return the update of a state by which what the person said just now joins their history."""
    new = unseen(own_words(messages), state.get("seen_message_ids") or ())
    if not new:
        return {}
    return {"transcript": for_the_person(new), "seen_message_ids": [str(message.id) for message in new]}


def settled(state: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """Return the update of a state that what a postprocessing subgraph returned makes."""
    before, after = list(state.get("messages") or ()), list(result.get("messages") or ())
    update: dict[str, Any] = {
        name: result[name]
        for name in ("summary", "ledger")
        if result.get(name) and result[name] != state.get(name)
    }
    if after != before:
        update["messages"] = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *after]
    new = unseen(before, state.get("seen_message_ids") or ())
    if new:
        update["seen_message_ids"] = [str(message.id) for message in new]
    if said := for_the_person(new):
        update["transcript"] = said
    return update


_TAKEN = ("messages", "summary", "ledger", "memory_section", "memory_fence")


def _given(state: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the subgraph is given of a state: what prompts are made of, and none of what only grows."""
    return {name: state[name] for name in _TAKEN if state.get(name)}
