"""Reading checkpoints: skeletons first, then the values, writes and parts of those that are returned."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
)

from memwarden.checkpoint.codec import Encoded, Form, Serde, decoded
from memwarden.checkpoint.engine import Engine, Query
from memwarden.checkpoint.keeping import Keeping
from memwarden.errors import DatabaseError, InvalidInputError
from memwarden.model.checkpoint import CheckpointRow, ValueRow, WriteRow
from memwarden.model.scope import Scope, checked_name

NOTHING = Encoded(Form.NOTHING, ())
PAGE = 20
_ATTEMPTS = 3
_NEAR, _FAR = 32, 512
"""Ancestors that the first look back takes in, and the most that a later one does."""


@dataclass(frozen=True, slots=True)
class Store:
    """One user's checkpoints: where they are, whose they are, and how they are kept."""

    engine: Engine
    scope: Scope
    keeping: Keeping


@dataclass(frozen=True, slots=True)
class _Bare:
    """A checkpoint without its values, as it was kept."""

    row: CheckpointRow
    checkpoint: Mapping[str, Any]
    metadata: CheckpointMetadata

    def versions(self) -> list[tuple[str, str, str, str]]:
        """Return (thread, namespace, channel, version) of the values it has."""
        versions = self.checkpoint["channel_versions"]
        return [(self.row.thread_id, self.row.ns, channel, str(v)) for channel, v in versions.items()]


def place_of(config: RunnableConfig) -> tuple[str, str]:
    """Return the thread and the namespace a configuration names."""
    configurable = config.get("configurable") or {}
    if "thread_id" not in configurable:
        raise InvalidInputError(
            'The configuration names no thread; give {"configurable": {"thread_id": ...}}.'
        )
    thread_id = checked_name(str(configurable["thread_id"]), "thread id")
    return thread_id, str(configurable.get("checkpoint_ns") or "")


def config_of(thread_id: str, ns: str, checkpoint_id: str) -> RunnableConfig:
    """Return the configuration that names a checkpoint."""
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": ns, "checkpoint_id": checkpoint_id}}


@dataclass(frozen=True, slots=True)
class Found:
    """What a thread was found to be: a checkpoint or null, and the erasure its writers have to heed."""

    checkpoint: CheckpointTuple | None
    fence: str | None


async def one(store: Store, thread_id: str, ns: str, checkpoint_id: str | None) -> Found:
    """Return one checkpoint, or the latest for null, in two trips to the database."""
    for _ in range(_ATTEMPTS):
        found = await store.engine.whole(store.scope, thread_id, ns, checkpoint_id)
        if found.checkpoint is None:
            return Found(None, found.fence)
        bare = _bare(found.checkpoint, store)
        values = {(v.thread_id, v.ns, v.channel, v.version): v for v in found.values}
        writes = {(thread_id, ns, found.checkpoint.id): found.writes}
        refs = _Refs([*found.values, *found.writes], store.keeping)
        try:
            parts = await _parts(store, refs)
            return Found(_tuple(bare, values, writes, refs, parts, store.keeping.serde), found.fence)
        except KeyError:
            continue  # pruned between two reads; what is there now is whole
    raise DatabaseError("A checkpoint is missing parts; the thread cannot be read.")


async def deltas(
    store: Store, config: RunnableConfig, channels: Sequence[str]
) -> dict[str, DeltaChannelHistory]:
    """Return what was written to channels since the nearest ancestor that holds their value, oldest first, and that value."""
    for _ in range(_ATTEMPTS):
        try:
            return await _deltas(store, config, channels)
        except KeyError:
            continue  # pruned between two reads
    raise DatabaseError("A checkpoint is missing parts; the thread cannot be read.")


async def _deltas(
    store: Store, config: RunnableConfig, channels: Sequence[str]
) -> dict[str, DeltaChannelHistory]:
    thread_id, ns = place_of(config)
    start = get_checkpoint_id(config)
    if start is None:
        found = await store.engine.whole(store.scope, thread_id, ns, None)
        start = None if found.checkpoint is None else found.checkpoint.id
    written: dict[str, list[WriteRow]] = {channel: [] for channel in channels}
    seeds: dict[str, ValueRow] = {}
    far = _NEAR
    while start is not None and len(seeds) < len(written):
        chain = await store.engine.ancestors(
            store.scope, thread_id, ns, start, [c for c in written if c not in seeds], far
        )
        if not chain and (await store.engine.whole(store.scope, thread_id, ns, start)).checkpoint is None:
            raise DatabaseError("The checkpoint was removed while it was read; read the thread again.")
        for ancestor in chain:
            for write in reversed(ancestor.writes):
                if write.channel not in seeds:
                    written[write.channel].append(write)
            seeds |= {name: value for name, value in ancestor.values.items() if name not in seeds}
        start = chain[-1].id if len(chain) == far else None
        far = min(2 * far, _FAR)
    refs = _Refs([*seeds.values(), *(write for some in written.values() for write in some)], store.keeping)
    parts = await _parts(store, refs)

    def history(channel: str) -> DeltaChannelHistory:
        writes = [
            (write.task_id, write.channel, refs.value(write, parts, store.keeping.serde))
            for write in reversed(written[channel])
        ]
        seed = {"seed": refs.value(seeds[channel], parts, store.keeping.serde)} if channel in seeds else {}
        return cast("DeltaChannelHistory", {"writes": writes, **seed})

    return {channel: history(channel) for channel in channels}


