"""What the verbs answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memwarden.model.proposal import Proposal
from memwarden.model.record import MemoryRecord
from memwarden.model.verdict import Reason


class Outcome(StrEnum):
    """What became of something that was to be remembered."""

    STORED = "stored"
    PROPOSED = "proposed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Remembered:
    """The decision about one candidate, with the reason codes and one sentence for the user.

    ``record`` is set when it was stored, ``proposal`` when it waits for the user's yes. ``renewed`` says
    that the very same statement was known and only its dates moved; ``superseded`` holds the ids of the
    records it took the place of.
    """

    outcome: Outcome
    reasons: tuple[Reason, ...]
    explanation: str
    record: MemoryRecord | None = None
    proposal: Proposal | None = None
    renewed: bool = False
    superseded: tuple[str, ...] = ()
