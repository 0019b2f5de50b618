"""Audit events: who did what to whose memory, when and why, without its content."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden.model.scope import Scope


class Action(StrEnum):
    """What happened."""

    STORED = "stored"
    RENEWED = "renewed"
    """The same statement was made again; the record's dates moved, nothing was added."""
    SUPERSEDED = "superseded"
    PROPOSED = "proposed"
    REFUSED = "refused"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    FORGOTTEN = "forgotten"
    MERGED = "merged"
    """Two records said the same; the newer wording stays, and this one stepped aside for it."""
    PURGED = "purged"
    """It had expired, and was removed for good."""
    CONSENTED = "consented"
    """A purpose was agreed to; ``record_id`` is the decision's id, as for the next three."""
    WITHDRAWN = "withdrawn"
    SWITCHED_OFF = "switched_off"
    """Nothing more is to be remembered, everywhere or in one conversation."""
    SWITCHED_ON = "switched_on"
    ERASED = "erased"
    """Everything held about the user, or of one conversation, was removed; ``record_id`` is the erasure's."""
    COMPLETED = "completed"
    """An erasure reached every store, and a second look found nothing."""
    HELD = "held"
    """A legal hold was placed."""
    RELEASED = "released"
    EXPORTED = "exported"


class Actor(StrEnum):
    """Who caused it."""

    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One line of the append-only log; it never holds remembered or refused text.

    ``origin`` is where the words came from, ``reasons`` the guard's codes, ``record_id`` the memory
    or proposal it is about, null for a refusal. ``fingerprints`` name the secrets and identifiers of a
    refusal as "kind:" and a keyed hash.
    """

    scope: Scope
    id: str
    at: datetime
    actor: Actor
    action: Action
    origin: str
    reasons: tuple[str, ...] = ()
    record_id: str | None = None
    fingerprints: tuple[str, ...] = ()
