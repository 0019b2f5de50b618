"""Why an answer was as it was."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from memwarden.server.access import OwnMemory
from memwarden.server.representations.form import Name
from memwarden.server.representations.trace import Why

router = APIRouter(prefix="/v1/answers", tags=["traces"])


@router.get("/{answer_id}/why")
async def why(answer_id: Annotated[Name, Path()], memory: OwnMemory) -> Why:
    """Return the memories that were in an answer's prompt."""
    return Why.model_validate(await memory.why(answer_id))
