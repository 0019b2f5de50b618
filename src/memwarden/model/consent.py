"""Consent: for which purposes a user lets themselves be remembered, since when, and against which notice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden.model.scope import Scope

MEMORY = "memory"
"""The purpose that stands for being remembered at all; withdrawn, nothing is written or read."""

MAX_PURPOSE = 200
BETWEEN = "; "
"""Between the purposes of a record that serves several."""


class ConsentMode(StrEnum):
    """What a deployment needs before it keeps a record."""

    NOTICE = "notice"
    """Users are told, and may withdraw: every purpose is open until its consent is withdrawn."""
    REQUIRED = "required"
    """No record of a purpose without the user's recorded consent to it."""


@dataclass(frozen=True, slots=True)
class Consent:
    """One decision of a user about one purpose; decisions are added, never changed.

    ``notice`` is the version of the notice the user was shown. ``conversation_id`` limits the decision to one
    conversation; null means everywhere.
    """

    scope: Scope
    id: str
    purpose: str
    granted: bool
    notice: str
    at: datetime
    conversation_id: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a user's decisions come to, for one conversation: memory on or off, and purposes granted or withdrawn.

    ``erasure_id`` names the latest erasure of everything about the user, null if there was none.
    """

    off: bool
    granted: frozenset[str]
    withdrawn: frozenset[str]
    erasure_id: str | None = None

    def allows(self, purpose: str, mode: ConsentMode) -> bool:
        """Tell whether a record kept for ``purpose`` may be written and read now."""
        if self.off:
            return False
        purposes = frozenset(purpose.split(BETWEEN))
        if purposes & self.withdrawn:
            return False
        return mode is ConsentMode.NOTICE or purposes <= self.granted
