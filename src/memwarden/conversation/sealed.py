"""Conversations whose titles are sealed, as the checkpoints are that they were made from."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import datetime

from memwarden.checkpoint.sealer import Kind, Place, Sealer
from memwarden.conversation.store import ConversationStore
from memwarden.db.sweep import Due
from memwarden.errors import SealError
from memwarden.model.conversation import ConversationMeta
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope


class SealedConversations:
    """A `ConversationStore` in front of another, which never sees a title. Names of agents and times are in the clear."""

    def __init__(self, store: ConversationStore, sealer: Sealer) -> None:
        self._store = store
        self._sealer = sealer

    @property
    def eraser(self) -> Eraser | None:
        """That of the store behind."""
        return self._store.eraser

    async def create(self, conversation: ConversationMeta) -> None:
        """Add a conversation."""
        await self._store.create(self._sealed(conversation))

    async def get(self, scope: Scope, conversation_id: str) -> ConversationMeta | None:
        """Return one conversation, or null."""
        found = await self._store.get(scope, conversation_id)
        return None if found is None else self._opened(found)

    async def page(
        self, scope: Scope, now: datetime, *, pinned: bool, before: str | None, limit: int
    ) -> list[ConversationMeta]:
        """Return what is shown of a user's conversations, the newest first."""
        found = await self._store.page(scope, now, pinned=pinned, before=before, limit=limit)
        return [self._opened(conversation) for conversation in found]

    async def everything(self, scope: Scope, limit: int) -> list[ConversationMeta]:
        """Return all conversations of a user, the newest first."""
        return [self._opened(found) for found in await self._store.everything(scope, limit)]

    async def update(self, seen: ConversationMeta, changed: ConversationMeta) -> ConversationMeta | None:
        """Write a conversation in place of the one that was seen."""
        written = await self._store.update(seen, self._sealed(changed))
        return None if written is None else replace(written, title=changed.title)

    async def remove(self, conversation: ConversationMeta) -> bool:
        """Remove a conversation if it is still the one that was seen."""
        return await self._store.remove(conversation)

    async def to_remove(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations whose time is over."""
        return await self._store.to_remove(now, limit)

    async def to_title(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations that await a title."""
        return await self._store.to_title(now, limit)

    def _sealed(self, conversation: ConversationMeta) -> ConversationMeta:
        sealed = self._sealer.seal(conversation.title.encode(), _place(conversation))
        return replace(conversation, title=base64.b64encode(sealed).decode())

    def _opened(self, conversation: ConversationMeta) -> ConversationMeta:
        try:
            sealed = base64.b64decode(conversation.title, validate=True)
        except ValueError:
            raise SealError(
                "The title of a conversation is not sealed; open it without keys, or delete the conversation."
            ) from None
        return replace(conversation, title=self._sealer.open(sealed, _place(conversation)).decode())


def _place(conversation: ConversationMeta) -> Place:
    scope = conversation.scope
    return Place(scope.tenant_id, scope.user_id, conversation.id, Kind.ARCHIVE, ("title", ""))
