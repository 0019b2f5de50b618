"""Exports: have everything written to an archive, and fetch it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import FileResponse

from memwarden.memory.exports import waiting_export, waiting_exports
from memwarden.server.access import Opened, OwnMemory
from memwarden.server.pages import Page, Paged
from memwarden.server.representations.export import Export
from memwarden.server.representations.form import RecordId

router = APIRouter(prefix="/v1/exports", tags=["export"])

ZIP = "application/zip"


@router.post("", status_code=201)
async def export(memory: OwnMemory, memwarden: Opened) -> Export:
    """Write everything held about the user to an archive, which waits here until it expires or is erased."""
    written = await memory.export()
    return Export.model_validate(
        await waiting_export(memwarden.dependencies, memory.scope, written.path.stem)
    )


@router.get("")
async def list_exports(memory: OwnMemory, memwarden: Opened, paging: Paged) -> Page[Export]:
    """List the archives that wait, newest first."""
    rows = await waiting_exports(memwarden.dependencies, memory.scope)
    return paging.page(rows, lambda file: file.id, Export.model_validate)


@router.get(
    "/{export_id}",
    response_class=FileResponse,
    responses={
        200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}, "description": "A zip."}
    },
)
async def download(export_id: RecordId, memory: OwnMemory, memwarden: Opened) -> FileResponse:
    """Return an archive."""
    file = await waiting_export(memwarden.dependencies, memory.scope, export_id)
    return FileResponse(file.path, media_type=ZIP, filename=f"memory-{file.id}.zip")
