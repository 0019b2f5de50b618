"""The rows of the tables that hold checkpoints: their parts, values, writes and skeletons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, cast

from psycopg.types.json import Jsonb

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.multi_row import multi_row
from memwarden.db.statements import statements
from memwarden.model.checkpoint import (
    Ancestor,
    CheckpointRow,
    PartRow,
    Rows,
    Turn,
    ValueRow,
    Whole,
    WriteRow,
    in_order,
)
from memwarden.model.scope import Scope

_SQL = statements("checkpoint")
_ERASURE = statements("erasure")
_ROWS = 400
"""Rows that one statement writes."""


async def take_turn(tx: Transaction, thread_id: str, at: datetime) -> Turn:
    """Wait for the other writers of a thread, and keep them and erasures out until the transaction ends."""
    # One trip: a statement sees what was committed before it began, and so after the locks were got.
    both: LiteralString = _ERASURE["stay_out"] + ";\n" + _SQL["take_turn"]
    rows = await tx.fetch(both, {"thread_id": thread_id, "at": at})
    return Turn(**cast("Mapping[str, Any]", rows[0]))


async def known_parts(tx: Transaction, thread_id: str, hashes: Sequence[bytes] | None) -> dict[bytes, int]:
    """Return the numbers of parts that the thread has, by hash; of all of them for null."""
    named = None if hashes is None else list(hashes)
    rows = await tx.fetch(_SQL["known_parts"], {"thread_id": thread_id, "hashes": named})
    return {bytes(cast("bytes", row["hash"])): cast("int", row["number"]) for row in rows}


async def head(tx: Transaction, thread_id: str) -> str | None:
    """Return the latest checkpoint of the graph itself."""
    rows = await tx.fetch(_SQL["head"], {"thread_id": thread_id})
    return cast("str | None", rows[0]["id"])


async def put(tx: Transaction, thread_id: str, rows: Rows) -> None:
    """Write rows in the thread's turn, in one trip to the database."""
    statement, params = _inserts(tx.scope, thread_id, rows)
    if statement:
        await tx.fetch(statement, params)


async def put_as_expected(
    db: Database, scope: Scope, thread_id: str, at: datetime, expected: Turn, rows: Rows
) -> None:
    """Take the thread's turn and write rows, all in one trip; raise `NotAsExpectedError` and write nothing otherwise."""
    statement, params = _inserts(scope, thread_id, rows)
    turn = {
        "at": at,
        "expected_parts": expected.parts,
        "expected_generation": expected.generation,
        "expected_fence": expected.erasure_id,
        "follows": rows.follows is not None,
        "head": None if rows.follows is None else rows.follows.checkpoint_id,
    }
    together = [_ERASURE["stay_out"], _SQL["turn_as_expected"], *([statement] if statement else [])]
    await db.write_at_once(scope, ";\n".join(together), params | turn)


def _inserts(scope: Scope, thread_id: str, rows: Rows) -> tuple[LiteralString, dict[str, object]]:
    """Return the statements that write rows, and their parameters."""
    pending: list[LiteralString] = []
    params: dict[str, object] = {"thread_id": thread_id}
    shared = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": thread_id}
    if rows.parts:
        pending.append(_SQL["count_parts"])
        params["parts"] = rows.parts[-1].number
    for name, some in (
        ("put_part", rows.parts),
        ("put_value", rows.values),
        ("replace_write" if rows.replace_writes else "put_write", rows.writes),
        ("put_checkpoint", rows.checkpoints),
    ):
        pending += [
            multi_row(_SQL[name], some[start : start + _ROWS], f"{name}_{start}", params, shared)
            for start in range(0, len(some), _ROWS)
        ]
    return ";\n".join(pending), params


