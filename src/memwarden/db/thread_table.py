"""The rows of the table ``thread``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.statements import statements
from memwarden.model.scope import Scope
from memwarden.model.thread import Thread

_SQL = statements("thread")


async def note(tx: Transaction, thread_id: str, at: datetime) -> None:
    """Note that a conversation began or goes on."""
    await tx.fetch(_SQL["note"], {"thread_id": thread_id, "at": at})


async def touch(tx: Transaction, thread_id: str, at: datetime) -> None:
    """Note that the user came back to a conversation, where its thread has begun."""
    await tx.fetch(_SQL["touch"], {"thread_id": thread_id, "at": at})


async def finish(tx: Transaction, thread_id: str, at: datetime) -> bool:
    """Note that a conversation ended; return whether it was known and going on."""
    return bool(await tx.fetch(_SQL["finish"], {"thread_id": thread_id, "at": at}))


async def begin_run(tx: Transaction, thread_id: str, token: str, lasts_s: int, at: datetime) -> bool:
    """Let a run hold a thread for so many seconds; return false where another one does."""
    named = {"thread_id": thread_id, "token": token, "lasts_s": lasts_s, "at": at}
    return bool(await tx.fetch(_SQL["begin_run"], named))


async def renew_run(tx: Transaction, thread_id: str, token: str, lasts_s: int) -> None:
    """Let a run hold its thread for so many seconds from now, if it still does."""
    await tx.fetch(_SQL["renew_run"], {"thread_id": thread_id, "token": token, "lasts_s": lasts_s})


async def end_run(tx: Transaction, thread_id: str, token: str) -> None:
    """Let go of a thread, if this run still holds it."""
    await tx.fetch(_SQL["end_run"], {"thread_id": thread_id, "token": token})


async def get(db: Database, scope: Scope, thread_id: str) -> Thread | None:
    """Return one conversation, or null."""
    rows = await db.fetch(scope, _SQL["get"], {"thread_id": thread_id})
    return _thread(rows[0], scope) if rows else None


async def lock(tx: Transaction, thread_id: str) -> datetime | None:
    """Return when a conversation was last active, and keep it so until the transaction ends; null for none."""
    rows = await tx.fetch(_SQL["lock"], {"thread_id": thread_id})
    return cast("datetime", rows[0]["last_active_at"]).astimezone(UTC) if rows else None


async def list_all(db: Database, scope: Scope, limit: int) -> list[Thread]:
    """Return the user's conversations, the latest active first."""
    return [_thread(row, scope) for row in await db.fetch(scope, _SQL["list_all"], {"limit": limit})]


async def reviewed(tx: Transaction, thread_id: str, at: datetime, until: str) -> None:
    """Note that what happened in a conversation by ``at`` was looked through, to the message ``until`` if not empty."""
    await tx.fetch(_SQL["reviewed"], {"thread_id": thread_id, "at": at, "until": until})


async def make_stale(tx: Transaction, thread_id: str, messages: Sequence[str]) -> None:
    """Note messages of a conversation that hold what was forgotten."""
    await tx.fetch(_SQL["make_stale"], {"thread_id": thread_id, "messages": list(messages)})


async def stale(db: Database, scope: Scope, thread_id: str) -> tuple[str, ...]:
    """Return the messages of a conversation that hold what was forgotten."""
    rows = await db.fetch(scope, _SQL["stale"], {"thread_id": thread_id})
    return tuple(cast("list[str]", rows[0]["stale_messages"])) if rows else ()


async def freshen(tx: Transaction, thread_id: str, messages: Sequence[str]) -> None:
    """Note that those messages were taken out of the conversation."""
    await tx.fetch(_SQL["freshen"], {"thread_id": thread_id, "messages": list(messages)})


async def idle(db: Database, scope: Scope, before: datetime, limit: int) -> list[str]:
    """Return conversations that nobody went on with since ``before``."""
    rows = await db.fetch(scope, _SQL["idle"], {"before": before, "limit": limit})
    return [str(row["thread_id"]) for row in rows]


def _thread(row: Row, scope: Scope) -> Thread:
    r = cast("Mapping[str, Any]", row)
    return Thread(
        scope=scope,
        id=r["thread_id"],
        started_at=r["started_at"].astimezone(UTC),
        last_active_at=r["last_active_at"].astimezone(UTC),
        ended_at=r["ended_at"] and r["ended_at"].astimezone(UTC),
        reviewed_at=r["reviewed_at"] and r["reviewed_at"].astimezone(UTC),
        reviewed_until=r["reviewed_until"],
        stale_messages=tuple(r["stale_messages"]),
    )
