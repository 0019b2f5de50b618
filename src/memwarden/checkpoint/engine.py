"""What checkpoints need of the database they are kept in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

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
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class Query:
    """Which checkpoints to list: null fields leave open; ``facts`` are metadata; ``after`` is the last one of the page before."""

    thread_id: str | None
    ns: str | None
    checkpoint_id: str | None
    before: str | None
    facts: Mapping[str, Any]


class WritersTurn(Protocol):
    """A thread while nobody else writes to it. What is done here is seen by others as a whole, or not at all."""

    @property
    def found(self) -> Turn:
        """What the thread was when the turn came."""
        ...

    async def known_parts(self, hashes: Sequence[bytes] | None = None) -> dict[bytes, int]:
        """Return the numbers of parts that the thread has, by hash; of all of them, where none are named."""
        ...

    async def head(self) -> str | None:
        """Return the id of the latest checkpoint of the graph itself, which is in the namespace without a name."""
        ...

    async def put(self, rows: Rows) -> None:
        """Write rows; their parts' numbers follow the last one given out."""
        ...

    async def checkpoints(self) -> list[CheckpointRow]:
        """Return every checkpoint of the thread, by namespace and the newest first."""
        ...

    async def values(self) -> list[ValueRow]:
        """Return every value of the thread."""
        ...

    async def writes(self) -> list[WriteRow]:
        """Return every write of the thread."""
        ...

    async def parts(self) -> list[PartRow]:
        """Return every part of the thread, by number."""
        ...

    async def drop(
        self, checkpoints: Sequence[CheckpointRow], values: Sequence[ValueRow], keep: Sequence[int]
    ) -> None:
        """Remove checkpoints with what was written after them, values, and every part but those to keep, by number."""
        ...


class Engine(Protocol):
    """A database that keeps checkpoints. Every call stays inside one user's rows; nobody else's are ever seen."""

    @property
    def limit(self) -> int:
        """The most bytes of one part; a larger one is split."""
        ...

    @property
    def eraser(self) -> Eraser | None:
        """What takes part in erasures for this database; null where its rows go with everything else's."""
        ...

    async def whole(self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str | None) -> Whole:
        """Return one checkpoint, or the latest of a thread and namespace, with all that it refers to but the parts."""
        ...

    async def ancestors(
        self, scope: Scope, thread_id: str, ns: str, checkpoint_id: str, channels: Sequence[str], limit: int
    ) -> list[Ancestor]:
        """Return up to ``limit`` ancestors of a checkpoint, the nearest first; fewer only where there are no more."""
        ...

    async def page(
        self, scope: Scope, query: Query, after: CheckpointRow | None, limit: int
    ) -> list[CheckpointRow]:
        """Return checkpoints, the newest first, that come after ``after`` in that order."""
        ...

    async def values(
        self, scope: Scope, wanted: Sequence[tuple[str, str, str, str]]
    ) -> dict[tuple[str, str, str, str], ValueRow]:
        """Return values by (thread, namespace, channel, version)."""
        ...

    async def writes(
        self, scope: Scope, checkpoints: Sequence[CheckpointRow]
    ) -> dict[tuple[str, str, str], list[WriteRow]]:
        """Return what was written after checkpoints, by (thread, namespace, checkpoint), in the order it is applied."""
        ...

    async def parts(self, scope: Scope, thread_id: str, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return the parts of a thread by number, as they are kept; those that are not there are left out."""
        ...

    async def threads_of_runs(self, scope: Scope, runs: Sequence[str]) -> list[str]:
        """Return the threads that have a checkpoint of one of these runs."""
        ...

    async def put_as_expected(
        self, scope: Scope, thread_id: str, at: datetime, expected: Turn, rows: Rows
    ) -> None:
        """Take the thread's turn and write rows in as few trips as possible.

        Raises `NotAsExpectedError`, having written nothing, where the thread is not as expected, or its latest checkpoint
        not the one that ``rows`` follow.
        """
        ...

    def turn(self, scope: Scope, thread_id: str, at: datetime) -> AbstractAsyncContextManager[WritersTurn]:
        """Wait for the other writers of a thread, which begins here if there is none, and keep them out."""
        ...

    def turn_of(
        self, scope: Scope, thread_id: str, at: datetime
    ) -> AbstractAsyncContextManager[WritersTurn | None]:
        """Do as `turn` does for a thread that is there, and give null where there is none."""
        ...

    async def delete(self, scope: Scope, thread_id: str, at: datetime) -> None:
        """Delete a thread, with its subgraphs, and that there was one."""
        ...
