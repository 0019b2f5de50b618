"""Episodes: the structured part of a record about a task that was carried out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.model.record import Json


@dataclass(frozen=True, slots=True)
class Episode:
    """What was done for the user and how it ended; kept in `MemoryRecord.details`.

    ``task_type`` names the kind of task ("leave_request"), ``actions`` what was done in order,
    ``result`` how it ended, ``occurred_at`` when (UTC), ``follow_up`` what is still open, or null.
    """

    task_type: str
    actions: tuple[str, ...]
    result: str
    occurred_at: datetime
    follow_up: str | None = None

    def as_details(self) -> dict[str, Json]:
        """Return the episode as the JSON object that a record's ``details`` holds."""
        return {
            "task_type": self.task_type,
            "actions": list(self.actions),
            "result": self.result,
            "occurred_at": self.occurred_at.isoformat(),
            "follow_up": self.follow_up,
        }
