"""What checkpoints need of whoever encrypts them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memwarden.model.scope import Scope

MARK = b"\xc1"
"""The first byte of everything sealed, and of nothing else that is kept; another format takes another byte."""


class Kind(StrEnum):
    """What is sealed."""

    PART = "part"
    CHECKPOINT = "checkpoint"
    VALUE = "value"
    WRITE = "write"
    ARCHIVE = "archive"
    """What left the conversation's state, and is no part of a checkpoint any more."""


@dataclass(frozen=True, slots=True)
class Place:
    """What a sealed thing is bound to: it opens here, and nowhere else."""

    tenant_id: str
    user_id: str
    thread_id: str
    kind: Kind
    name: tuple[str, ...]
    """What tells it from others of its kind: a part's number, a checkpoint's namespace and id, what references are of, what kind of thing
    an archived one is and its id."""


class Sealer(Protocol):
    """Encrypts bytes for a place, and gives parts names that tell nobody without the key what they hold."""

    def seal(self, data: bytes, place: Place) -> bytes:
        """Return bytes that can be opened at this place only."""
        ...

    def open(self, sealed: bytes, place: Place) -> bytes:
        """Return what was sealed here; raise for anything else."""
        ...

    def name(self, data: bytes, scope: Scope, thread_id: str) -> bytes:
        """Return a name of 16 bytes, equal for equal bytes of one thread."""
        ...
