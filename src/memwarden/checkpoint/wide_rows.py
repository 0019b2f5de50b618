"""Wide rows: what a store without transactions offers, so that a thread's checkpoints can be kept in it.

Such a store holds, for each thread of each user, items: a key and some bytes, found by key or by a range of keys. One
more item says who is writing: writers of a thread take turns by a lease on it. What has to be seen as a whole is
written in an order in which the last item makes the others count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class ThreadState:
    """What the item of a thread says.

    ``parts`` is the highest number given to a part, ``generation`` changes when parts are removed, ``horizon`` is when
    the store removes all items of the thread by itself (null: never), ``active_at`` is when it was last written to (null: it
    is not there yet, or was deleted, whatever items there are).
    """

    parts: int = 0
    generation: int = 0
    horizon: datetime | None = None
    active_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write to one thread: nobody else has it before ``until``. ``token`` is unlike any other's."""

    scope: Scope
    thread_id: str
    token: str
    until: datetime


class WideRows(Protocol):
    """One store. Every call stays inside one tenant, user and thread; keys are compared byte by byte as UTF-8.

    Keys have at most 900 bytes, no NUL, and printable ASCII only. Calls may be repeated after a failure, and raise
    `DatabaseError` (a sentence without content) when the store cannot be reached, refuses, or keeps throttling.
    Reads see every write that was acknowledged before they began.
    """

    @property
    def limit(self) -> int:
        """The most bytes one item may have."""
        ...

    async def lease(
        self, lease: Lease, now: datetime, *, expecting: tuple[int, int] | None = None, reserve: int = 0
    ) -> ThreadState | None:
        """Take a thread's turn in one step, making its item if there is none, and return its state.

        Null while another token's lease lasts (its ``until`` is later than ``now``), and where ``expecting`` names other
        (parts, generation) than the thread has; nothing is changed then. ``reserve`` is added to ``parts`` in the same
        step, and the state returned has it added.
        """
        ...

    async def release(self, lease: Lease, state: ThreadState) -> bool:
        """Write a thread's state and give the turn back, if the lease is still this one; return whether it was."""
        ...

    async def drop(self, lease: Lease) -> None:
        """Remove a thread's item, if the lease is still this one; its other items were deleted before."""
        ...

    async def state(self, scope: Scope, thread_id: str) -> ThreadState | None:
        """Return the state of a thread, or null where there is none."""
        ...

    async def threads(self, scope: Scope) -> list[str]:
        """Return the ids of all threads of a user, in no particular order."""
        ...

    async def get(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the items that are there of those named (any number of them), by key."""
        ...

    async def scan(
        self,
        scope: Scope,
        thread_id: str,
        first: str,
        end: str,
        *,
        backwards: bool = False,
        limit: int | None = None,
    ) -> list[tuple[str, bytes]]:
        """Return the items with ``first <= key < end`` in the order of their keys, or in the reverse of it."""
        ...

    async def keys(self, scope: Scope, thread_id: str, first: str, end: str) -> list[str]:
        """Return the keys that `scan` would find, in order, without loading the items."""
        ...

    async def put(
        self, scope: Scope, thread_id: str, stages: Sequence[Mapping[str, bytes]], horizon: datetime | None
    ) -> None:
        """Write items, in place of those with the same keys; every item of a stage is kept before the next begins.

        ``horizon`` is when the store may remove them by itself; null: never.
        """
        ...

    async def delete(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> None:
        """Remove items by key; those that are not there are gone already."""
        ...

    async def stamp(self, scope: Scope, thread_id: str, horizon: datetime | None) -> None:
        """Give every item of a thread, not its own item, a new horizon."""
        ...
