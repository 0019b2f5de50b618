"""Erasures: what was removed, from where, and what a second look found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol


class ErasureState(StrEnum):
    """How far an erasure has come."""

    UNFINISHED = "unfinished"
    """The rows are gone; stores elsewhere and the second look are still to come."""
    INCOMPLETE = "incomplete"
    """A store failed, or something was found again; it is tried again."""
    HELD = "held"
    """Done, but for what a legal hold keeps out of sight; complete once that is released."""
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is erased: a conversation of a user, everything about a user (no conversation), or a tenant (no user)."""

    tenant_id: str
    user_id: str | None = None
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """The erasure that came last before something began, or null; what began before the next one comes too late."""

    erasure_id: str | None


class Eraser(Protocol):
    """A store that Memwarden does not own and that takes part in erasures; both methods may be called again and again.

    Raise anything to say that it did not work: the erasure is then shown as incomplete and tried again.
    """

    @property
    def name(self) -> str:
        """What receipts call the store: 1 to 63 letters, digits, dots, dashes and underscores."""
        ...

    async def erase(self, subject: Subject) -> int:
        """Remove everything of the subject's; return how many things were removed."""
        ...

    async def residue(self, subject: Subject) -> int:
        """Look again, and return how many things of the subject's are still there."""
        ...


@dataclass(frozen=True, slots=True)
class StoreReport:
    """What became of an erasure in one store.

    ``removed`` and ``residue`` count things of that store. ``failure`` names the kind of error of the last
    attempt, without its text, and is null when it worked.
    """

    name: str
    removed: int
    residue: int
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was removed for "forget me", or for one conversation.

    ``removed`` counts rows by table; ``residue`` what a second look found in all stores, by owner and by
    fingerprints of the content (0 unless something is wrong); ``stores`` what became of it elsewhere;
    ``withheld`` the rows that a legal hold keeps out of sight. ``receipt`` is the signed receipt, empty
    until there is one.
    """

    id: str
    at: datetime
    removed: Mapping[str, int]
    residue: int
    state: ErasureState = ErasureState.COMPLETE
    stores: tuple[StoreReport, ...] = ()
    withheld: int = 0
    receipt: str = ""
    conversation_id: str | None = None
    completed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class TenantErasure:
    """What was removed for a whole tenant: its users, counted, and what became of it in stores elsewhere."""

    id: str
    at: datetime
    users: int
    residue: int
    state: ErasureState
    stores: tuple[StoreReport, ...] = ()
    receipt: str = ""
    completed_at: datetime | None = None
