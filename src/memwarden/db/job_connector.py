"""The job queue's way to the database: our pool, its schema, nothing left behind in a session."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, LiteralString

import psycopg
from procrastinate import exceptions
from procrastinate.connector import BaseAsyncConnector, BaseConnector, Notify
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row
from psycopg.types.json import Jsonb

from memwarden.db.database import Database
from memwarden.db.job_schema import JOBS_SCHEMA

_SCHEMA: LiteralString = f"SET LOCAL search_path = {JOBS_SCHEMA}, pg_temp"


class JobConnector(BaseAsyncConnector):
    """Runs procrastinate's statements, each in a transaction of its own on a connection of our pool.

    It does not listen for notifications, which a session would have to be kept for: workers poll, and what a
    sweep finds is seldom in a hurry. So it works behind a transaction-mode pooler as well.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def get_sync_connector(self) -> BaseConnector:
        """Return this one: nothing of ours is deferred from synchronous code."""
        return self

    async def open_async(self, pool: object | None = None) -> None:
        """Do nothing: the pool is open."""

    async def close_async(self) -> None:
        """Do nothing: whoever opened the pool closes it."""

    async def execute_query_async(self, query: LiteralString, **arguments: object) -> None:
        """Run a statement."""
        async with self._executed(query, arguments):
            pass

    async def execute_query_one_async(self, query: LiteralString, **arguments: object) -> dict[str, Any]:
        """Run a statement and return its row."""
        async with self._executed(query, arguments) as cursor:
            row = await cursor.fetchone()
        if row is None:
            raise exceptions.NoResult
        return row

    async def execute_query_all_async(
        self, query: LiteralString, **arguments: object
    ) -> list[dict[str, Any]]:
        """Run a statement and return its rows."""
        async with self._executed(query, arguments) as cursor:
            return await cursor.fetchall()

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        """Refuse: see the class."""
        raise NotImplementedError("Workers of Memwarden poll; run them with listen_notify=False.")

    @asynccontextmanager
    async def _executed(
        self, query: LiteralString, arguments: dict[str, object]
    ) -> AsyncIterator[AsyncCursor[DictRow]]:
        params = {name: _wrapped(value) for name, value in arguments.items()}
        with _failures():
            async with (
                self._database.pool.connection() as connection,
                connection.transaction(),
                # Bound by the server: the queue passes rows of a composite type, which the client cannot write out.
                AsyncCursor(connection, row_factory=dict_row) as cursor,
            ):
                await cursor.execute(_SCHEMA)
                await cursor.execute(query, params)
                yield cursor


@contextmanager
def _failures() -> Iterator[None]:
    """Turn psycopg's exceptions into those procrastinate looks for, without the row that a violation quotes."""
    try:
        yield
    except psycopg.errors.UniqueViolation as error:
        raise exceptions.UniqueViolation(
            constraint_name=error.diag.constraint_name, queueing_lock=None
        ) from None
    except psycopg.Error as error:
        raise exceptions.ConnectorException(type(error).__name__) from error


def _wrapped(value: object) -> object:
    if isinstance(value, dict):
        return Jsonb(value)
    if isinstance(value, list):
        return [_wrapped(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_wrapped(item) for item in value)
    return value
