"""The items of one thread in wide rows: written so that the last makes the others count, and read back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime

from memwarden.checkpoint import wide_items as items
from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.errors import DatabaseError
from memwarden.model.checkpoint import CheckpointRow, Follows, Rows, ValueRow, WriteRow
from memwarden.model.scope import Scope

_NAMES = 8_000
"""Names of parts in one item."""

_ATTEMPTS = 5


class Thread:
    """The items of one thread. What is read may be in pieces in the store, and comes whole.

    Checkpoints whose keys are ``hidden`` are not there. ``check`` is called before anything is written or removed, and
    raises where that may not be.
    """

    def __init__(
        self,
        rows: WideRows,
        scope: Scope,
        thread_id: str,
        *,
        hidden: Collection[str] = (),
        check: Callable[[], None] | None = None,
    ) -> None:
        self._rows = rows
        self._scope = scope
        self._id = thread_id
        self._hidden = frozenset(hidden)
        self._check = check

    async def checkpoint(self, ns: str, checkpoint_id: str | None) -> CheckpointRow | None:
        """Return a checkpoint, or the latest of a namespace."""
        if checkpoint_id is None:
            found = await self.checkpoints_in(*keys.checkpoints_of(ns), backwards=True, limit=1)
        else:
            found = await self.checkpoints_named([keys.checkpoint(ns, checkpoint_id)])
        return found[0] if found else None

    async def head(self, follows: Follows | None) -> Follows | None:
        """Return the latest checkpoint of the graph itself, where something follows one."""
        if follows is None:
            return None
        found = await self.checkpoint("", None)
        return Follows(None if found is None else found.id)

    async def checkpoints_in(
        self, first: str, end: str, *, backwards: bool = False, limit: int | None = None
    ) -> list[CheckpointRow]:
        """Return the checkpoints in a range of keys."""
        most = None if limit is None else limit + len(self._hidden)
        found = await self._scan(first, end, backwards=backwards, limit=most)
        seen = [data for key, data in found.items() if key not in self._hidden]
        return [items.unpacked_checkpoint(self._id, data) for data in seen[:limit]]

    async def checkpoints_named(self, wanted: Iterable[str]) -> list[CheckpointRow]:
        """Return checkpoints by key, in that order."""
        seen = [key for key in wanted if key not in self._hidden]
        found = await self._get(seen)
        return [items.unpacked_checkpoint(self._id, found[key]) for key in seen if key in found]

    async def have_gone(self, rows: Iterable[CheckpointRow]) -> bool:
        """Return whether some of these checkpoints are not there any more; what belongs to one goes after it."""
        wanted = {keys.checkpoint(row.ns, row.id) for row in rows}
        found = await self._rows.get(self._scope, self._id, sorted(wanted))
        return not wanted <= found.keys() - self._hidden

    async def values(self, wanted: Iterable[tuple[str, str, str]]) -> list[ValueRow]:
        """Return values by (namespace, channel, version)."""
        found = await self._get([keys.value(*one) for one in wanted])
        return [items.unpacked_value(self._id, data) for data in found.values()]

    async def all_values(self) -> list[ValueRow]:
        """Return every value."""
        found = await self._scan(*keys.all_of("v"))
        return [items.unpacked_value(self._id, data) for data in found.values()]

    async def writes_in(self, first: str, end: str) -> list[WriteRow]:
        """Return the writes in a range of keys."""
        found = await self._scan(first, end)
        return [write for data in found.values() for write in items.unpacked_writes(self._id, data)]

    async def parts(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Return parts by number."""
        found = await self._rows.get(self._scope, self._id, [keys.part(number) for number in numbers])
        return {keys.part_number(key): data for key, data in found.items()}

    async def all_parts(self) -> dict[int, bytes]:
        """Return every part by number."""
        found = await self._rows.scan(self._scope, self._id, *keys.all_of("p"))
        return {keys.part_number(key): data for key, data in found}

    async def names(self) -> dict[bytes, int]:
        """Return the number of every part by its name."""
        found = await self._rows.scan(self._scope, self._id, *keys.all_of("n"))
        return {name: number for _, data in found for name, number in items.unpacked_names(data).items()}

    async def keys(self, kind: str | None = None) -> list[str]:
        """Return the keys of all items, or of those of a kind, but for hidden checkpoints."""
        first, end = ("", keys.END) if kind is None else keys.all_of(kind)
        found = await self._rows.keys(self._scope, self._id, first, end)
        return [key for key in found if key not in self._hidden]

    async def put(self, rows: Rows, horizon: datetime | None) -> None:
        """Write rows: parts, then their names and values, then writes, then checkpoints, which make all of them count."""
        parts = {keys.part(part.number): part.content for part in rows.parts}
        named = [(part.number, part.hash) for part in rows.parts]
        names = {
            keys.names(named[start][0]): items.packed_names(dict(named[start : start + _NAMES]))
            for start in range(0, len(named), _NAMES)
        }
        values = {keys.value(v.ns, v.channel, v.version): items.packed_value(v) for v in rows.values}
        writes = await self._merged(rows.writes, replace=rows.replace_writes)
        checkpoints = {keys.checkpoint(c.ns, c.id): items.packed_checkpoint(c) for c in rows.checkpoints}
        before, split = self._split({**values, **writes, **checkpoints})
        stages = [
            {**parts, **before},
            {**names, **{key: split[key] for key in values}},
            {key: split[key] for key in writes},
            {key: split[key] for key in checkpoints},
        ]
        await self._put([stage for stage in stages if stage], horizon)

    async def drop_checkpoints(self, gone: Collection[str]) -> None:
        """Remove checkpoints by their keys, then what was written after them."""
        await self._delete(gone)
        spaces = {f"w/{key.removeprefix('c/')}/" for key in gone}
        await self._delete([key for key in await self.keys("w") if key[: key.rindex("/") + 1] in spaces])

    async def drop_others(
        self, values: Sequence[ValueRow], keep: Iterable[int], horizon: datetime | None
    ) -> None:
        """Remove values, every part but those to keep, the names of parts before these, and pieces of nothing."""
        await self._delete([keys.value(v.ns, v.channel, v.version) for v in values])
        kept = frozenset(keep)
        await self._drop_names(kept, horizon)
        await self._delete([key for key in await self.keys("p") if keys.part_number(key) not in kept])
        await self._drop_pieces()

    async def drop_all(self) -> None:
        """Remove every item, checkpoints first."""
        found = await self._rows.keys(self._scope, self._id, "", keys.END)
        await self._delete([key for key in found if key.startswith("c/")])
        await self._delete([key for key in found if not key.startswith("c/")])

    async def _drop_names(self, kept: frozenset[int], horizon: datetime | None) -> None:
        found = await self._rows.scan(self._scope, self._id, *keys.all_of("n"))
        for key, data in found:
            names = {number: name for name, number in items.unpacked_names(data).items()}
            left = {number: name for number, name in names.items() if number in kept}
            if not left:
                await self._delete([key])
            elif len(left) < len(names):
                await self._put([{key: items.packed_names(left)}], horizon)

    async def _drop_pieces(self) -> None:
        found = await self.keys("x")
        if not found:
            return
        heads = [
            pieces
            for kind in ("c", "v", "w")
            for _, data in await self._rows.scan(self._scope, self._id, *keys.all_of(kind))
            if (pieces := items.unpacked_pieces(data)) is not None
        ]
        used = {pieces.digest for pieces in heads}
        await self._delete([key for key in found if keys.digest_of_piece(key) not in used])

    async def _merged(self, new: Sequence[WriteRow], *, replace: bool) -> dict[str, bytes]:
        """Return what tasks wrote, with what they wrote before; all of one task's is one item."""
        by_task: dict[str, list[WriteRow]] = {}
        for write in new:
            by_task.setdefault(keys.writes(write.ns, write.checkpoint_id, write.task_id), []).append(write)
        there = await self._get(list(by_task)) if by_task else {}
        return {
            key: items.packed_writes(
                items.merged_writes(
                    items.unpacked_writes(self._id, there[key]) if key in there else (),
                    writes,
                    replace=replace,
                )
            )
            for key, writes in by_task.items()
        }

    def _split(self, whole: Mapping[str, bytes]) -> tuple[dict[str, bytes], dict[str, bytes]]:
        """Return the pieces of items that are too large, and all items, those in pieces replaced by a mark."""
        before: dict[str, bytes] = {}
        split: dict[str, bytes] = {}
        for key, data in whole.items():
            if len(data) <= self._rows.limit:
                split[key] = data
                continue
            mark, pieces = items.in_pieces(data, self._rows.limit)
            split[key] = items.packed_pieces(mark)
            before |= {keys.piece(mark.digest, place): piece for place, piece in enumerate(pieces)}
        return before, split

    async def _put(self, stages: Sequence[Mapping[str, bytes]], horizon: datetime | None) -> None:
        if self._check is not None:
            self._check()
        await self._rows.put(self._scope, self._id, stages, horizon)

    async def _delete(self, gone: Collection[str]) -> None:
        if not gone:
            return
        if self._check is not None:
            self._check()
        await self._rows.delete(self._scope, self._id, sorted(gone))

    async def _get(self, wanted: Sequence[str]) -> dict[str, bytes]:
        return await self._joined(lambda: self._rows.get(self._scope, self._id, wanted))

    async def _scan(
        self, first: str, end: str, *, backwards: bool = False, limit: int | None = None
    ) -> dict[str, bytes]:
        async def read() -> dict[str, bytes]:
            return dict(
                await self._rows.scan(self._scope, self._id, first, end, backwards=backwards, limit=limit)
            )

        return await self._joined(read)

    async def _joined(self, read: Callable[[], Awaitable[dict[str, bytes]]]) -> dict[str, bytes]:
        """Return items with those that are in pieces put together; what lost a piece was just removed, so they are read again."""
        for _ in range(_ATTEMPTS):
            found = await read()
            marks = {
                key: mark for key, data in found.items() if (mark := items.unpacked_pieces(data)) is not None
            }
            if not marks:
                return found
            own = {
                key: [keys.piece(mark.digest, place) for place in range(mark.count)]
                for key, mark in marks.items()
            }
            wanted = [piece for some in own.values() for piece in some]
            pieces = await self._rows.get(self._scope, self._id, wanted)
            if pieces.keys() >= set(wanted):
                return found | {key: b"".join(pieces[piece] for piece in some) for key, some in own.items()}
        raise DatabaseError("A checkpoint is missing parts; the thread cannot be read.")
