"""Who has something to be done: the one look across users, through narrow functions that give away ids alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

from memwarden.db.database import Database
from memwarden.db.statements import statements
from memwarden.model.scope import Scope

_SQL = statements("sweep")

NOBODY = Scope("memwarden", "sweep")
"""The scope a sweep runs in: it has rows of nobody, and the functions it calls need none."""


@dataclass(frozen=True, slots=True)
class Due:
    """Something to be done: whose, and which thread or erasure it is about, if it is about one."""

    tenant_id: str
    user_id: str
    about: str = ""


async def users_to_purge(db: Database, now: datetime, idle_before: datetime, limit: int) -> list[Due]:
    """Return users with something that has expired, but for those under a legal hold."""
    found = {"now": now, "idle_before": idle_before, "limit": limit}
    return await _due(db, _SQL["users_to_purge"], found)


async def users_to_consolidate(db: Database, before: datetime, model: str, limit: int) -> list[Due]:
    """Return users whose memory was not put in order since ``before``, or was with another embedding model."""
    found = {"before": before, "embedding_model": model, "limit": limit}
    return await _due(db, _SQL["users_to_consolidate"], found)


async def threads_to_review(db: Database, idle_before: datetime, limit: int) -> list[Due]:
    """Return conversations that ended, or were not gone on with since ``idle_before``, and were not looked through."""
    return await _due(db, _SQL["threads_to_review"], {"idle_before": idle_before, "limit": limit})


async def erasures_to_finish(db: Database, limit: int) -> list[Due]:
    """Return erasures of users that are not complete, and could be."""
    return await _due(db, _SQL["erasures_to_finish"], {"limit": limit})


async def tenant_erasures_to_finish(db: Database, limit: int) -> list[Due]:
    """Return erasures of tenants that are not complete."""
    return await _due(db, _SQL["tenant_erasures_to_finish"], {"limit": limit})


async def conversations_to_remove(db: Database, now: datetime, limit: int) -> list[Due]:
    """Return conversations whose time is over, but for those of users under a legal hold or with a run under way."""
    return await _due(db, _SQL["conversations_to_remove"], {"now": now, "limit": limit})


async def conversations_to_title(db: Database, now: datetime, limit: int) -> list[Due]:
    """Return conversations that are worth a title, and have none."""
    return await _due(db, _SQL["conversations_to_title"], {"now": now, "limit": limit})


async def _due(db: Database, statement: LiteralString, params: Mapping[str, object]) -> list[Due]:
    rows = await db.fetch(NOBODY, statement, params)
    return [
        Due(
            str(row["tenant_id"]),
            str(row.get("user_id", "")),
            str(row.get("thread_id") or row.get("id") or ""),
        )
        for row in rows
    ]
