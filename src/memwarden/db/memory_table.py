"""The rows of the table ``memory``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from psycopg.types.json import Jsonb

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.search_text import passage_trigrams, query_terms, query_trigrams
from memwarden.db.statements import statements
from memwarden.model.record import NO_DETAILS, Evidence, MemoryRecord, MemoryType, Source, Status
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    """One embedding, shape (dims,)."""

_SQL = statements("memory")
_TYPES = {member.value: member for member in MemoryType}
_SOURCES = {member.value: member for member in Source}
_STATUSES = {member.value: member for member in Status}


@dataclass(frozen=True, slots=True)
class Hit:
    """One row that recall found, with the raw strength of each search.

    ``distance`` is the cosine distance (0 to 2), null when the row has no vector of the model asked for;
    ``words`` and ``trigrams`` are the shares (0 to 1) of the question's words, the rarer the heavier, and of its
    character trigrams that are in it.
    """

    record: MemoryRecord
    distance: float | None
    words: float
    trigrams: float


@dataclass(frozen=True, slots=True)
class Found:
    """What one recall statement brought back; ``other_models`` counts active rows of another embedding model."""

    hits: tuple[Hit, ...]
    other_models: int


async def lock_user(tx: Transaction) -> None:
    """Wait until no other transaction writes this user's memory, and keep others out until this one ends."""
    await tx.fetch(_SQL["lock_user"])


async def insert(
    tx: Transaction, record: MemoryRecord, vector: Vector | None, application_key: str | None = None
) -> MemoryRecord:
    """Write a new active record with its vector, shape (dims,), and the hash of the application's own key for it."""
    rows = await tx.fetch(
        _SQL["insert"],
        {
            "id": record.id,
            "type": record.type.value,
            "key": record.key,
            "content": record.content,
            "details": Jsonb(dict(record.details)),
            "source": record.source.value,
            "purpose": record.purpose,
            "evidence": Jsonb(evidence_json(record.evidence)),
            "created_at": record.created_at,
            "now": record.updated_at,
            "expires_at": record.expires_at,
            "application_key": application_key,
            "embedding": None if vector is None else vector_literal(vector),
            "embedding_model": record.embedding_model,
            "grams": passage_trigrams(record.content),
        },
    )
    return record_from(rows[0], record.scope)


async def renew(tx: Transaction, record: MemoryRecord) -> MemoryRecord | None:
    """Move the dates of the active record that says the same as ``record``, or return null when there is none."""
    rows = await tx.fetch(
        _SQL["renew"],
        {
            "content": record.content,
            "key": record.key,
            "source": record.source.value,
            "now": record.updated_at,
            "expires_at": record.expires_at,
        },
    )
    return record_from(rows[0], record.scope) if rows else None


async def same(tx: Transaction, record: MemoryRecord) -> MemoryRecord | None:
    """Return the record recall could see that says the same as ``record``, or null."""
    params = {"content": record.content, "key": record.key, "now": record.updated_at}
    rows = await tx.fetch(_SQL["same"], params)
    return record_from(rows[0], record.scope) if rows else None


async def supersede_slot(tx: Transaction, key: str, *, by: str, now: datetime) -> list[str]:
    """Retire the active value of a slot in favour of record ``by``; return the retired ids."""
    rows = await tx.fetch(_SQL["supersede_slot"], {"key": key, "superseded_by": by, "now": now})
    return [str(row["id"]) for row in rows]


async def supersede_record(tx: Transaction, record_id: str, *, by: str, now: datetime) -> list[str]:
    """Retire one active record in favour of record ``by``; return its id, or nothing when it was not active."""
    rows = await tx.fetch(_SQL["supersede_record"], {"id": record_id, "superseded_by": by, "now": now})
    return [str(row["id"]) for row in rows]


async def get(tx: Transaction, scope: Scope, record_id: str, now: datetime) -> MemoryRecord | None:
    """Return one record as recall could see it, or null."""
    rows = await tx.fetch(_SQL["get"], {"id": record_id, "now": now})
    return record_from(rows[0], scope) if rows else None


async def get_all(tx: Transaction, scope: Scope, ids: Sequence[str], now: datetime) -> list[MemoryRecord]:
    """Return those of several records that recall could see."""
    rows = await tx.fetch(_SQL["get_all"], {"ids": list(ids), "now": now})
    return [record_from(row, scope) for row in rows]


async def forget(tx: Transaction, record_id: str, now: datetime) -> list[str]:
    """Empty a record and its older versions; return the ids emptied."""
    return [str(row["id"]) for row in await tx.fetch(_SQL["forget"], {"id": record_id, "now": now})]


async def forget_purpose(tx: Transaction, purpose: str | None, now: datetime) -> list[str]:
    """Empty every record kept for ``purpose``, or every record for null; return their ids."""
    rows = await tx.fetch(_SQL["forget_purpose"], {"purpose": purpose, "now": now})
    return [str(row["id"]) for row in rows]


