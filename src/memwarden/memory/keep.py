"""The one way a record comes to be: judged before, superseding what it replaces, with its line in the log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from memwarden.db import audit_table, memory_table
from memwarden.db.database import Transaction
from memwarden.embed import TextKind
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.spoken import spoken
from memwarden.model.audit import Action, Actor, AuditEvent
from memwarden.model.ids import new_id
from memwarden.model.record import Evidence, MemoryRecord, Source
from memwarden.model.scope import Scope
from memwarden.model.verdict import Reason, Statement

if TYPE_CHECKING:
    from memwarden.embed import Vectors


@dataclass(frozen=True, slots=True)
class Kept:
    """A record that was written, or renewed because it was known, and the ids it took the place of."""

    record: MemoryRecord
    renewed: bool
    superseded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cause:
    """Who and what led to a change of memory; the content-free part of its line in the log."""

    actor: Actor
    origin: str
    reasons: tuple[Reason, ...] = ()
    fingerprints: tuple[str, ...] = ()


def new_record(
    deps: Dependencies,
    scope: Scope,
    statement: Statement,
    source: Source,
    evidence: Evidence,
    purpose: str | None = None,
) -> MemoryRecord:
    """Return the record that would keep ``statement`` from now on; nothing is written."""
    now = deps.clock()
    why = purpose or statement.purpose or deps.purpose_of(statement.key)
    return MemoryRecord(
        scope=scope,
        id=new_id(now),
        type=statement.type,
        key=statement.key,
        content=statement.content,
        source=source,
        purpose=why,
        evidence=evidence,
        created_at=now,
        updated_at=now,
        expires_at=deps.retention.once_stated(statement.type, why, now),
        embedding_model=deps.embedder.model,
    )


async def vector_of(deps: Dependencies, record: MemoryRecord) -> Vectors:
    """Embed a record's sentence; done before any lock is taken, because it is the slow part."""
    vectors: Vectors = (await deps.embedder.embed([spoken(record.content)], TextKind.PASSAGE))[0]
    return vectors


async def keep(
    tx: Transaction,
    record: MemoryRecord,
    vector: Vectors,
    cause: Cause,
    *,
    replaces: str | None = None,
    merges: bool = False,
    application_key: str | None = None,
) -> Kept:
    """Write ``record`` inside ``tx``, whose user is locked, and log it.

    The same active sentence is renewed rather than written twice; the slot's present value, and the
    record ``replaces``, step aside for it; ``merges`` says that the latter said the same in other words.
    """
    now = record.updated_at
    known = None if application_key else await memory_table.renew(tx, record)
    if known is not None and replaces in (None, known.id):
        await _log(tx, now, record, Action.RENEWED, cause, known.id)
        return Kept(known, renewed=True, superseded=())
    target = known or record
    superseded = await _step_aside(tx, target, now, replaces)
    kept = known or await memory_table.insert(tx, record, vector, application_key)
    for old in superseded:
        what = Action.MERGED if merges and old == replaces else Action.SUPERSEDED
        await _log(tx, now, record, what, cause, old)
    await _log(tx, now, record, Action.RENEWED if known else Action.STORED, cause, kept.id)
    return Kept(kept, renewed=known is not None, superseded=tuple(superseded))


async def log(
    tx: Transaction, scope: Scope, at: datetime, action: Action, cause: Cause, record_id: str | None
) -> None:
    """Append one event to the audit log, in the transaction of what it tells about."""
    await audit_table.append(
        tx,
        AuditEvent(
            scope=scope,
            id=new_id(at),
            at=at,
            actor=cause.actor,
            action=action,
            origin=cause.origin,
            reasons=tuple(reason.value for reason in cause.reasons),
            record_id=record_id,
            fingerprints=cause.fingerprints,
        ),
    )


async def _step_aside(
    tx: Transaction, target: MemoryRecord, now: datetime, replaces: str | None
) -> list[str]:
    superseded = []
    if replaces is not None:
        superseded += await memory_table.supersede_record(tx, replaces, by=target.id, now=now)
    if target.key is not None:
        superseded += await memory_table.supersede_slot(tx, target.key, by=target.id, now=now)
    return superseded


async def _log(
    tx: Transaction, at: datetime, record: MemoryRecord, action: Action, cause: Cause, record_id: str
) -> None:
    await log(tx, record.scope, at, action, cause, record_id)
