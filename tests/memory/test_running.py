"""One run of a thread at a time: the other waits, or is refused; neither loses a message."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg.rows import DictRow

from memwarden import Memwarden, UserMemory
from memwarden.errors import InvalidInputError, ThreadBusyError
from tests.conftest import Addresses

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}


async def graph_of(user: UserMemory) -> Any:
    async def node(state: MessagesState) -> dict[str, Any]:
        await asyncio.sleep(0.05)
        return {"messages": [AIMessage(f"answer {len(state['messages'])}")]}

    builder = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
    return builder.compile(checkpointer=await user.checkpointer())


async def test_runs_that_wait_for_each_other_keep_every_message(
    memwarden: Memwarden, addresses: Addresses, user: UserMemory
) -> None:
    async with Memwarden.open(addresses.app, opinions=()) as other:
        graphs = [
            (user, await graph_of(user)),
            (other.scoped(user.scope), await graph_of(other.scoped(user.scope))),
        ]

        async def run(number: int) -> None:
            holder, graph = graphs[number % 2]
            async with holder.running("t"):
                await graph.ainvoke({"messages": [HumanMessage(f"q {number}")]}, THREAD)

        await asyncio.gather(*(run(number) for number in range(8)))
        kept = (await graphs[0][1].aget_state(THREAD)).values["messages"]
        assert {m.text for m in kept if m.type == "human"} == {f"q {number}" for number in range(8)}
        assert [m.type for m in kept] == ["human", "ai"] * 8


async def test_a_run_that_may_not_wait_is_refused(user: UserMemory) -> None:
    async with user.running("t"):
        with pytest.raises(ThreadBusyError):
            async with user.running("t", wait_s=0):
                raise AssertionError("unreachable")
        async with user.running("another", wait_s=0):
            pass
    async with user.running("t", wait_s=0):
        pass
    with pytest.raises(InvalidInputError):
        async with user.running(""):
            pass


async def test_a_thread_of_the_same_name_is_another_users(memwarden: Memwarden, user: UserMemory) -> None:
    other = memwarden.user(user.scope.tenant_id, f"{user.scope.user_id}-other")
    async with user.running("t"), other.running("t", wait_s=0):
        pass


async def test_a_run_that_fails_lets_go(user: UserMemory) -> None:
    with pytest.raises(RuntimeError, match="mine"):
        async with user.running("t"):
            raise RuntimeError("mine")
    async with user.running("t", wait_s=0):
        pass


async def test_a_conversation_that_is_erased_during_a_run_stays_away(
    user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    graph = await graph_of(user)
    async with user.running("t"):
        await graph.ainvoke({"messages": [HumanMessage("hello")]}, THREAD)
        await user.forget_conversation("t")
    cursor = await admin.execute(
        "SELECT count(*) AS n FROM memwarden.thread WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    row = await cursor.fetchone()
    assert row is not None
    assert row["n"] == 0


HOLD = """
import asyncio, sys
from memwarden import Memwarden

async def main():
    async with Memwarden.open(sys.argv[1], opinions=()) as memwarden:
        async with memwarden.user(sys.argv[2], sys.argv[3]).running("t"):
            print("held", flush=True)
            await asyncio.sleep(600)

asyncio.run(main())
"""


@pytest.mark.slow
async def test_the_thread_of_a_run_that_was_killed_comes_free(
    addresses: Addresses, user: UserMemory, tmp_path: Path, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    script = tmp_path / "hold.py"
    script.write_text(HOLD)
    arguments = [sys.executable, str(script), addresses.app, user.scope.tenant_id, user.scope.user_id]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, env=dict(os.environ)) as process:
        assert process.stdout is not None
        line = await asyncio.to_thread(process.stdout.readline)
        assert line == b"held\n"
        process.send_signal(signal.SIGKILL)
    with pytest.raises(ThreadBusyError):
        async with user.running("t", wait_s=0.1):
            pass
    # Half a minute later, without the half minute.
    await admin.execute(
        "UPDATE memwarden.thread SET run_until = run_until - interval '31 seconds' WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    async with user.running("t", wait_s=0):
        pass


def test_without_await(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app, opinions=()) as memwarden:
        user = memwarden.user("acme", "sync-running")
        with user.running("t"), pytest.raises(ThreadBusyError), user.running("t", wait_s=0):
            pass
