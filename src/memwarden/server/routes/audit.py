"""The log about the user themselves."""

from __future__ import annotations

from fastapi import APIRouter

from memwarden.server.access import OwnMemory
from memwarden.server.pages import MOST, Page, Paged
from memwarden.server.representations.audit_event import AuditEvent

router = APIRouter(prefix="/v1/audit", tags=["audit"])


@router.get("")
async def list_events(memory: OwnMemory, paging: Paged) -> Page[AuditEvent]:
    """List what was done with the user's memory, newest first; the latest 1,000 can be paged through."""
    rows = await memory.audit(limit=MOST)
    return paging.page(rows, lambda event: event.id, AuditEvent.model_validate)
