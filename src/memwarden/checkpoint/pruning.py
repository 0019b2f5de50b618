"""Pruning and copying threads: what is left is whole, and nothing stays that nothing refers to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memwarden.checkpoint.codec import Form, Serde, packed_refs, unpacked_refs
from memwarden.checkpoint.skeleton import unpacked
from memwarden.db import checkpoint_table
from memwarden.db.checkpoint_table import CheckpointRow, PartRow, Rows, ValueRow
from memwarden.db.database import Transaction
from memwarden.errors import NotFoundError

DELTAS = "counters_since_delta_snapshot"
"""Where LangGraph's metadata name the channels that hold deltas."""

_Value = tuple[str, str, str]
"""A namespace, a channel and a version."""


async def keep_latest(tx: Transaction, serde: Serde, thread_id: str) -> None:
    """Keep the latest checkpoint of each namespace, and what its deltas are rebuilt from."""
    await _keep(tx, serde, thread_id, lambda rows, values: _needed(rows, values, serde))


async def drop_runs(tx: Transaction, serde: Serde, thread_id: str, runs: Collection[str]) -> None:
    """Drop the checkpoints of runs."""
    await _keep(
        tx,
        serde,
        thread_id,
        lambda rows, _: {(row.ns, row.id) for row in rows if row.run_id not in runs},
    )


async def copy(tx: Transaction, source: str, target: str, now: datetime) -> None:
    """Copy every row of a thread; parts get the target's numbers.

    Read and written again, not ``INSERT ... SELECT``, which a distributed PostgreSQL refuses under row-level security.
    """
    if not await checkpoint_table.lock_thread(tx, source):
        raise NotFoundError("There is no such thread to copy.")
    parts = await checkpoint_table.all_parts(tx, source)
    turn = await checkpoint_table.take_turn(tx, target, now)
    there = await checkpoint_table.known_parts(tx, target, [part.hash for part in parts])
    new = [
        PartRow(turn.parts + place, part.hash, part.content)
        for place, part in enumerate((p for p in parts if p.hash not in there), start=1)
    ]
    names = there | {part.hash: part.number for part in new}
    numbers = {part.number: names[part.hash] for part in parts}

    def moved(refs: bytes) -> bytes:
        return packed_refs([numbers[number] for number in unpacked_refs(refs)])

    values = [
        replace(v, thread_id=target, refs=moved(v.refs))
        for v in await checkpoint_table.all_values(tx, source)
    ]
    writes = [
        replace(w, thread_id=target, refs=moved(w.refs))
        for w in await checkpoint_table.all_writes(tx, source)
    ]
    await checkpoint_table.put(tx, target, Rows(new, values, writes))
    for row in await checkpoint_table.all_checkpoints(tx, source):
        await checkpoint_table.put(tx, target, Rows(checkpoint=row))


async def _keep(
    tx: Transaction,
    serde: Serde,
    thread_id: str,
    chosen: Callable[[Sequence[CheckpointRow], Mapping[_Value, ValueRow]], set[tuple[str, str]]],
) -> None:
    """Keep the chosen checkpoints of a thread (namespace, id), their values and writes, and the parts of those."""
    if not await checkpoint_table.lock_thread(tx, thread_id):
        return
    rows = await checkpoint_table.all_checkpoints(tx, thread_id)
    values = {(v.ns, v.channel, v.version): v for v in await checkpoint_table.all_values(tx, thread_id)}
    kept = chosen(rows, values)
    await checkpoint_table.drop_checkpoints(
        tx, thread_id, [row for row in rows if (row.ns, row.id) not in kept]
    )
    used = {version for row in rows if (row.ns, row.id) in kept for version in _versions(row, serde)}
    await checkpoint_table.drop_values(
        tx, thread_id, [value for name, value in values.items() if name not in used]
    )
    left = [value for name, value in values.items() if name in used]
    writes = await checkpoint_table.all_writes(tx, thread_id)
    refs = [*(value.refs for value in left), *(write.refs for write in writes)]
    numbers = {number for packed in refs for number in unpacked_refs(packed)}
    await checkpoint_table.keep_parts(tx, thread_id, sorted(numbers))


def _needed(
    rows: Sequence[CheckpointRow], values: Mapping[_Value, ValueRow], serde: Serde
) -> set[tuple[str, str]]:
    """Return the latest checkpoint of each namespace, with its ancestors up to where its deltas begin."""
    by_id = {(row.ns, row.id): row for row in rows}
    needed: set[tuple[str, str]] = set()
    for ns in {row.ns for row in rows}:
        head = max((row for row in rows if row.ns == ns), key=lambda row: row.id)
        needed.add((ns, head.id))
        open_ = set(_deltas(head, serde)) - _held(head, values, serde)
        parent = head.parent_id
        while open_ and parent is not None and (ns, parent) in by_id:
            row = by_id[ns, parent]
            needed.add((ns, row.id))
            open_ -= _held(row, values, serde)
            parent = row.parent_id
    return needed


def _deltas(row: CheckpointRow, serde: Serde) -> list[str]:
    metadata: Mapping[str, Any] = unpacked(row.skeleton, serde)[1]
    return list(metadata.get(DELTAS) or ())


def _held(row: CheckpointRow, values: Mapping[_Value, ValueRow], serde: Serde) -> set[str]:
    """Return the channels whose value a checkpoint holds itself."""
    return {
        channel
        for ns, channel, version in _versions(row, serde)
        if (found := values.get((ns, channel, version))) is not None and found.form != Form.NOTHING
    }


def _versions(row: CheckpointRow, serde: Serde) -> list[_Value]:
    versions = unpacked(row.skeleton, serde)[0]["channel_versions"]
    return [(row.ns, channel, str(version)) for channel, version in versions.items()]
