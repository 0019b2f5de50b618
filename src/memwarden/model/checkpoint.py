"""What a checkpoint is made of when it is kept: parts, values, writes and a skeleton, each a row or an item. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Turn:
    """What a writer finds with its turn: the number of the thread's last part, and what it has to heed."""

    parts: int
    generation: int
    erasure_id: str | None


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a thread: its number, the hash of its bytes, and the bytes as they are kept."""

    number: int
    hash: bytes
    content: bytes


@dataclass(frozen=True, slots=True)
class ValueRow:
    """The value of a channel at a version, as references."""

    thread_id: str
    ns: str
    channel: str
    version: str
    form: int
    refs: bytes


@dataclass(frozen=True, slots=True)
class WriteRow:
    """What a task wrote to a channel after a checkpoint, as references."""

    thread_id: str
    ns: str
    checkpoint_id: str
    task_path: str
    task_id: str
    idx: int
    channel: str
    form: int
    refs: bytes


@dataclass(frozen=True, slots=True)
class CheckpointRow:
    """A checkpoint without its values."""

    thread_id: str
    ns: str
    id: str
    parent_id: str | None
    run_id: str
    facts: Mapping[str, Any]
    versions: Mapping[str, Any]
    skeleton: bytes


@dataclass(frozen=True, slots=True)
class Follows:
    """The checkpoint, or null for none, that has to be a graph's latest for what follows it to be written."""

    checkpoint_id: str | None


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one thread that are written together; parts are in the order of their numbers."""

    parts: Sequence[PartRow] = ()
    values: Sequence[ValueRow] = ()
    writes: Sequence[WriteRow] = ()
    checkpoints: Sequence[CheckpointRow] = ()
    replace_writes: bool = False
    follows: Follows | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """A checkpoint with its values and what was written after it, null where there is none, and the thread's fence."""

    fence: str | None
    checkpoint: CheckpointRow | None
    values: tuple[ValueRow, ...]
    writes: tuple[WriteRow, ...]


@dataclass(frozen=True, slots=True)
class Ancestor:
    """One checkpoint on the way back from another: what it holds of some channels, and what was written to them."""

    id: str
    values: Mapping[str, ValueRow]
    writes: tuple[WriteRow, ...]


def in_order(writes: Iterable[WriteRow]) -> tuple[WriteRow, ...]:
    """Return writes in the order in which they are applied."""
    return tuple(sorted(writes, key=lambda write: (write.task_path, write.task_id, write.idx)))
