"""The erasure of a whole tenant: its row, and who is in it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from memwarden.db.database import Database, Transaction
from memwarden.db.erasure import stores_from, stores_json
from memwarden.db.statements import statements
from memwarden.model.erasure import ErasureState, TenantErasure
from memwarden.model.scope import Scope

_SQL = statements("tenant_erasure")


async def begin(tx: Transaction, erasure_id: str, at: datetime) -> None:
    """Wait for every writer of the tenant, and turn away whoever began before."""
    await tx.fetch(_SQL["shut_out"])
    await tx.fetch(_SQL["begin"], {"id": erasure_id, "at": at})


async def users(db: Database, scope: Scope, limit: int) -> list[str]:
    """Return users of the scope's tenant about whom there is anything, at most ``limit``."""
    return [str(row["user_id"]) for row in await db.fetch(scope, _SQL["users"], {"limit": limit})]


async def count_users(tx: Transaction, erasure_id: str, more: int) -> None:
    """Note that ``more`` users of the tenant were erased."""
    await tx.fetch(_SQL["count_users"], {"id": erasure_id, "users": more})


async def get(db: Database, scope: Scope, erasure_id: str) -> TenantErasure | None:
    """Return one erasure of the scope's tenant, or null."""
    rows = await db.fetch(scope, _SQL["get"], {"id": erasure_id})
    return _erasure(cast("Mapping[str, Any]", rows[0])) if rows else None


async def list_all(db: Database, scope: Scope, limit: int) -> list[TenantErasure]:
    """Return the erasures of the scope's tenant, newest first."""
    rows = await db.fetch(scope, _SQL["list_all"], {"limit": limit})
    return [_erasure(cast("Mapping[str, Any]", row)) for row in rows]


async def open_erasures(db: Database, scope: Scope) -> dict[ErasureState, int]:
    """Count, by state, the erasures of the tenant's users that are not complete."""
    rows = await db.fetch(scope, _SQL["open"])
    return {ErasureState(str(row["state"])): cast("int", row["erasures"]) for row in rows}


async def finish(tx: Transaction, erasure: TenantErasure) -> bool:
    """Record how far the erasure has come; return whether it was not complete before."""
    rows = await tx.fetch(
        _SQL["finish"],
        {
            "id": erasure.id,
            "state": erasure.state.value,
            "stores": stores_json(erasure.stores),
            "receipt": erasure.receipt,
            "completed_at": erasure.completed_at,
        },
    )
    return bool(rows)


def _erasure(row: Mapping[str, Any]) -> TenantErasure:
    stores = stores_from(row["stores"])
    return TenantErasure(
        id=row["id"],
        at=row["at"].astimezone(UTC),
        users=row["users"],
        residue=sum(report.residue for report in stores),
        state=ErasureState(row["state"]),
        stores=stores,
        receipt=row["receipt"],
        completed_at=row["completed_at"] and row["completed_at"].astimezone(UTC),
    )
