"""The rows of the table ``upkeep``."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from memwarden.db.database import Database, Transaction
from memwarden.db.statements import statements
from memwarden.model.scope import Scope

_SQL = statements("upkeep")


async def consolidated_at(db: Database, scope: Scope) -> datetime | None:
    """Return when the user's memory was last put in order, or null."""
    rows = await db.fetch(scope, _SQL["get"])
    return cast("datetime", rows[0]["consolidated_at"]).astimezone(UTC) if rows else None


async def done(tx: Transaction, at: datetime, model: str) -> None:
    """Note that the user's memory was put in order at ``at``, with the embedding model ``model``."""
    await tx.fetch(_SQL["done"], {"at": at, "embedding_model": model})
