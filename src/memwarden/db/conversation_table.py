"""The rows of the table ``conversation``."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.statements import statements
from memwarden.model.conversation import ConversationMeta, ConversationState, TitledBy
from memwarden.model.scope import Scope

_SQL = statements("conversation")


async def insert(tx: Transaction, conversation: ConversationMeta) -> None:
    """Add a conversation."""
    await tx.fetch(_SQL["insert"], _columns(conversation))


async def get(db: Database, scope: Scope, id: str) -> ConversationMeta | None:  # noqa: A002 - the column's name
    """Return one conversation, or null."""
    rows = await db.fetch(scope, _SQL["get"], {"id": id})
    return _conversation(rows[0], scope) if rows else None


async def page(
    db: Database, scope: Scope, now: datetime, *, pinned: bool, before: str | None, limit: int
) -> list[ConversationMeta]:
    """Return what is shown of a user's conversations, the newest first."""
    named = {"now": now, "pinned": pinned, "before": before or "", "limit": limit}
    return [_conversation(row, scope) for row in await db.fetch(scope, _SQL["page"], named)]


async def list_all(db: Database, scope: Scope, limit: int) -> list[ConversationMeta]:
    """Return all conversations of a user, shown or not, the newest first."""
    return [_conversation(row, scope) for row in await db.fetch(scope, _SQL["list_all"], {"limit": limit})]


async def update(tx: Transaction, conversation: ConversationMeta, seen: int) -> bool:
    """Write a conversation if its version is still the one that was seen; return whether it was."""
    return bool(await tx.fetch(_SQL["update"], {**_columns(conversation), "seen": seen}))


async def delete(tx: Transaction, id: str, seen: int) -> bool:  # noqa: A002
    """Remove a conversation if its version is still the one that was seen; return whether it was."""
    return bool(await tx.fetch(_SQL["delete"], {"id": id, "seen": seen}))


def _columns(conversation: ConversationMeta) -> dict[str, object]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "titled_by": conversation.titled_by.value,
        "title_attempts": conversation.title_attempts,
        "title_after": conversation.title_after,
        "agents": list(conversation.agents),
        "created_at": conversation.created_at,
        "last_active_at": conversation.last_active_at,
        "state": conversation.state.value,
        "pinned": conversation.pinned,
        "listed": conversation.listed,
        "expires_at": conversation.expires_at,
        "delete_after": conversation.delete_after,
        "version": conversation.version,
    }


def _conversation(row: Row, scope: Scope) -> ConversationMeta:
    r = cast("Mapping[str, Any]", row)
    return ConversationMeta(
        scope=scope,
        id=r["id"],
        created_at=r["created_at"].astimezone(UTC),
        last_active_at=r["last_active_at"].astimezone(UTC),
        title=r["title"],
        titled_by=TitledBy(r["titled_by"]),
        agents=tuple(r["agents"]),
        state=ConversationState(r["state"]),
        pinned=r["pinned"],
        listed=r["listed"],
        expires_at=r["expires_at"] and r["expires_at"].astimezone(UTC),
        delete_after=r["delete_after"] and r["delete_after"].astimezone(UTC),
        title_attempts=r["title_attempts"],
        title_after=r["title_after"] and r["title_after"].astimezone(UTC),
        version=r["version"],
    )
