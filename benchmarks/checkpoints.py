"""Threads of 200 turns on our checkpoint saver and, in the same run on the same server, on LangGraph's own.

For each kind of conversation, channel and saver: bytes on disk, milliseconds a turn (all of them, and the last tenth),
milliseconds to read the state, and turns a second of many threads at once.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import string
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, TypedDict

import numpy as np
import psycopg
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from memwarden import Memwarden
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.embed import TextKind, Vectors

TALK, TOOL_RESULT = 1_000, 20_000
AT_ONCE = 16
POINTS = 20
WORDS = [
    "".join(random.Random(seed).choices(string.ascii_lowercase, k=2 + seed % 8)) for seed in range(5_000)
]


class Plain(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]


class Delta(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], DeltaChannel(_messages_delta_reducer, snapshot_frequency=50)]


@dataclass(frozen=True)
class Measured:
    """What one saver did with one kind of thread; times in milliseconds, sizes in bytes."""

    saver: str
    thread: str
    channel: str
    turns: int
    bytes_on_disk: int
    turn_ms: float
    last_turns_ms: float
    read_ms: float
    turns_a_second: float
    growth: list[tuple[int, int, float]]
    """Turns so far, bytes on disk by then, and milliseconds a turn since the row before."""


@dataclass(frozen=True)
class Peer:
    """A saver, and how many bytes it has on disk."""

    name: str
    saver: BaseCheckpointSaver[Any]
    size: Any


class NoEmbedder:
    """Checkpoints need no vectors."""

    model = "none"

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return nothing of worth."""
        return np.zeros((len(texts), 1), dtype=np.float32)


def text(size: int) -> str:
    """Return words of so many characters; they compress as prose does."""
    words, length = [], 0
    while length < size:
        words.append(random.choice(WORDS))
        length += len(words[-1]) + 1
    return " ".join(words)


