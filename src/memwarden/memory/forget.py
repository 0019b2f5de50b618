"""Forget: one record, with its older versions, and in the conversations it was said in."""

from __future__ import annotations

from memwarden.db import memory_table
from memwarden.errors import NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_USER
from memwarden.memory.keep import log
from memwarden.memory.stale import make_stale
from memwarden.model.audit import Action
from memwarden.model.ids import is_id
from memwarden.model.record import NO_EVIDENCE, Evidence
from memwarden.model.scope import Scope


async def forget(
    deps: Dependencies, scope: Scope, record_id: str, said_in: Evidence = NO_EVIDENCE
) -> tuple[str, ...]:
    """Empty one record and every older version of it; return the ids emptied.

    The messages it rests on become stale: an agent that goes on with such a conversation drops them. Raises
    `NotFoundError` for an unknown, forgotten or lapsed record, and for one of another user.
    """
    now = deps.clock()
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        versions = await memory_table.versions(tx, scope, record_id) if is_id(record_id) else []
        emptied = await memory_table.forget(tx, record_id, now) if versions else []
        if not emptied:
            raise NotFoundError("No such memory; list them to see their ids.")
        places = (record.evidence for record in versions if record.id in emptied)
        await make_stale(tx, (*places, said_in))
        for gone in emptied:
            await log(tx, scope, now, Action.FORGOTTEN, BY_THE_USER, gone)
    return tuple(emptied)
