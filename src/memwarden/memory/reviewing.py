"""Look through a conversation that is over: what was done becomes an episode, what a model finds is put to the user."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.db import consent_table, erasure, memory_table, thread_table
from memwarden.errors import InvalidInputError
from memwarden.memory.candidates import MOST_MESSAGES, Suggestion
from memwarden.memory.conversations import Latest, whole
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.episodes import record_episode
from memwarden.memory.propose import propose
from memwarden.model.outcome import Outcome
from memwarden.model.record import Evidence
from memwarden.model.scope import Scope
from memwarden.model.thread import Thread

if TYPE_CHECKING:
    from langchain_core.messages import HumanMessage

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What came of a conversation: episodes recorded, and statements put to the user."""

    episodes: int = 0
    proposed: int = 0


async def review_conversation(deps: Dependencies, scope: Scope, thread_id: str) -> Reviewed:
    """Look through what happened in a conversation since the last time; safe to run again.

    The episode is made of which tools were called and how that ended, never of what was said. Where a suggester is
    configured, statements of the user's are proposed with their own words as evidence; they are asked next time.
    """
    thread = await thread_table.get(deps.database, scope, thread_id)
    if thread is None or (thread.reviewed_at is not None and thread.reviewed_at >= thread.last_active_at):
        return Reviewed()
    standing = await consent_table.standing_of(deps.database, scope, thread_id)
    state = await whole(deps, scope, thread_id)
    episodes, until = (0, "") if standing.off else await _note_episode(deps, thread, state)
    proposed = 0 if standing.off else await _propose(deps, thread, state)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if await erasure.still_latest(tx, standing.erasure_id, thread_id):
            await thread_table.reviewed(tx, thread_id, thread.last_active_at, until)
    return Reviewed(episodes, proposed)


async def _note_episode(deps: Dependencies, thread: Thread, state: Latest) -> tuple[int, str]:
    # Here and not above: it brings LangChain's messages, which few processes need.
    from memwarden.memory.tool_use import episode_of

    found = episode_of(state.messages, thread.reviewed_until, thread.last_active_at, waiting=state.waiting)
    if found is None:
        return 0, ""
    key = f"conversation:{thread.id}:{found.until}"
    kept = await record_episode(deps, thread.scope, found.episode, key, Evidence(thread.id, found.until))
    return int(kept.outcome is Outcome.STORED and not kept.renewed), found.until


async def _propose(deps: Dependencies, thread: Thread, state: Latest) -> int:
    said = _said(state)[-MOST_MESSAGES:]
    if deps.suggester is None or not said:
        return 0
    try:
        suggestions = await deps.suggester([message.text for message in said])
    except Exception as error:  # noqa: BLE001 - a foreign model may raise anything, and then nothing was found
        _log.warning("The search for candidates failed (%s); none is proposed.", type(error).__name__)
        return 0
    return sum([await _put(deps, thread, said[found.message], found) for found in suggestions])


async def _put(deps: Dependencies, thread: Thread, message: HumanMessage, found: Suggestion) -> bool:
    """Propose one suggestion; return whether it waits for the user now."""
    try:
        result = await propose(
            deps,
            thread.scope,
            found.statement,
            found.quote,
            message.text,
            Evidence(thread.id, message.id),
        )
    except InvalidInputError:
        return False
    return result.outcome is Outcome.PROPOSED


def _said(state: Latest) -> Sequence[HumanMessage]:
    """Return the user's own messages: one that names a source in the framework was written by a model."""
    # Here and not above: it brings LangChain's messages, which few processes need.
    from memwarden.session.roles import own_words

    return [message for message in own_words(state.messages) if message.text.strip()]
