"""Exports on this machine's disk: where they lie, how they go."""

from __future__ import annotations

import asyncio
import hashlib
import shutil
from datetime import datetime
from pathlib import Path

from memwarden.db import export_table
from memwarden.db.export_table import ExportFile
from memwarden.errors import NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope


def folder_of(root: Path, scope: Scope) -> Path:
    """Return the folder of one user's exports; its name is a hash, since a user's name may be anything."""
    return root / hashlib.sha256(f"{scope.tenant_id}\0{scope.user_id}".encode()).hexdigest()[:32]


async def waiting_exports(deps: Dependencies, scope: Scope) -> list[ExportFile]:
    """Return the user's exports that have not expired and are there to be fetched on this machine, newest first."""
    now = deps.clock()
    files = [f for f in await export_table.list_all(deps.database, scope) if f.expires_at > now]
    return await asyncio.to_thread(lambda: [file for file in files if file.path.is_file()])


async def waiting_export(deps: Dependencies, scope: Scope, export_id: str) -> ExportFile:
    """Return one of them; raise `NotFoundError` when it is not among them."""
    found = next((file for file in await waiting_exports(deps, scope) if file.id == export_id), None)
    if found is None:
        raise NotFoundError("No such export here, or it has expired.")
    return found


async def remove_exports(deps: Dependencies, scope: Scope, before: datetime) -> tuple[int, int]:
    """Remove the user's exports written before an instant; return how many went and how many are still there.

    A file that was moved or deleted by hand is only struck off; where nothing was exported since, the user's
    folder goes as a whole, with whatever an interrupted export left in it.
    """
    files = await export_table.list_all(deps.database, scope)
    old = [file for file in files if file.created_at <= before]
    for file in old:
        await asyncio.to_thread(file.path.unlink, missing_ok=True)
        async with deps.database.transaction(scope) as tx:
            await export_table.remove(tx, file.id)
    if len(old) == len(files):
        folder = folder_of(deps.export_dir, scope)
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        return len(old), int(folder.exists())
    return len(old), sum(file.path.exists() for file in old)


async def purge_exports(deps: Dependencies, scope: Scope) -> int:
    """Remove the user's exports that have expired; return how many."""
    now = deps.clock()
    expired = [f for f in await export_table.list_all(deps.database, scope) if f.expires_at <= now]
    for file in expired:
        await asyncio.to_thread(file.path.unlink, missing_ok=True)
        async with deps.database.transaction(scope) as tx:
            await export_table.remove(tx, file.id)
    return len(expired)
