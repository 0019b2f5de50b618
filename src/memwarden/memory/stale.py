"""Stale messages: what in a running conversation holds something that was forgotten since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memwarden.db import archive_table, thread_table
from memwarden.db.database import Transaction
from memwarden.memory.archive import exchanges
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.threads import saver_of
from memwarden.model.record import Evidence
from memwarden.model.scope import Scope


async def make_stale(tx: Transaction, places: Iterable[Evidence]) -> None:
    """Note, for each conversation, the messages that forgotten records rested on."""
    messages: dict[str, set[str]] = {}
    for whole in places:
        for place in (whole, *whole.also):
            if place.conversation_id and place.message_id:
                messages.setdefault(place.conversation_id, set()).add(place.message_id)
    for conversation_id, ids in sorted(messages.items()):
        await thread_table.make_stale(tx, conversation_id, sorted(ids))


async def freshened(deps: Dependencies, scope: Scope, conversation_id: str, messages: Sequence[str]) -> None:
    """Note that those stale messages are no longer in the conversation, and let go of checkpoints that still hold them.

    From the archive they go with what was answered to them.
    """
    await saver_of(deps, scope).aprune([conversation_id])
    gone = await exchanges(deps, scope, conversation_id, frozenset(messages))
    async with deps.database.transaction(scope) as tx:
        await archive_table.drop(tx, conversation_id, gone)
        await thread_table.freshen(tx, conversation_id, messages)
