"""Legal holds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from memwarden.server.representations.form import ASKED, SHOWN, Name


class LegalHold(BaseModel):
    """An order to keep what there is about somebody; ``released_at`` is null while it stands."""

    model_config = SHOWN

    id: str
    reference: str
    placed_at: datetime
    released_at: datetime | None


class ToHold(BaseModel):
    """The case that a hold serves."""

    model_config = ASKED

    reference: Annotated[Name, Field(examples=["case 7"])]
