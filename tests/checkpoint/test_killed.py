"""kill -9 of a process in the middle of its turns: what it reported is kept, what is kept is whole, and nothing is left over."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from pymongo import AsyncMongoClient

from memwarden import Memwarden
from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.codec import unpacked_refs
from memwarden.checkpoint.mongodb import MongoRows
from memwarden.model.clock import system_clock
from memwarden.model.scope import Scope
from tests.checkpoint.mongodb_server import running_mongodb
from tests.checkpoint.raw_thread import faults, raw
from tests.conftest import Addresses

pytestmark = pytest.mark.slow

PLACE: RunnableConfig = {"configurable": {"thread_id": "t"}}
ROUNDS = 4
A_LEASE = timedelta(seconds=61)


def talking(saver: ScopedSaver) -> Any:
    """Return a graph of two steps, with a long answer."""

    def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("thought " + "x" * 3_000)]}

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"answer to {state['messages'][-2].text}")]}

    builder = StateGraph(MessagesState).add_node(think).add_node(answer)
    builder.add_edge(START, "think").add_edge("think", "answer").add_edge("answer", END)
    return builder.compile(checkpointer=saver)


async def talk(saver: ScopedSaver, named: str) -> None:
    """Hold turns until killed, and say of each when it is kept."""
    graph = talking(saver)
    for number in range(10_000):
        message = HumanMessage(f"{named}-{number}")
        await graph.ainvoke({"messages": [message]}, PLACE, durability="sync")
        print(message.text, flush=True)


def killed_after(seconds: float, *arguments: str) -> list[str]:
    """Run this file until it has held a turn, then for so long, kill it, and return the turns it reported."""
    command = [sys.executable, "-m", "tests.checkpoint.test_killed", *arguments]
    root = Path(__file__).parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert said, "it ended before its first turn"
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        return [said.strip(), *(line.strip() for line in process.stdout.readlines())]


async def whole(new_saver: Callable[[], ScopedSaver], reported: list[str]) -> None:
    """Look at a thread that was left by a kill, and go on with it."""
    saver = new_saver()
    graph = talking(saver)
    history = [found async for found in saver.alist(PLACE)]
    assert all(
        "messages" in found.checkpoint["channel_values"] or found.metadata["source"] == "input"
        for found in history
    )
    state = await graph.aget_state(PLACE)
    if state.tasks:  # begun, or its results not yet in the state
        await graph.ainvoke(None, PLACE)
    kept = (await graph.aget_state(PLACE)).values["messages"]
    said = [m.text for m in kept if m.type == "human"]
    assert [text for text in said if text in set(reported)] == reported
    answers = [m.text for m in kept if m.text.startswith("answer")]
    assert answers == [f"answer to {text}" for text in said]
    await saver.aprune(["t"])


async def test_on_postgresql(memwarden: Memwarden, addresses: Addresses) -> None:
    scope = Scope("killed", uuid4().hex)
    reported: list[str] = []
    for place in range(ROUNDS):
        reported += await asyncio.to_thread(
            killed_after, random.uniform(0, 0.3), "postgresql", addresses.app, scope.user_id, f"r{place}"
        )
        user = memwarden.scoped(scope)
        saver = await user.checkpointer()
        await whole(lambda saver=saver: saver, reported)  # type: ignore[misc]
        assert await orphans(addresses, scope) == set()


async def orphans(addresses: Addresses, scope: Scope) -> set[int]:
    """Return the parts in PostgreSQL that nothing refers to."""
    mine = (scope.tenant_id, scope.user_id)
    async with await psycopg.AsyncConnection.connect(addresses.admin, autocommit=True) as plain:
        cursor = await plain.execute(
            "SELECT refs FROM memwarden.checkpoint_value WHERE tenant_id = %s AND user_id = %s"
            " UNION ALL SELECT refs FROM memwarden.checkpoint_write WHERE tenant_id = %s AND user_id = %s",
            mine * 2,
        )
        used = {number for (refs,) in await cursor.fetchall() for number in unpacked_refs(bytes(refs))}
        cursor = await plain.execute(
            "SELECT number FROM memwarden.checkpoint_part WHERE tenant_id = %s AND user_id = %s", mine
        )
        return {number for (number,) in await cursor.fetchall()} ^ used


async def test_on_mongodb(tmp_path: Path) -> None:
    scope = Scope("killed", uuid4().hex)
    reported: list[str] = []
    client: AsyncMongoClient[dict[str, Any]]
    async with running_mongodb(tmp_path) as url, AsyncMongoClient(url) as client:
        rows = MongoRows(client["killed"]["checkpoints"])
        await rows.prepare()
        for place in range(ROUNDS):
            late = A_LEASE * place
            reported += await asyncio.to_thread(
                killed_after, random.uniform(0, 0.3), "mongodb", url, scope.user_id, f"r{place}", str(place)
            )
            # Whoever was killed may hold the thread for another minute; the clock moves on by one.
            engine = WideEngine(rows, clock=lambda late=late: system_clock() + late + A_LEASE)  # type: ignore[misc]
            await whole(lambda engine=engine: ScopedSaver(engine, scope), reported)  # type: ignore[misc]
            assert faults(await raw(rows, scope, "t")) == []


async def main(store: str, address: str, user_id: str, named: str, late: int = 0) -> None:
    """Hold turns on a store until killed."""
    scope = Scope("killed", user_id)
    if store == "postgresql":
        async with Memwarden.open(address, opinions=()) as memwarden:
            await talk(await memwarden.scoped(scope).checkpointer(), named)
        return
    client: AsyncMongoClient[dict[str, Any]]
    async with AsyncMongoClient(address) as client:
        engine = WideEngine(
            MongoRows(client["killed"]["checkpoints"]), clock=lambda: system_clock() + A_LEASE * late
        )
        await talk(ScopedSaver(engine, scope), named)


if __name__ == "__main__":
    store, address, user_id, named, *late = sys.argv[1:]
    asyncio.run(main(store, address, user_id, named, *map(int, late)))
