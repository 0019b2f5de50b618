"""The rows of the table ``proposal``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from psycopg.types.json import Jsonb

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.memory_table import evidence_from, evidence_json
from memwarden.db.statements import statements
from memwarden.model.proposal import Proposal, ProposalStatus
from memwarden.model.record import MemoryType
from memwarden.model.scope import Scope

_SQL = statements("proposal")


async def insert(tx: Transaction, proposal: Proposal) -> Proposal:
    """Write a pending proposal, or return the one that already waits with the same sentence."""
    rows = await tx.fetch(
        _SQL["insert"],
        {
            "id": proposal.id,
            "type": proposal.type.value,
            "key": proposal.key,
            "content": proposal.content,
            "purpose": proposal.purpose,
            "reasons": list(proposal.reasons),
            "evidence": Jsonb(evidence_json(proposal.evidence)),
            "replaces": proposal.replaces,
            "now": proposal.created_at,
            "expires_at": proposal.expires_at,
            "fingerprint": proposal.fingerprint,
        },
    )
    return proposal_from(rows[0], proposal.scope)


async def get_any(tx: Transaction, scope: Scope, proposal_id: str) -> Proposal | None:
    """Return a proposal in any state, locked until the transaction ends, or null."""
    rows = await tx.fetch(_SQL["get_any"], {"id": proposal_id})
    return proposal_from(rows[0], scope) if rows else None


async def list_pending(db: Database, scope: Scope, now: datetime, limit: int) -> list[Proposal]:
    """Return the proposals that wait and have not expired, oldest first."""
    rows = await db.fetch(scope, _SQL["list_pending"], {"now": now, "limit": limit})
    return [proposal_from(row, scope) for row in rows]


async def was_declined(tx: Transaction, fingerprint: str, now: datetime) -> bool:
    """Tell whether the user declined a proposal of these words, and that is still known."""
    rows = await tx.fetch(_SQL["was_declined"], {"fingerprint": fingerprint, "now": now})
    return rows[0]["declined"] is True


async def asked_in(
    db: Database, scope: Scope, conversation_id: str | None, message_id: str, now: datetime, limit: int
) -> list[Proposal]:
    """Return what waits and rests on one message of the user's, oldest first."""
    rows = await db.fetch(
        scope,
        _SQL["asked_in"],
        {"conversation_id": conversation_id, "message_id": message_id, "now": now, "limit": limit},
    )
    return [proposal_from(row, scope) for row in rows]


async def purge_expired(tx: Transaction, now: datetime) -> list[str]:
    """Delete what waited too long or was decided long ago; return the ids."""
    return [str(row["id"]) for row in await tx.fetch(_SQL["purge_expired"], {"now": now})]


async def decide(
    tx: Transaction,
    proposal_id: str,
    status: ProposalStatus,
    *,
    now: datetime,
    remembered_until: datetime,
    memory_id: str | None = None,
) -> None:
    """Close a pending proposal and empty its words; that it was decided is known until ``remembered_until``."""
    await tx.fetch(
        _SQL["decide"],
        {
            "id": proposal_id,
            "status": status.value,
            "now": now,
            "memory_id": memory_id,
            "remembered_until": remembered_until,
        },
    )


async def decline_purpose(tx: Transaction, purpose: str | None, now: datetime) -> list[str]:
    """Drop the pending proposals for ``purpose``, or all for null, with their words; return their ids."""
    rows = await tx.fetch(_SQL["decline_purpose"], {"purpose": purpose, "now": now})
    return [str(row["id"]) for row in rows]


def proposal_from(row: Row, scope: Scope) -> Proposal:
    """Build the proposal a row holds."""
    r = cast("Mapping[str, Any]", row)
    return Proposal(
        scope=scope,
        id=r["id"],
        type=MemoryType(r["type"]),
        key=r["key"],
        content=r["content"],
        purpose=r["purpose"],
        reasons=tuple(r["reasons"]),
        evidence=evidence_from(r["evidence"]),
        replaces=r["replaces"],
        status=ProposalStatus(r["status"]),
        created_at=r["created_at"].astimezone(UTC),
        expires_at=r["expires_at"].astimezone(UTC),
        decided_at=r["decided_at"] and r["decided_at"].astimezone(UTC),
        memory_id=r["memory_id"],
        fingerprint=r["fingerprint"],
    )
