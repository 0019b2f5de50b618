"""Forget me: erase, see how far it has come, fetch the receipt."""

from __future__ import annotations

from fastapi import APIRouter, Response

from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory.user import UserMemory
from memwarden.model.erasure import Erasure as Erased
from memwarden.server.access import Opened, OwnMemory
from memwarden.server.pages import MOST, Page, Paged
from memwarden.server.representations.erasure import Erasure, ForgetMe
from memwarden.server.representations.form import RecordId

router = APIRouter(prefix="/v1", tags=["erasure"])

RECEIPT = "application/jose"


@router.post("/erasures", status_code=201)
async def forget_me(asked: ForgetMe, memory: OwnMemory) -> Erasure:
    """Remove everything about the user, or one conversation, from every store, and look again."""
    if (asked.conversation_id is not None) is not (asked.what == "conversation"):
        raise InvalidInputError(
            "Name a conversation to have it forgotten, and none to have everything forgotten."
        )
    if asked.conversation_id is not None:
        return Erasure.model_validate(await memory.forget_conversation(asked.conversation_id))
    return Erasure.model_validate(await memory.forget_everything())


@router.get("/erasures")
async def list_erasures(memory: OwnMemory, paging: Paged) -> Page[Erasure]:
    """List what was erased, newest first, and how far it has come."""
    rows = await memory.erasures(limit=MOST)
    return paging.page(rows, lambda erasure: erasure.id, Erasure.model_validate)


@router.get("/erasures/{erasure_id}")
async def get_erasure(erasure_id: RecordId, memory: OwnMemory) -> Erasure:
    """Return one erasure."""
    return Erasure.model_validate(await _erased(memory, erasure_id))


@router.post("/erasures/{erasure_id}/attempts")
async def finish(erasure_id: RecordId, memory: OwnMemory) -> Erasure:
    """Take an erasure to the stores it has not reached yet, as the worker does on its own."""
    return Erasure.model_validate(await memory.finish_erasure(erasure_id))


@router.get(
    "/erasures/{erasure_id}/receipt",
    response_class=Response,
    responses={
        200: {"content": {RECEIPT: {"schema": {"type": "string"}}}, "description": "A JSON Web Signature."}
    },
)
async def receipt(erasure_id: RecordId, memory: OwnMemory) -> Response:
    """Return the signed receipt of an erasure."""
    erased = await _erased(memory, erasure_id)
    if not erased.receipt:
        raise NotFoundError("This erasure has no receipt yet.")
    return Response(erased.receipt, media_type=RECEIPT)


@router.get("/receipt-key")
async def receipt_key(memwarden: Opened) -> dict[str, str]:
    """Return the public key, a JSON Web Key, that receipts of this deployment are verified with."""
    return memwarden.receipt_key()


async def _erased(memory: UserMemory, erasure_id: str) -> Erased:
    found = next((e for e in await memory.erasures(limit=MOST) if e.id == erasure_id), None)
    if found is None:
        raise NotFoundError("No such erasure; list them to see their ids.")
    return found
