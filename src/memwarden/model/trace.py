"""Read traces: which records stood in the prompt of which answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class ReadTrace:
    """One model call: its answer's id, and the ids of the records that were in its prompt."""

    scope: Scope
    id: str
    answer_id: str
    at: datetime
    record_ids: tuple[str, ...]
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """What an answer rested on: its traces, and the records as they are now.

    A forgotten record is there without its words; ``gone`` are the ids of records that no longer exist at all.
    """

    traces: tuple[ReadTrace, ...]
    records: tuple[MemoryRecord, ...]
    gone: tuple[str, ...]
