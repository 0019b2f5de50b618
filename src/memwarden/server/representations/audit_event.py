"""Lines of the log."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from memwarden.model.audit import Action, Actor
from memwarden.server.representations.form import SHOWN


class AuditEvent(BaseModel):
    """Who did what, when and why; without its content."""

    model_config = SHOWN

    id: str
    at: datetime
    actor: Actor
    action: Action
    origin: str
    reasons: list[str]
    record_id: str | None