def conversation(schema: type, saver: BaseCheckpointSaver[Any], *, with_tool: bool) -> Any:  # noqa: ANN401
    """Return a graph that answers, with or without a tool's result before."""

    def plan(state: Any) -> dict[str, Any]:  # noqa: ANN401
        call = {"name": "look", "args": {"q": text(20)}, "id": f"call-{len(state['messages'])}"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    def look(state: Any) -> dict[str, Any]:  # noqa: ANN401
        called = state["messages"][-1].tool_calls[0]["id"]
        return {"messages": [ToolMessage(text(TOOL_RESULT), tool_call_id=called)]}

    def answer(state: Any) -> dict[str, Any]:  # noqa: ANN401
        return {"messages": [AIMessage(text(TALK))]}

    builder: Any = StateGraph(schema)
    nodes = {"plan": plan, "look": look, "answer": answer} if with_tool else {"answer": answer}
    before = START
    for name, node in nodes.items():
        builder.add_node(name, node)
        builder.add_edge(before, name)
        before = name
    builder.add_edge(before, END)
    return builder.compile(checkpointer=saver)


async def measured(peer: Peer, thread: str, channel: str, turns: int, progress: Progress) -> Measured:
    """Hold one long conversation, read it, then hold many short ones at once."""
    schema = {"plain": Plain, "delta": Delta}[channel]
    graph = conversation(schema, peer.saver, with_tool=thread == "tool")
    name = f"{peer.name} {thread} {channel}"
    task = progress.add_task(name, total=turns)
    config: RunnableConfig = {"configurable": {"thread_id": name}}
    before = await peer.size()
    took: list[float] = []
    growth: list[tuple[int, int, float]] = []
    step = max(1, turns // POINTS)
    for number in range(1, turns + 1):
        started = time.perf_counter()
        await graph.ainvoke({"messages": [HumanMessage(text(TALK))]}, config)
        took.append(time.perf_counter() - started)
        progress.advance(task)
        if number % step == 0 or number == turns:
            since = took[growth[-1][0] if growth else 0 :]
            growth.append((number, await peer.size() - before, 1e3 * sum(since) / len(since)))
    started = time.perf_counter()
    await graph.aget_state(config)
    read = time.perf_counter() - started
    started = time.perf_counter()
    await asyncio.gather(*(_short(graph, f"{name} {number}") for number in range(AT_ONCE)))
    at_once = AT_ONCE * 5 / (time.perf_counter() - started)
    last = took[-max(1, turns // 10) :]
    return Measured(
        peer.name,
        thread,
        channel,
        turns,
        growth[-1][1],
        1e3 * sum(took) / turns,
        1e3 * sum(last) / len(last),
        1e3 * read,
        at_once,
        growth,
    )


async def _short(graph: Any, thread_id: str) -> None:  # noqa: ANN401
    for _ in range(5):
        await graph.ainvoke(
            {"messages": [HumanMessage(text(TALK))]}, {"configurable": {"thread_id": thread_id}}
        )


@asynccontextmanager
async def peers(folder: Path) -> AsyncIterator[list[Peer]]:
    """Open the three savers: ours and LangGraph's on one PostgreSQL, and LangGraph's on SQLite."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(
            embedded_server(folder / "data", roles=(ADMIN_ROLE, APP_ROLE))
        )
        await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), "memwarden")
        owner = server.dsn(ADMIN_ROLE, "memwarden")
        await asyncio.to_thread(migrate, owner)
        opened = await stack.enter_async_context(
            Memwarden.open(server.dsn(APP_ROLE, "memwarden"), embedder=NoEmbedder(), opinions=())
        )
        pool = AsyncConnectionPool(
            owner,
            kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
            open=False,
        )
        await stack.enter_async_context(pool)
        theirs = AsyncPostgresSaver(pool)  # type: ignore[arg-type]
        await theirs.setup()
        sqlite = await stack.enter_async_context(AsyncSqliteSaver.from_conn_string(str(folder / "sqlite.db")))
        yield [
            Peer(
                "memwarden", await opened.user("bench", "user").checkpointer(), _relations(owner, "memwarden")
            ),
            Peer("langgraph postgres", theirs, _relations(owner, "public")),
            Peer("langgraph sqlite", sqlite, _file(folder)),
        ]


def _relations(owner: str, schema: str) -> Any:  # noqa: ANN401
    async def size() -> int:
        async with await psycopg.AsyncConnection.connect(owner, autocommit=True) as connection:
            await connection.execute("CHECKPOINT")
            cursor = await connection.execute(
                "SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                " WHERE n.nspname = %s AND c.relkind = 'r' AND (c.relname LIKE 'checkpoint%%' OR c.relname = 'thread')",
                (schema,),
            )
            row = await cursor.fetchone()
            return int(row[0]) if row else 0

    return size


def _file(folder: Path) -> Any:  # noqa: ANN401
    async def size() -> int:
        return sum(path.stat().st_size for path in folder.glob("sqlite.db*"))

    return size


def table(found: Sequence[Measured]) -> Table:
    """Return the figures as a table, with the ratio of bytes to ours."""
    shown = Table(box=None, header_style="bold")
    for column in (
        "thread",
        "channel",
        "saver",
        "on disk",
        "of ours",
        "a turn",
        "last turns",
        "read",
        "turns/s",
    ):
        shown.add_column(column, justify="left" if column in ("thread", "channel", "saver") else "right")
    for one in found:
        ours = next(
            o for o in found if o.saver == "memwarden" and (o.thread, o.channel) == (one.thread, one.channel)
        )
        shown.add_row(
            one.thread,
            one.channel,
            one.saver,
            f"{one.bytes_on_disk / 1e6:,.1f} MB",
            f"{one.bytes_on_disk / max(1, ours.bytes_on_disk):,.0f}x",
            f"{one.turn_ms:.1f} ms",
            f"{one.last_turns_ms:.1f} ms",
            f"{one.read_ms:.1f} ms",
            f"{one.turns_a_second:.0f}",
        )
    return shown


async def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--threads", nargs="+", default=["chat", "tool"], choices=["chat", "tool"])
    parser.add_argument("--channels", nargs="+", default=["plain", "delta"], choices=["plain", "delta"])
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")
    parser.add_argument(
        "--plot", type=Path, help="draw size and time by turns into this SVG file; needs matplotlib"
    )
    options = parser.parse_args()
    found: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="memwarden-bench-") as name:
        Path(name).chmod(0o711)  # as root, the server runs under another account and passes through
        async with peers(Path(name)) as savers:
            with Progress(console=Console(stderr=True), transient=True) as progress:
                found += [
                    await measured(peer, thread, channel, options.turns, progress)
                    for thread in options.threads
                    for channel in options.channels
                    for peer in savers
                ]
    if options.plot:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
        from benchmarks.checkpoints_plot import drawn

        drawn([asdict(one) for one in found], options.plot)
    if options.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
    else:
        Console(width=None if sys.stdout.isatty() else 160).print(table(found))


if __name__ == "__main__":
    asyncio.run(main())
