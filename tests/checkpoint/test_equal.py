"""Any sequence of puts, writes, forks and copies gives what LangGraph's own saver in memory gives."""

from __future__ import annotations

import asyncio
import operator
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from langgraph.types import Command, interrupt

from memwarden.checkpoint import ScopedSaver
from memwarden.errors import NotFoundError
from tests.checkpoint.conftest import NewSaver


class Plain(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    total: Annotated[int, operator.add]
    note: str
    things: Annotated[list[Any], operator.add]


class Delta(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], DeltaChannel(_messages_delta_reducer, snapshot_frequency=3)]
    total: Annotated[int, operator.add]
    note: str
    things: Annotated[list[Any], operator.add]


texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["x" * 300, "long \U0001f389 text " * 40, "", "a\ud800b"]).filter(
        lambda t: "\ud800" not in t
    ),
)
things = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.binary(max_size=9),
    texts,
)
steps = st.lists(
    st.tuples(
        st.sampled_from(["say", "parallel", "ask", "answer", "fork", "replace", "remove"]), texts, things
    ),
    min_size=1,
    max_size=7,
)


def graph(schema: type, saver: BaseCheckpointSaver[Any]) -> Any:
    """Return a graph with two parallel nodes, a tool's turn and a question it may stop to ask."""

    def plan(state: Any) -> dict[str, Any]:
        said = state["messages"][-1]
        call = {"name": "look", "args": {"q": said.text[:5]}, "id": f"call-{len(state['messages'])}"}
        return {"messages": [AIMessage("", tool_calls=[call], id=f"ai-{len(state['messages'])}")]}

    def look(state: Any) -> dict[str, Any]:
        call = state["messages"][-1].tool_calls[0]
        result = ToolMessage("found " * 80, tool_call_id=call["id"], id=f"tool-{call['id']}")
        return {"messages": [result], "total": 1}

    def think(state: Any) -> dict[str, Any]:
        return {"things": [len(state["messages"])], "total": 10}

    def conclude(state: Any) -> dict[str, Any]:
        if state.get("note") == "ask":
            state = {**state, "note": interrupt({"question": "may I?"})}
        return {"messages": [AIMessage(f"done {state.get('note')}", id=f"end-{len(state['messages'])}")]}

    builder: Any = StateGraph(schema)
    for name, node in (("plan", plan), ("look", look), ("think", think), ("conclude", conclude)):
        builder.add_node(name, node)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", "look")
    builder.add_edge("plan", "think")
    builder.add_edge(["look", "think"], "conclude")
    builder.add_edge("conclude", END)
    return builder.compile(checkpointer=saver)


