"""A line of things to be done one after the other, of which those that wait at one time are done together.

The pattern of a group commit: whoever comes to its turn does what all the others in the line want as well.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")

GoTogether = Callable[[Sequence[T], T], bool]
"""Tells whether one thing more can be done together with others."""

Do = Callable[[Sequence[T]], Awaitable[None]]
"""Does things together, all of them or none."""


@dataclass(slots=True, eq=False)
class _Place(Generic[T]):
    """A thing that waits, and once it was done, whether it failed."""

    wanted: T
    done: bool = False
    failure: Exception | None = None


@dataclass(slots=True, eq=False, weakref_slot=True)
class WaitingLine(Generic[T]):
    """Lets callers wait for their turn; each returns, or raises, once its own thing was done."""

    go_together: GoTogether[T]
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _waiting: list[_Place[T]] = field(default_factory=list)

    async def wait(self, wanted: T, do: Do[T]) -> None:
        """Do ``wanted`` by ``do``, by oneself or by another that waits; raise what its doing raised.

        Where things fail together they are tried one by one, so that each has its own outcome. A caller that is cancelled
        leaves the line.
        """
        place = _Place(wanted)
        self._waiting.append(place)
        try:
            async with self._lock:
                if not place.done:
                    # What is wanted in the same moment gets in line.
                    await asyncio.sleep(0)
                while not place.done:
                    await self._do_first(do)
        finally:
            self._leave([place])
        if place.failure is not None:
            raise place.failure

    async def _do_first(self, do: Do[T]) -> None:
        places = self._first()
        if len(places) > 1 and await _succeeds(do, [place.wanted for place in places]):
            self._leave(places)
            return
        for place in places:
            try:
                await do([place.wanted])
            except Exception as failure:  # noqa: BLE001 - raised where it belongs
                place.failure = failure
            self._leave([place])

    def _first(self) -> list[_Place[T]]:
        """Return the first in line, and those behind it that go together with it and each other."""
        places: list[_Place[T]] = []
        for place in self._waiting:
            if places and not self.go_together([one.wanted for one in places], place.wanted):
                break
            places.append(place)
        return places

    def _leave(self, places: Sequence[_Place[T]]) -> None:
        for place in places:
            place.done = True
            if place in self._waiting:
                self._waiting.remove(place)


async def _succeeds(do: Do[T], wanted: Sequence[T]) -> bool:
    try:
        await do(wanted)
    except Exception:  # noqa: BLE001 - whose failure it is shows when they are tried one by one
        return False
    return True
