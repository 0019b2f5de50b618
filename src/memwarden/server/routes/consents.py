"""Consent: what the user agreed to, withdrew and switched."""

from __future__ import annotations

from fastapi import APIRouter

from memwarden.errors import InvalidInputError
from memwarden.memory.consent import Decided as Decision
from memwarden.server.access import OwnMemory
from memwarden.server.pages import MOST, Page, Paged
from memwarden.server.representations.consent import (
    Consent,
    Decided,
    Grant,
    MemorySwitch,
    Withdrawal,
    decided,
)

router = APIRouter(prefix="/v1", tags=["consent"])


@router.get("/consents")
async def list_consents(memory: OwnMemory, paging: Paged) -> Page[Consent]:
    """List the user's decisions, newest first."""
    rows = await memory.consents(limit=MOST)
    return paging.page(rows, lambda consent: consent.id, Consent.model_validate)


@router.post("/consents", status_code=201)
async def grant(asked: Grant, memory: OwnMemory) -> Consent:
    """Record that the user agreed to a purpose."""
    return Consent.model_validate(await memory.grant(asked.purpose, notice=asked.notice))


@router.post("/consents/withdrawals", status_code=201)
async def withdraw(asked: Withdrawal, memory: OwnMemory) -> Decided:
    """Record that the user no longer agrees: nothing of the purpose is written or read from now on."""
    return decided(await memory.withdraw(asked.purpose, erase=asked.erase))


@router.put("/memory-switch")
async def switch(asked: MemorySwitch, memory: OwnMemory) -> Decided:
    """Switch memory off, or on again."""
    if asked.on and asked.erase:
        raise InvalidInputError("What is switched on is not erased; switch memory off to erase it.")
    if asked.on:
        return decided(Decision(await memory.switch_on(conversation_id=asked.conversation_id)))
    return decided(await memory.switch_off(conversation_id=asked.conversation_id, erase=asked.erase))
