"""Legal holds: orders to keep what there is about somebody."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class LegalHold:
    """One order; ``reference`` is the case it serves, ``released_at`` null while it stands.

    While one stands nothing of the user's is purged, and what is forgotten or erased is put where neither
    the application nor a prompt can reach it.
    """

    scope: Scope
    id: str
    reference: str
    placed_at: datetime
    released_at: datetime | None = None
