"""What conversations need of the database that their metadata is kept in."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from memwarden.db.sweep import Due
from memwarden.model.conversation import ConversationMeta
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope


class ConversationStore(Protocol):
    """A database that keeps conversations; every call but the two for sweeps stays inside one user's."""

    @property
    def eraser(self) -> Eraser | None:
        """What takes part in erasures for this database; null where its rows go with everything else's."""
        ...

    async def create(self, conversation: ConversationMeta) -> None:
        """Add a conversation, whose id nobody else has."""
        ...

    async def get(self, scope: Scope, conversation_id: str) -> ConversationMeta | None:
        """Return one conversation, shown or not; null for none."""
        ...

    async def page(
        self, scope: Scope, now: datetime, *, pinned: bool, before: str | None, limit: int
    ) -> list[ConversationMeta]:
        """Return what is shown of a user's conversations, the newest first, after the id ``before`` in that order.

        Those that are pinned and those that are not are two lists.
        """
        ...

    async def everything(self, scope: Scope, limit: int) -> list[ConversationMeta]:
        """Return all conversations of a user, shown or not, the newest first."""
        ...

    async def update(self, seen: ConversationMeta, changed: ConversationMeta) -> ConversationMeta | None:
        """Write a conversation in place of the one that was ``seen``, under the next version, and return it.

        Null, having written nothing, where it is no longer the one that was seen, or gone.
        """
        ...

    async def remove(self, conversation: ConversationMeta) -> bool:
        """Remove a conversation if it is still the one that was seen; return whether it is gone."""
        ...

    async def to_remove(self, now: datetime, limit: int) -> list[Due]:
        """Return, across users, conversations whose ``delete_after`` has passed."""
        ...

    async def to_title(self, now: datetime, limit: int) -> list[Due]:
        """Return, across users, conversations that await a title, and may be given one now."""
        ...
