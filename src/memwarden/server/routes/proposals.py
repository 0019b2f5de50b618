"""Proposals: list, put forward, confirm, decline."""

from __future__ import annotations

from fastapi import APIRouter, Response

from memwarden.model.outcome import Outcome
from memwarden.model.record import Evidence
from memwarden.server.access import OwnMemory
from memwarden.server.pages import MOST, Page, Paged
from memwarden.server.representations.form import RecordId
from memwarden.server.representations.memory import Memory, Remembered
from memwarden.server.representations.proposal import Confirmation, Proposal, ToPropose

router = APIRouter(prefix="/v1/proposals", tags=["proposals"])


@router.get("")
async def list_proposals(memory: OwnMemory, paging: Paged) -> Page[Proposal]:
    """List what waits for the user's yes, oldest first."""
    rows = await memory.proposals(limit=MOST)
    return paging.page(rows, lambda proposal: proposal.id, Proposal.model_validate)


@router.post("", status_code=202, responses={200: {"model": Remembered, "description": "Refused."}})
async def propose(asked: ToPropose, memory: OwnMemory, response: Response) -> Remembered:
    """Put a statement to the user, who has to confirm it before it is remembered."""
    evidence = Evidence(asked.conversation_id, asked.message_id)
    result = await memory.propose(
        asked.statement, quote=asked.quote, message=asked.message, evidence=evidence
    )
    response.status_code = 202 if result.outcome is Outcome.PROPOSED else 200
    return Remembered.model_validate(result)


@router.post("/{proposal_id}/confirmation")
async def confirm(proposal_id: RecordId, memory: OwnMemory, asked: Confirmation | None = None) -> Memory:
    """Keep a proposal, because the user said yes."""
    edited = None if asked is None else asked.edited
    return Memory.model_validate(await memory.confirm(proposal_id, edited=edited))


@router.delete("/{proposal_id}", status_code=204)
async def decline(proposal_id: RecordId, memory: OwnMemory) -> None:
    """Drop a proposal and its words; nobody but the user brings it up again."""
    await memory.decline(proposal_id)
