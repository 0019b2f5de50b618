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

_ROOM = 9
"""Bytes around the keys on a page, and before each of them."""


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
    names = await _named(rows, scope, {thread_id: found[hidden]} if hidden in found else {})
    return Marks(fence if len(fence) > 1 else None, names.get(thread_id, frozenset()))


async def hidden_in(rows: WideRows, scope: Scope, thread_ids: Sequence[str]) -> Mapping[str, frozenset[str]]:
    """Return the keys of the hidden checkpoints of those threads that have any."""
    found = await rows.get(scope, BESIDE, [keys.hidden(thread_id) for thread_id in thread_ids])
    marks = {name: found[keys.hidden(name)] for name in thread_ids if keys.hidden(name) in found}
    return await _named(rows, scope, marks)


async def hide(
    rows: WideRows, scope: Scope, thread_id: str, hidden: Collection[str], horizon: datetime | None
) -> None:
    """Hide checkpoints by their keys, all of them at once; the mark goes when the thread does."""
    pages = list(_pages(sorted(hidden), rows.limit))
    names = {keys.hidden_page(thread_id, place): ormsgpack.packb(page) for place, page in enumerate(pages)}
    await rows.put(scope, BESIDE, [names, {keys.hidden(thread_id): str(len(pages)).encode()}], horizon)


async def unhide(rows: WideRows, scope: Scope, thread_id: str) -> None:
    """Let the checkpoints of a thread count, those that are there, all of them at once."""
    await rows.delete(scope, BESIDE, [keys.hidden(thread_id)])
    pages = await rows.keys(scope, BESIDE, *keys.hidden_pages(thread_id))
    if pages:
        await rows.delete(scope, BESIDE, pages)


async def _named(rows: WideRows, scope: Scope, marks: Mapping[str, bytes]) -> dict[str, frozenset[str]]:
    """Return the keys that the pages of marks name, by thread; a mark that lost one was just taken away."""
    pages = {
        thread_id: [keys.hidden_page(thread_id, place) for place in range(int(mark))]
        for thread_id, mark in marks.items()
    }
    found = await rows.get(scope, BESIDE, [page for some in pages.values() for page in some]) if pages else {}
    return {
        thread_id: frozenset(key for page in some for key in ormsgpack.unpackb(found[page]))
        for thread_id, some in pages.items()
        if found.keys() >= set(some)
    }


def _pages(hidden: Sequence[str], limit: int) -> Iterator[list[str]]:
    page: list[str] = []
    size = _ROOM
    for key in hidden:
        if page and size + len(key) + _ROOM > limit:
            yield page
            page, size = [], _ROOM
        page.append(key)
        size += len(key) + _ROOM
    yield page
