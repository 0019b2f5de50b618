"""Consent: a user's decisions."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from memwarden.memory.consent import Decided as Decision
from memwarden.model.consent import MAX_PURPOSE
from memwarden.server.representations.form import ASKED, NO_NUL, SHOWN, Name

Purpose = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_PURPOSE, pattern=NO_NUL),
    Field(examples=["Answer in the user's language."]),
]


class Consent(BaseModel):
    """One decision about one purpose, everywhere or in one conversation."""

    model_config = SHOWN

    id: str
    purpose: str
    granted: bool
    notice: str
    at: datetime
    conversation_id: str | None


class Grant(BaseModel):
    """The user agrees, having been shown a version of the notice."""

    model_config = ASKED

    purpose: Purpose
    notice: Annotated[Name, Field(examples=["2026-03"])]


class Withdrawal(BaseModel):
    """The user no longer agrees; ``erase`` empties what was kept for the purpose."""

    model_config = ASKED

    purpose: Purpose
    erase: bool = False


class MemorySwitch(BaseModel):
    """Memory on or off, everywhere or in one conversation; ``erase`` also empties every memory when it goes off."""

    model_config = ASKED

    on: bool
    conversation_id: Name | None = None
    erase: bool = False


class Decided(BaseModel):
    """The decision that was recorded, and the ids of the memories that were emptied with it."""

    consent: Consent
    erased: list[str] = []


def decided(decision: Decision) -> Decided:
    """Return a decision as it is shown."""
    return Decided(consent=Consent.model_validate(decision.consent), erased=list(decision.erased))
