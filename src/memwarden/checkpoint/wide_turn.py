"""The turn of a writer at a thread in wide rows, and what is done in it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide_lease import Held
from memwarden.checkpoint.wide_marks import hide, unhide
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.checkpoint.wide_thread import Thread
from memwarden.errors import DatabaseError
from memwarden.model.checkpoint import CheckpointRow, PartRow, Rows, Turn, ValueRow, WriteRow


class WideTurn:
    """A thread whose lease is held. ``prepare`` is called before the first write; a thread that is ``anew`` has nothing yet."""

    def __init__(
        self,
        rows: WideRows,
        thread: Thread,
        one: Held,
        fence: str | None,
        prepare: Callable[[], Awaitable[None]],
        *,
        anew: bool,
    ) -> None:
        self._rows = rows
        self._thread = thread
        self._held = one
        self._prepare: Callable[[], Awaitable[None]] | None = prepare
        self._anew = anew
        self.found = Turn(one.state.parts, one.state.generation, fence)

    async def known_parts(self, hashes: Sequence[bytes] | None = None) -> dict[bytes, int]:
        """Return the numbers of parts."""
        names = {} if self._anew else await self._thread.names()
        return names if hashes is None else {name: names[name] for name in hashes if name in names}

    async def head(self) -> str | None:
        """Return the latest checkpoint."""
        found = None if self._anew else await self._thread.checkpoint("", None)
        return None if found is None else found.id

    async def put(self, rows: Rows) -> None:
        """Write rows, once their parts have their numbers."""
        if self._prepare is not None:
            await self._prepare()
            self._prepare = None
        if rows.parts:
            await self._held.reserve(rows.parts[-1].number - self._held.state.parts)
        # A thread that is new is seen when the turn ends, and one checkpoint is seen as a whole in any case.
        if self._anew or len(rows.checkpoints) <= 1:
            await self._thread.put(rows, self._held.state.horizon)
        else:
            await self._put_at_once(rows)

    async def checkpoints(self) -> list[CheckpointRow]:
        """Return every checkpoint."""
        found = await self._thread.checkpoints_in(*keys.all_of("c"))
        return sorted(sorted(found, key=lambda row: row.id, reverse=True), key=lambda row: row.ns)

    async def values(self) -> list[ValueRow]:
        """Return every value."""
        return await self._thread.all_values()

    async def writes(self) -> list[WriteRow]:
        """Return every write."""
        return await self._thread.writes_in(*keys.all_of("w"))

    async def parts(self) -> list[PartRow]:
        """Return every part that has a name; others are left over from a writer that was killed."""
        names = {number: name for name, number in (await self._thread.names()).items()}
        found = await self._thread.all_parts()
        missing = [number for number in names if number not in found]
        if missing:
            raise DatabaseError("The thread misses parts; it cannot be copied.")
        return [PartRow(number, names[number], found[number]) for number in sorted(names)]

    async def drop(
        self, checkpoints: Sequence[CheckpointRow], values: Sequence[ValueRow], keep: Sequence[int]
    ) -> None:
        """Remove items, and all checkpoints at once."""
        gone = [keys.checkpoint(c.ns, c.id) for c in checkpoints]
        if gone:
            await self._hide(gone)
            await self._thread.drop_checkpoints(gone)
            await self._unhide()
        await self._thread.drop_others(values, keep, self._held.state.horizon)

    async def _put_at_once(self, rows: Rows) -> None:
        """Write checkpoints so that all of them are seen at once."""
        there = frozenset(await self._thread.keys("c"))
        fresh = {keys.checkpoint(c.ns, c.id) for c in rows.checkpoints} - there
        await self._hide(sorted(fresh))
        await self._thread.put(rows, self._held.state.horizon)
        await self._unhide()

    async def _hide(self, hidden: Sequence[str]) -> None:
        self._held.check()
        lease = self._held.lease
        await hide(self._rows, lease.scope, lease.thread_id, hidden, self._held.state.horizon)

    async def _unhide(self) -> None:
        self._held.check()
        await unhide(self._rows, self._held.lease.scope, self._held.lease.thread_id)
