"""The parts a process knows a thread to have, so that a long history is not looked up at every step."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field

MOST_THREADS = 256
MOST_PARTS = 50_000
"""Parts remembered of one thread; beyond that it is forgotten and looked up again."""


@dataclass(slots=True)
class KnownThread:
    """Numbers of parts by hash, as of a generation; ``counted`` is the thread's count of parts when they were all known."""

    generation: int
    counted: int = -1
    numbers: dict[bytes, int] = field(default_factory=dict)

    def add(self, numbers: Mapping[bytes, int]) -> None:
        """Note the parts that were just written, and that all of them are still known."""
        self.numbers.update(numbers)
        self.counted += len(numbers)


class KnownParts:
    """Remembers the threads that were written last; what it says counts only within the same generation."""

    def __init__(self) -> None:
        self._threads: OrderedDict[str, KnownThread] = OrderedDict()

    def of(self, thread_id: str, generation: int) -> KnownThread:
        """Return what is known of a thread; nothing, where parts were removed since."""
        known = self._threads.pop(thread_id, None)
        if known is None or known.generation != generation or len(known.numbers) > MOST_PARTS:
            known = KnownThread(generation)
        self._threads[thread_id] = known
        while len(self._threads) > MOST_THREADS:
            self._threads.popitem(last=False)
        return known

    def whole(self, thread_id: str) -> KnownThread | None:
        """Return what is known of a thread whose parts are all known, or null."""
        known = self._threads.get(thread_id)
        return None if known is None or known.counted < 0 or len(known.numbers) > MOST_PARTS else known

    def forget(self, thread_id: str) -> None:
        """Forget a thread, after a write of it that did not come about."""
        self._threads.pop(thread_id, None)
