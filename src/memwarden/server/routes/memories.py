"""Memories: list, look at, remember, correct, forget; the profile and the episodes among them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response

from memwarden.errors import NotFoundError
from memwarden.memory.user import UserMemory
from memwarden.model.outcome import Outcome
from memwarden.model.outcome import Remembered as Result
from memwarden.model.record import MemoryRecord, MemoryType
from memwarden.model.verdict import Origin
from memwarden.server.access import OwnMemory, Verified
from memwarden.server.caller import Caller, Role
from memwarden.server.pages import MOST, Page, Paged, Paging
from memwarden.server.problems import ProblemError, forbidden
from memwarden.server.record_version import IfMatch, etag, require_version
from memwarden.server.representations.form import RecordId
from memwarden.server.representations.memory import Correction, Forgotten, Memory, Remembered, ToRemember
from memwarden.server.representations.trace import Trace

router = APIRouter(prefix="/v1", tags=["memories"])

_UNKNOWN = "No such memory; list them to see their ids."
_STATUS = {Outcome.STORED: 201, Outcome.PROPOSED: 202, Outcome.REFUSED: 200}


@router.get("/memories")
async def list_memories(
    memory: OwnMemory,
    paging: Paged,
    as_of: Annotated[
        datetime | None, Query(description="What was remembered at this past instant, with its time zone.")
    ] = None,
    kind: Annotated[MemoryType | None, Query(alias="type", description="Of one type alone.")] = None,
) -> Page[Memory]:
    """List what is remembered, newest first; the newest 1,000 can be paged through."""
    return await _listed(memory, paging, lambda record: kind is None or record.type is kind, as_of)


@router.get("/profile")
async def profile(memory: OwnMemory, paging: Paged) -> Page[Memory]:
    """List what fills a slot of the profile."""
    return await _listed(memory, paging, lambda record: record.key is not None)


@router.get("/episodes")
async def list_episodes(memory: OwnMemory, paging: Paged) -> Page[Memory]:
    """List what was done for the user, newest first."""
    return await _listed(memory, paging, lambda record: record.type is MemoryType.EPISODE)


@router.post(
    "/memories",
    status_code=201,
    responses={
        200: {"model": Remembered, "description": "Refused, or known already and renewed."},
        202: {"model": Remembered, "description": "It waits for the user's yes."},
    },
)
async def remember(asked: ToRemember, memory: OwnMemory, caller: Verified, response: Response) -> Remembered:
    """Store, propose or refuse a sentence, and say which and why."""
    _require_truthful(caller, asked.origin)
    result = await memory.remember(asked.text, origin=asked.origin, evidence=asked.evidence.evidence())
    return _answer(result, response)


@router.get("/memories/{record_id}")
async def get_memory(record_id: RecordId, memory: OwnMemory, response: Response) -> Memory:
    """Return one memory; its ETag names the version."""
    record = (await memory.history(record_id))[0]
    if record.id != record_id:
        raise NotFoundError(_UNKNOWN)
    response.headers["ETag"] = etag(record)
    return Memory.model_validate(record)


@router.get("/memories/{record_id}/history")
async def history(record_id: RecordId, memory: OwnMemory, paging: Paged) -> Page[Memory]:
    """Return a memory and the versions it replaced, newest first."""
    return _page(await memory.history(record_id), paging)


@router.get("/memories/{record_id}/answers")
async def used_in(record_id: RecordId, memory: OwnMemory, paging: Paged) -> Page[Trace]:
    """List the answers that a memory was in the prompt of, newest first; also once it was forgotten."""
    rows = await memory.used_in(record_id, limit=MOST)
    return paging.page(rows, lambda trace: trace.id, Trace.model_validate)


@router.post(
    "/memories/{record_id}/corrections",
    status_code=201,
    responses={
        200: {"model": Remembered, "description": "Refused; the old wording stays."},
        202: {
            "model": Remembered,
            "description": "It waits for the user's yes; the old wording stays until then.",
        },
    },
)
async def correct(
    record_id: RecordId, asked: Correction, memory: OwnMemory, response: Response, if_match: IfMatch = None
) -> Remembered:
    """Put the user's new wording in the place of a memory."""
    await require_version(memory, record_id, if_match)
    return _answer(await memory.correct(record_id, asked.text), response)


@router.delete("/memories/{record_id}")
async def forget(record_id: RecordId, memory: OwnMemory, if_match: IfMatch = None) -> Forgotten:
    """Empty a memory and its older versions."""
    await require_version(memory, record_id, if_match)
    return Forgotten(forgotten=list(await memory.forget(record_id)))


def _answer(result: Result, response: Response) -> Remembered:
    response.status_code = 200 if result.renewed else _STATUS[result.outcome]
    if result.record is not None:
        response.headers["ETag"] = etag(result.record)
    return Remembered.model_validate(result)


def _require_truthful(caller: Caller, origin: Origin) -> None:
    """Raise unless the caller may say that the words are the application's."""
    if origin is Origin.SYSTEM and (Role.SERVICE not in caller.roles or caller.acting_for is None):
        raise ProblemError(forbidden("Words of the application come from a service that acts for the user."))


async def _listed(
    memory: UserMemory, paging: Paging, wanted: Callable[[MemoryRecord], bool], as_of: datetime | None = None
) -> Page[Memory]:
    rows = await memory.memories(as_of=as_of, limit=MOST)
    return _page([record for record in rows if wanted(record)], paging)


def _page(rows: list[MemoryRecord], paging: Paging) -> Page[Memory]:
    return paging.page(rows, lambda record: record.id, Memory.model_validate)
