"""Titles: a conversation is listed once it is worth it, and then given a title, once."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from memwarden.conversation import lifecycle
from memwarden.memory.conversing import attempted, changed, get
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.transcripts import transcript_of
from memwarden.model.conversation import ConversationMeta, TitledBy
from memwarden.model.scope import Scope, checked_name
from memwarden.session.titles import UNTOLD, Exchange, exchange_of, extracted

MOST_ATTEMPTS = 3
"""How often a model is asked for the title of one conversation; after that code makes it."""

PAUSE = timedelta(minutes=5)
"""How long a model is left alone after its first failure; after the second, twice that."""

_log = logging.getLogger(__name__)


async def took_part(
    deps: Dependencies, scope: Scope, conversation_id: str, agents: Sequence[str]
) -> ConversationMeta:
    """Note which meaningful agents took part; see `UserConversations.took_part`."""
    names = [checked_name(name, "name of the agent") for name in agents]
    found = await get(deps, scope, conversation_id)
    asked = not found.listed and (names or found.agents)
    qualifies = bool(asked) and await _exchange(deps, scope, conversation_id) is not None

    def change(found: ConversationMeta, at: datetime) -> ConversationMeta:
        joined = lifecycle.joined_by(found, names)
        return replace(joined, listed=True) if qualifies else joined

    noted = await changed(deps, scope, conversation_id, change)
    if deps.title_model is None and noted.awaits_title:
        return await title(deps, scope, conversation_id)
    return noted


async def title(deps: Dependencies, scope: Scope, conversation_id: str) -> ConversationMeta:
    """Give a conversation its title if it awaits one; see `UserConversations.title`."""
    found = await get(deps, scope, conversation_id)
    now = deps.clock()
    if not found.awaits_title or (found.title_after is not None and found.title_after > now):
        return found
    exchange = await _exchange(deps, scope, conversation_id)
    wanted = _without_a_model(deps, found, exchange)
    if wanted is not None:
        return await _stored(deps, scope, conversation_id, wanted)
    attempts = found.title_attempts + 1
    claimed = await deps.conversations.update(
        found, replace(found, title_attempts=attempts, title_after=now + attempts * PAUSE)
    )
    if claimed is None:  # somebody else does it, or it is gone
        return await get(deps, scope, conversation_id)
    if exchange is not None and deps.title_model is not None:
        # Here and not above: it brings LangChain, which few processes need.
        from memwarden.conversation.title_model import title_by

        wanted = await title_by(deps.title_model, exchange, deps.title_s)
    return claimed if wanted is None else await _stored(deps, scope, conversation_id, wanted)


def _without_a_model(
    deps: Dependencies, conversation: ConversationMeta, exchange: Exchange | None
) -> str | None:
    """Return the title that code makes; null where a model is asked first, or the exchange may be read another time."""
    exhausted = conversation.title_attempts >= MOST_ATTEMPTS
    if exchange is None:
        return UNTOLD if exhausted else None
    return extracted(exchange) if exhausted or deps.title_model is None else None


async def _stored(deps: Dependencies, scope: Scope, conversation_id: str, wanted: str) -> ConversationMeta:
    """Store a title unless there is one by now, and tell whoever wants to know."""

    def change(found: ConversationMeta, at: datetime) -> ConversationMeta:
        if not found.awaits_title:
            return found
        return replace(found, title=wanted, titled_by=TitledBy.GENERATED, title_after=None)

    stored, written = await attempted(deps, scope, conversation_id, change)
    if written and deps.titled is not None:
        try:
            await deps.titled(stored)
        except Exception as error:  # noqa: BLE001 - the title is stored, whatever the application's hook makes of it
            _log.warning("The hook for titles failed (%s).", type(error).__name__)
    return stored


async def _exchange(deps: Dependencies, scope: Scope, conversation_id: str) -> Exchange | None:
    return exchange_of(await transcript_of(deps, scope, conversation_id))
