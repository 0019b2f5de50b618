"""The same memory as two nodes of a hand-made graph."""

from __future__ import annotations

from typing import Any

import psycopg
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, UserMemory
from memwarden.agent import MemoryContext, MemoryState, follow_commands_node, recall_node
from memwarden.checkpoint.codec import unsqueezed
from tests.conftest import Addresses


def answer(state: MemoryState) -> dict[str, Any]:
    """Repeat what the prompt would have held."""
    return {"messages": [AIMessage("prompt: " + state["memory_section"])]}


def built(memwarden: Any, checkpointer: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Build the graph under test."""
    graph = StateGraph(MemoryState, context_schema=MemoryContext)
    graph.add_node("commands", follow_commands_node(memwarden))
    graph.add_node("recall", recall_node(memwarden))
    graph.add_node("answer", answer)
    graph.add_edge(START, "commands")
    graph.add_edge("commands", "recall")
    graph.add_edge("recall", "answer")
    return graph.compile(checkpointer=checkpointer)


async def test_commands_and_recall(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    graph = built(memwarden, None)
    context = MemoryContext(user.scope, "c1")
    result = await graph.ainvoke(
        {"messages": [HumanMessage("Remember that I live in Pune")]}, context=context
    )
    said = result["messages"][-1].text
    assert "Pune" in said
    assert "- stored: the user's location is kept" in said
    (record,) = await user.memories()
    assert record.evidence.conversation_id == "c1"


async def test_the_recalled_section_is_never_checkpointed(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    await user.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)

    def ask(state: MemoryState) -> dict[str, Any]:
        assert "Wolfenbuettel" in state["memory_section"]
        return {"messages": [AIMessage(interrupt("approve?"))]}

    graph = StateGraph(MemoryState, context_schema=MemoryContext)
    graph.add_node("recall", recall_node(memwarden))
    graph.add_node("ask", ask)
    graph.add_edge(START, "recall")
    graph.add_edge("recall", "ask")
    app = graph.compile(checkpointer=await user.checkpointer())
    config: Any = {"configurable": {"thread_id": "t"}}
    await app.ainvoke({"messages": [HumanMessage("Hello")]}, config, context=MemoryContext(user.scope))

    cursor = await admin.execute(
        "SELECT content FROM memwarden.checkpoint_part WHERE user_id = %s", (user.scope.user_id,)
    )
    parts = [unsqueezed(bytes(row["content"])) for row in await cursor.fetchall()]
    assert any(b"Hello" in part for part in parts)
    assert not any(b"Wolfenbuettel" in part for part in parts)


async def test_an_interrupted_run_goes_on_in_another_process(
    memwarden: Memwarden, addresses: Addresses
) -> None:
    def ask(state: MemoryState) -> dict[str, Any]:
        return {"messages": [AIMessage("approved: " + interrupt("approve?"))]}

    def graph(checkpointer: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
        built_graph = StateGraph(MemoryState, context_schema=MemoryContext)
        built_graph.add_node("ask", ask)
        built_graph.add_edge(START, "ask")
        return built_graph.compile(checkpointer=checkpointer)

    user = memwarden.user("acme", "resumes")
    config: Any = {"configurable": {"thread_id": "t"}}
    first = graph(await user.checkpointer())
    await first.ainvoke({"messages": [HumanMessage("May I?")]}, config, context=MemoryContext(user.scope))
    async with Memwarden.open(addresses.app) as later:
        second = graph(await later.scoped(user.scope).checkpointer())
        result = await second.ainvoke(Command(resume="yes"), config, context=MemoryContext(user.scope))
    assert [m.text for m in result["messages"]] == ["May I?", "approved: yes"]


def test_the_nodes_run_synchronously_too(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app) as opened:
        user = opened.user("acme", "sync-nodes")
        graph = built(opened, user.checkpointer())
        config: Any = {"configurable": {"thread_id": "t"}}
        result = graph.invoke(
            {"messages": [HumanMessage("Call me Asha")]}, config, context=MemoryContext(user.scope)
        )
        assert "Asha" in result["messages"][-1].text