async def of_purpose(tx: Transaction, scope: Scope, purpose: str | None) -> list[MemoryRecord]:
    """Return every record kept for ``purpose``, or every record for null, in whatever state but emptied."""
    return [record_from(row, scope) for row in await tx.fetch(_SQL["of_purpose"], {"purpose": purpose})]


async def list_active(db: Database, scope: Scope, now: datetime, limit: int) -> list[MemoryRecord]:
    """Return the records recall could return, newest first."""
    rows = await db.fetch(scope, _SQL["list_active"], {"now": now, "limit": limit})
    return [record_from(row, scope) for row in rows]


async def history(db: Database, scope: Scope, record_id: str, now: datetime) -> list[MemoryRecord]:
    """Return a record and the versions it replaced, as far as they have not expired, newest first."""
    rows = await db.fetch(scope, _SQL["history"], {"id": record_id, "now": now})
    return [record_from(row, scope) for row in rows]


async def versions(tx: Transaction, scope: Scope, record_id: str) -> list[MemoryRecord]:
    """Return the same as the transaction sees it, and also what has expired."""
    rows = await tx.fetch(_SQL["history"], {"id": record_id, "now": None})
    return [record_from(row, scope) for row in rows]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a read may see: records alive at ``now``, as their owner's decisions for a conversation allow."""

    now: datetime
    conversation_id: str | None
    consent_required: bool

    def params(self) -> dict[str, object]:
        """Return it as the statements name it."""
        return {
            "now": self.now,
            "conversation_id": self.conversation_id or "",
            "consent_required": self.consent_required,
        }


async def profile(db: Database, scope: Scope, reading: Reading) -> list[MemoryRecord]:
    """Return the slots that are set, by key."""
    return [record_from(row, scope) for row in await db.fetch(scope, _SQL["profile"], reading.params())]


async def search(
    db: Database, scope: Scope, query: str, vector: Vector, model: str, *, reading: Reading, depth: int
) -> Found:
    """Run the recall statement: every slot, and the best ``depth`` rows of each search."""
    rows = await db.fetch(
        scope,
        _SQL["recall"],
        {
            "embedding": vector_literal(vector),
            "embedding_model": model,
            "terms": query_terms(query),
            "grams": query_trigrams(query),
            "depth": depth,
            **reading.params(),
        },
    )
    hits = tuple(_hit(row, scope) for row in rows)
    return Found(hits, int(cast("int", rows[0]["other_models"])) if rows else 0)


async def touch(tx: Transaction, lives: Mapping[str, datetime], at: datetime) -> None:
    """Note that records were used at ``at``, and that each lives at least until the instant that stands with it."""
    await tx.fetch(_SQL["touch"], {"ids": list(lives), "expiries": list(lives.values()), "at": at})


async def list_as_of(db: Database, scope: Scope, at: datetime, limit: int) -> list[MemoryRecord]:
    """Return what was remembered at ``at`` and is still there, newest first."""
    rows = await db.fetch(scope, _SQL["list_as_of"], {"at": at, "limit": limit})
    return [record_from(row, scope) for row in rows]


async def by_application_key(tx: Transaction, scope: Scope, application_key: str) -> MemoryRecord | None:
    """Return the record an application wrote under a key, in whatever state it is, or null."""
    rows = await tx.fetch(_SQL["by_application_key"], {"application_key": application_key})
    return record_from(rows[0], scope) if rows else None


async def nearest(
    tx: Transaction, scope: Scope, vector: Vector, model: str, now: datetime, limit: int
) -> list[tuple[MemoryRecord, float | None]]:
    """Return the free-text records nearest to a vector, shape (dims,), each with its cosine similarity if it has one."""
    rows = await tx.fetch(
        _SQL["nearest"],
        {"embedding": vector_literal(vector), "embedding_model": model, "now": now, "limit": limit},
    )
    return [(record_from(row, scope), cast("float | None", row["similarity"])) for row in rows]


@dataclass(frozen=True, slots=True)
class FreeText:
    """What a record that fills no slot says, and when it was written."""

    id: str
    type: MemoryType
    content: str
    purpose: str
    recorded_at: datetime


async def anything_since(db: Database, scope: Scope, since: datetime) -> bool:
    """Tell whether an active free-text record was written after ``since``."""
    rows = await db.fetch(scope, _SQL["anything_since"], {"since": since})
    return bool(rows[0]["found"])