async def whole(db: Database, scope: Scope, thread_id: str, ns: str, checkpoint_id: str | None) -> Whole:
    """Return one checkpoint, or the latest of a thread and namespace, with all that it refers to but the parts."""
    named = {"thread_id": thread_id, "ns": ns, "id": checkpoint_id}
    rows = cast("list[Mapping[str, Any]]", await db.fetch(scope, _SQL["whole"], named))
    found = next((row for row in rows if row["kind"] == "checkpoint"), None)
    held = None if found is None else found["id"]
    return Whole(
        fence=next(row["id"] for row in rows if row["kind"] == "fence"),
        checkpoint=None
        if found is None
        else _checkpoint({**found, "thread_id": thread_id, "ns": ns, "skeleton": found["bytes"]}),
        values=tuple(
            ValueRow(thread_id, ns, row["channel"], row["version"], row["form"], bytes(row["bytes"]))
            for row in rows
            if row["kind"] == "value"
        ),
        writes=in_order(
            _write({**row, "thread_id": thread_id, "ns": ns, "checkpoint_id": held, "refs": row["bytes"]})
            for row in rows
            if row["kind"] == "write"
        ),
    )


async def ancestors(
    db: Database,
    scope: Scope,
    thread_id: str,
    ns: str,
    checkpoint_id: str,
    channels: Sequence[str],
    limit: int,
) -> list[Ancestor]:
    """Return up to ``limit`` ancestors of a checkpoint, the nearest first."""
    named = {
        "thread_id": thread_id,
        "ns": ns,
        "id": checkpoint_id,
        "channels": list(channels),
        "limit": limit,
    }
    rows = cast("list[Mapping[str, Any]]", await db.fetch(scope, _SQL["ancestors"], named))
    chain: dict[str, tuple[dict[str, ValueRow], list[WriteRow]]] = {}
    for row in rows:
        values, writes = chain.setdefault(row["id"], ({}, []))
        full = {**row, "thread_id": thread_id, "ns": ns, "checkpoint_id": row["id"]}
        if row["task_id"] is not None:
            writes.append(_write(full))
        elif row["channel"] is not None:
            values[row["channel"]] = _value(full)
    return [Ancestor(name, values, in_order(writes)) for name, (values, writes) in chain.items()]


async def page(
    db: Database,
    scope: Scope,
    *,
    thread_id: str | None,
    ns: str | None,
    checkpoint_id: str | None,
    before: str | None,
    facts: Mapping[str, Any],
    after: CheckpointRow | None,
    limit: int,
) -> list[CheckpointRow]:
    """Return checkpoints, the newest first, that come after ``after`` in that order."""
    params = {
        "thread_id": thread_id,
        "ns": ns,
        "id": checkpoint_id,
        "before": before,
        "facts": Jsonb(dict(facts)),
        "after_id": after and after.id,
        "after_thread": after and after.thread_id,
        "after_ns": after and after.ns,
        "limit": limit,
    }
    return [_checkpoint(row) for row in await db.fetch(scope, _SQL["list"], params)]


async def values(
    db: Database, scope: Scope, wanted: Sequence[tuple[str, str, str, str]]
) -> dict[tuple[str, str, str, str], ValueRow]:
    """Return values by (thread, namespace, channel, version)."""
    if not wanted:
        return {}
    threads, spaces, channels, versions = (list(column) for column in zip(*wanted, strict=True))
    rows = await db.fetch(
        scope,
        _SQL["values"],
        {"threads": threads, "spaces": spaces, "channels": channels, "versions": versions},
    )
    found = [_value(row) for row in rows]
    return {(v.thread_id, v.ns, v.channel, v.version): v for v in found}


async def writes(
    db: Database, scope: Scope, checkpoints: Sequence[CheckpointRow]
) -> dict[tuple[str, str, str], list[WriteRow]]:
    """Return what was written after checkpoints, by (thread, namespace, checkpoint), in the order it is applied."""
    rows = await db.fetch(
        scope,
        _SQL["writes"],
        {"threads": list({c.thread_id for c in checkpoints}), "ids": [c.id for c in checkpoints]},
    )
    found: dict[tuple[str, str, str], list[WriteRow]] = {}
    for write in map(_write, rows):
        found.setdefault((write.thread_id, write.ns, write.checkpoint_id), []).append(write)
    return found


