"""Exports: archives of everything held about a user."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from memwarden.server.representations.form import SHOWN


class Export(BaseModel):
    """An archive that waits to be fetched, until it expires."""

    model_config = SHOWN

    id: str
    created_at: datetime
    expires_at: datetime
