"""What stands beside the threads of a user in wide rows: marks of erasures, and of checkpoints that do not count.

Many items cannot be written or removed in one step. So whoever adds or removes several checkpoints first names them in
a mark, for which nobody sees them, and then takes the mark away: it happens to all of them at once. Where that is
interrupted, the next writer removes what is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import ormsgpack

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.model.scope import Scope

BESIDE = ""
"""The thread, which none is called, that has the marks."""

_ROOM = 100
"""Bytes around the names in a mark, and around each of them."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What marks say of a thread: the erasures its writers have to heed, as one name, and the keys of hidden checkpoints."""

    fence: str | None
    hidden: frozenset[str]


async def marks_of(rows: WideRows, scope: Scope, thread_id: str) -> Marks:
    """Return what marks say of a thread, in one trip."""
    erased, hidden = (keys.fence(None), keys.fence(thread_id)), keys.hidden(thread_id)
    found = await rows.get(scope, BESIDE, [*erased, hidden])
    fence = "|".join(found.get(key, b"").decode() for key in erased)
    return Marks(fence if len(fence) > 1 else None, _unpacked(found.get(hidden)))


async def hidden_in(rows: WideRows, scope: Scope, thread_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return the keys of the hidden checkpoints of threads, by thread."""
    found = await rows.get(scope, BESIDE, [keys.hidden(thread_id) for thread_id in thread_ids])
    return {thread_id: _unpacked(found.get(keys.hidden(thread_id))) for thread_id in thread_ids}


async def hide(
    rows: WideRows, scope: Scope, thread_id: str, hidden: Collection[str], horizon: datetime | None
) -> None:
    """Hide checkpoints by their keys, all of them at once; the mark goes when the thread does."""
    mark = {keys.hidden(thread_id): ormsgpack.packb(sorted(hidden))}
    await rows.put(scope, BESIDE, [mark], horizon)


async def unhide(rows: WideRows, scope: Scope, thread_id: str) -> None:
    """Let the checkpoints of a thread count, those that are there, all of them at once."""
    await rows.delete(scope, BESIDE, [keys.hidden(thread_id)])


def fitting(wanted: Sequence[str], limit: int) -> Iterator[list[str]]:
    """Return keys in lists that one mark can name, in their order."""
    some: list[str] = []
    size = _ROOM
    for key in wanted:
        if some and size + len(key) + _ROOM > limit:
            yield some
            some, size = [], _ROOM
        some.append(key)
        size += len(key) + _ROOM
    if some:
        yield some


def _unpacked(mark: bytes | None) -> frozenset[str]:
    return frozenset() if mark is None else frozenset(ormsgpack.unpackb(mark))
