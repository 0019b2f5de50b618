"""Proposals: what waits for the user's yes."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from memwarden.model.proposal import ProposalStatus
from memwarden.model.record import MemoryType
from memwarden.server.representations.form import ASKED, SHOWN, Name, Text


class Proposal(BaseModel):
    """Something that would be remembered if the user said yes."""

    model_config = SHOWN

    id: Annotated[str, Field(examples=["01K0Z9V7Y2M4Q8R6T5W3X1A0BC"])]
    type: MemoryType
    key: str | None
    content: Annotated[str, Field(examples=["Has two cats"])]
    purpose: str
    reasons: list[str]
    status: ProposalStatus
    created_at: datetime
    expires_at: datetime
    replaces: Annotated[str | None, Field(description="Id of the memory it would correct.")]


class ToPropose(BaseModel):
    """A statement somebody else worded, with the words of the user's message that bear it out."""

    model_config = ASKED

    statement: Annotated[Text, Field(examples=["Has two cats"])]
    quote: Annotated[Text, Field(examples=["my two cats"])]
    message: Annotated[Text, Field(examples=["I must be home at six to feed my two cats."])]
    conversation_id: Name | None = None
    message_id: Name | None = None


class Confirmation(BaseModel):
    """The user's yes; ``edited`` are their own words where they changed them."""

    model_config = ASKED

    edited: Text | None = None
