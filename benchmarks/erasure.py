"""Erasing one user with 10,000 memories and 100 conversations, beside the bare DELETEs that could do no less.

Fills the user's rows, and those of neighbours, then erases; several rounds, of which the median and the worst are shown.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from rich.console import Console
from rich.progress import Progress

from memwarden import Memwarden, UserMemory
from memwarden.db import memory_table
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.erasure import ERASED_TABLES
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.embed import TextKind, Vectors
from memwarden.model.clock import system_clock
from memwarden.model.ids import new_id
from memwarden.model.record import MemoryRecord, MemoryType, Source

DIMENSIONS = 384
NEIGHBOURS = 10


@dataclass(frozen=True)
class Erased:
    """What the rounds took, in seconds, and what the last one removed."""

    records: int
    threads: int
    median_s: float
    worst_s: float
    bare_deletes_s: float
    ratio: float
    removed: dict[str, int]
    residue: int
    state: str
    receipt_bytes: int


class RandomEmbedder:
    """Gives every text a vector of its own and of the usual size, in no time."""

    model = "random-384"

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return unit vectors of shape ``(n, 384)``."""
        vectors: Vectors = (
            np.random.default_rng().standard_normal((len(texts), DIMENSIONS)).astype(np.float32)
        )
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


async def fill(
    memwarden: Memwarden, user: UserMemory, records: int, threads: int, progress: Progress
) -> None:
    """Give a user memories, and conversations of ten messages."""
    task = progress.add_task(user.scope.user_id, total=records + threads)
    deps, now = memwarden.dependencies, system_clock()
    for start in range(0, records, 500):
        some = min(500, records - start)
        vectors = await deps.embedder.embed(["x"] * some, TextKind.PASSAGE)
        async with deps.database.transaction(user.scope) as tx:
            for place in range(some):
                await memory_table.insert(tx, _record(deps, user, start + place, now), vectors[place])
                progress.advance(task)
    graph = _graph(await user.checkpointer())
    for number in range(threads):
        config: RunnableConfig = {"configurable": {"thread_id": f"thread-{number}"}}
        messages = [HumanMessage(f"message {place} of {number} " + "words " * 40) for place in range(9)]
        await graph.ainvoke({"messages": messages}, config)
        progress.advance(task)
    await user.propose("Works night shifts", quote="I work night shifts", message="I work night shifts")


def _record(deps: Any, user: UserMemory, number: int, now: Any) -> MemoryRecord:  # noqa: ANN401
    return MemoryRecord(
        scope=user.scope,
        id=new_id(now),
        type=MemoryType.FACT,
        content=f"Works on project number {number} of the department and likes it",
        source=Source.USER_STATED,
        purpose="Fit answers.",
        created_at=now,
        updated_at=now,
        expires_at=now + timedelta(days=365),
        embedding_model=deps.embedder.model,
    )


def _graph(saver: Any) -> Any:  # noqa: ANN401
    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("noted " * 40)]}

    builder = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer").add_edge("answer", END)
    return builder.compile(checkpointer=saver)


async def bare_deletes(dsn: str, user: UserMemory) -> float:
    """Return the seconds that one DELETE a table takes, as the application role and in one transaction."""
    async with await psycopg.AsyncConnection.connect(dsn) as connection:
        started = time.perf_counter()
        for name in ("tenant_id", "user_id"):
            await connection.execute(
                "SELECT set_config(%s, %s, true)", (f"memwarden.{name}", getattr(user.scope, name))
            )
        for table in ERASED_TABLES:
            await connection.execute(
                f"DELETE FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
                (user.scope.tenant_id, user.scope.user_id),
            )
        await connection.commit()
        return time.perf_counter() - started


async def measured(folder: Path, records: int, threads: int, rounds: int) -> Erased:
    """Fill, erase, fill again, and delete by hand."""
    async with embedded_server(folder / "data", roles=(ADMIN_ROLE, APP_ROLE)) as server:
        await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), "memwarden")
        await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, "memwarden"))
        app = server.dsn(APP_ROLE, "memwarden")
        async with Memwarden.open(app, embedder=RandomEmbedder(), opinions=()) as memwarden:
            with Progress(console=Console(stderr=True), transient=True) as progress:
                for number in range(NEIGHBOURS):
                    neighbour = memwarden.user("bench", f"neighbour-{number}")
                    await fill(memwarden, neighbour, records // NEIGHBOURS, 2, progress)
                user, took, bare = memwarden.user("bench", "user"), [], []
                for number in range(rounds):
                    await fill(memwarden, user, records, threads, progress)
                    started = time.perf_counter()
                    erased = await user.forget_everything()
                    took.append(time.perf_counter() - started)
                    other = memwarden.user("bench", f"by-hand-{number}")
                    await fill(memwarden, other, records, threads, progress)
                    bare.append(await bare_deletes(app, other))
    return Erased(
        records,
        threads,
        statistics.median(took),
        max(took),
        statistics.median(bare),
        statistics.median(took) / statistics.median(bare),
        dict(erased.removed),
        erased.residue,
        erased.state.value,
        len(erased.receipt),
    )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memwarden-bench-") as name:
        Path(name).chmod(0o711)  # as root, the server runs under another account and passes through
        found = asyncio.run(measured(Path(name), options.records, options.threads, options.rounds))
    if options.json:
        print(json.dumps(asdict(found), indent=2))
        return
    out = Console(width=None if sys.stdout.isatty() else 160)
    out.print(f"Erased {found.records:,} memories and {found.threads} conversations: {found.removed}")
    out.print(
        f"median {found.median_s:.2f} s, worst {found.worst_s:.2f} s; state {found.state}, residue {found.residue}"
    )
    out.print(f"bare DELETEs {found.bare_deletes_s:.2f} s: {found.ratio:.1f} times that")
    out.print(f"the receipt has {found.receipt_bytes:,} bytes")


if __name__ == "__main__":
    main()
