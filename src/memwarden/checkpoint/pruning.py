"""Pruning and copying threads: what is left is whole, and nothing stays that nothing refers to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memwarden.checkpoint.codec import Form, packed_refs
from memwarden.checkpoint.keeping import Keeping, Row
from memwarden.checkpoint.reading import Store
from memwarden.errors import NotFoundError
from memwarden.model.checkpoint import CheckpointRow, PartRow, Rows, ValueRow, WriteRow

DELTAS = "counters_since_delta_snapshot"
"""Where LangGraph's metadata name the channels that hold deltas."""

_Value = tuple[str, str, str]
"""A namespace, a channel and a version."""


async def keep_latest(store: Store, thread_id: str, at: datetime, count: int) -> None:
    """Keep the latest checkpoints of each namespace, and what their deltas are rebuilt from."""
    await _keep(store, thread_id, at, lambda rows, values: _needed(rows, values, store.keeping, count))


async def drop_runs(store: Store, thread_id: str, runs: Collection[str], at: datetime) -> None:
    """Drop the checkpoints of runs."""
    await _keep(
        store,
        thread_id,
        at,
        lambda rows, _: {(row.ns, row.id) for row in rows if row.run_id not in runs},
    )


async def copy(store: Store, source: str, target: str, at: datetime) -> None:
    """Copy everything of a thread; parts get the target's numbers.

    Read and written again, not ``INSERT ... SELECT``, which a distributed PostgreSQL refuses under row-level security.
    """
    async with store.engine.turn_of(store.scope, source, at) as turn:
        if turn is None:
            raise NotFoundError("There is no such thread to copy.")
        parts, values = await turn.parts(), await turn.values()
        writes, checkpoints = await turn.writes(), await turn.checkpoints()
    async with store.engine.turn(store.scope, target, at) as turn:
        names = {
            part.number: store.keeping.moved_name(part.number, part.content, part.hash, source, target)
            for part in parts
        }
        there = await turn.known_parts(list(names.values()))
        new: list[PartRow] = []
        for part in parts:
            name = names[part.number]
            if name not in there:
                number = there[name] = turn.found.parts + len(new) + 1
                content = store.keeping.moved_part(part.number, part.content, source, number, target)
                new.append(PartRow(number, name, content))

        def moved(row: Row) -> Row:
            refs = packed_refs([there[names[number]] for number in store.keeping.refs(row)])
            return store.keeping.sealed_refs(replace(row, thread_id=target, refs=refs))

        await turn.put(
            Rows(
                parts=new,
                values=[moved(value) for value in values],
                writes=[moved(write) for write in writes],
                checkpoints=[
                    replace(c, thread_id=target, skeleton=store.keeping.moved_skeleton(c, target))
                    for c in checkpoints
                ],
            )
        )


async def _keep(
    store: Store,
    thread_id: str,
    at: datetime,
    chosen: Callable[[Sequence[CheckpointRow], Mapping[_Value, ValueRow]], set[tuple[str, str]]],
) -> None:
    """Keep the chosen checkpoints of a thread (namespace, id), their values and writes, and the parts of those."""
    async with store.engine.turn_of(store.scope, thread_id, at) as turn:
        if turn is None:
            return
        rows = await turn.checkpoints()
        values = {(v.ns, v.channel, v.version): v for v in await turn.values()}
        kept = chosen(rows, values)
        used = {
            version for row in rows if (row.ns, row.id) in kept for version in _versions(row, store.keeping)
        }
        writes = await turn.writes()
        gone = [row for row in rows if (row.ns, row.id) not in kept]
        gone += _gone_before(thread_id, rows, writes)
        without = {(row.ns, row.id) for row in gone}
        left: list[ValueRow | WriteRow] = [value for name, value in values.items() if name in used]
        left += [w for w in writes if (w.ns, w.checkpoint_id) not in without]
        await turn.drop(
            gone,
            [value for name, value in values.items() if name not in used],
            sorted({number for row in left for number in store.keeping.refs(row)}),
        )


def _gone_before(
    thread_id: str, rows: Sequence[CheckpointRow], writes: Sequence[WriteRow]
) -> list[CheckpointRow]:
    """Return checkpoints of which nothing is there but what was written after them, since a run went on that did not know.

    One that is newer than the latest is on its way.
    """
    latest: dict[str, str] = {}
    for row in rows:
        latest[row.ns] = max(row.id, latest.get(row.ns, ""))
    alone = {(w.ns, w.checkpoint_id) for w in writes} - {(row.ns, row.id) for row in rows}
    return [
        CheckpointRow(thread_id, ns, id_, None, "", {}, {}, b"")
        for ns, id_ in sorted(alone)
        if id_ < max(latest.get(ns, ""), latest.get("", ""))
    ]


def _needed(
    rows: Sequence[CheckpointRow], values: Mapping[_Value, ValueRow], keeping: Keeping, count: int
) -> set[tuple[str, str]]:
    """Return the latest checkpoints of each namespace, with the ancestors of each up to where its deltas begin."""
    by_id = {(row.ns, row.id): row for row in rows}
    needed: set[tuple[str, str]] = set()
    for ns in {row.ns for row in rows}:
        newest = sorted((row for row in rows if row.ns == ns), key=lambda row: row.id, reverse=True)
        for head in newest[:count]:
            needed.add((ns, head.id))
            open_ = set(_deltas(head, keeping)) - _held(head, values, keeping)
            parent = head.parent_id
            while open_ and parent is not None and (ns, parent) in by_id:
                row = by_id[ns, parent]
                needed.add((ns, row.id))
                open_ -= _held(row, values, keeping)
                parent = row.parent_id
    return needed


def _deltas(row: CheckpointRow, keeping: Keeping) -> list[str]:
    metadata: Mapping[str, Any] = keeping.read(row)[1]
    return list(metadata.get(DELTAS) or ())


def _held(row: CheckpointRow, values: Mapping[_Value, ValueRow], keeping: Keeping) -> set[str]:
    """Return the channels whose value a checkpoint holds itself."""
    return {
        channel
        for ns, channel, version in _versions(row, keeping)
        if (found := values.get((ns, channel, version))) is not None and found.form != Form.NOTHING
    }


def _versions(row: CheckpointRow, keeping: Keeping) -> list[_Value]:
    versions = keeping.read(row)[0]["channel_versions"]
    return [(row.ns, channel, str(version)) for channel, version in versions.items()]
