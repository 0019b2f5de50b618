"""The append-only rows of the table ``audit_event``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from typing import Any, cast

from memwarden.db.database import Database, Transaction
from memwarden.db.statements import statements
from memwarden.model.audit import Action, Actor, AuditEvent
from memwarden.model.scope import Scope

_SQL = statements("audit")


async def append(tx: Transaction, event: AuditEvent) -> None:
    """Write one event in the transaction of what it tells about."""
    await tx.fetch(
        _SQL["insert"],
        {
            "id": event.id,
            "at": event.at,
            "actor": event.actor.value,
            "action": event.action.value,
            "origin": event.origin,
            "reasons": list(event.reasons),
            "record_id": event.record_id,
            "fingerprints": list(event.fingerprints),
        },
    )


async def list_recent(db: Database, scope: Scope, limit: int) -> list[AuditEvent]:
    """Return the latest events about a user, newest first."""
    rows = cast("list[Mapping[str, Any]]", await db.fetch(scope, _SQL["list_recent"], {"limit": limit}))
    return [
        AuditEvent(
            scope=scope,
            id=row["id"],
            at=row["at"].astimezone(UTC),
            actor=Actor(row["actor"]),
            action=Action(row["action"]),
            origin=row["origin"],
            reasons=tuple(row["reasons"]),
            record_id=row["record_id"],
            fingerprints=tuple(row["fingerprints"]),
        )
        for row in rows
    ]
