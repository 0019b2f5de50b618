"""Two checkpoints compared, without keeping what they hold: a hash of each and of every write after it. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Any

from langgraph.checkpoint.base import WRITES_IDX_MAP, Checkpoint, CheckpointMetadata, PendingWrite
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memwarden.checkpoint.codec import Serde

_PLAIN = JsonPlusSerializer(allowed_msgpack_modules=None)
"""Writes any value the same way each time; nothing is read with it."""


class Ahead(Flag):
    """Which of two copies has more, or what stands between them; nothing where they are equal."""

    NOBODY = 0
    SOURCE = auto()
    TARGET = auto()
    ASKED_OTHERWISE = auto()
    """An error, an interrupt or a resume is another: one of them went on, and by itself this does not say which."""
    APART = auto()
    """They differ in what never changes once it is saved."""


@dataclass(frozen=True, slots=True)
class Print:
    """Hashes of a checkpoint with its metadata and parent, and of its writes as (task, channel, hash), in their order."""

    body: bytes
    writes: tuple[tuple[str, str, bytes], ...]


def print_of(
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    parent_id: str | None,
    writes: Iterable[PendingWrite],
    through: Serde | None = None,
) -> Print:
    """Return the hashes of a checkpoint.

    ``through`` is the serialiser of the saver it is going to be kept in: values count as what they come back as from there.
    """

    def plain(value: object) -> tuple[str, bytes]:
        return _PLAIN.dumps_typed(
            value if through is None else through.loads_typed(through.dumps_typed(value))
        )

    bare = {name: held for name, held in checkpoint.items() if name != "channel_values"}
    values = checkpoint["channel_values"]
    body = [plain(_in_order([bare, dict(metadata), parent_id]))]
    body += [plain(held) for name in sorted(values) for held in (name, values[name])]
    return Print(
        _hash(body), tuple((task, channel, _hash([plain(value)])) for task, channel, value in writes)
    )


def compared(source: Print, target: Print) -> Ahead:
    """Return which of two copies of one checkpoint has more."""
    if source.body != target.body:
        return Ahead.APART
    if source.writes == target.writes:
        return Ahead.NOBODY
    theirs, ours = _by_task(source), _by_task(target)
    both = [task for task in theirs if task in ours]
    found = Ahead.NOBODY if both == [task for task in ours if task in theirs] else Ahead.APART
    for task in theirs.keys() | ours.keys():
        found |= _of_task(theirs.get(task, []), ours.get(task, []))
    return found


def _of_task(theirs: Sequence[tuple[str, bytes]], ours: Sequence[tuple[str, bytes]]) -> Ahead:
    return _in_turn(_regular(theirs), _regular(ours)) | _replaced(_special(theirs), _special(ours))


def _in_turn(theirs: Sequence[object], ours: Sequence[object]) -> Ahead:
    """Compare what stays as it was first written: the shorter has to be how the longer begins."""
    shared = min(len(theirs), len(ours))
    if theirs[:shared] != ours[:shared]:
        return Ahead.APART
    return _more(len(theirs) > shared, len(ours) > shared)


def _replaced(theirs: Mapping[str, bytes], ours: Mapping[str, bytes]) -> Ahead:
    """Compare what a later write takes the place of."""
    found = _more(bool(theirs.keys() - ours.keys()), bool(ours.keys() - theirs.keys()))
    if any(theirs[channel] != ours[channel] for channel in theirs.keys() & ours.keys()):
        found |= Ahead.ASKED_OTHERWISE
    return found


def _more(source: bool, target: bool) -> Ahead:
    return (Ahead.SOURCE if source else Ahead.NOBODY) | (Ahead.TARGET if target else Ahead.NOBODY)


def _by_task(found: Print) -> dict[str, list[tuple[str, bytes]]]:
    tasks: dict[str, list[tuple[str, bytes]]] = {}
    for task, channel, held in found.writes:
        tasks.setdefault(task, []).append((channel, held))
    return tasks


def _regular(writes: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    return [write for write in writes if write[0] not in WRITES_IDX_MAP]


def _special(writes: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    return {channel: held for channel, held in writes if channel in WRITES_IDX_MAP}


def _in_order(value: Any) -> Any:  # noqa: ANN401 - LangGraph's own bookkeeping, of any shape
    """Return a value whose mappings are in the order of their keys: JSON columns do not keep the order they were given."""
    if isinstance(value, Mapping):
        return {key: _in_order(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [_in_order(item) for item in value]
    return value


def _hash(parts: Iterable[tuple[str, bytes]]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for name, data in parts:
        digest.update(len(name).to_bytes(4, "big") + name.encode() + len(data).to_bytes(8, "big") + data)
    return digest.digest()