async def run(built: Any, moves: Sequence[tuple[str, str, Any]], config: RunnableConfig) -> list[Any]:
    """Make the moves, and return what each run gave."""
    outcomes: list[Any] = []
    for place, (move, text, thing) in enumerate(moves):
        message = HumanMessage(text, id=f"h-{place}")
        if move == "answer":
            outcomes.append(await built.ainvoke(Command(resume=text), config) if any(outcomes) else None)
        elif move == "fork":
            history = [found async for found in built.aget_state_history(config)]
            if history:
                back = history[len(history) // 2].config
                await built.aupdate_state(back, {"things": [thing], "note": text[:3]}, as_node="look")
        elif move == "replace" and any(outcomes):
            outcomes.append(await built.ainvoke({"messages": [HumanMessage(text, id="h-0")]}, config))
        elif move == "remove" and any(outcomes):
            state = await built.aget_state(config)
            if found := [m for m in state.values.get("messages", []) if m.type == "tool"]:
                await built.aupdate_state(
                    config, {"messages": [RemoveMessage(id=found[0].id)]}, as_node="look"
                )
        else:
            note = "ask" if move == "ask" else "go"
            given_ = {"messages": [message], "note": note, "things": [thing]}
            outcomes.append(await built.ainvoke(given_, config))
    return [_without_random_ids(outcome) for outcome in outcomes]


def _without_random_ids(outcome: Any) -> Any:
    if not isinstance(outcome, dict):
        return outcome
    asked = [question.value for question in outcome.get("__interrupt__", ())]
    return {**outcome, "__interrupt__": asked}


def shown(found: CheckpointTuple) -> Any:
    """Return what of a tuple does not depend on when and under which random names it was made."""
    pending = sorted((channel, repr(value)) for _, channel, value in found.pending_writes or [])
    return (
        found.checkpoint["channel_values"],
        found.metadata.get("step"),
        found.metadata.get("source"),
        found.parent_config is None,
        sorted(found.checkpoint["channel_versions"]),
        [
            (channel, value)
            for channel, value in pending
            if not channel.startswith(("__interrupt", "__pregel", "__error"))
        ],
    )


async def history(saver: BaseCheckpointSaver[Any], config: RunnableConfig) -> list[Any]:
    return [shown(found) async for found in saver.alist(config)]


@pytest.mark.slow
@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
@pytest.mark.parametrize("schema", [Plain, Delta])
@given(moves=steps)
@settings(max_examples=25)
async def test_a_graph_sees_no_difference(new_saver: NewSaver, schema: type, moves: list[Any]) -> None:
    await sees_no_difference(new_saver(), schema, moves)


@pytest.mark.slow
@pytest.mark.parametrize("kept_in", ["mongodb", "dynamodb"], indirect=True)
@pytest.mark.parametrize("schema", [Plain, Delta])
@given(moves=steps)
@settings(max_examples=3)
async def test_a_graph_sees_no_difference_elsewhere(
    new_saver: NewSaver, schema: type, moves: list[Any]
) -> None:
    await sees_no_difference(new_saver(), schema, moves)


@pytest.mark.slow
@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
@pytest.mark.parametrize("schema", [Plain, Delta])
@given(moves=steps)
@settings(max_examples=10)
async def test_a_graph_sees_no_difference_without_await(
    new_saver: NewSaver, schema: type, moves: list[Any]
) -> None:
    ours, theirs = new_saver(), InMemorySaver()
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    one, two = WithoutAwait(graph(schema, ours)), WithoutAwait(graph(schema, theirs))
    assert await run(one, moves, config) == await run(two, moves, config)
    assert (await one.aget_state(config)).values == (await two.aget_state(config)).values
    space: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    kept = await asyncio.to_thread(lambda: [shown(found) for found in ours.list(space)])
    assert kept == [shown(found) for found in theirs.list(space)]
    if not kept:
        return
    await asyncio.to_thread(ours.copy_thread, "t", "copy")
    await asyncio.to_thread(ours.prune, ["t"])
    await asyncio.to_thread(ours.delete_for_runs, ["unknown"])
    assert (await one.aget_state(config)).values == (await two.aget_state(config)).values
    await asyncio.to_thread(ours.delete_thread, "t")
    assert await asyncio.to_thread(ours.get_tuple, space) is None
    copied: RunnableConfig = {"configurable": {"thread_id": "copy", "checkpoint_ns": ""}}
    assert await asyncio.to_thread(lambda: [shown(found) for found in ours.list(copied)]) == kept


class WithoutAwait:
    """A graph whose synchronous methods are called, in a thread, under the names of the asynchronous ones."""

    def __init__(self, built: Any) -> None:
        self._built = built

    async def ainvoke(self, given: Any, config: RunnableConfig) -> Any:
        return await asyncio.to_thread(self._built.invoke, given, config)

    async def aget_state(self, config: RunnableConfig) -> Any:
        return await asyncio.to_thread(self._built.get_state, config)

    async def aupdate_state(self, config: RunnableConfig, values: Any, as_node: str) -> Any:
        return await asyncio.to_thread(self._built.update_state, config, values, as_node=as_node)

    async def aget_state_history(self, config: RunnableConfig) -> AsyncIterator[Any]:
        for found in await asyncio.to_thread(lambda: list(self._built.get_state_history(config))):
            yield found


async def sees_no_difference(ours: ScopedSaver, schema: type, moves: list[Any]) -> None:
    """Make the moves on our saver and on LangGraph's, then copy, prune, go on and delete."""
    theirs = InMemorySaver()
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    one, two = graph(schema, ours), graph(schema, theirs)
    assert await run(one, moves, config) == await run(two, moves, config)
    assert (await one.aget_state(config)).values == (await two.aget_state(config)).values
    space: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    assert await history(ours, space) == await history(theirs, space)

    if not await history(ours, space):
        with pytest.raises(NotFoundError):
            await ours.acopy_thread("t", "copy")
        return
    await ours.acopy_thread("t", "copy")
    copied: RunnableConfig = {"configurable": {"thread_id": "copy", "checkpoint_ns": ""}}
    assert await history(ours, copied) == await history(theirs, space)

    before = (await one.aget_state(config)).values
    await ours.aprune(["t"])
    assert (await one.aget_state(config)).values == before
    later = {"messages": [HumanMessage("go on", id="h-last")], "note": "go"}
    assert await one.ainvoke(later, config) == await two.ainvoke(later, config)
    await ours.adelete_thread("t")
    assert await history(ours, space) == []
    assert await history(ours, copied) == await history(ours, copied)
