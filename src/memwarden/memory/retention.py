"""How long each kind of thing is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memwarden.model.record import MemoryType


@dataclass(frozen=True, slots=True)
class Retention:
    """The longest time each type of record lives after it was last stated, and a proposal waits."""

    preference: timedelta = timedelta(days=365)
    fact: timedelta = timedelta(days=365)
    episode: timedelta = timedelta(days=180)
    proposal: timedelta = timedelta(days=14)

    def expiry(self, type_: MemoryType, now: datetime) -> datetime:
        """Return the instant from which a record of ``type_`` stated at ``now`` is no longer recalled."""
        match type_:
            case MemoryType.PREFERENCE:
                return now + self.preference
            case MemoryType.FACT:
                return now + self.fact
            case MemoryType.EPISODE:
                return now + self.episode
