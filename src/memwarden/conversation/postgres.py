"""Conversations in PostgreSQL, beside everything else: row-level security holds them, erasures reach them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memwarden.db import conversation_table, sweep
from memwarden.db.database import Database
from memwarden.db.erasure import stay_out
from memwarden.db.sweep import Due
from memwarden.model.conversation import ConversationMeta
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope


class PostgresConversations:
    """`ConversationStore` in the table ``conversation``."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def eraser(self) -> Eraser | None:
        """Null: the rows go with everything else's."""
        return None

    async def create(self, conversation: ConversationMeta) -> None:
        """Add a conversation, after any erasure that is under way."""
        async with self._database.transaction(conversation.scope) as tx:
            await stay_out(tx)
            await conversation_table.insert(tx, conversation)

    async def get(self, scope: Scope, conversation_id: str) -> ConversationMeta | None:
        """Return one conversation, or null."""
        return await conversation_table.get(self._database, scope, conversation_id)

    async def page(
        self, scope: Scope, now: datetime, *, pinned: bool, before: str | None, limit: int
    ) -> list[ConversationMeta]:
        """Return what is shown of a user's conversations, the newest first."""
        return await conversation_table.page(
            self._database, scope, now, pinned=pinned, before=before, limit=limit
        )

    async def everything(self, scope: Scope, limit: int) -> list[ConversationMeta]:
        """Return all conversations of a user, the newest first."""
        return await conversation_table.list_all(self._database, scope, limit)

    async def update(self, seen: ConversationMeta, changed: ConversationMeta) -> ConversationMeta | None:
        """Write a conversation in place of the one that was seen."""
        written = replace(changed, version=seen.version + 1)
        async with self._database.transaction(seen.scope) as tx:
            return written if await conversation_table.update(tx, written, seen.version) else None

    async def remove(self, conversation: ConversationMeta) -> bool:
        """Remove a conversation if it is still the one that was seen."""
        async with self._database.transaction(conversation.scope) as tx:
            return await conversation_table.delete(tx, conversation.id, conversation.version)

    async def to_remove(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations whose time is over, but for those under a hold or with a run under way."""
        return await sweep.conversations_to_remove(self._database, now, limit)

    async def to_title(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations that await a title."""
        return await sweep.conversations_to_title(self._database, now, limit)
