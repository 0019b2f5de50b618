"""The life of a conversation in its user's list: begun, come back to, renamed, pinned, ended, deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memwarden.conversation import lifecycle
from memwarden.db import thread_table
from memwarden.errors import InvalidInputError, NotFoundError, StateConflictError
from memwarden.memory.dependencies import Dependencies
from memwarden.model.conversation import ConversationMeta, TitledBy
from memwarden.model.ids import is_id
from memwarden.model.scope import Scope
from memwarden.session.titles import given

TRIES = 10
"""How often a change is tried again that somebody else's came before."""

Change = Callable[[ConversationMeta, datetime], ConversationMeta]


@dataclass(frozen=True, slots=True)
class ConversationPage:
    """Conversations, the newest first, and the id to ask for the next page with; null at the end."""

    items: tuple[ConversationMeta, ...]
    before: str | None


async def begin(deps: Dependencies, scope: Scope, lifetime: timedelta | None) -> ConversationMeta:
    """Begin a conversation; see `UserConversations.begin`."""
    longest = deps.retention.of_conversation()
    life = longest if lifetime is None else lifetime
    if not timedelta() < life <= longest:
        raise InvalidInputError(f"A conversation may be listed for more than nothing and at most {longest}.")
    conversation = lifecycle.begun(scope, deps.clock(), life, deps.retention.grace)
    await deps.conversations.create(conversation)
    return conversation


async def get(deps: Dependencies, scope: Scope, conversation_id: str) -> ConversationMeta:
    """Return a conversation that is not due for removal; raise `NotFoundError` for any other."""
    found = await deps.conversations.get(scope, conversation_id) if is_id(conversation_id) else None
    if found is None or found.is_due(deps.clock()):
        raise NotFoundError("No such conversation; list them to see their ids.")
    return found


async def page(
    deps: Dependencies, scope: Scope, *, pinned: bool, before: str | None, limit: int
) -> ConversationPage:
    """Return a page of what is shown of a user's conversations."""
    if before is not None and not is_id(before):
        raise InvalidInputError(
            "That is no place in the list; give the `before` of the page before, or none."
        )
    now = deps.clock()
    found = await deps.conversations.page(scope, now, pinned=pinned, before=before, limit=limit + 1)
    shown = tuple(found[:limit])
    return ConversationPage(shown, shown[-1].id if len(found) > limit else None)


async def rename(deps: Dependencies, scope: Scope, conversation_id: str, title: str) -> ConversationMeta:
    """Give a conversation the title its user wants, for good."""
    kept = given(title)
    if not kept:
        raise InvalidInputError("The title is empty; give it at least one visible character.")

    def change(found: ConversationMeta, at: datetime) -> ConversationMeta:
        return replace(found, title=kept, titled_by=TitledBy.USER, title_after=None, listed=True)

    return await changed(deps, scope, conversation_id, change)


async def pin(deps: Dependencies, scope: Scope, conversation_id: str, pinned: bool) -> ConversationMeta:
    """Move a conversation to the list of the pinned ones, or back."""
    return await changed(deps, scope, conversation_id, lambda found, at: replace(found, pinned=pinned))


async def renew(deps: Dependencies, scope: Scope, conversation_id: str) -> ConversationMeta:
    """Let a conversation live on from now, also one that was deleted or is no longer listed."""
    longest, grace = deps.retention.of_conversation(), deps.retention.grace

    def change(found: ConversationMeta, at: datetime) -> ConversationMeta:
        return lifecycle.renewed(found, at, longest, grace)

    renewed = await changed(deps, scope, conversation_id, change)
    async with deps.database.transaction(scope) as tx:
        await thread_table.touch(tx, conversation_id, renewed.last_active_at)
    return renewed


async def delete(deps: Dependencies, scope: Scope, conversation_id: str) -> ConversationMeta:
    """Hide a conversation now, and let what it holds be removed later."""
    grace = deps.retention.grace
    return await changed(deps, scope, conversation_id, lambda found, at: lifecycle.deleted(found, at, grace))


async def end(deps: Dependencies, scope: Scope, conversation_id: str) -> None:
    """Note that a conversation ended, where it is one of those in a list."""
    try:
        await changed(deps, scope, conversation_id, lambda found, at: lifecycle.ended(found))
    except NotFoundError:
        return


async def changed(deps: Dependencies, scope: Scope, conversation_id: str, change: Change) -> ConversationMeta:
    """Return a conversation with a change to it written."""
    return (await attempted(deps, scope, conversation_id, change))[0]


async def attempted(
    deps: Dependencies, scope: Scope, conversation_id: str, change: Change
) -> tuple[ConversationMeta, bool]:
    """Return a conversation after a change to it, and whether there was anything to write; raise `NotFoundError` for none."""
    for _ in range(TRIES):
        found = await get(deps, scope, conversation_id)
        wanted = change(found, deps.clock())
        if wanted == found:
            return found, False
        written = await deps.conversations.update(found, wanted)
        if written is not None:
            return written, True
    raise StateConflictError("Others keep changing this conversation; try again.")
