"""Proposals: candidates that wait for the user's yes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden.model.record import NO_EVIDENCE, Evidence, MemoryType
from memwarden.model.scope import Scope


class ProposalStatus(StrEnum):
    """Where a proposal is in its life."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something that would be remembered if the user said yes; it never reaches a prompt.

    ``content`` is the sentence the user is asked about; it is emptied once the proposal is decided.
    ``reasons`` are the guard's codes for asking. ``expires_at`` is when it stops waiting.
    ``memory_id`` is the record a confirmation wrote; ``replaces`` the record it would correct.
    """

    scope: Scope
    id: str
    type: MemoryType
    content: str
    purpose: str
    reasons: tuple[str, ...]
    created_at: datetime
    expires_at: datetime
    key: str | None = None
    status: ProposalStatus = ProposalStatus.PENDING
    evidence: Evidence = NO_EVIDENCE
    decided_at: datetime | None = None
    memory_id: str | None = None
    replaces: str | None = None
    fingerprint: str = ""
    """A keyed hash of the words, by which a declined one is known again."""
