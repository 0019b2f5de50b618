"""Why an agent answered as it did: each model call leaves the ids of the memories in its prompt."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from memwarden import MemoryRecord, Memwarden, Origin, UserMemory
from memwarden.agent import MemoryContext, MemoryState, MemwardenMiddleware, recall_node, trace_node
from memwarden.errors import NotFoundError
from tests.agent.test_middleware import OK, RecordingModel, agent, say
from tests.conftest import Addresses

Graph = CompiledStateGraph[Any, Any, Any, Any]


@tool
def holidays() -> str:
    """List holidays."""
    return "Shivaji Jayanti"


LOOKS_UP = AIMessage("", tool_calls=[{"name": "holidays", "args": {}, "id": "call_1"}])


async def stored(user: UserMemory, text: str) -> MemoryRecord:
    record = (await user.remember(text, origin=Origin.USER_TURN)).record
    assert record is not None
    return record


def answers(messages: list[BaseMessage]) -> list[str]:
    """Return the ids of what the model answered, oldest first."""
    return [m.id for m in messages if isinstance(m, AIMessage) and m.id]


async def test_an_answer_is_explained_by_the_memories_in_its_prompt(
    memwarden: Memwarden, user: UserMemory
) -> None:
    pune, cats = await stored(user, "I live in Pune"), await stored(user, "I have two cats")
    graph = agent(memwarden, RecordingModel(answers=[OK]), checkpointer=await user.checkpointer())
    (answer,) = answers(await say(graph, user, "Do I have pets?"))
    why = await user.why(answer)
    assert {record.id for record in why.records} == {pune.id, cats.id}
    assert [(trace.answer_id, trace.conversation_id) for trace in why.traces] == [(answer, "t")]
    assert [trace.answer_id for trace in await user.used_in(cats.id)] == [answer]

    await user.forget(cats.id)
    (_, later) = answers(await say(graph, user, "And now?"))
    assert [record.id for record in (await user.why(later)).records] == [pune.id]


async def test_each_model_call_of_a_turn_leaves_one_trace(memwarden: Memwarden, user: UserMemory) -> None:
    record = await stored(user, "I live in Pune")
    model = RecordingModel(answers=[LOOKS_UP, LOOKS_UP, OK])
    called = answers(await say(agent(memwarden, model, tools=[holidays]), user, "Which holidays?"))
    assert len(called) == len(model.prompts) == 3
    assert [trace.answer_id for trace in await user.used_in(record.id)] == called[::-1]
    for answer in called:
        assert len((await user.why(answer)).traces) == 1


async def test_nothing_recalled_leaves_no_trace(memwarden: Memwarden, user: UserMemory) -> None:
    (answer,) = answers(await say(agent(memwarden, RecordingModel(answers=[OK])), user, "Hello"))
    with pytest.raises(NotFoundError):
        await user.why(answer)


async def test_nobody_else_learns_why(memwarden: Memwarden, user: UserMemory) -> None:
    await stored(user, "I live in Pune")
    (answer,) = answers(await say(agent(memwarden, RecordingModel(answers=[OK])), user, "Hello"))
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-stranger")
    with pytest.raises(NotFoundError):
        await stranger.why(answer)


class ErasedMeanwhile(AgentMiddleware[Any, Any, Any]):
    """Erases the user while the model answers."""

    def __init__(self, user: UserMemory) -> None:
        super().__init__()
        self._user = user

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Answer, then erase."""
        response = await handler(request)
        await self._user.forget_everything()
        return response


async def test_an_answer_that_outlived_an_erasure_does_not_say_where_it_was(
    memwarden: Memwarden, user: UserMemory
) -> None:
    # Fails: the trace is written after the erasure, with the conversation that the erasure took from all others.
    await stored(user, "I live in Pune")
    graph = create_agent(
        RecordingModel(answers=[OK]),
        middleware=[MemwardenMiddleware(memwarden), ErasedMeanwhile(user)],
        context_schema=MemoryContext,
    )
    (answer,) = answers(await say(graph, user, "Where do I live?"))
    try:
        traces = (await user.why(answer)).traces
    except NotFoundError:
        traces = ()  # none at all would do as well
    assert [trace.conversation_id for trace in traces if trace.conversation_id] == []


def built(memwarden: Any, checkpointer: Any) -> Graph:
    """Build a graph by hand that recalls, answers and traces."""
    graph = StateGraph(MemoryState, context_schema=MemoryContext)
    graph.add_node("recall", recall_node(memwarden))
    graph.add_node("model", lambda state: {"messages": [AIMessage("Fine.")]})
    graph.add_node("trace", trace_node(memwarden))
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "model")
    graph.add_edge("model", "trace")
    return graph.compile(checkpointer=checkpointer)


async def test_a_hand_made_graph_leaves_traces(memwarden: Memwarden, user: UserMemory) -> None:
    record = await stored(user, "I live in Pune")
    graph = built(memwarden, await user.checkpointer())
    for number in (1, 2):
        answer = answers(await say(graph, user, "Where do I live?"))[-1]
        why = await user.why(answer)
        assert [found.id for found in why.records] == [record.id]
        assert [trace.conversation_id for trace in why.traces] == ["t"]
        assert len(await user.used_in(record.id)) == number


def test_a_hand_made_graph_leaves_traces_synchronously(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app) as opened:
        user = opened.user("traces", "sync")
        record = user.remember("I live in Pune", origin=Origin.USER_TURN).record
        assert record is not None
        config: Any = {"configurable": {"thread_id": "t"}}
        asked = {"messages": [HumanMessage("Where do I live?")]}
        for graph in (
            built(opened, user.checkpointer()),
            agent(opened.asynchronous, RecordingModel(answers=[OK])),
        ):
            result = graph.invoke(asked, config, context=MemoryContext(user.scope, "t"))
            why = user.why(answers(result["messages"])[-1])
            assert [found.id for found in why.records] == [record.id]


async def test_a_graph_that_recalled_nothing_leaves_none(memwarden: Memwarden, user: UserMemory) -> None:
    answer = answers(await say(built(memwarden, await user.checkpointer()), user, "Hello"))[-1]
    with pytest.raises(NotFoundError):
        await user.why(answer)


@pytest.mark.parametrize("by_hand", [True, False])
async def test_no_checkpoint_holds_what_was_recalled(
    memwarden: Memwarden, user: UserMemory, by_hand: bool
) -> None:
    record = await stored(user, "I live in Wolfenbuettel")
    saver = await user.checkpointer()
    graph = (
        built(memwarden, saver)
        if by_hand
        else agent(memwarden, RecordingModel(answers=[OK]), checkpointer=saver)
    )
    await say(graph, user, "Where do I live?")
    assert len(await user.used_in(record.id)) == 1
    saved = [found async for found in saver.alist({"configurable": {"thread_id": "t"}})]
    assert len(saved) > 2
    text = "\n".join(str((found.checkpoint, found.metadata, found.pending_writes)) for found in saved)
    assert "Where do I live?" in text
    assert "Wolfenbuettel" not in text
    assert record.id not in text
    assert "memory_recalled" not in json.dumps(saved[0].checkpoint["channel_values"], default=str)
