"""The saver: sizes, two processes at a thread, pruning that leaves nothing and breaks nothing, and whose it is."""

from __future__ import annotations

import asyncio
import os
from itertools import count, pairwise
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from psycopg.rows import DictRow

from memwarden import Memwarden, UserMemory
from memwarden.checkpoint import ScopedSaver
from memwarden.checkpoint.codec import unpacked_refs
from memwarden.checkpoint.engine import Engine
from memwarden.errors import InvalidInputError, NotFoundError, ThreadBusyError
from memwarden.model.scope import Scope
from tests.checkpoint.conftest import NewSaver
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]
TABLES = ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write", "archive", "thread")
_threads = count(1)


def place(thread_id: str, **more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, **more}}


async def counts(admin: Admin, user: UserMemory, thread_id: str | None = None) -> dict[str, int]:
    found = {}
    for table in TABLES:
        cursor = await admin.execute(
            f"SELECT count(*) AS n FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s"
            " AND (%s::text IS NULL OR thread_id = %s)",
            (user.scope.tenant_id, user.scope.user_id, thread_id, thread_id),
        )
        row = await cursor.fetchone()
        found[table] = row["n"] if row else -1
    return found


def talking(saver: ScopedSaver, answer: str = "noted") -> Any:
    def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"{answer} {len(state['messages'])}")]}

    return (
        StateGraph(MessagesState)
        .add_node(node)
        .add_edge(START, "node")
        .add_edge("node", END)
        .compile(checkpointer=saver)
    )


