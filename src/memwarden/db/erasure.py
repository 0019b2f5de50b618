"""Remove every row about a user, but for the log that says so."""

from __future__ import annotations

from typing import cast

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


async def residue(db: Database, scope: Scope) -> int:
    """Count the rows about a user that an erasure should have removed."""
    rows = await db.fetch(scope, _SQL["residue"])
    return cast("int", rows[0]["rows"])
