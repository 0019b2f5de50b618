"""Removing what a conversation holds, once it was deleted or left the list, and nobody came back to it in time."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memwarden.conversation import lifecycle
from memwarden.db import erasure as erasures
from memwarden.db import hold_table, memory_table, thread_table
from memwarden.errors import ThreadBusyError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.running import running
from memwarden.memory.threads import saver_of
from memwarden.model.conversation import ConversationMeta, ConversationState
from memwarden.model.ids import is_id
from memwarden.model.scope import Scope


class Removal(StrEnum):
    """What became of a conversation that was found to be due."""

    REMOVED = "removed"
    RUNNING = "running"
    """A run is under way in it; it is removed after that."""
    HELD = "held"
    """A legal hold keeps it, out of sight."""
    RENEWED = "renewed"
    """Its user went on with it since, so that it lives on, or it is not due any more."""


async def remove_conversation(deps: Dependencies, scope: Scope, conversation_id: str) -> Removal:
    """Remove a conversation that is due: its checkpoints, its archive, its place in the list; safe to run again.

    It waits for a run that is under way by leaving it to the next time, and keeps the next run out.
    """
    found = await deps.conversations.get(scope, conversation_id)
    if found is None or not found.is_due(deps.clock()):
        return Removal.RENEWED
    begun = await thread_table.get(deps.database, scope, conversation_id) is not None
    try:
        async with running(deps, scope, conversation_id, 0):
            return await _removed(deps, scope, conversation_id, begun)
    except ThreadBusyError:
        return Removal.RUNNING


async def remove_unused(deps: Dependencies, scope: Scope, thread_id: str, before: datetime) -> None:
    """Remove the place in the list of a conversation whose thread expired, unless its user came back since ``before``."""
    found = await deps.conversations.get(scope, thread_id) if is_id(thread_id) else None
    if found is not None and found.last_active_at <= before:
        await deps.conversations.remove(found)


async def _removed(deps: Dependencies, scope: Scope, conversation_id: str, begun: bool) -> Removal:
    found = await deps.conversations.get(scope, conversation_id)
    if found is None or not found.is_due(deps.clock()) or await _lives_on(deps, found, begun):
        return Removal.RENEWED
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if await hold_table.stands(tx):
            return Removal.HELD
        await thread_table.lock(tx, conversation_id)
        await erasures.erase_checkpoints(tx, conversation_id)
    if deps.checkpoints is not None:
        await saver_of(deps, scope).adelete_thread(conversation_id)
    # Last, so that a removal that is cut short is found again.
    await deps.conversations.remove(found)
    return Removal.REMOVED


async def _lives_on(deps: Dependencies, found: ConversationMeta, begun: bool) -> bool:
    """Renew a conversation that went on without anybody's saying so; what its user deleted is not asked for that."""
    if not begun or found.state is ConversationState.DELETED:
        return False
    thread = await thread_table.get(deps.database, found.scope, found.id)
    if thread is None or thread.last_active_at <= found.last_active_at:
        return False
    longest, grace = deps.retention.of_conversation(), deps.retention.grace
    renewed = lifecycle.renewed(found, thread.last_active_at, longest, grace)
    if renewed.is_due(deps.clock()):
        return False
    await deps.conversations.update(found, renewed)
    return True
