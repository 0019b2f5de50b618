"""The usual way, measured beside ours: one approximate index over everybody's vectors, and the same policy."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import LiteralString

import psycopg

from benchmarks.recall_fill import scope_of
from benchmarks.recall_measure import Ask, Searcher, Times, exactness, timed, true_neighbours
from benchmarks.recall_progress import step
from memwarden.db.database import Database, Row
from memwarden.db.memory_table import vector_literal
from memwarden.db.migrate import APP_ROLE

K = 8

_CREATE: LiteralString = """
CREATE SCHEMA peer;
CREATE TABLE peer.memory (
    id text COLLATE "C" PRIMARY KEY, tenant_id text NOT NULL, user_id text NOT NULL,
    content text NOT NULL, embedding halfvec({dims}) NOT NULL
);
INSERT INTO peer.memory SELECT id, tenant_id, user_id, content, embedding FROM memwarden.memory;
ALTER TABLE peer.memory ENABLE ROW LEVEL SECURITY;
ALTER TABLE peer.memory FORCE ROW LEVEL SECURITY;
CREATE POLICY scope ON peer.memory USING (
    tenant_id = current_setting('memwarden.tenant_id', true)
    AND user_id = current_setting('memwarden.user_id', true)
);
GRANT USAGE ON SCHEMA peer TO {role};
GRANT SELECT ON peer.memory TO {role};
"""
_INDEX: LiteralString = "CREATE INDEX ON peer.memory USING hnsw (embedding halfvec_cosine_ops)"

_PEER: LiteralString = (
    "SELECT id, content FROM peer.memory ORDER BY embedding <=> %(embedding)s::halfvec LIMIT %(k)s"
)
_OURS: LiteralString = """
SELECT id, content FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'active'
 ORDER BY embedding <=> %(embedding)s::halfvec LIMIT %(k)s
"""
_STATEMENTS: dict[str, LiteralString] = {
    "one HNSW index, default settings": _PEER,
    "one HNSW index, iterative scan": f"SET LOCAL hnsw.iterative_scan = strict_order; {_PEER}",
    "Memwarden, vectors alone": _OURS,
}


@dataclass(frozen=True)
class Way:
    """One way of searching: its times, and the share of the true `K` nearest rows that it finds."""

    name: str
    times: Times
    recall: float


def build(admin: psycopg.Connection, dims: int) -> None:
    """Copy the vectors into a table with an HNSW index (pgvector's default m = 16, ef_construction = 64)."""
    if admin.execute("SELECT to_regclass('peer.memory') IS NOT NULL").fetchone() == (True,):
        return
    with step("Building the HNSW index", 1) as advance, admin.transaction():
        admin.execute(_CREATE.format(role=APP_ROLE, dims=dims))
        # In one process: a parallel build needs more shared memory than a container usually has.
        admin.execute("SET LOCAL max_parallel_maintenance_workers = 0")
        admin.execute("SET LOCAL maintenance_work_mem = '1GB'")
        admin.execute(_INDEX)
        advance(1)
    admin.execute("VACUUM (ANALYZE) peer.memory")


async def compare(search: Searcher, asks: Sequence[Ask], checked: int) -> list[Way]:
    """Measure every way on the same questions, each after one pass that warms the cache."""
    ways = []
    for name, statement in _STATEMENTS.items():
        call = _call(search.database, statement)
        await timed(f"{name} (warming up)", asks, call)
        times = await timed(name, asks, call)
        ways.append(Way(name, times, await _recall(search.database, asks[:checked], call)))
    await timed("Memwarden, whole statement (warming up)", asks, search)
    times = await timed("Memwarden, whole statement", asks, search)
    ways.append(Way("Memwarden, whole recall statement", times, await exactness(search, asks[:checked], K)))
    return ways


def _call(database: Database, statement: LiteralString) -> Callable[[Ask], Awaitable[list[Row]]]:
    def call(ask: Ask) -> Awaitable[list[Row]]:
        params = {"embedding": vector_literal(ask.vector), "k": K}
        return database.fetch(scope_of(ask.user), statement, params)

    return call


async def _recall(
    database: Database, asks: Sequence[Ask], call: Callable[[Ask], Awaitable[list[Row]]]
) -> float:
    found = 0
    for ask in asks:
        found += await true_neighbours(database, ask, [str(row["id"]) for row in await call(ask)], K)
    return found / (K * len(asks))
