"""Wide rows as a process sees them that is killed or held up at a moment of our choice, or loses its store for a while."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime

from memwarden.checkpoint.wide_rows import Lease, ThreadState, WideRows
from memwarden.model.scope import Scope

Hook = Callable[[], Awaitable[object]]


class KilledError(Exception):
    """What a process that was killed never sees, and one without its store does."""


class DyingRows:
    """Counts moments: after each call that changes something, before its answer, and in the middle of one that changes much.

    Any other moment leaves the store as one of these does. At the moment it was armed for, and from then on, every call
    fails. What was written or removed until then stays; of the items of one stage, any may come first. ``limit`` makes items
    smaller than the store's, so that many are in pieces. ``before`` is awaited before each call, those that read included.
    """

    def __init__(self, rows: WideRows, *, limit: int | None = None, before: Hook | None = None) -> None:
        self._rows = rows
        self._limit = limit
        self.before = before
        self._left: int | None = None
        self._then: Hook = self._die
        self._dead = False
        self._order = random.Random(0)

    @property
    def limit(self) -> int:
        """The most bytes one item may have."""
        return self._limit or self._rows.limit

    def arm(self, moment: int, then: Hook | None = None) -> None:
        """Die at a moment, counted from 1, or have something else happen then."""
        self._left, self._then = moment, then or self._die
        self._order.seed(moment)

    def waits(self) -> bool:
        """Return whether the moment has not come."""
        return self._left is not None and self._left > 0

    def revive(self) -> None:
        """Be there again, for good."""
        self._left, self._dead = None, False

    async def _alive(self) -> None:
        if self._dead:
            raise KilledError
        if self.before is not None:
            await self.before()

    async def _moment(self) -> None:
        if self._dead:
            raise KilledError
        if self._left is None:
            return
        self._left -= 1
        if self._left == 0:
            await self._then()

    async def _die(self) -> None:
        self._dead = True
        raise KilledError

    async def lease(
        self, lease: Lease, now: datetime, *, expecting: tuple[int, int] | None = None, reserve: int = 0
    ) -> ThreadState | None:
        """Do as the store does."""
        await self._alive()
        found = await self._rows.lease(lease, now, expecting=expecting, reserve=reserve)
        await self._moment()
        return found

    async def release(self, lease: Lease, state: ThreadState) -> bool:
        """Do as the store does."""
        await self._alive()
        done = await self._rows.release(lease, state)
        await self._moment()
        return done

    async def drop(self, lease: Lease) -> None:
        """Do as the store does."""
        await self._alive()
        await self._rows.drop(lease)
        await self._moment()

    async def state(self, scope: Scope, thread_id: str) -> ThreadState | None:
        """Do as the store does."""
        await self._alive()
        return await self._rows.state(scope, thread_id)

    async def threads(self, scope: Scope) -> list[str]:
        """Do as the store does."""
        await self._alive()
        return await self._rows.threads(scope)

    async def get(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Do as the store does."""
        await self._alive()
        return await self._rows.get(scope, thread_id, keys)

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
        """Do as the store does."""
        await self._alive()
        return await self._rows.scan(scope, thread_id, first, end, backwards=backwards, limit=limit)

    async def keys(self, scope: Scope, thread_id: str, first: str, end: str) -> list[str]:
        """Do as the store does."""
        await self._alive()
        return await self._rows.keys(scope, thread_id, first, end)

    async def put(
        self, scope: Scope, thread_id: str, stages: Sequence[Mapping[str, bytes]], horizon: datetime | None
    ) -> None:
        """Do as the store does, stage by stage, and each in two goes."""
        for stage in stages:
            await self._alive()
            for some in self._in_two(list(stage)):
                await self._rows.put(scope, thread_id, [{key: stage[key] for key in some}], horizon)
                await self._moment()

    async def delete(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> None:
        """Do as the store does, in two goes."""
        await self._alive()
        for some in self._in_two(list(keys)):
            await self._rows.delete(scope, thread_id, some)
            await self._moment()

    async def stamp(self, scope: Scope, thread_id: str, horizon: datetime | None) -> None:
        """Do as the store does."""
        await self._alive()
        await self._rows.stamp(scope, thread_id, horizon)
        await self._moment()

    def _in_two(self, keys: list[str]) -> list[list[str]]:
        """Return two halves of keys, in any order, or all of them where there is but one."""
        self._order.shuffle(keys)
        half = len(keys) // 2
        return [some for some in (keys[:half], keys[half:]) if some]
