"""Remove every row about a user, but for the log that says so."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import cast

from psycopg.types.json import Jsonb

from memwarden.db.database import Database, Transaction
from memwarden.db.statements import statements
from memwarden.model.scope import Scope

_SQL = statements("erasure")

ERASED_TABLES = ("memory", "proposal", "checkpoints", "checkpoint_blobs", "checkpoint_writes")
"""The tables that hold anything a user said."""


async def erase_user(tx: Transaction) -> dict[str, int]:
    """Delete the user's rows from every table of `ERASED_TABLES`; return how many went from each."""
    removed = {}
    for table in ERASED_TABLES:
        removed[table] = len(await tx.fetch(_SQL[table]))
    return removed


async def number(tx: Transaction, erasure_id: str, at: datetime, removed: Mapping[str, int]) -> None:
    """Record an erasure in the transaction of its deletions; what began before it is turned away from then on."""
    await tx.fetch(_SQL["number"], {"id": erasure_id, "at": at, "removed": Jsonb(dict(removed))})


async def latest(db: Database, scope: Scope) -> str | None:
    """Return the id of the user's latest erasure, or null."""
    rows = await db.fetch(scope, _SQL["latest"])
    return cast("str | None", rows[0]["id"])


async def still_latest(tx: Transaction, erasure_id: str | None) -> bool:
    """Tell whether no erasure came after ``erasure_id``, and keep the next one out until the transaction ends."""
    await tx.fetch(_SQL["stay_out"])
    rows = await tx.fetch(_SQL["latest"])
    return rows[0]["id"] == erasure_id


async def residue(db: Database, scope: Scope) -> int:
    """Count the rows about a user that an erasure should have removed."""
    rows = await db.fetch(scope, _SQL["residue"])
    return cast("int", rows[0]["rows"])
