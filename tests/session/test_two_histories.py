"""Two histories: postprocessing replaces what the model sees, and what the person sees only grows; on any saver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.graph.state import CompiledStateGraph
from psycopg.rows import dict_row

from memwarden import Memwarden, UserMemory
from memwarden.agent import (
    CompactionMiddleware,
    MemoryContext,
    MemoryState,
    PostprocessingMiddleware,
    compact_node,
    conversation_middleware,
    postprocess_node,
    postprocessing,
    preprocess_node,
    prompt_of,
    recall_node,
    trim_tool_results_node,
)
from memwarden.agent.postprocessing import settled
from memwarden.agent.replacing import replacing
from memwarden.session import DeltaHistories, SessionState, Window
from memwarden.session.histories import all_appended, appended, joined
from tests.conftest import Addresses
from tests.session.scripted_models import ScriptedModel, calls
from tests.session.strictest import complaints

pytestmark = pytest.mark.slow
"""Most tests hold a conversation of many turns."""

Agent = CompiledStateGraph[Any, Any, Any, Any]
WINDOW = Window(2_000, recent_turns=2)


class State(SessionState, MemoryState):
    """Of a hand-made graph on Memwarden's saver."""


class DeltaState(SessionState, MemoryState, DeltaHistories):
    """The same on a saver of LangGraph's."""


@tool
def leave_table() -> str:
    """Return the table of leave days."""
    return "first row " + "and another row " * 300


def script(prompt: list[BaseMessage]) -> AIMessage:
    if isinstance(prompt[-1], HumanMessage):
        return calls((f"call-{prompt[-1].id}", "leave_table", {}))
    return AIMessage(f"Answer to {prompt[-1].id}. " + "word " * 40)


def hand_made(memwarden: Memwarden, saver: Any, model: ScriptedModel, schema: type[Any] = State) -> Agent:
    """A graph with every part of short-term memory as a node, and the model and the tool as its own."""

    def answer(state: Any) -> dict[str, Any]:
        return {"messages": [model.invoke(prompt_of(state, "You are the helpdesk."))]}

    def look_up(state: Any) -> dict[str, Any]:
        (*_, last) = state["messages"]
        made = last.tool_calls if isinstance(last, AIMessage) else []
        said = [
            ToolMessage(leave_table.invoke({}), tool_call_id=call["id"], name=call["name"]) for call in made
        ]
        return {"messages": said}

    graph = StateGraph(schema, context_schema=MemoryContext)
    graph.add_node("preprocess", preprocess_node(memwarden, transient_of=schema))
    graph.add_node("recall", recall_node(memwarden))
    graph.add_node("compact", compact_node(memwarden, rules="You are the helpdesk.", window=WINDOW))
    graph.add_node("answer", answer)
    graph.add_node("look_up", look_up)
    graph.add_node("trim", trim_tool_results_node(memwarden, most_tokens=200))
    graph.add_node("postprocess", postprocess_node(postprocessing(memwarden, window=WINDOW)))
    graph.add_edge(START, "preprocess")
    graph.add_edge("preprocess", "recall")
    graph.add_edge("recall", "compact")
    graph.add_edge("compact", "answer")
    graph.add_conditional_edges(
        "answer", lambda state: "look_up" if state["messages"][-1].tool_calls else "postprocess"
    )
    graph.add_edge("look_up", "trim")
    graph.add_edge("trim", "compact")
    return graph.compile(checkpointer=saver)


@asynccontextmanager
async def savers(
    memwarden: Memwarden, addresses: Addresses, name: str
) -> AsyncIterator[tuple[BaseCheckpointSaver[Any], type[Any]]]:
    """Yield a saver by its name, and the state to use on it."""
    async with AsyncExitStack() as stack:
        if name == "memwarden":
            yield await memwarden.checkpointer(), State
        elif name == "memory":
            yield InMemorySaver(), DeltaState
        else:
            connection = await stack.enter_async_context(
                await psycopg.AsyncConnection.connect(
                    addresses.admin, autocommit=True, prepare_threshold=0, row_factory=dict_row
                )
            )
            await connection.execute("CREATE SCHEMA IF NOT EXISTS langgraph_histories")
            await connection.execute("SET search_path TO langgraph_histories")
            saver = AsyncPostgresSaver(connection)
            await saver.setup()
            yield saver, DeltaState


async def say(graph: Agent, user: UserMemory, turn: int) -> dict[str, Any]:
    result: dict[str, Any] = await graph.ainvoke(
        {"messages": [HumanMessage(f"Question {turn}?", id=f"h{turn}")]},
        user.config("t"),
        context=MemoryContext(user.scope, "t"),
    )
    return result


