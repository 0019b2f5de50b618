"""Transcripts: what a person sees of their conversations, page by page, and searched for words.

A search reads and matches: no index of what was said is kept beside the checkpoints, which may be sealed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.conversation.transcript import excerpt, newest, terms_of, without_exchanges
from memwarden.db import thread_table
from memwarden.memory.conversations import Message, as_message, latest
from memwarden.memory.conversing import get, page
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

    from memwarden.model.conversation import ConversationMeta

READ_AT_ONCE = 100
"""Conversations that one search reads; the next one goes on behind them."""

NEWEST = "7" + 25 * "Z"
"""An id before which every conversation comes."""

FOUND_IN_EACH = 3
"""Messages that a search shows of one conversation."""


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """Messages in their order, and the id to ask for those before them with; null at the beginning of the conversation."""

    messages: tuple[Message, ...]
    before: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """A message that holds what was looked for, and what stands around it."""

    conversation_id: str
    message_id: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class SearchPage:
    """What was found, the newest conversation first, and where to go on with the search; null when all was looked through."""

    found: tuple[Found, ...]
    before: str | None


async def transcript(
    deps: Dependencies, scope: Scope, conversation_id: str, before: str | None, limit: int
) -> TranscriptPage:
    """Return a page of a conversation's transcript, the newest page first."""
    await get(deps, scope, conversation_id)
    found = newest(await transcript_of(deps, scope, conversation_id), before, limit)
    return TranscriptPage(tuple(map(as_message, found.messages)), found.before)


async def transcript_of(deps: Dependencies, scope: Scope, conversation_id: str) -> list[AnyMessage]:
    """Return what a person sees of a conversation, without what they have had forgotten since.

    Where a graph keeps no transcript of its own, this is what a person would see of its messages.
    """
    # Here and not above: it brings LangChain's messages, which few processes need.
    from memwarden.session.histories import for_the_person

    state = await latest(deps, scope, conversation_id)
    shown = for_the_person(state.messages) if state.transcript is None else state.transcript
    return without_exchanges(shown, await thread_table.stale(deps.database, scope, conversation_id))


async def search(deps: Dependencies, scope: Scope, query: str, before: str | None, limit: int) -> SearchPage:
    """Look for words in the transcripts of listed conversations; those that are pinned come first."""
    terms = terms_of(query)
    found: list[Found] = []
    if before is None:
        pinned = await page(deps, scope, pinned=True, before=None, limit=READ_AT_ONCE)
        found += await _found_in(deps, pinned.items, terms)
    behind = before or NEWEST
    others = await page(deps, scope, pinned=False, before=before, limit=READ_AT_ONCE)
    for conversation in others.items:
        if len(found) >= limit:
            return SearchPage(tuple(found), behind)
        found += await _found_in(deps, [conversation], terms)
        behind = conversation.id
    return SearchPage(tuple(found), others.before)


async def _found_in(
    deps: Dependencies, conversations: Sequence[ConversationMeta], terms: Sequence[str]
) -> list[Found]:
    # Here and not above: it brings LangChain's messages, which few processes need.
    from memwarden.session.message_text import text_of

    found: list[Found] = []
    for conversation in conversations:
        messages = await transcript_of(deps, conversation.scope, conversation.id)
        matches = (
            Found(conversation.id, message.id or "", around)
            for message in reversed(messages)
            if (around := excerpt(text_of(message), terms)) is not None
        )
        found += [match for match, _ in zip(matches, range(FOUND_IN_EACH), strict=False)]
    return found