async def free_texts(
    db: Database, scope: Scope, after: tuple[datetime, str], now: datetime, limit: int
) -> list[FreeText]:
    """Return the free-text records alive at ``now`` that were written behind an instant and an id, the oldest first."""
    params = {"after": after[0], "after_id": after[1], "now": now, "limit": limit}
    return [_free_text(row) for row in await db.fetch(scope, _SQL["free_texts"], params)]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two records by id, and the cosine similarity of their vectors; null where these are not both of the present model."""

    newer: str
    older: str
    similarity: float | None


async def similarities(
    db: Database, scope: Scope, model: str, pairs: Sequence[tuple[str, str]]
) -> list[Pair]:
    """Return the pairs (newer, older) whose records are both active still, in their order."""
    params = {
        "embedding_model": model,
        "newer": [newer for newer, _ in pairs],
        "older": [older for _, older in pairs],
    }
    return [
        Pair(str(row["newer"]), str(row["older"]), cast("float | None", row["similarity"]))
        for row in await db.fetch(scope, _SQL["similarities"], params)
    ]


async def absorb(tx: Transaction, record: MemoryRecord) -> None:
    """Give a record the date, the evidence and the expiry it has in ``record``."""
    await tx.fetch(
        _SQL["absorb"],
        {
            "id": record.id,
            "created_at": record.created_at,
            "evidence": Jsonb(evidence_json(record.evidence)),
            "expires_at": record.expires_at,
        },
    )


async def purge_expired(tx: Transaction, now: datetime, limit: int) -> list[tuple[str, Status]]:
    """Delete up to ``limit`` records that have expired; return their ids and what they were."""
    rows = await tx.fetch(_SQL["purge_expired"], {"now": now, "limit": limit})
    return [(str(row["id"]), _STATUSES[str(row["status"])]) for row in rows]


async def embedded_by_another_model(
    db: Database, scope: Scope, model: str, limit: int
) -> list[tuple[str, str]]:
    """Return (id, content) of active records whose vector is missing or of another model, oldest first."""
    rows = await db.fetch(
        scope, _SQL["embedded_by_another_model"], {"embedding_model": model, "limit": limit}
    )
    return [(str(row["id"]), str(row["content"])) for row in rows]


async def set_embedding(tx: Transaction, record_id: str, vector: Vector, model: str) -> None:
    """Replace one record's vector, shape (dims,)."""
    await tx.fetch(
        _SQL["set_embedding"],
        {"id": record_id, "embedding": vector_literal(vector), "embedding_model": model},
    )


def vector_literal(vector: Vector) -> str:
    """Return a vector, shape (dims,), as pgvector reads it; five digits are more than a half float keeps."""
    return "[" + ",".join(["%.5g"] * len(vector)) % tuple(vector.tolist()) + "]"


def record_from(row: Row, scope: Scope, evidence: Evidence | None = None) -> MemoryRecord:
    """Build the record a row holds; ``evidence`` stands in for a column that the statement took apart.

    Instants come in the time zone the server is set to, and leave in UTC.
    """
    r = cast("Mapping[str, Any]", row)
    return MemoryRecord(
        scope=scope,
        id=r["id"],
        type=_TYPES[r["type"]],
        key=r["key"],
        content=r["content"],
        details=r["details"] or NO_DETAILS,
        source=_SOURCES[r["source"]],
        status=_STATUSES[r["status"]],
        purpose=r["purpose"],
        evidence=evidence or evidence_from(r["evidence"]),
        created_at=r["created_at"].astimezone(UTC),
        updated_at=r["updated_at"].astimezone(UTC),
        last_used_at=r["last_used_at"] and r["last_used_at"].astimezone(UTC),
        expires_at=r["expires_at"].astimezone(UTC),
        superseded_by=r["superseded_by"],
        embedding_model=r["embedding_model"],
    )


def _free_text(row: Row) -> FreeText:
    r = cast("Mapping[str, Any]", row)
    return FreeText(r["id"], _TYPES[r["type"]], r["content"], r["purpose"], r["recorded_at"].astimezone(UTC))


def _hit(row: Row, scope: Scope) -> Hit:
    r = cast("Mapping[str, Any]", row)
    evidence = Evidence(r["conversation_id"], r["message_id"])
    return Hit(record_from(row, scope, evidence), r["distance"], float(r["words"]), float(r["trigrams"]))


def evidence_json(evidence: Evidence) -> dict[str, object]:
    """Return the pointers that are set, as the columns called ``evidence`` hold them."""
    pairs = {"conversation_id": evidence.conversation_id, "message_id": evidence.message_id}
    here: dict[str, object] = {name: value for name, value in pairs.items() if value is not None}
    return here | ({"also": [evidence_json(place) for place in evidence.also]} if evidence.also else {})


def evidence_from(held: Mapping[str, Any]) -> Evidence:
    """Build the evidence that such a column holds."""
    also = tuple(evidence_from(place) for place in held.get("also", ()))
    return Evidence(held.get("conversation_id"), held.get("message_id"), also)
