"""Checkpoints in PostgreSQL: one transaction for each turn, under row-level security."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from memwarden.checkpoint.engine import Query
from memwarden.db import checkpoint_table
from memwarden.db.database import Database, Transaction
from memwarden.db.erasure import erase_checkpoints
from memwarden.model.checkpoint import (
    Ancestor,
    CheckpointRow,
    PartRow,
    Rows,
    Turn,
    ValueRow,
    Whole,
    WriteRow,
)
from memwarden.model.scope import Scope

LIMIT = 16 * 2**20
"""Bytes of one part; a larger one is split, so that no statement grows beyond measure."""


class PostgresEngine:
    """Keeps checkpoints in Memwarden's own database."""

    limit = LIMIT
    eraser = None

    def __init__(self, database: Database) -> None:
        self._database = database

    async def whole(self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str | None) -> Whole:
        """Return a checkpoint in one trip."""
        return await checkpoint_table.whole(self._database, scope, thread_id, ns, checkpoint_id)

    async def ancestors(
        self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str, channels: Sequence[str], limit: int
    ) -> list[Ancestor]:
        """Return ancestors in one trip."""
        return await checkpoint_table.ancestors(
            self._database, scope, thread_id, ns, checkpoint_id, channels, limit
        )

    async def page(
        self, scope: Scope, query: Query, after: CheckpointRow | None, limit: int
    ) -> list[CheckpointRow]:
        """Return a page of checkpoints."""
        return await checkpoint_table.page(
            self._database,
            scope,
            thread_id=query.thread_id,
            ns=query.ns,
            checkpoint_id=query.checkpoint_id,
            before=query.before,
            facts=query.facts,
            after=after,
            limit=limit,
        )

    async def values(
        self, scope: Scope, wanted: Sequence[tuple[str, str, str, str]]
    ) -> dict[tuple[str, str, str, str], ValueRow]:
        """Return values."""
        return await checkpoint_table.values(self._database, scope, wanted)

    async def writes(
        self, scope: Scope, checkpoints: Sequence[CheckpointRow]
    ) -> dict[tuple[str, str, str], list[WriteRow]]:
        """Return writes."""
        return await checkpoint_table.writes(self._database, scope, checkpoints)

    async def parts(self, scope: Scope, thread_id: str, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return parts."""
        return await checkpoint_table.parts(self._database, scope, thread_id, numbers)

    async def threads_of_runs(self, scope: Scope, runs: Sequence[str]) -> list[str]:
        """Return the threads of runs."""
        return await checkpoint_table.threads_of_runs(self._database, scope, runs)

    async def put_as_expected(
        self, scope: Scope, thread_id: str, at: datetime, expected: Turn, rows: Rows
    ) -> None:
        """Write in one trip."""
        await checkpoint_table.put_as_expected(self._database, scope, thread_id, at, expected, rows)

    @asynccontextmanager
    async def turn(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[PostgresTurn]:
        """Open a transaction that holds the thread's row."""
        async with self._database.transaction(scope) as tx:
            yield PostgresTurn(tx, thread_id, await checkpoint_table.take_turn(tx, thread_id, at))

    @asynccontextmanager
    async def turn_of(self, scope: Scope, thread_id: str, at: datetime) -> AsyncIterator[PostgresTurn | None]:
        """Open a transaction that holds the thread's row, if there is one."""
        async with self._database.transaction(scope) as tx:
            found = await checkpoint_table.lock_thread(tx, thread_id)
            yield None if found is None else PostgresTurn(tx, thread_id, found)

    async def delete(self, scope: Scope, thread_id: str, at: datetime) -> None:
        """Delete every row of the thread, its archive included."""
        async with self._database.transaction(scope) as tx:
            # Whoever writes to it is waited for, also where it begins the thread: what it writes would stay without one.
            await checkpoint_table.take_turn(tx, thread_id, at)
            await erase_checkpoints(tx, thread_id)


class PostgresTurn:
    """A thread inside a transaction that holds its row."""

    def __init__(self, tx: Transaction, thread_id: str, found: Turn) -> None:
        self._tx = tx
        self._thread_id = thread_id
        self.found = found

    async def known_parts(self, hashes: Sequence[bytes] | None = None) -> dict[bytes, int]:
        """Return the numbers of parts."""
        return await checkpoint_table.known_parts(self._tx, self._thread_id, hashes)

    async def head(self) -> str | None:
        """Return the latest checkpoint."""
        return await checkpoint_table.head(self._tx, self._thread_id)

    async def put(self, rows: Rows) -> None:
        """Write rows in one trip."""
        await checkpoint_table.put(self._tx, self._thread_id, rows)

    async def checkpoints(self) -> list[CheckpointRow]:
        """Return every checkpoint."""
        return await checkpoint_table.all_checkpoints(self._tx, self._thread_id)

    async def values(self) -> list[ValueRow]:
        """Return every value."""
        return await checkpoint_table.all_values(self._tx, self._thread_id)

    async def writes(self) -> list[WriteRow]:
        """Return every write."""
        return await checkpoint_table.all_writes(self._tx, self._thread_id)

    async def parts(self) -> list[PartRow]:
        """Return every part."""
        return await checkpoint_table.all_parts(self._tx, self._thread_id)

    async def drop(
        self, checkpoints: Sequence[CheckpointRow], values: Sequence[ValueRow], keep: Sequence[int]
    ) -> None:
        """Remove rows."""
        await checkpoint_table.drop_checkpoints(self._tx, self._thread_id, checkpoints)
        await checkpoint_table.drop_values(self._tx, self._thread_id, values)
        await checkpoint_table.keep_parts(self._tx, self._thread_id, keep)
