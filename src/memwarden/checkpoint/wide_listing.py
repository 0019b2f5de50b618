"""Listing checkpoints in wide rows, the newest first, without loading what is not returned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.engine import Query
from memwarden.checkpoint.wide_thread import Thread
from memwarden.model.checkpoint import CheckpointRow

_Listed = tuple[str, str, str]
"""A checkpoint's id, thread and namespace, the first and the last as they stand in keys."""


async def listed(
    threads: Mapping[str, Thread], query: Query, after: CheckpointRow | None, limit: int
) -> list[CheckpointRow]:
    """Return up to ``limit`` checkpoints of threads that a query asks for, and that come after ``after``."""
    if len(threads) == 1 and query.ns is not None and query.checkpoint_id is None:
        return await _of_one_namespace(next(iter(threads.values())), query, after, limit)
    found = [
        (key.split("/")[2], thread_id, key.split("/")[1])
        for thread_id, thread in threads.items()
        for key in await thread.keys("c")
    ]
    wanted = [one for one in sorted(found, key=_newest_first(found)) if _is_wanted(one, query, after)]
    rows: list[CheckpointRow] = []
    for start in range(0, len(wanted), limit):
        rows += await _loaded(threads, wanted[start : start + limit], query.facts)
        if len(rows) >= limit:
            break
    return rows[:limit]


async def _of_one_namespace(
    thread: Thread, query: Query, after: CheckpointRow | None, limit: int
) -> list[CheckpointRow]:
    ns = query.ns or ""
    first, end = keys.checkpoints_of(ns)
    bounds = [query.before, None if after is None else after.id]
    end = min([end, *(keys.checkpoint(ns, bound) for bound in bounds if bound is not None)])
    rows: list[CheckpointRow] = []
    while len(rows) < limit:
        some = await thread.checkpoints_in(first, end, backwards=True, limit=limit)
        if not some:
            break
        rows += [row for row in some if _holds(row, query.facts)]
        end = keys.checkpoint(ns, some[-1].id)
    return rows[:limit]


async def _loaded(
    threads: Mapping[str, Thread], wanted: Sequence[_Listed], facts: Mapping[str, Any]
) -> list[CheckpointRow]:
    """Load checkpoints and return those with the facts, in the order in which they are wanted."""
    by_place: dict[_Listed, CheckpointRow] = {}
    for thread_id in {thread_id for _, thread_id, _ in wanted}:
        some = [f"c/{ns}/{id_}" for id_, name, ns in wanted if name == thread_id]
        for row in await threads[thread_id].checkpoints_named(some):
            by_place[keys.name(row.id), thread_id, keys.name(row.ns)] = row
    return [by_place[one] for one in wanted if one in by_place and _holds(by_place[one], facts)]


def _newest_first(found: Sequence[_Listed]) -> Any:  # noqa: ANN401 - a key for sorting
    ranks = {id_: rank for rank, id_ in enumerate(sorted({one[0] for one in found}, reverse=True))}
    return lambda one: (ranks[one[0]], one[1], one[2])


def _is_wanted(one: _Listed, query: Query, after: CheckpointRow | None) -> bool:
    id_, thread_id, ns = one
    if query.ns is not None and ns != keys.name(query.ns):
        return False
    if query.checkpoint_id is not None and id_ != keys.name(query.checkpoint_id):
        return False
    if query.before is not None and id_ >= keys.name(query.before):
        return False
    if after is None:
        return True
    last = keys.name(after.id)
    return id_ < last or (id_ == last and (thread_id, ns) > (after.thread_id, keys.name(after.ns)))


def _holds(row: CheckpointRow, facts: Mapping[str, Any]) -> bool:
    return all(name in row.facts and row.facts[name] == value for name, value in facts.items())
