"""Which memories stood in the prompt of which answer."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from memwarden.server.representations.form import SHOWN
from memwarden.server.representations.memory import Memory


class Trace(BaseModel):
    """One answer, and the ids of the memories that were in its prompt."""

    model_config = SHOWN

    id: str
    answer_id: str
    at: datetime
    record_ids: list[str]
    conversation_id: str | None


class Why(BaseModel):
    """What an answer rested on; ``gone`` are the ids of memories that no longer exist at all."""

    model_config = SHOWN

    traces: list[Trace]
    records: list[Memory]
    gone: list[str]
