"""Connections and scoped transactions: nothing reaches a table but inside a tenant and a user."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, LiteralString

import psycopg
from psycopg import AsyncClientCursor, AsyncConnection, AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout

from memwarden.db.failures import database_failures
from memwarden.db.multi_row import adapters
from memwarden.model.scope import Scope

Row = Mapping[str, object]
Connection = AsyncConnection[DictRow]
Pool = AsyncConnectionPool[Connection]

# Everything is set for the transaction alone, so that a pooler may hand the connection to somebody else after
# it, and as literals, since set_config() does not reach the workers of a distributed PostgreSQL.
_SCOPE: LiteralString = (
    "SET LOCAL memwarden.tenant_id = %(tenant_id)s; SET LOCAL memwarden.user_id = %(user_id)s; "
    "SET LOCAL search_path = memwarden, {vector_schema}, pg_temp; "
    "SET LOCAL statement_timeout = {timeout_ms}; SET LOCAL lock_timeout = {timeout_ms}; "
)


class Transaction:
    """One open transaction in one scope; every statement may use ``%(tenant_id)s`` and ``%(user_id)s``."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self.scope = scope

    async def fetch(self, statement: LiteralString, params: Mapping[str, object] | None = None) -> list[Row]:
        """Run one statement and return its rows (empty when it returns none)."""
        cursor = await self.connection.execute(statement, _bound(self.scope, params))
        return await _rows(cursor)


class Database:
    """A pool of connections of the application role."""

    def __init__(
        self, pool: Pool, *, vector_schema: str = "public", statement_timeout_s: float = 30.0
    ) -> None:
        self.pool = pool
        quoted = '"' + vector_schema.replace('"', '""').replace("%", "%%") + '"'
        self._set_scope: Any = _SCOPE.format(vector_schema=quoted, timeout_ms=int(statement_timeout_s * 1000))

    async def fetch(
        self, scope: Scope, statement: LiteralString, params: Mapping[str, object] | None = None
    ) -> list[Row]:
        """Run one reading statement in its own transaction, scope and all in one round trip.

        The statements travel as one simple query, which PostgreSQL runs as one implicit transaction. On a
        connection that turns out to be lost it is run once more, so it must not write.
        """
        with database_failures():
            try:
                return await self._fetch(scope, statement, params)
            except psycopg.OperationalError as error:
                if not _lost(error):
                    raise
                await self.pool.check()
                return await self._fetch(scope, statement, params)

    async def write_at_once(
        self, scope: Scope, statement: LiteralString, params: Mapping[str, object] | None = None
    ) -> list[Row]:
        """Run statements that write as one transaction, scope and all in one round trip; they are run once.

        What comes back is of the last of them.
        """
        with database_failures():
            return await self._fetch(scope, statement, params)

    @asynccontextmanager
    async def transaction(self, scope: Scope) -> AsyncIterator[Transaction]:
        """Open a transaction in ``scope``; it commits when the block ends and rolls back when the block raises."""
        with database_failures():
            try:
                connection, opened = await self._begin(scope)
            except psycopg.OperationalError as error:
                if not _lost(error):
                    raise
                await self.pool.check()
                connection, opened = await self._begin(scope)
            async with opened:
                yield Transaction(connection, scope)

    async def close(self) -> None:
        """Close the connections."""
        await self.pool.close()

    async def _fetch(
        self, scope: Scope, statement: LiteralString, params: Mapping[str, object] | None
    ) -> list[Row]:
        async with self.pool.connection() as connection:
            cursor = await connection.execute(self._set_scope + statement, _bound(scope, params))
            return await _rows(cursor)

    async def _begin(self, scope: Scope) -> tuple[Connection, AsyncExitStack]:
        async with AsyncExitStack() as stack:
            connection = await stack.enter_async_context(self.pool.connection())
            await stack.enter_async_context(connection.transaction())
            await connection.execute(self._set_scope, _bound(scope, None))
            return connection, stack.pop_all()
        raise AssertionError("unreachable: the block returns or raises")


async def open_pool(dsn: str, *, min_size: int, max_size: int, timeout_s: float) -> Pool:
    """Open a pool that keeps no state in its sessions (safe behind a transaction-mode pooler)."""
    pool: Pool = AsyncConnectionPool(
        dsn,
        connection_class=AsyncConnection[DictRow],
        kwargs={
            "autocommit": True,
            "prepare_threshold": None,
            "row_factory": dict_row,
            "cursor_factory": AsyncClientCursor,
            "application_name": "memwarden",
            "context": adapters(),
        },
        min_size=min_size,
        max_size=max_size,
        timeout=timeout_s,
        open=False,
        name="memwarden",
    )
    await pool.open()
    return pool


def _lost(error: psycopg.OperationalError) -> bool:
    """Tell whether a connection was found dead: PostgreSQL was restarted, or something between closed it."""
    gone = (
        None,
        "57P01",
        "57P02",
        "57P03",
    )  # no answer at all; shut down by an operator, by a crash, not up yet
    return error.sqlstate in gone and not isinstance(error, PoolTimeout | PoolClosed)


def _bound(scope: Scope, params: Mapping[str, object] | None) -> dict[str, object]:
    return {**(params or {}), "tenant_id": scope.tenant_id, "user_id": scope.user_id}


async def _rows(cursor: AsyncCursor[DictRow]) -> list[Row]:
    while cursor.nextset():
        pass
    return list(await cursor.fetchall()) if cursor.description is not None else []
