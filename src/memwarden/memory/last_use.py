"""Noting when records were last used, without making a read wait for a write."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from memwarden.db import memory_table
from memwarden.db.database import Database
from memwarden.errors import MemwardenError
from memwarden.memory.retention import Retention
from memwarden.model.record import MemoryRecord
from memwarden.model.scope import Scope

FLUSH_INTERVAL_S = 2.0
MAX_NOTES = 10_000
"""Notes held before new ones are dropped until the next flush; a lost note only makes a record look unused."""

_log = logging.getLogger("memwarden.last_use")


class LastUse:
    """Collects notes of which record was used when, and writes them in the background, one small transaction a user."""

    def __init__(self, database: Database, retention: Retention) -> None:
        self._database = database
        self._retention = retention
        self._notes: dict[tuple[Scope, str], tuple[datetime, datetime]] = {}
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def note(self, scope: Scope, records: Iterable[MemoryRecord], at: datetime) -> None:
        """Remember for a moment that these records were used at ``at``, and live on for it; returns at once."""
        for record in records:
            if len(self._notes) < MAX_NOTES:
                until = self._retention.once_used(record.type, record.purpose, at) or record.expires_at
                self._notes[scope, record.id] = (at, until)
        if self._notes and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._flush_until_idle())

    def drop(self, scope: Scope) -> None:
        """Forget the notes about one user."""
        self._notes = {note: used for note, used in self._notes.items() if note[0] != scope}

    async def flush(self) -> None:
        """Write what was noted until now."""
        notes, self._notes = self._notes, {}
        by_user: dict[tuple[Scope, datetime], dict[str, datetime]] = {}
        for (scope, record_id), (at, until) in notes.items():
            by_user.setdefault((scope, at), {})[record_id] = until
        for (scope, at), lives in by_user.items():
            async with self._database.transaction(scope) as tx:
                # Ids in one order: two flushes that touch the same rows cannot wait for each other in a circle.
                await memory_table.touch(tx, dict(sorted(lives.items())), at)

    async def close(self) -> None:
        """Write what is left, and return when nothing is being written any more."""
        self._closing.set()
        if self._task is not None:
            await self._task

    async def _flush_until_idle(self) -> None:
        while self._notes:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), FLUSH_INTERVAL_S)
            try:
                await self.flush()
            except MemwardenError as error:
                _log.warning("the last use of some memories was not written: %s", type(error).__name__)
