"""Memories, and what became of something that was to be one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from memwarden.model.outcome import Outcome
from memwarden.model.record import Evidence, Json, MemoryType, Source, Status
from memwarden.model.verdict import Origin, Reason
from memwarden.server.representations.form import ASKED, SHOWN, Name, Text
from memwarden.server.representations.proposal import Proposal


class Place(BaseModel):
    """Where in a conversation something was said."""

    model_config = SHOWN | ASKED

    conversation_id: Name | None = None
    message_id: Name | None = None

    def evidence(self) -> Evidence:
        """Return it as the library has it."""
        return Evidence(self.conversation_id, self.message_id)


class Memory(BaseModel):
    """One thing that is remembered; ``details`` is its structured part, as an episode has one."""

    model_config = SHOWN

    id: Annotated[str, Field(examples=["01K0Z9V7Y2M4Q8R6T5W3X1A0BC"])]
    type: MemoryType
    key: Annotated[
        str | None, Field(description="The profile slot; null for free text.", examples=["language"])
    ]
    content: Annotated[str, Field(examples=["Prefers replies in Telugu"])]
    details: dict[str, Json]
    source: Source
    status: Status
    purpose: Annotated[str, Field(examples=["Answer in the user's language."])]
    evidence: Place
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    last_used_at: datetime | None
    superseded_by: str | None


class ToRemember(BaseModel):
    """A sentence to be remembered."""

    model_config = ASKED

    text: Annotated[Text, Field(examples=["I prefer replies in Telugu"])]
    origin: Annotated[
        Origin,
        Field(
            description="Whose words they are. `system` is for services; what is not the user's own is refused."
        ),
    ] = Origin.USER_TURN
    evidence: Place = Place()


class Correction(BaseModel):
    """The new wording of a memory, or for a slot its bare new value."""

    model_config = ASKED

    text: Annotated[Text, Field(examples=["Hindi"])]


class Remembered(BaseModel):
    """What became of it, and why: stored, put to the user as a proposal, or refused."""

    model_config = SHOWN

    outcome: Outcome
    reasons: list[Reason]
    explanation: Annotated[str, Field(examples=["Kept as your language."])]
    record: Memory | None
    proposal: Proposal | None
    renewed: Annotated[bool, Field(description="It was known, and only its dates moved.")]
    superseded: Annotated[list[str], Field(description="Ids of the memories it took the place of.")]


class Forgotten(BaseModel):
    """The ids of the memory and of its older versions, which are empty now."""

    forgotten: list[str]
