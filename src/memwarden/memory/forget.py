"""Forget: one record, or everything."""

from __future__ import annotations

from memwarden.db import memory_table
from memwarden.db.erasure import erase_user, number, residue
from memwarden.errors import NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, log
from memwarden.model.audit import Action, Actor
from memwarden.model.ids import is_id, new_id
from memwarden.model.outcome import Erasure
from memwarden.model.scope import Scope
from memwarden.model.verdict import Origin

BY_THE_USER = Cause(Actor.USER, Origin.USER_TURN.value)


async def forget(deps: Dependencies, scope: Scope, record_id: str) -> tuple[str, ...]:
    """Empty one record and every older version of it; return the ids emptied.

    Raises `NotFoundError` for an unknown, forgotten or lapsed record, and for one of another user.
    """
    now = deps.clock()
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        emptied = await memory_table.forget(tx, record_id, now) if is_id(record_id) else []
        if not emptied:
            raise NotFoundError("No such memory; list them to see their ids.")
        for gone in emptied:
            await log(tx, scope, now, Action.FORGOTTEN, BY_THE_USER, gone)
    return tuple(emptied)


async def forget_everything(deps: Dependencies, scope: Scope) -> Erasure:
    """Remove every memory, proposal and checkpoint of the user, then look again.

    The audit log stays: it holds no content, and says that the erasure took place; so do the user's decisions
    about purposes. What was under way when it happened, a write of memory or a run's checkpoint, comes too late.
    """
    now = deps.clock()
    erasure_id = new_id(now)
    deps.last_use.drop(scope)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        removed = await erase_user(tx)
        await number(tx, erasure_id, now, removed)
        await log(tx, scope, now, Action.ERASED, BY_THE_USER, erasure_id)
    return Erasure(erasure_id, now, removed, await residue(deps.database, scope))
