"""How parts and skeletons of one user are kept: serialised, compressed and, where there is a sealer, encrypted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata

from memwarden.checkpoint.codec import (
    Encoder,
    Serde,
    content_name,
    squeezed,
    unpacked_refs,
    unsqueezed,
    unsqueezer,
)
from memwarden.checkpoint.sealer import MARK, Kind, Place, Sealer
from memwarden.checkpoint.serialised import Serialised
from memwarden.checkpoint.skeleton import facts_of, packed, unpacked
from memwarden.errors import SealError
from memwarden.model.checkpoint import CheckpointRow, ValueRow, WriteRow
from memwarden.model.scope import Scope

Row = TypeVar("Row", ValueRow, WriteRow)

SEAL_BYTES = 256
"""Room that a part leaves in an item for what a seal adds to it."""


class Keeping:
    """Turns what a graph holds into bytes to keep, and back."""

    def __init__(
        self, scope: Scope, serde: Serde, sealer: Sealer | None, serialised: Serialised | None = None
    ) -> None:
        self.serde = serde
        self._serialised = serialised or Serialised()
        self._scope = scope
        self._sealer = sealer

    def encoder(self, thread_id: str, limit: int) -> Encoder:
        """Return an encoder for values of a thread."""
        sealer = self._sealer
        if sealer is None:
            return Encoder(self.serde, limit, content_name, self._serialised.parts)

        def name(raw: bytes) -> bytes:
            return sealer.name(raw, self._scope, thread_id)

        return Encoder(self.serde, limit - SEAL_BYTES, name, self._serialised.parts)

    def part(self, thread_id: str, number: int, raw: bytes) -> bytes:
        """Return a part as it is kept under its number."""
        return self._sealed(squeezed(raw), thread_id, Kind.PART, str(number))

    def parts(self, thread_id: str, kept: Mapping[int, bytes]) -> dict[int, bytes]:
        """Return parts as they were before they were kept."""
        unpack = unsqueezer()
        return {
            number: unpack(self._opened(part, thread_id, Kind.PART, str(number)))
            for number, part in kept.items()
        }

    def skeleton(
        self, thread_id: str, ns: str, checkpoint: Checkpoint, metadata: CheckpointMetadata
    ) -> bytes:
        """Return a checkpoint without its values, and its metadata, as they are kept."""
        kept = squeezed(packed(checkpoint, metadata, self.serde))
        return self._sealed(kept, thread_id, Kind.CHECKPOINT, ns, checkpoint["id"])

    def read(self, row: CheckpointRow) -> tuple[dict[str, Any], CheckpointMetadata]:
        """Return a checkpoint without its values, and its metadata."""
        kept = self._opened(row.skeleton, row.thread_id, Kind.CHECKPOINT, row.ns, row.id)
        return unpacked(unsqueezed(kept), self.serde)

    def moved_part(self, number: int, kept: bytes, source: str, new_number: int, target: str) -> bytes:
        """Return a kept part as it is kept in another thread."""
        if self._sealer is None:
            return kept
        opened = self._opened(kept, source, Kind.PART, str(number))
        return self._sealed(opened, target, Kind.PART, str(new_number))

    def moved_name(self, number: int, kept: bytes, name: bytes, source: str, target: str) -> bytes:
        """Return the name that a kept part has in another thread."""
        if self._sealer is None:
            return name
        raw = self.parts(source, {number: kept})[number]
        return self._sealer.name(raw, self._scope, target)

    def moved_skeleton(self, row: CheckpointRow, target: str) -> bytes:
        """Return the kept skeleton of a checkpoint as it is kept in another thread."""
        if self._sealer is None:
            return row.skeleton
        opened = self._opened(row.skeleton, row.thread_id, Kind.CHECKPOINT, row.ns, row.id)
        return self._sealed(opened, target, Kind.CHECKPOINT, row.ns, row.id)

    def archived(self, thread_id: str, kind: str, name: str, raw: bytes) -> bytes:
        """Return something of a thread's archive as it is kept."""
        return self._sealed(squeezed(raw), thread_id, Kind.ARCHIVE, kind, name)

    def unarchived(self, thread_id: str, kind: str, name: str, kept: bytes) -> bytes:
        """Return something of a thread's archive as it was before it was kept."""
        return unsqueezed(self._opened(kept, thread_id, Kind.ARCHIVE, kind, name))

    def facts(self, metadata: Mapping[str, Any]) -> dict[str, Any]:
        """Return what of the metadata the database may search: nothing, where they are sealed."""
        return {} if self._sealer is not None else facts_of(metadata)

    def sealed_refs(self, row: Row) -> Row:
        """Return a value or a write with its references as they are kept."""
        return replace(row, refs=self._sealed(row.refs, row.thread_id, *_name_of_refs(row)))

    def refs(self, row: ValueRow | WriteRow) -> list[int]:
        """Return the numbers of the parts that a value or a write is made of."""
        return unpacked_refs(self._opened(row.refs, row.thread_id, *_name_of_refs(row)))

    def _sealed(self, kept: bytes, thread_id: str, kind: Kind, *name: str) -> bytes:
        if self._sealer is None:
            return kept
        return self._sealer.seal(kept, self._place(thread_id, kind, name))

    def _opened(self, kept: bytes, thread_id: str, kind: Kind, *name: str) -> bytes:
        if self._sealer is not None:
            return self._sealer.open(kept, self._place(thread_id, kind, name))
        if kept[:1] == MARK:
            raise SealError(
                "The checkpoints are encrypted; set MEMWARDEN_CHECKPOINT_KEYS to the keys they were sealed with."
            )
        return kept

    def _place(self, thread_id: str, kind: Kind, name: tuple[str, ...]) -> Place:
        return Place(self._scope.tenant_id, self._scope.user_id, thread_id, kind, name)


def _name_of_refs(row: ValueRow | WriteRow) -> tuple[Kind, *tuple[str, ...]]:
    """Return what tells the references of a value or a write from all others of the thread."""
    if isinstance(row, ValueRow):
        return (Kind.VALUE, row.ns, row.channel, row.version, str(row.form))
    place = (row.ns, row.checkpoint_id, row.task_path, row.task_id, str(row.idx))
    return (Kind.WRITE, *place, row.channel, str(row.form))
