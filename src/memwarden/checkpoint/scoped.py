"""LangGraph's PostgreSQL saver, held inside one user's rows."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from memwarden.db.database import Database
from memwarden.model.scope import Scope


def _owned(upsert: str) -> str:
    """Name the owner among the columns an upsert of LangGraph's looks for; its value is the row's default."""
    return upsert.replace("ON CONFLICT (", "ON CONFLICT (tenant_id, user_id, ")


class ScopedPostgresSaver(AsyncPostgresSaver):
    """A checkpoint saver bound to one user: another user's thread reads, lists and deletes as absent.

    It runs LangGraph's own statements in transactions that carry the scope, so that row-level security
    decides what they see; the same thread id may exist once for each user. Types of your own in the
    graph's state need ``serde=JsonPlusSerializer(allowed_msgpack_modules=[...])``: without it, only
    LangChain's and the standard types are read back as objects.
    """

    UPSERT_CHECKPOINT_BLOBS_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINT_BLOBS_SQL)
    UPSERT_CHECKPOINTS_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINTS_SQL)
    UPSERT_CHECKPOINT_WRITES_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINT_WRITES_SQL)
    INSERT_CHECKPOINT_WRITES_SQL = _owned(AsyncPostgresSaver.INSERT_CHECKPOINT_WRITES_SQL)

    def __init__(self, database: Database, scope: Scope, *, serde: SerializerProtocol | None = None) -> None:
        super().__init__(database.pool, serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self._database = database
        self._scope = scope

    async def setup(self) -> None:
        """Do nothing: the tables come with `memwarden migrate`."""

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # One transaction for each of the saver's operations, pipelined or not: it carries the scope, and it
        # makes a checkpoint and its blobs visible together. Connections are not shared, so no lock is held.
        async with (
            self._database.transaction(self._scope) as tx,
            AsyncCursor(tx.connection, row_factory=dict_row) as cursor,
        ):
            yield cursor
