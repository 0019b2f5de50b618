"""The archive of a conversation: what left the state of its graph, or its prompt, as rows. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class ArchiveKind(StrEnum):
    """What was put aside."""

    MESSAGE = "message"
    TOOL_RESULT = "tool_result"
    """What a tool answered, where it is too long for the prompt."""


@dataclass(frozen=True, slots=True)
class ArchivedRow:
    """One thing that was put aside: its kind, its id among those of its kind, and its content as it is kept.

    ``name`` is the tool's, for a tool's result; ``place`` orders what is in one conversation's archive.
    """

    kind: ArchiveKind
    id: str
    name: str
    content: bytes
    kept_at: datetime
    place: int
