"""Erasures: what was removed, from where, and how far that has come."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from memwarden.model.erasure import ErasureState
from memwarden.server.representations.form import ASKED, SHOWN, Name


class StoreReport(BaseModel):
    """What became of it in one store; ``failure`` is the kind of the last error, null when it worked."""

    model_config = SHOWN

    name: str
    removed: int
    residue: int
    failure: str | None


class Erasure(BaseModel):
    """An erasure of everything about a user, or of one conversation; its receipt stands at an address of its own."""

    model_config = SHOWN

    id: Annotated[str, Field(examples=["01K0Z9V7Y2M4Q8R6T5W3X1A0BC"])]
    at: datetime
    state: ErasureState
    removed: Annotated[dict[str, int], Field(examples=[{"memory": 12, "proposal": 1}])]
    residue: Annotated[int, Field(description="What a second look found; 0 unless something is wrong.")]
    stores: list[StoreReport]
    withheld: int
    conversation_id: str | None
    completed_at: datetime | None


class TenantErasure(BaseModel):
    """An erasure of a whole tenant."""

    model_config = SHOWN

    id: str
    at: datetime
    users: int
    residue: int
    state: ErasureState
    stores: list[StoreReport]
    completed_at: datetime | None


class ForgetMe(BaseModel):
    """What is to be erased: everything, or one conversation."""

    model_config = ASKED

    what: Literal["everything", "conversation"]
    conversation_id: Name | None = None


class ForgetTenant(BaseModel):
    """The tenant that is to be erased, which must be the caller's own; said again, so that it is no slip."""

    model_config = ASKED

    tenant_id: Name
