"""Recall: the core profile by key, then the memories that bear on a question."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.db import memory_table
from memwarden.db.memory_table import Reading
from memwarden.embed import TextKind
from memwarden.errors import EmbeddingMismatchError, InvalidInputError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.ranking import Ranked, rank
from memwarden.memory.render import MAX_CHARACTERS, render
from memwarden.memory.text import checked_query
from memwarden.model.consent import ConsentMode
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope

DEFAULT_LIMIT = 8
MAX_LIMIT = 50
MAX_PROFILE = 32
"""Slots that reach a prompt at the most; a profile of sensible size has fewer."""


@dataclass(frozen=True, slots=True)
class Recall:
    """What was recalled for one question at the instant ``at``: the set slots by key, and the ranked rest."""

    profile: tuple[MemoryRecord, ...]
    memories: tuple[Ranked, ...]
    at: datetime

    @property
    def records(self) -> tuple[MemoryRecord, ...]:
        """Every record in it, the profile first."""
        return (*self.profile, *(ranked.record for ranked in self.memories))

    def render(self, max_characters: int = MAX_CHARACTERS) -> str:
        """Return the delimited memory section for a prompt; empty when nothing was recalled."""
        return render(self.profile, [ranked.record for ranked in self.memories], max_characters)


async def recall(
    deps: Dependencies,
    scope: Scope,
    query: str | None,
    limit: int = DEFAULT_LIMIT,
    conversation_id: str | None = None,
) -> Recall:
    """Return the profile and at most ``limit`` memories for ``query``, or the profile alone for a null or blank one.

    What the user does not let be used, everywhere or in the conversation, is left out. One round trip to the
    database; the question is embedded before it. Raises `EmbeddingMismatchError`
    when the user has memories that another embedding model made.
    """
    if not 0 <= limit <= MAX_LIMIT:
        raise InvalidInputError(f"The limit of a recall is {limit}; it may be 0 to {MAX_LIMIT}.")
    now = deps.clock()
    reading = Reading(now, conversation_id, deps.consent_mode is ConsentMode.REQUIRED)
    text = checked_query(query)
    if not text or limit == 0:
        profile = await memory_table.profile(deps.database, scope, reading)
        result = Recall(tuple(profile[:MAX_PROFILE]), (), now)
    else:
        result = await _search(deps, scope, text, limit, reading)
    deps.last_use.note(scope, result.records, now)
    return result


def expect(deps: Dependencies, query: str) -> None:
    """Begin to embed a question, as far as it is one."""
    if text := checked_query(query):
        deps.embedder.expect(text)


async def _search(deps: Dependencies, scope: Scope, text: str, limit: int, reading: Reading) -> Recall:
    vectors = await deps.embedder.embed([text], TextKind.QUERY)
    found = await memory_table.search(
        deps.database, scope, text, vectors[0], deps.embedder.model, reading=reading, depth=max(10, 2 * limit)
    )
    if found.other_models:
        raise EmbeddingMismatchError(
            f"{found.other_models} of this user's memories were embedded by another model than {deps.embedder.model!r}; "
            "run `memwarden reembed` for the user, or configure the model that made them."
        )
    profile = sorted(
        (hit.record for hit in found.hits if hit.record.key), key=lambda record: record.key or ""
    )
    free = [hit for hit in found.hits if not hit.record.key]
    return Recall(tuple(profile[:MAX_PROFILE]), rank(free, reading.now, limit), reading.now)
