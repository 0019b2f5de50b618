"""The rows of the table ``legal_hold``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.statements import statements
from memwarden.model.hold import LegalHold
from memwarden.model.scope import Scope

_SQL = statements("legal_hold")


async def place(tx: Transaction, hold: LegalHold) -> None:
    """Write a hold; from the end of the transaction on, what is removed is put aside."""
    await tx.fetch(_SQL["place"], {"id": hold.id, "reference": hold.reference, "at": hold.placed_at})


async def release(tx: Transaction, scope: Scope, hold_id: str, at: datetime) -> LegalHold | None:
    """End a hold, and with the last one remove what was put aside; null for one that does not stand."""
    rows = await tx.fetch(_SQL["release"], {"id": hold_id, "at": at})
    return _hold(rows[0], scope) if rows else None


async def list_all(db: Database, scope: Scope, limit: int) -> list[LegalHold]:
    """Return the holds on a user, newest first."""
    return [_hold(row, scope) for row in await db.fetch(scope, _SQL["list_all"], {"limit": limit})]


async def stands(tx: Transaction) -> bool:
    """Tell whether a hold stands, as the transaction sees it."""
    return (await tx.fetch(_SQL["standing"]))[0]["held"] is True


def _hold(row: Row, scope: Scope) -> LegalHold:
    r = cast("Mapping[str, Any]", row)
    return LegalHold(
        scope=scope,
        id=r["id"],
        reference=r["reference"],
        placed_at=r["placed_at"].astimezone(UTC),
        released_at=r["released_at"] and r["released_at"].astimezone(UTC),
    )
