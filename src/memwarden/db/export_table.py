"""The rows of the table ``export``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from memwarden.db.database import Database, Transaction
from memwarden.db.memory_table import record_from
from memwarden.db.statements import statements
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope

_SQL = statements("export")


@dataclass(frozen=True, slots=True)
class ExportFile:
    """An archive that was written to this machine's disk."""

    id: str
    path: Path
    created_at: datetime
    expires_at: datetime


async def insert(tx: Transaction, file: ExportFile) -> None:
    """Note an archive, before it is written."""
    await tx.fetch(
        _SQL["insert"],
        {"id": file.id, "path": str(file.path), "now": file.created_at, "expires_at": file.expires_at},
    )


async def list_all(db: Database, scope: Scope) -> list[ExportFile]:
    """Return the archives about a user, newest first."""
    rows = cast("list[Mapping[str, Any]]", await db.fetch(scope, _SQL["list_all"]))
    return [
        ExportFile(
            row["id"],
            Path(row["path"]),
            row["created_at"].astimezone(UTC),
            row["expires_at"].astimezone(UTC),
        )
        for row in rows
    ]


async def remove(tx: Transaction, export_id: str) -> None:
    """Strike an archive off, once its file is gone."""
    await tx.fetch(_SQL["remove"], {"id": export_id})


async def everything_kept(db: Database, scope: Scope, now: datetime) -> list[MemoryRecord]:
    """Return every version of every memory that still says something and has not expired."""
    return [record_from(row, scope) for row in await db.fetch(scope, _SQL["everything_kept"], {"now": now})]