@pytest.mark.parametrize("name", ["memwarden", "memory", "postgres"])
async def test_the_altered_history_is_what_is_saved(
    memwarden: Memwarden, addresses: Addresses, user: UserMemory, name: str
) -> None:
    model = ScriptedModel(answer=script)
    async with savers(memwarden, addresses, name) as (saver, schema):
        graph = hand_made(memwarden, saver, model, schema)
        for turn in range(12):
            result = await say(graph, user, turn)
        saved = (await hand_made(memwarden, saver, model, schema).aget_state(user.config("t"))).values
    assert [m.id for m in saved["messages"]] == [m.id for m in result["messages"]]
    assert len(saved["messages"]) < 24
    assert all(len(m.text) < 1_200 for m in saved["messages"])
    assert [m.type for m in saved["transcript"]] == ["human", "ai"] * 12
    assert [m.id for m in saved["transcript"][::2]] == [f"h{turn}" for turn in range(12)]
    assert len(saved["seen_message_ids"]) == 12 * 4
    assert saved["summary"]["decisions"]
    for prompt in model.prompts:
        assert complaints([m if m.id else m.model_copy(update={"id": "rules"}) for m in prompt]) == []


def test_the_histories_of_other_savers_are_saved_by_what_is_added() -> None:
    channels = StateGraph(DeltaState).channels
    assert [type(channels[name]) for name in ("transcript", "seen_message_ids")] == [DeltaChannel] * 2
    assert not isinstance(StateGraph(State).channels["transcript"], DeltaChannel)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["memwarden", "postgres"])
