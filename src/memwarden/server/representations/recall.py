"""What was recalled for a question."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from memwarden.memory.recall import DEFAULT_LIMIT, MAX_LIMIT
from memwarden.memory.recall import Recall as Found
from memwarden.server.representations.form import ASKED, Name, Text
from memwarden.server.representations.memory import Memory


class Question(BaseModel):
    """A question; without one, the profile alone is recalled."""

    model_config = ASKED

    query: Annotated[Text | None, Field(examples=["Which language should I answer in?"])] = None
    limit: Annotated[int, Field(ge=0, le=MAX_LIMIT)] = DEFAULT_LIMIT
    conversation_id: Name | None = None


class Recalled(BaseModel):
    """The profile, the memories that bear on the question, best first, and the section a prompt would have of them."""

    profile: list[Memory]
    memories: list[Memory]
    section: Annotated[str, Field(description="Delimited and quoted; empty when nothing was recalled.")]
    at: datetime


def recalled(found: Found) -> Recalled:
    """Return what was recalled as it is shown."""
    return Recalled(
        profile=[Memory.model_validate(record) for record in found.profile],
        memories=[Memory.model_validate(ranked.record) for ranked in found.memories],
        section=found.render(),
        at=found.at,
    )