class Heavy(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    data: Any


@pytest.mark.slow
@pytest.mark.parametrize(
    "state",
    [
        {"data": os.urandom(50 * 2**20)},
        {"data": {"text": "x" * (50 * 2**20)}},
        {"messages": [ToolMessage("0123456789abcdef" * (20 * 2**16), tool_call_id="c", id="m")]},
        {"messages": [HumanMessage(f"message {number}", id=str(number)) for number in range(10_000)]},
    ],
    ids=["50 MB of bytes", "50 MB of text", "a message of 20 MB", "10,000 messages"],
)
async def test_a_state_of_any_size(new_saver: NewSaver, state: dict[str, Any]) -> None:
    def node(state: Heavy) -> dict[str, Any]:
        return {}

    saver = new_saver()
    graph: Any = StateGraph(Heavy).add_node(node).add_edge(START, "node").add_edge("node", END).compile(saver)
    await graph.ainvoke(state, place("t"))
    kept = (await graph.aget_state(place("t"))).values
    assert {name: kept[name] for name in state} == state
    await saver.adelete_thread("t")
    assert (await graph.aget_state(place("t"))).values == {}


async def test_a_conversation_grows_with_what_is_said_in_it(user: UserMemory, admin: Admin) -> None:
    graph = talking(await user.checkpointer())
    grown = []
    for number in range(12):
        await graph.ainvoke({"messages": [HumanMessage(f"question {number}")]}, place("t"))
        grown.append((await counts(admin, user))["checkpoint_part"])
    steps = [later - earlier for earlier, later in pairwise(grown[2:])]
    assert max(steps) <= 2 * min(steps)


async def test_two_processes_at_one_thread_keep_every_message(
    memwarden: Memwarden, addresses: Addresses, user: UserMemory
) -> None:
    async with Memwarden.open(addresses.app, opinions=()) as other:
        one = talking(await user.checkpointer(), "one")
        two = talking(await other.scoped(user.scope).checkpointer(), "two")
        for number in range(4):
            for graph in (one, two):
                await graph.ainvoke({"messages": [HumanMessage(f"question {number}")]}, place("t"))
        expected = (await one.aget_state(place("t"))).values["messages"]
        assert (await two.aget_state(place("t"))).values["messages"] == expected
        assert len(expected) == 16

        # One prunes what the other remembers to be there.
        await (await other.scoped(user.scope).checkpointer()).aprune(["t"])
        await one.ainvoke({"messages": [HumanMessage("after the pruning")]}, place("t"))
        assert (await two.aget_state(place("t"))).values["messages"][:16] == expected
        assert len((await two.aget_state(place("t"))).values["messages"]) == 18


async def test_of_runs_at_once_each_is_kept_or_told(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    outcomes = await asyncio.gather(
        *(graph.ainvoke({"messages": [HumanMessage(f"q {n}")]}, place("t")) for n in range(6)),
        return_exceptions=True,
    )
    told = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    assert all(isinstance(error, ThreadBusyError) for error in told)
    assert len(told) < 6
    kept = (await graph.aget_state(place("t"))).values["messages"]
    said = {m.text for m in kept if m.type == "human"}
    assert said >= {f"q {n}" for n, outcome in enumerate(outcomes) if not isinstance(outcome, BaseException)}


async def test_a_branch_is_nobodys_loss(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    for number in range(2):
        await graph.ainvoke({"messages": [HumanMessage(f"q {number}")]}, place("t"))
    first = [found async for found in graph.aget_state_history(place("t"))][-2].config
    branched = await graph.ainvoke({"messages": [HumanMessage("instead")]}, first)
    assert [m.text for m in branched["messages"]][-2] == "instead"
    assert (await graph.aget_state(place("t"))).values == branched


async def test_pruning_keeps_the_head_and_nothing_that_nothing_refers_to(
    user: UserMemory, admin: Admin
) -> None:
    saver = await user.checkpointer()
    graph = talking(saver)
    for number in range(5):
        await graph.ainvoke({"messages": [HumanMessage(f"question {number} " + "y" * 3000)]}, place("t"))
    before = (await graph.aget_state(place("t"))).values
    await saver.aprune(["t", "unknown"])
    assert (await graph.aget_state(place("t"))).values == before
    assert (await counts(admin, user))["checkpoint"] == 1
    cursor = await admin.execute(
        "SELECT refs FROM memwarden.checkpoint_value WHERE tenant_id = %s AND user_id = %s"
        " UNION ALL SELECT refs FROM memwarden.checkpoint_write WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id) * 2,
    )
    used = {number for row in await cursor.fetchall() for number in unpacked_refs(bytes(row["refs"]))}
    cursor = await admin.execute(
        "SELECT number FROM memwarden.checkpoint_part WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    assert {row["number"] for row in await cursor.fetchall()} == used
    with pytest.raises(InvalidInputError):
        await saver.aprune(["t"], strategy="some")


async def test_a_window_in_which_a_thread_can_be_played_back(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    for number in range(3):
        await graph.ainvoke({"messages": [HumanMessage(f"q {number}")]}, place("t"))
    before = [found async for found in graph.aget_state_history(place("t"))]
    await saver.aprune(["t"], count=4)
    after = [found async for found in graph.aget_state_history(place("t"))]
    assert [found.values for found in after] == [found.values for found in before[:4]]
    replayed = await graph.ainvoke(None, after[2].config)
    assert [m.text for m in replayed["messages"]] == [m.text for m in before[0].values["messages"]]
    with pytest.raises(InvalidInputError):
        await saver.aprune(["t"], count=0)


async def test_a_question_outlives_the_pruning(new_saver: NewSaver) -> None:
    def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(interrupt("may I?"))]}

    saver = new_saver()
    graph = StateGraph(MessagesState).add_node(ask).add_edge(START, "ask").add_edge("ask", END).compile(saver)
    asked = await graph.ainvoke({"messages": [HumanMessage("hello")]}, place("t"))
    assert asked["__interrupt__"][0].value == "may I?"
    await saver.aprune(["t"])
    answered = await graph.ainvoke(Command(resume="yes"), place("t"))
    assert [m.text for m in answered["messages"]] == ["hello", "yes"]


async def test_a_deleted_thread_leaves_nothing_its_subgraphs_included(user: UserMemory, admin: Admin) -> None:
    saver = await user.checkpointer()

    def inner(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("from within")]}

    within = StateGraph(MessagesState).add_node(inner).add_edge(START, "inner").add_edge("inner", END)
    outer = StateGraph(MessagesState)
    outer.add_node("sub", within.compile(checkpointer=True))
    outer.add_edge(START, "sub")
    outer.add_edge("sub", END)
    graph = outer.compile(checkpointer=saver)
    await graph.ainvoke({"messages": [HumanMessage("hello")]}, place("gone"))
    await graph.ainvoke({"messages": [HumanMessage("hello")]}, place("stays"))
    spaces = {found.config["configurable"]["checkpoint_ns"] async for found in saver.alist(place("gone"))}
    assert len(spaces) == 2
    for thread in ("gone", "stays"):
        await user.keep_messages(thread, [HumanMessage("long ago", id="m")])
    stays = await counts(admin, user, "stays")
    await saver.adelete_thread("gone")
    assert set((await counts(admin, user, "gone")).values()) == {0}
    assert await counts(admin, user, "stays") == stays


async def test_a_copy_is_a_thread_of_its_own(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    await graph.ainvoke({"messages": [HumanMessage("hello " + "z" * 2000)]}, place("t"))
    await saver.acopy_thread("t", "copy")
    before = (await graph.aget_state(place("t"))).values
    await graph.ainvoke({"messages": [HumanMessage("only here")]}, place("copy"))
    assert (await graph.aget_state(place("t"))).values == before
    await saver.adelete_thread("t")
    assert len((await graph.aget_state(place("copy"))).values["messages"]) == 4
    with pytest.raises(NotFoundError):
        await saver.acopy_thread("unknown", "copy")


async def test_the_checkpoints_of_a_run_can_be_deleted(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    for run in ("run-1", "run-2"):
        await graph.ainvoke({"messages": [HumanMessage(run)]}, place("t") | {"metadata": {"run_id": run}})
    await saver.adelete_for_runs(["run-2", "unknown"])
    left = [found async for found in saver.alist(place("t"))]
    assert {found.metadata["run_id"] for found in left} == {"run-1"}
    assert len((await graph.aget_state(place("t"))).values["messages"]) == 2


async def test_metadata_hold_what_is_asked_for(kept_in: Engine) -> None:
    saver = ScopedSaver(
        kept_in, Scope("checkpoints", uuid4().hex), metadata_keys=["channel", "shift", "source"]
    )
    config = place("t", channel="web", email="asha@example.com") | {
        "metadata": {"shift": 2, "source": "mine"}
    }
    await talking(saver).ainvoke({"messages": [HumanMessage("hello")]}, config)
    found = [found async for found in saver.alist(place("t"), filter={"channel": "web", "shift": 2})]
    assert len(found) == 3
    assert {one.metadata["source"] for one in found} == {"input", "loop"}
    assert all("email" not in one.metadata for one in found)
    assert [one async for one in saver.alist(place("t"), filter={"channel": "telephone"})] == []


async def test_metadata_hold_no_identity(new_saver: NewSaver) -> None:
    saver = new_saver()
    config = place("t", user_email="asha@example.com", api_key="k") | {
        "metadata": {"tenant": "acme", "run_id": "r"}
    }
    await talking(saver).ainvoke({"messages": [HumanMessage("hello")]}, config)
    for found in [found async for found in saver.alist(place("t"))]:
        assert not {"user_email", "api_key", "tenant"} & set(found.metadata)


async def test_listing_filters_pages_and_limits(new_saver: NewSaver) -> None:
    saver = new_saver()
    graph = talking(saver)
    for number in range(12):
        await graph.ainvoke({"messages": [HumanMessage(str(number))]}, place(f"t-{number % 2}"))
    everything = [found async for found in saver.alist(None)]
    ids = [found.checkpoint["id"] for found in everything]
    assert len(ids) == 36
    assert ids == sorted(ids, reverse=True)
    assert len([found async for found in saver.alist(None, limit=21)]) == 21
    inputs = [found async for found in saver.alist(place("t-0"), filter={"source": "input"}, limit=4)]
    assert [found.metadata["source"] for found in inputs] == ["input"] * 4
    older = [found async for found in saver.alist(place("t-0"), before=inputs[0].config)]
    assert all(found.checkpoint["id"] < inputs[0].checkpoint["id"] for found in older)
    assert [found async for found in saver.alist(None, filter={"source": None})] == []


@pytest.mark.parametrize("thread", ["", "a\0b", "x" * 300])
async def test_a_thread_needs_a_name(new_saver: NewSaver, thread: str) -> None:
    saver = new_saver()
    with pytest.raises(InvalidInputError):
        await saver.aget_tuple(place(thread))
    with pytest.raises(InvalidInputError):
        await saver.aget_tuple({"configurable": {}})
