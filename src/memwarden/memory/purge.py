"""Purge: remove for good what has expired."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.db import erasure as erasures
from memwarden.db import hold_table, memory_table, proposal_table, thread_table
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import BY_THE_SYSTEM
from memwarden.memory.exports import purge_exports
from memwarden.memory.keep import log
from memwarden.memory.removing import remove_unused
from memwarden.model.audit import Action
from memwarden.model.scope import Scope

BATCH = 500


@dataclass(frozen=True, slots=True)
class Purged:
    """How much was removed: memories in any state, proposals, conversations, exports. ``held`` says that a hold forbade it."""

    memories: int = 0
    proposals: int = 0
    conversations: int = 0
    exports: int = 0
    held: bool = False


async def purge(deps: Dependencies, scope: Scope) -> Purged:
    """Remove one user's expired rows in small transactions; safe to stop and to run again.

    A user under a legal hold keeps all of them; they stay invisible.
    """
    memories = 0
    while True:
        async with deps.database.transaction(scope) as tx:
            await memory_table.lock_user(tx)
            if await hold_table.stands(tx):
                return Purged(memories=memories, held=True)
            now = deps.clock()
            gone = await memory_table.purge_expired(tx, now, BATCH)
            for record_id, _ in gone:
                await log(tx, scope, now, Action.PURGED, BY_THE_SYSTEM, record_id)
            memories += len(gone)
        if len(gone) < BATCH:
            break
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if await hold_table.stands(tx):
            return Purged(memories=memories, held=True)
        proposals = await proposal_table.purge_expired(tx, deps.clock())
    conversations = await _purge_conversations(deps, scope)
    return Purged(memories, len(proposals), conversations, await purge_exports(deps, scope))


async def _purge_conversations(deps: Dependencies, scope: Scope) -> int:
    """Remove the checkpoints and the archive of conversations that nobody went on with for long enough."""
    before = deps.clock() - deps.retention.checkpoint
    purged = 0
    for thread_id in await thread_table.idle(deps.database, scope, before, BATCH):
        async with deps.database.transaction(scope) as tx:
            await memory_table.lock_user(tx)
            if await hold_table.stands(tx):
                return purged
            known = await thread_table.lock(tx, thread_id)
            if known is not None and known <= before:  # somebody may have gone on with it meanwhile
                await erasures.erase_checkpoints(tx, thread_id)
                purged += 1
        await remove_unused(deps, scope, thread_id, before)
    return purged
