"""What a user can do with the conversations in their list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from memwarden.errors import InvalidInputError
from memwarden.memory import conversing, titling, transcripts
from memwarden.memory.conversing import ConversationPage
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.transcripts import SearchPage, TranscriptPage
from memwarden.model.conversation import ConversationMeta
from memwarden.model.scope import Scope

MOST_LISTED = 200
"""Conversations, messages or finds on a page at most."""


class UserConversations:
    """The conversations of one user in one tenant; get it from `UserMemory.conversations`.

    An id of somebody else's conversation is answered exactly like an unknown one (`NotFoundError`), and so is one that was
    deleted, or expired, longer ago than `MEMWARDEN_GRACE_MINUTES`.
    """

    def __init__(self, dependencies: Dependencies, scope: Scope) -> None:
        self._deps = dependencies
        self._scope = scope

    async def begin(self, *, lifetime: timedelta | None = None) -> ConversationMeta:
        """Begin a conversation, whose id is that of its graph's thread; it is listed once it is worth a title.

        ``lifetime`` is how long it is listed after its user last came back to it, by default as long as retention allows.
        """
        return await conversing.begin(self._deps, self._scope, lifetime)

    async def page(
        self, *, pinned: bool = False, before: str | None = None, limit: int = 50
    ) -> ConversationPage:
        """Return listed conversations, the newest first; those that are pinned are a list of their own.

        ``before`` is that of the page before. Expired and deleted ones are not in it.
        """
        most = _checked_limit(limit)
        return await conversing.page(self._deps, self._scope, pinned=pinned, before=before, limit=most)

    async def get(self, conversation_id: str) -> ConversationMeta:
        """Return one conversation, listed or not, as long as its user may come back to it."""
        return await conversing.get(self._deps, self._scope, conversation_id)

    async def rename(self, conversation_id: str, title: str) -> ConversationMeta:
        """Give a conversation a title of the user's own, which stays; secrets in it are left out."""
        return await conversing.rename(self._deps, self._scope, conversation_id, title)

    async def pin(self, conversation_id: str, *, pinned: bool = True) -> ConversationMeta:
        """Move a conversation to the pinned ones, or back; it lives no longer for that."""
        return await conversing.pin(self._deps, self._scope, conversation_id, pinned)

    async def renew(self, conversation_id: str) -> ConversationMeta:
        """Note that the user came back: the conversation lives on from now, also if it was deleted or expired.

        To be called when they open it or send a message.
        """
        return await conversing.renew(self._deps, self._scope, conversation_id)

    async def delete(self, conversation_id: str) -> ConversationMeta:
        """Hide a conversation at once, and let what it holds be removed after `MEMWARDEN_GRACE_MINUTES`.

        A run under way goes on undisturbed, and is waited for. What was remembered in it stays; to have everything go now,
        use `UserMemory.forget_conversation`.
        """
        return await conversing.delete(self._deps, self._scope, conversation_id)

    async def took_part(self, conversation_id: str, agents: Sequence[str]) -> ConversationMeta:
        """Note after a run which meaningful agents took part (`memwarden.agent.meaningful_agents`); asks no model.

        With an agent, and once its user said something that is not trivial, the conversation is listed. Where no model is
        configured it gets its title as well; else that is for `title`, or the worker.
        """
        return await titling.took_part(self._deps, self._scope, conversation_id, agents)

    async def title(self, conversation_id: str) -> ConversationMeta:
        """Give a listed conversation that has none its title, by a model where there is one; a background job does the same.

        Call it beside the answer, not before it. A model that fails is left alone for some minutes, and replaced by code
        after three attempts.
        """
        return await titling.title(self._deps, self._scope, conversation_id)

    async def transcript(
        self, conversation_id: str, *, before: str | None = None, limit: int = 50
    ) -> TranscriptPage:
        """Return the latest messages that a person sees of a conversation, in their order; ``before`` is that of the later page.

        Raises `InvalidInputError` where that message is no longer in it.
        """
        most = _checked_limit(limit)
        return await transcripts.transcript(self._deps, self._scope, conversation_id, before, most)

    async def search(self, query: str, *, before: str | None = None, limit: int = 20) -> SearchPage:
        """Return messages of listed conversations that hold all words of ``query``, at most three of each conversation.

        It reads the transcripts, of the pinned conversations and then of at most 100 others at a time, and stops after the conversation in which ``limit``
        is reached; ``before`` goes on behind them.
        """
        most = _checked_limit(limit)
        return await transcripts.search(self._deps, self._scope, query, before, most)


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MOST_LISTED:
        raise InvalidInputError(f"The limit of a page is {limit}; it may be 1 to {MOST_LISTED}.")
    return limit
