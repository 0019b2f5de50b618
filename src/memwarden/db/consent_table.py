"""The append-only rows of the table ``consent``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any, cast

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.statements import statements
from memwarden.model.consent import Consent, Standing
from memwarden.model.scope import Scope

_SQL = statements("consent")


async def insert(tx: Transaction, consent: Consent) -> None:
    """Write one decision."""
    await tx.fetch(
        _SQL["insert"],
        {
            "id": consent.id,
            "purpose": consent.purpose,
            "granted": consent.granted,
            "notice": consent.notice,
            "conversation_id": consent.conversation_id or "",
            "at": consent.at,
        },
    )


async def standing(tx: Transaction, conversation_id: str | None) -> Standing:
    """Return what the user's decisions come to, as the transaction sees them."""
    return _standing(await tx.fetch(_SQL["standing"], {"conversation_id": conversation_id or ""}))


async def standing_of(db: Database, scope: Scope, conversation_id: str | None) -> Standing:
    """Return what the user's decisions come to now."""
    return _standing(await db.fetch(scope, _SQL["standing"], {"conversation_id": conversation_id or ""}))


async def list_all(db: Database, scope: Scope, limit: int) -> list[Consent]:
    """Return the user's decisions, newest first."""
    rows = cast("list[Mapping[str, Any]]", await db.fetch(scope, _SQL["list_all"], {"limit": limit}))
    return [
        Consent(
            scope=scope,
            id=row["id"],
            purpose=row["purpose"],
            granted=row["granted"],
            notice=row["notice"],
            at=row["at"].astimezone(UTC),
            conversation_id=row["conversation_id"] or None,
        )
        for row in rows
    ]


def _standing(rows: list[Row]) -> Standing:
    row = cast("Mapping[str, Any]", rows[0])
    return Standing(row["off"], frozenset(row["granted"]), frozenset(row["withdrawn"]), row["erasure_id"])
