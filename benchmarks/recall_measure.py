"""What is measured, all as the application role and under row-level security."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import numpy as np
import psycopg
from numpy.typing import NDArray

from benchmarks.recall_fill import scope_of
from benchmarks.recall_progress import step
from memwarden import Memwarden
from memwarden.db import memory_table
from memwarden.db.database import Database
from memwarden.db.memory_table import Found, Reading, vector_literal
from memwarden.embed import Embedder, TextKind
from memwarden.memory.recall import DEFAULT_LIMIT

DEPTH = max(10, 2 * DEFAULT_LIMIT)
"""Rows of each search, as `user.recall()` asks for them."""

TIE = 1e-6
"""Rows whose cosine distances differ by less are equally near: PostgreSQL adds in single precision."""

_VECTORS = """
SELECT id, embedding::text AS vector FROM memwarden.memory
 WHERE tenant_id = %(tenant_id)s AND user_id = %(user_id)s AND status = 'active'
"""
_OWNED = """
SELECT count(*) FROM memwarden.memory WHERE tenant_id = %s AND user_id = %s AND id = ANY(%s)
"""


@dataclass(frozen=True)
class Ask:
    """One question of one user, with its vector, shape (dims,)."""

    user: int
    text: str
    vector: NDArray[np.float32]


@dataclass(frozen=True)
class Times:
    """How long each of a number of calls took, in milliseconds."""

    count: int
    p50: float
    p95: float
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Times:
        """Summarise."""
        p50, p95, p99 = np.percentile(np.array(seconds) * 1e3, [50, 95, 99]).round(3).tolist()
        return cls(len(seconds), p50, p95, p99)


async def timed(what: str, asks: Sequence[Ask], call: Callable[[Ask], Awaitable[object]]) -> Times:
    """Make the calls one after the other."""
    seconds: list[float] = []
    with step(what, len(asks)) as advance:
        for ask in asks:
            started = time.perf_counter()
            await call(ask)
            seconds.append(time.perf_counter() - started)
            advance(1)
    return Times.of(seconds)


class Searcher:
    """The database part of a recall: the statement, its parameters, and the records made of its rows."""

    def __init__(self, database: Database, model: str, now: datetime) -> None:
        self.database = database
        self._model = model
        self._now = now

    async def __call__(self, ask: Ask) -> Found:
        """Search one user's memory."""
        return await memory_table.search(
            self.database,
            scope_of(ask.user),
            ask.text,
            ask.vector,
            self._model,
            reading=Reading(self._now, None, consent_required=False),
            depth=DEPTH,
        )


async def throughput(search: Searcher, asks: Sequence[Ask], askers: int) -> tuple[float, Times]:
    """Let several askers share the questions; return questions a second, and the times each waited."""
    waiting = iter(asks)
    seconds: list[float] = []

    async def ask_on() -> None:
        for ask in waiting:
            started = time.perf_counter()
            await search(ask)
            seconds.append(time.perf_counter() - started)

    started = time.perf_counter()
    with step(f"{askers} askers at once", len(asks)) as advance:
        await asyncio.gather(*(ask_on() for _ in range(askers)))
        advance(len(asks))
    return len(asks) / (time.perf_counter() - started), Times.of(seconds)


async def exactness(search: Searcher, asks: Sequence[Ask], k: int) -> float:
    """Return the share of each user's true ``k`` nearest rows that are the nearest of those recall brought back."""
    found = 0
    with step("Comparing with brute force", len(asks)) as advance:
        for ask in asks:
            hits = [hit for hit in (await search(ask)).hits if hit.distance is not None]
            nearest = sorted(hits, key=lambda hit: cast("float", hit.distance))[:k]
            found += await true_neighbours(search.database, ask, [hit.record.id for hit in nearest], k)
            advance(1)
    return found / (k * len(asks))


async def true_neighbours(database: Database, ask: Ask, ids: Iterable[str], k: int) -> int:
    """Return how many of ``ids`` are among the user's ``k`` nearest rows by brute force in NumPy.

    Both sides use the same half-precision numbers: the stored vectors, and the question's rounded as it is sent.
    """
    rows = await database.fetch(scope_of(ask.user), _VECTORS)
    stored = np.array([_vector(str(row["vector"])) for row in rows]).astype(np.float64)
    asked = _vector(vector_literal(ask.vector)).astype(np.float64)
    distances = 1 - stored @ asked / (np.linalg.norm(stored, axis=1) * np.linalg.norm(asked))
    limit = np.sort(distances)[k - 1] + TIE
    near = {str(row["id"]) for row, distance in zip(rows, distances, strict=True) if distance <= limit}
    return len(near.intersection(ids))


async def strangers(search: Searcher, admin: psycopg.Connection, asks: Sequence[Ask]) -> int:
    """Return how many of the rows brought back are not the user's, as the administrator sees the table."""
    count = 0
    for ask in asks:
        ids = [hit.record.id for hit in (await search(ask)).hits]
        scope = scope_of(ask.user)
        row = admin.execute(_OWNED, (scope.tenant_id, scope.user_id, ids)).fetchone()
        count += len(ids) - (row[0] if row else 0)
    return count


async def whole_recall(dsn: str, embedder: Embedder, asks: Sequence[Ask]) -> Times:
    """Time `user.recall()` with questions it has never embedded before."""
    async with Memwarden.open(dsn, embedder=embedder) as memwarden:
        await memwarden.scoped(scope_of(asks[0].user)).recall("Is everybody awake?")
        return await timed(
            "Whole recall", asks, lambda ask: memwarden.scoped(scope_of(ask.user)).recall(ask.text)
        )


async def embedding_alone(embedder: Embedder, asks: Sequence[Ask]) -> Times:
    """Time the offline model on the same questions."""
    return await timed("Embedding alone", asks, lambda ask: embedder.embed([ask.text], TextKind.QUERY))


def _vector(text: str) -> NDArray[np.float16]:
    return np.array(text[1:-1].split(","), dtype=np.float64).astype(np.float16)
