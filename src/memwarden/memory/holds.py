"""Legal holds: keep what there is about somebody, out of everybody's sight but that of who runs the database."""

from __future__ import annotations

from memwarden.db import erasure as erasures
from memwarden.db import hold_table, memory_table
from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_SYSTEM, finish
from memwarden.memory.keep import log
from memwarden.model.audit import Action
from memwarden.model.erasure import ErasureState
from memwarden.model.hold import LegalHold
from memwarden.model.ids import is_id, new_id
from memwarden.model.scope import Scope

MAX_REFERENCE = 200
MOST = 1_000


async def place(deps: Dependencies, scope: Scope, reference: str) -> LegalHold:
    """Place a hold; nothing of the user's is purged from the end of the transaction on.

    ``reference`` names the case, in 1 to 200 characters. A hold brings nothing back: what was erased before it,
    or is being erased as it is placed, is gone.
    """
    named = reference.strip()
    if not named or len(named) > MAX_REFERENCE or "\0" in named:
        raise InvalidInputError(
            f"The reference of a hold has 1 to {MAX_REFERENCE} characters; name the case it serves."
        )
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        now = deps.clock()
        hold = LegalHold(scope, new_id(now), named, now)
        await hold_table.place(tx, hold)
        await log(tx, scope, now, Action.HELD, BY_THE_SYSTEM, hold.id)
    return hold


async def release(deps: Dependencies, scope: Scope, hold_id: str) -> LegalHold:
    """End a hold; with the last one goes what it kept, and erasures that waited for it are finished.

    Raises `NotFoundError` for one that is unknown or was released before.
    """
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        now = deps.clock()
        hold = await hold_table.release(tx, scope, hold_id, now) if is_id(hold_id) else None
        if hold is None:
            raise NotFoundError("No such hold stands; list them to see their ids.")
        await log(tx, scope, now, Action.RELEASED, BY_THE_SYSTEM, hold.id)
    for erasure in await erasures.list_all(deps.database, scope, MOST):
        if erasure.state is ErasureState.HELD:
            await finish(deps, scope, erasure.id)
    return hold
