"""The items of one thread in wide rows: written so that the last makes the others count, and read back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from memwarden.checkpoint import wide_items as items
from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.model.checkpoint import CheckpointRow, Follows, Rows, ValueRow, WriteRow
from memwarden.model.scope import Scope

_NAMES = 8_000
"""Names of parts in one item."""


class Thread:
    """The items of one thread. What is read may be in pieces in the store, and comes whole."""

    def __init__(self, rows: WideRows, scope: Scope, thread_id: str) -> None:
        self._rows = rows
        self._scope = scope
        self._id = thread_id

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
        found = await self._scan(first, end, backwards=backwards, limit=limit)
        return [items.unpacked_checkpoint(self._id, data) for data in found.values()]

    async def checkpoints_named(self, wanted: Sequence[str]) -> list[CheckpointRow]:
        """Return checkpoints by key, in that order."""
        found = await self._get(wanted)
        return [items.unpacked_checkpoint(self._id, found[key]) for key in wanted if key in found]

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
        """Return the keys of all items, or of those of a kind."""
        first, end = ("", keys.END) if kind is None else keys.all_of(kind)
        return await self._rows.keys(self._scope, self._id, first, end)

    async def put(self, rows: Rows, horizon: datetime | None) -> None:
        """Write rows: parts, then their names and values, then what makes all of them count."""
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
        last = {key: split[key] for key in (*writes, *checkpoints)}
        stages = [{**parts, **before}, {**names, **{key: split[key] for key in values}}, last]
        await self._rows.put(self._scope, self._id, [stage for stage in stages if stage], horizon)

    async def drop(
        self, checkpoints: Sequence[CheckpointRow], values: Sequence[ValueRow], keep: Iterable[int]
    ) -> None:
        """Remove checkpoints first, so that none is ever seen that misses something, and parts last."""
        gone = [keys.checkpoint(c.ns, c.id) for c in checkpoints]
        await self._rows.delete(self._scope, self._id, gone)
        spaces = {f"w/{key.removeprefix('c/')}/" for key in gone}
        written = [key for key in await self.keys("w") if key[: key.rindex("/") + 1] in spaces]
        await self._rows.delete(self._scope, self._id, written)
        await self._rows.delete(
            self._scope, self._id, [keys.value(v.ns, v.channel, v.version) for v in values]
        )
        kept = frozenset(keep)
        await self._drop_names(kept)
        await self._rows.delete(
            self._scope,
            self._id,
            [key for key in await self.keys("p") if keys.part_number(key) not in kept],
        )
        await self._drop_pieces()

    async def drop_all(self) -> None:
        """Remove every item, checkpoints first."""
        found = await self.keys()
        await self._rows.delete(self._scope, self._id, [key for key in found if key.startswith("c/")])
        await self._rows.delete(self._scope, self._id, [key for key in found if not key.startswith("c/")])

    async def _drop_names(self, kept: frozenset[int]) -> None:
        found = await self._rows.scan(self._scope, self._id, *keys.all_of("n"))
        for key, data in found:
            names = {number: name for name, number in items.unpacked_names(data).items()}
            left = {number: name for number, name in names.items() if number in kept}
            if not left:
                await self._rows.delete(self._scope, self._id, [key])
            elif len(left) < len(names):
                state = await self._rows.state(self._scope, self._id)
                horizon = None if state is None else state.horizon
                await self._rows.put(self._scope, self._id, [{key: items.packed_names(left)}], horizon)

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
        gone = [key for key in found if keys.digest_of_piece(key) not in used]
        await self._rows.delete(self._scope, self._id, gone)

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

    async def _get(self, wanted: Sequence[str]) -> dict[str, bytes]:
        return await self._joined(await self._rows.get(self._scope, self._id, wanted))

    async def _scan(
        self, first: str, end: str, *, backwards: bool = False, limit: int | None = None
    ) -> dict[str, bytes]:
        found = await self._rows.scan(self._scope, self._id, first, end, backwards=backwards, limit=limit)
        return await self._joined(dict(found))

    async def _joined(self, found: dict[str, bytes]) -> dict[str, bytes]:
        """Return items with those that are in pieces put together; one that lost a piece was just removed, and is left out."""
        marks = {
            key: mark for key, data in found.items() if (mark := items.unpacked_pieces(data)) is not None
        }
        if not marks:
            return found
        wanted = [keys.piece(mark.digest, place) for mark in marks.values() for place in range(mark.count)]
        pieces = await self._rows.get(self._scope, self._id, wanted)
        joined = dict(found)
        for key, mark in marks.items():
            own = [keys.piece(mark.digest, place) for place in range(mark.count)]
            if all(piece in pieces for piece in own):
                joined[key] = b"".join(pieces[piece] for piece in own)
            else:
                del joined[key]
        return joined
