"""Sweeps: find out, at intervals, who has something to be done. They see ids, and nothing of what is behind them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from memwarden.db import sweep
from memwarden.db.sweep import Due
from memwarden.jobs.work import (
    CONSOLIDATE,
    FINISH_ERASURE,
    FINISH_TENANT_ERASURE,
    PURGE,
    REMOVE,
    REVIEW,
    TITLE,
    Job,
    tenant_scope,
)
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope

MOST = 1_000
"""Jobs one sweep finds; the next goes on."""

CONSOLIDATED_EVERY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Sweep:
    """One look across users: the kind of job it finds, when it looks (in cron's notation, UTC), and how."""

    kind: str
    cron: str
    find: Callable[[Dependencies], Awaitable[list[Due]]]

    async def jobs(self, deps: Dependencies) -> list[Job]:
        """Return what is to be done now."""
        return [_job(self.kind, due) for due in await self.find(deps)]


def _job(kind: str, due: Due) -> Job:
    scope = Scope(due.tenant_id, due.user_id) if due.user_id else tenant_scope(due.tenant_id)
    return Job(kind, scope, due.about)


async def _expired(deps: Dependencies) -> list[Due]:
    now = deps.clock()
    return await sweep.users_to_purge(deps.database, now, now - deps.retention.checkpoint, MOST)


async def _untidy(deps: Dependencies) -> list[Due]:
    before = deps.clock() - CONSOLIDATED_EVERY
    return await sweep.users_to_consolidate(deps.database, before, deps.embedder.model, MOST)


async def _over(deps: Dependencies) -> list[Due]:
    return await sweep.threads_to_review(deps.database, deps.clock() - deps.retention.idle, MOST)


async def _gone(deps: Dependencies) -> list[Due]:
    return await deps.conversations.to_remove(deps.clock(), MOST)


async def _untitled(deps: Dependencies) -> list[Due]:
    return await deps.conversations.to_title(deps.clock(), MOST)


async def _unfinished(deps: Dependencies) -> list[Due]:
    return await sweep.erasures_to_finish(deps.database, MOST)


async def _unfinished_tenants(deps: Dependencies) -> list[Due]:
    return await sweep.tenant_erasures_to_finish(deps.database, MOST)


SWEEPS: Mapping[str, Sweep] = {
    found.kind: found
    for found in (
        Sweep(FINISH_ERASURE, "* * * * *", _unfinished),
        Sweep(FINISH_TENANT_ERASURE, "* * * * *", _unfinished_tenants),
        Sweep(REVIEW, "*/5 * * * *", _over),
        Sweep(REMOVE, "*/5 * * * *", _gone),
        Sweep(TITLE, "* * * * *", _untitled),
        Sweep(PURGE, "17 * * * *", _expired),
        Sweep(CONSOLIDATE, "37 * * * *", _untidy),
    )
}
