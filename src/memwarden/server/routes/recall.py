"""Recall: what bears on a question."""

from __future__ import annotations

from fastapi import APIRouter

from memwarden.server.access import OwnMemory
from memwarden.server.representations.recall import Question, Recalled, recalled

router = APIRouter(prefix="/v1", tags=["recall"])


@router.post("/recall")
async def recall(asked: Question, memory: OwnMemory) -> Recalled:
    """Return the profile and the memories that bear on a question; the question is not kept."""
    found = await memory.recall(asked.query, limit=asked.limit, conversation_id=asked.conversation_id)
    return recalled(found)