async def many(
    store: Store,
    config: RunnableConfig | None,
    wanted: Mapping[str, Any],
    before: RunnableConfig | None,
    limit: int | None,
) -> AsyncIterator[CheckpointTuple]:
    """Yield checkpoints whose metadata have the values ``wanted``, the newest first."""
    configurable = {} if config is None else config.get("configurable") or {}
    query = Query(
        thread_id=None if config is None else place_of(config)[0],
        ns=configurable.get("checkpoint_ns"),
        checkpoint_id=None if config is None else get_checkpoint_id(config),
        before=None if before is None else get_checkpoint_id(before),
        facts={name: value for name, value in store.keeping.facts(wanted).items() if value is not None},
    )
    left = limit
    after: CheckpointRow | None = None
    while left is None or left > 0:
        size = PAGE if left is None or wanted else min(PAGE, left)
        rows = await store.engine.page(store.scope, query, after, size)
        if not rows:
            return
        after = rows[-1]
        fitting = [bare for bare in (_bare(row, store) for row in rows) if _fits(bare.metadata, wanted)]
        for found in await _still_there(store, fitting[:left]):
            yield found
        left = None if left is None else left - len(fitting[:left])


async def _still_there(store: Store, bares: Sequence[_Bare]) -> list[CheckpointTuple]:
    """Return whole checkpoints, without those that were pruned between two reads."""
    try:
        return await _whole(store, bares)
    except KeyError:
        again = [await one(store, bare.row.thread_id, bare.row.ns, bare.row.id) for bare in bares]
        return [found.checkpoint for found in again if found.checkpoint is not None]


def _fits(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(metadata.get(name) == value for name, value in wanted.items())


def _bare(row: CheckpointRow, store: Store) -> _Bare:
    checkpoint, metadata = store.keeping.read(row)
    return _Bare(row, checkpoint, metadata)


async def _whole(store: Store, bares: Sequence[_Bare]) -> list[CheckpointTuple]:
    """Load what skeletons refer to, for all of them at once, and put them together."""
    if not bares:
        return []
    values = await store.engine.values(
        store.scope, [version for bare in bares for version in bare.versions()]
    )
    if any(version not in values for bare in bares for version in bare.versions()):
        raise KeyError("A checkpoint may have been pruned since it was listed.")
    writes = await store.engine.writes(store.scope, [bare.row for bare in bares])
    refs = _Refs([*values.values(), *(write for some in writes.values() for write in some)], store.keeping)
    parts = await _parts(store, refs)
    return [_tuple(bare, values, writes, refs, parts, store.keeping.serde) for bare in bares]


async def _parts(store: Store, refs: _Refs) -> dict[str, dict[int, bytes]]:
    """Load the parts that references name, by thread and number."""
    return {
        thread_id: store.keeping.parts(
            thread_id, await store.engine.parts(store.scope, thread_id, sorted(numbers))
        )
        for thread_id, numbers in refs.by_thread().items()
    }


class _Refs:
    """The unpacked references of values and writes."""

    def __init__(self, rows: Iterable[ValueRow | WriteRow], keeping: Keeping) -> None:
        self._rows = {id(row): (row, keeping.refs(row)) for row in rows}

    def by_thread(self) -> dict[str, set[int]]:
        """Return the numbers of parts that each thread is asked for."""
        numbers: dict[str, set[int]] = {}
        for row, refs in self._rows.values():
            numbers.setdefault(row.thread_id, set()).update(refs)
        return numbers

    def value(self, row: ValueRow | WriteRow, parts: Mapping[str, Mapping[int, bytes]], serde: Serde) -> Any:  # noqa: ANN401 - whatever the graph keeps
        """Return the value that a row's references make."""
        kept = parts.get(row.thread_id, {})
        pieces = [kept[number] for number in self._rows[id(row)][1]]
        return decoded(Form(row.form), pieces, serde)


def _tuple(
    bare: _Bare,
    values: Mapping[tuple[str, str, str, str], ValueRow],
    writes: Mapping[tuple[str, str, str], Sequence[WriteRow]],
    refs: _Refs,
    parts: Mapping[str, Mapping[int, bytes]],
    serde: Serde,
) -> CheckpointTuple:
    row = bare.row
    held = {
        version[2]: refs.value(values[version], parts, serde)
        for version in bare.versions()
        if version in values and values[version].form != Form.NOTHING
    }
    pending = writes.get((row.thread_id, row.ns, row.id), ())
    return CheckpointTuple(
        config=config_of(row.thread_id, row.ns, row.id),
        checkpoint=cast("Checkpoint", {**bare.checkpoint, "channel_values": held}),
        metadata=bare.metadata,
        parent_config=None if row.parent_id is None else config_of(row.thread_id, row.ns, row.parent_id),
        pending_writes=[(w.task_id, w.channel, refs.value(w, parts, serde)) for w in pending],
    )
