"""A thread in wide rows as its items are, behind the saver: to look for what nothing refers to, and to make copies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from memwarden.checkpoint import wide_items as items
from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.codec import content_name, unpacked_refs, unsqueezed
from memwarden.checkpoint.wide_rows import Lease, ThreadState, WideRows
from memwarden.model.checkpoint import ValueRow, WriteRow
from memwarden.model.scope import Scope

ALL = ("", "\x7f")
_LONG_AGO = datetime(2001, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class RawThread:
    """A thread's own item, every other item of it, and the keys of what the store keeps beside the user's threads."""

    state: ThreadState | None
    items: dict[str, bytes]
    beside: list[str]


async def raw(rows: WideRows, scope: Scope, thread_id: str) -> RawThread:
    """Read a thread."""
    return RawThread(
        await rows.state(scope, thread_id),
        dict(await rows.scan(scope, thread_id, *ALL)),
        await rows.keys(scope, "", *ALL),
    )


async def plant(rows: WideRows, scope: Scope, thread_id: str, thread: RawThread) -> None:
    """Put a thread that was read elsewhere."""
    assert thread.state is not None
    lease = Lease(scope, thread_id, uuid4().hex, _LONG_AGO + timedelta(seconds=1))
    await rows.put(scope, thread_id, [thread.items], thread.state.horizon)
    assert await rows.lease(lease, _LONG_AGO) is not None
    assert await rows.release(lease, thread.state)


def faults(thread: RawThread) -> list[str]:
    """Return what a thread has too much, and what it misses: nothing, where what is there is what checkpoints refer to."""
    if thread.state is None or thread.state.active_at is None:
        return [f"{key} without a thread" for key in (*thread.items, *thread.beside)]
    found, pieces = _whole(thread.items)
    checkpoints = [items.unpacked_checkpoint("", data) for data in found["c"].values()]
    values = {key: items.unpacked_value("", data) for key, data in found["v"].items()}
    writes = {key: items.unpacked_writes("", data) for key, data in found["w"].items()}
    used = {keys.value(c.ns, channel, str(v)) for c in checkpoints for channel, v in c.versions.items()}
    spaces = {keys.writes(c.ns, c.id, "") for c in checkpoints}
    parts = {keys.part_number(key): data for key, data in found["p"].items()}
    names = [
        (number, name) for data in found["n"].values() for name, number in items.unpacked_names(data).items()
    ]
    rows: list[ValueRow | WriteRow] = [*values.values(), *(w for some in writes.values() for w in some)]
    referred = {number for row in rows for number in unpacked_refs(row.refs)}
    there = {key for key in thread.items if key.startswith("x/")}
    return [
        *_differences("value", values, used),
        *(f"write {key} without a checkpoint" for key in writes if key[: key.rindex("/") + 1] not in spaces),
        *_differences("part", map(str, parts), map(str, referred)),
        *_differences("name", (str(number) for number, _ in names), map(str, parts)),
        *(f"two names of part {n}" for n, times in Counter(n for n, _ in names).items() if times > 1),
        *(f"two parts of one name: {t}" for t in Counter(n for _, n in names).values() if t > 1),
        *(
            f"another name of part {number}"
            for number, name in names
            if number in parts and content_name(unsqueezed(parts[number])) != name
        ),
        *(f"part {number} that was never counted" for number in parts if number > thread.state.parts),
        *_differences("piece", there, pieces),
        *(
            f"unknown {key}"
            for key in thread.items
            if key.partition("/")[0] not in found and key not in there
        ),
        *thread.beside,
    ]


def without_beside(thread: RawThread) -> RawThread:
    """Return a thread without what stands beside it, such as the marks of erasures."""
    return replace(thread, beside=[])


def _whole(raw_items: dict[str, bytes]) -> tuple[dict[str, dict[str, bytes]], set[str]]:
    """Return items by kind, put together where they are in pieces, and the keys of these pieces."""
    found: dict[str, dict[str, bytes]] = {kind: {} for kind in "cvwpn"}
    used: set[str] = set()
    for key, data in raw_items.items():
        kind = key.partition("/")[0]
        if kind not in found:
            continue
        mark = items.unpacked_pieces(data) if kind in "cvw" else None
        if mark is None:
            found[kind][key] = data
        else:
            own = [keys.piece(mark.digest, place) for place in range(mark.count)]
            used |= set(own)
            found[kind][key] = b"".join(raw_items.get(piece, b"") for piece in own)
    return found, used


def _differences(what: str, there: Iterable[str], wanted: Iterable[str]) -> list[str]:
    have, want = set(there), set(wanted)
    more = [f"{what} {key} that nothing refers to" for key in sorted(have - want)]
    return more + [f"{what} {key} is missing" for key in sorted(want - have)]