async def parts(db: Database, scope: Scope, thread_id: str, numbers: Sequence[int]) -> dict[int, bytes]:
    """Return the parts of a thread by number, as they are kept."""
    if not numbers:
        return {}
    rows = await db.fetch(scope, _SQL["parts"], {"thread_id": thread_id, "numbers": list(numbers)})
    return {cast("int", row["number"]): bytes(cast("bytes", row["content"])) for row in rows}


async def lock_thread(tx: Transaction, thread_id: str) -> Turn | None:
    """Keep other writers of a thread out until the transaction ends; return what it is, or null if there is none."""
    rows = await tx.fetch(_SQL["lock_thread"], {"thread_id": thread_id})
    return Turn(**cast("Mapping[str, Any]", rows[0])) if rows else None


async def all_checkpoints(tx: Transaction, thread_id: str) -> list[CheckpointRow]:
    """Return every checkpoint of a thread, by namespace and the newest first."""
    return [_checkpoint(row) for row in await tx.fetch(_SQL["all_checkpoints"], {"thread_id": thread_id})]


async def all_values(tx: Transaction, thread_id: str) -> list[ValueRow]:
    """Return every value of a thread."""
    return [_value(row) for row in await tx.fetch(_SQL["all_values"], {"thread_id": thread_id})]


async def all_writes(tx: Transaction, thread_id: str) -> list[WriteRow]:
    """Return every write of a thread."""
    return [_write(row) for row in await tx.fetch(_SQL["all_writes"], {"thread_id": thread_id})]


async def all_parts(tx: Transaction, thread_id: str) -> list[PartRow]:
    """Return every part of a thread, by number."""
    rows = cast("list[Mapping[str, Any]]", await tx.fetch(_SQL["all_parts"], {"thread_id": thread_id}))
    return [PartRow(row["number"], bytes(row["hash"]), bytes(row["content"])) for row in rows]


async def drop_checkpoints(tx: Transaction, thread_id: str, gone: Sequence[CheckpointRow]) -> None:
    """Delete checkpoints, and what was written after them."""
    named = {"thread_id": thread_id, "spaces": [c.ns for c in gone], "ids": [c.id for c in gone]}
    await tx.fetch(_SQL["drop_checkpoints"], named)


async def drop_values(tx: Transaction, thread_id: str, gone: Sequence[ValueRow]) -> None:
    """Delete values."""
    named = {
        "thread_id": thread_id,
        "spaces": [v.ns for v in gone],
        "channels": [v.channel for v in gone],
        "versions": [v.version for v in gone],
    }
    await tx.fetch(_SQL["drop_values"], named)


async def keep_parts(tx: Transaction, thread_id: str, numbers: Sequence[int]) -> None:
    """Delete every part of a thread but those."""
    await tx.fetch(_SQL["keep_parts"], {"thread_id": thread_id, "numbers": list(numbers)})


async def threads_of_runs(db: Database, scope: Scope, runs: Sequence[str]) -> list[str]:
    """Return the threads that have a checkpoint of one of these runs."""
    rows = await db.fetch(scope, _SQL["threads_of_runs"], {"runs": list(runs)})
    return sorted(str(row["thread_id"]) for row in rows)


def _checkpoint(row: Row) -> CheckpointRow:
    r = cast("Mapping[str, Any]", row)
    return CheckpointRow(
        r["thread_id"],
        r["ns"],
        r["id"],
        r["parent_id"],
        r["run_id"],
        r["facts"],
        r["versions"],
        bytes(r["skeleton"]),
    )


def _value(row: Row) -> ValueRow:
    r = cast("Mapping[str, Any]", row)
    return ValueRow(r["thread_id"], r["ns"], r["channel"], r["version"], r["form"], bytes(r["refs"]))


def _write(row: Row) -> WriteRow:
    r = cast("Mapping[str, Any]", row)
    return WriteRow(
        r["thread_id"],
        r["ns"],
        r["checkpoint_id"],
        r["task_path"],
        r["task_id"],
        r["idx"],
        r["channel"],
        r["form"],
        bytes(r["refs"]),
    )
