"""What the items of a thread hold in wide rows, as bytes. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import ormsgpack

from memwarden.checkpoint.codec import HASH_BYTES
from memwarden.model.checkpoint import CheckpointRow, ValueRow, WriteRow


def packed_checkpoint(row: CheckpointRow) -> bytes:
    """Return a checkpoint without its values as bytes."""
    held = [row.ns, row.id, row.parent_id, row.run_id, dict(row.facts), dict(row.versions), row.skeleton]
    return ormsgpack.packb(held, option=ormsgpack.OPT_NON_STR_KEYS)


def unpacked_checkpoint(thread_id: str, data: bytes) -> CheckpointRow:
    """Return the checkpoint."""
    ns, id_, parent_id, run_id, facts, versions, skeleton = ormsgpack.unpackb(data)
    return CheckpointRow(thread_id, ns, id_, parent_id, run_id, facts, versions, skeleton)


def packed_value(row: ValueRow) -> bytes:
    """Return a value as bytes."""
    return ormsgpack.packb([row.ns, row.channel, row.version, row.form, row.refs])


def unpacked_value(thread_id: str, data: bytes) -> ValueRow:
    """Return the value."""
    return ValueRow(thread_id, *ormsgpack.unpackb(data))


def packed_writes(writes: Sequence[WriteRow]) -> bytes:
    """Return all that one task wrote after a checkpoint as bytes."""
    one = writes[0]
    held = [[w.task_path, w.idx, w.channel, w.form, w.refs] for w in writes]
    return ormsgpack.packb([one.ns, one.checkpoint_id, one.task_id, held])


def unpacked_writes(thread_id: str, data: bytes) -> list[WriteRow]:
    """Return what the task wrote."""
    ns, checkpoint_id, task_id, held = ormsgpack.unpackb(data)
    return [
        WriteRow(thread_id, ns, checkpoint_id, path, task_id, idx, channel, form, refs)
        for path, idx, channel, form, refs in held
    ]


def merged_writes(there: Sequence[WriteRow], new: Sequence[WriteRow], *, replace: bool) -> list[WriteRow]:
    """Return what a task wrote before and now; what it wrote before stays, unless it is to be replaced."""
    first, then = (there, new) if replace else (new, there)
    return list({write.idx: write for write in (*first, *then)}.values())


def packed_names(names: Mapping[int, bytes]) -> bytes:
    """Return the names of parts by their numbers as bytes."""
    return b"".join(number.to_bytes(8, "big") + name for number, name in names.items())


def unpacked_names(data: bytes) -> dict[bytes, int]:
    """Return the numbers of parts by their names."""
    size = 8 + HASH_BYTES
    rows = [data[start : start + size] for start in range(0, len(data), size)]
    return {row[8:]: int.from_bytes(row[:8], "big") for row in rows}


@dataclass(frozen=True, slots=True)
class Pieces:
    """What stands in the place of an item that is larger than the store takes: whose pieces, and how many."""

    digest: str
    count: int


def in_pieces(data: bytes, limit: int) -> tuple[Pieces, list[bytes]]:
    """Return what stands in the place of an item's bytes, and the pieces."""
    pieces = [data[start : start + limit] for start in range(0, len(data), limit)]
    return Pieces(hashlib.blake2b(data, digest_size=HASH_BYTES).hexdigest(), len(pieces)), pieces


def packed_pieces(pieces: Pieces) -> bytes:
    """Return bytes that stand in the place of an item."""
    return ormsgpack.packb({pieces.digest: pieces.count})


def unpacked_pieces(data: bytes) -> Pieces | None:
    """Return in whose place an item stands, or null for one that is whole; for checkpoints, values and writes."""
    if data[:1] != _MAP:
        return None
    held = cast("dict[str, int]", ormsgpack.unpackb(data))
    return Pieces(*next(iter(held.items())))


_MAP = b"\x81"
"""How the bytes of a map of one entry begin in MessagePack; those of our lists begin otherwise."""
