"""The rows of the table ``read_trace``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC
from typing import Any, cast

from memwarden.db.database import Database, Row
from memwarden.db.erasure import keeping_out
from memwarden.db.memory_table import record_from
from memwarden.db.statements import statements
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope
from memwarden.model.trace import ReadTrace

_SQL = statements("read_trace")


async def insert(db: Database, trace: ReadTrace, began: str) -> ReadTrace:
    """Write one trace, and return it; without its conversation, where that was erased since ``began``, the time part of an id."""
    # One trip: a statement sees what was committed before it began, and so after the locks were got.
    rows = await db.write_at_once(
        trace.scope,
        keeping_out() + _SQL["insert"],
        {
            "id": trace.id,
            "answer_id": trace.answer_id,
            "conversation_id": trace.conversation_id or "",
            "began": began,
            "at": trace.at,
            "record_ids": list(trace.record_ids),
        },
    )
    return replace(trace, conversation_id=str(rows[0]["conversation_id"]) or None)


async def of_answer(db: Database, scope: Scope, answer_id: str) -> list[ReadTrace]:
    """Return the traces of one answer, oldest first."""
    return [_trace(row, scope) for row in await db.fetch(scope, _SQL["of_answer"], {"answer_id": answer_id})]


async def of_record(db: Database, scope: Scope, record_id: str, limit: int) -> list[ReadTrace]:
    """Return the traces in which a record was in the prompt, newest first."""
    rows = await db.fetch(scope, _SQL["of_record"], {"record_id": record_id, "limit": limit})
    return [_trace(row, scope) for row in rows]


async def list_all(db: Database, scope: Scope, limit: int) -> list[ReadTrace]:
    """Return the user's traces, newest first."""
    return [_trace(row, scope) for row in await db.fetch(scope, _SQL["list_all"], {"limit": limit})]


async def records(db: Database, scope: Scope, ids: Sequence[str]) -> list[MemoryRecord]:
    """Return records by id in whatever state they are, those that are still there."""
    return [record_from(row, scope) for row in await db.fetch(scope, _SQL["records"], {"ids": list(ids)})]


def _trace(row: Row, scope: Scope) -> ReadTrace:
    r = cast("Mapping[str, Any]", row)
    return ReadTrace(
        scope=scope,
        id=r["id"],
        answer_id=r["answer_id"],
        at=r["at"].astimezone(UTC),
        record_ids=tuple(r["record_ids"]),
        conversation_id=r["conversation_id"] or None,
    )