async def test_no_saver_is_bloated_by_it(
    memwarden: Memwarden, addresses: Addresses, user: UserMemory, name: str
) -> None:
    """What a turn adds does not grow with the turns before it."""
    tables = {
        "memwarden": ("memwarden", ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write")),
        "postgres": ("langgraph_histories", ("checkpoints", "checkpoint_blobs", "checkpoint_writes")),
    }
    schema_name, names = tables[name]
    whose = f"user_id = '{user.scope.user_id}'" if name == "memwarden" else "thread_id = 't'"
    sizes = []
    async with (
        savers(memwarden, addresses, name) as (saver, schema),
        await psycopg.AsyncConnection.connect(addresses.admin, autocommit=True) as looking,
    ):
        if name == "postgres":
            await saver.adelete_thread("t")
        graph = hand_made(memwarden, saver, ScriptedModel(answer=script), schema)
        for turn in range(90):
            await say(graph, user, turn)
            if turn in (29, 59, 89):
                total = 0
                for table in names:
                    cursor = await looking.execute(
                        f"SELECT coalesce(sum(pg_column_size(t.*)), 0) FROM {schema_name}.{table} AS t WHERE {whose}"
                    )
                    row = await cursor.fetchone()
                    total += int(row[0]) if row else 0
                sizes.append(total)
    assert sizes[2] - sizes[1] <= 1.2 * (sizes[1] - sizes[0])


async def test_each_part_works_alone_in_an_agent(memwarden: Memwarden, user: UserMemory) -> None:
    parts: list[Any] = [CompactionMiddleware(memwarden, window=WINDOW), PostprocessingMiddleware(memwarden)]
    for middleware in parts:
        graph: Agent = create_agent(
            ScriptedModel(answer=script),
            [leave_table],
            middleware=[middleware],
            context_schema=MemoryContext,
            checkpointer=InMemorySaver(),
        )
        for turn in range(6):
            result = await say(graph, user, turn)
        assert len(result["messages"]) <= 24
        assert isinstance(result["messages"][-1], AIMessage)


async def test_history_of_before_can_be_played_back(memwarden: Memwarden, user: UserMemory) -> None:
    """Compaction is a step like others: an earlier checkpoint has the history as it was then."""
    graph = hand_made(memwarden, await memwarden.checkpointer(), ScriptedModel(answer=script))
    for turn in range(8):
        await say(graph, user, turn)
    earlier = [
        state
        async for state in graph.aget_state_history(user.config("t"))
        if state.next == () and len(state.values["transcript"]) == 4
    ]
    assert [m.id for m in earlier[0].values["messages"] if m.type == "human"] == ["h0", "h1"]
    forked = await graph.ainvoke(
        {"messages": [HumanMessage("Another question?", id="fork")]},
        {"configurable": {**user.config("t")["configurable"], **earlier[0].config["configurable"]}},
        context=MemoryContext(user.scope, "t"),
    )
    assert [m.id for m in forked["transcript"] if m.type == "human"] == ["h0", "h1", "fork"]


LONG = "A very long story. " * 2_000


async def test_what_the_prompt_has_no_room_for_is_whole_in_the_transcript(
    memwarden: Memwarden, user: UserMemory
) -> None:
    saver = await memwarden.checkpointer()
    model = ScriptedModel(answer=lambda prompt: AIMessage("I see."))
    agents: list[Agent] = [
        create_agent(
            model,
            middleware=conversation_middleware(memwarden, window=WINDOW),
            context_schema=MemoryContext,
            checkpointer=saver,
        ),
        hand_made(memwarden, saver, model),
    ]
    for place, graph in enumerate(agents):
        for said in (LONG, "And then?"):
            result = await graph.ainvoke(
                {"messages": [HumanMessage(said)]},
                user.config(f"long-{place}"),
                context=MemoryContext(user.scope, f"long-{place}"),
            )
        assert [m.text for m in result["transcript"]] == [LONG, "I see.", "And then?", "I see."]
    assert max(sum(len(m.text) for m in prompt) for prompt in model.prompts) < 4 * WINDOW.tokens


def test_what_replaces_a_history_begins_with_the_mark() -> None:
    before = [HumanMessage("1", id="a"), AIMessage("2", id="b")]
    update = settled({"messages": before}, {"messages": before[1:]})
    assert update["messages"] == [RemoveMessage(id=REMOVE_ALL_MESSAGES), before[1]]
    assert update["seen_message_ids"] == ["a", "b"]
    assert "messages" not in settled({"messages": before}, {"messages": list(before)})


def test_a_person_sees_words_and_nothing_else() -> None:
    history = [
        HumanMessage("Hello", id="h"),
        HumanMessage("Ask HR.", id="s", additional_kwargs={"lc_source": "supervisor"}),
        AIMessage("", id="c", tool_calls=[{"name": "look", "args": {}, "id": "1", "type": "tool_call"}]),
        ToolMessage("12 days", tool_call_id="1", id="t"),
        AIMessage(
            "You have 12 days.",
            id="a",
            usage_metadata={"input_tokens": 1, "output_tokens": 1, "total_tokens": 2},
        ),
    ]
    shown = settled({"messages": history}, {"messages": history})["transcript"]
    assert shown == [HumanMessage("Hello", id="h"), AIMessage("You have 12 days.", id="a")]


IDS = st.lists(st.sampled_from("abcdef"), max_size=6)


def said(ids: list[str]) -> list[BaseMessage]:
    return [HumanMessage(f"{place}", id=one) for place, one in enumerate(ids)]


@given(IDS, st.lists(IDS, max_size=4))
def test_a_transcript_only_grows_and_holds_each_message_once(
    first: list[str], later: list[list[str]]
) -> None:
    transcript = appended(None, said(first))
    for ids in later:
        grown = appended(transcript, said(ids))
        assert grown[: len(transcript)] == transcript
        transcript = grown
    assert len({m.id for m in transcript}) == len(transcript)
    assert all_appended(None, [said(first), *map(said, later)]) == transcript
    assert joined(joined(None, first), first) == list(dict.fromkeys(first))


@given(st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8), st.data())
def test_an_update_makes_the_history_it_should(ids: list[str], data: st.DataObject) -> None:
    before: list[Any] = [HumanMessage(one, id=one) for one in ids]
    kept: list[Any] = [m for m in before if data.draw(st.booleans())]
    after = [m.model_copy(update={"content": "changed"}) if data.draw(st.booleans()) else m for m in kept]
    if data.draw(st.booleans()):
        after.insert(data.draw(st.integers(0, len(after))), AIMessage("new", id="new"))
    answer: Any = AIMessage("answer", id="answer")
    update: list[Any] = list(replacing(before, after, [answer]))
    saved = add_messages(add_messages(before, [answer]), update)
    assert saved == [*after, answer]


async def test_the_same_without_an_event_loop(addresses: Addresses, embedder: Any) -> None:
    def whole() -> tuple[int, int]:
        with Memwarden.open_sync(addresses.app, embedder=embedder) as memwarden:
            user = memwarden.user("acme", "sync-histories")
            model = ScriptedModel(answer=script)
            graph: Agent = hand_made(memwarden, user.checkpointer(), model)  # type: ignore[arg-type]
            result: dict[str, Any] = {}
            for turn in range(12):
                result = graph.invoke(
                    {"messages": [HumanMessage(f"Question {turn}?", id=f"h{turn}")]},
                    {"configurable": {"thread_id": "t"}},
                    context=MemoryContext(user.scope, "t"),
                )
            return len(result["transcript"]), len(user.archived("t"))

    transcript, archived = await asyncio.to_thread(whole)
    assert transcript == 24
    assert archived > 16
