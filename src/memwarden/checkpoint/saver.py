"""LangGraph's checkpoints in parts that a thread keeps once, inside what is one user's."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    WRITES_IDX_MAP,
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
    get_checkpoint_id,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memwarden.checkpoint import pruning, reading
from memwarden.checkpoint.blocking import each, wait_for
from memwarden.checkpoint.cleaning import Cleaning, Redact, untouched
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.heads import Heads
from memwarden.checkpoint.keeping import Keeping
from memwarden.checkpoint.reading import NOTHING, Store, config_of, place_of
from memwarden.checkpoint.sealer import Sealer
from memwarden.checkpoint.serialised import Serialised
from memwarden.checkpoint.skeleton import metadata_of
from memwarden.checkpoint.versions import next_version
from memwarden.checkpoint.writing import Refs, Wanted, Writer
from memwarden.errors import InvalidInputError
from memwarden.model.checkpoint import CheckpointRow, PartRow, Rows, ValueRow, WriteRow
from memwarden.model.clock import Clock, system_clock
from memwarden.model.scope import Scope


class ScopedSaver(BaseCheckpointSaver[str]):
    """A checkpoint saver bound to one user: another user's thread reads, lists and deletes as absent.

    A thread keeps each message and each large value once; a checkpoint is a short list of references, so that a
    conversation grows with what is said in it. Writers of one thread take turns. Types of your own in the graph's
    state need ``serde=JsonPlusSerializer(allowed_msgpack_modules=[...])``: without it, only LangChain's and the standard
    types are read back as objects. ``metadata_keys`` names what of a run's configuration is kept with its checkpoints, to
    filter by; nothing else of it is. ``redact`` takes secrets out of what users said, before it is saved. A run that was
    under way when its conversation or its user was erased writes no more.
    """

    def __init__(
        self,
        engine: Engine,
        scope: Scope,
        *,
        serde: SerializerProtocol | None = None,
        sealer: Sealer | None = None,
        metadata_keys: Collection[str] = (),
        redact: Redact | None = None,
        clock: Clock = system_clock,
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self._engine = engine
        self._scope = scope
        self._sealer = sealer
        self._metadata_keys = frozenset(metadata_keys)
        self._clean = untouched if redact is None else Cleaning(redact).cleaned
        self._clock = clock
        self._heads = Heads()
        self._writer = Writer(engine, scope, clock)
        self._serialised = Serialised()
        self._loop = loop or asyncio.get_running_loop()

    def with_serde(self, serde: SerializerProtocol) -> ScopedSaver:
        """Return a saver that knows what this one knows and has another serialiser."""
        if serde is self.serde:
            return self
        clone = copy.copy(self)
        clone.serde = serde
        return clone

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Return a version that is greater than the current one, and that no other branch of the thread has."""
        return next_version(current)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; a run does this first, so it is also where its writes come to have a beginning."""
        thread_id, ns = place_of(config)
        named = get_checkpoint_id(config)
        found = await reading.one(self._store, thread_id, ns, named)
        self._writer.began(thread_id, found.fence)
        if not ns:
            latest = None if found.checkpoint is None else found.checkpoint.checkpoint["id"]
            self._heads.read(thread_id, latest, named=named is not None)
        return found.checkpoint

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what rebuilds channels that hold deltas, without loading the checkpoints on the way back."""
        if not channels:
            return {}
        return await reading.deltas(self._store, config, channels)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints, the newest first; what is not yielded is not loaded."""
        async for found in reading.many(self._store, config, filter or {}, before, limit):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, unless it was erased since the run began: then, nothing."""
        thread_id, ns = place_of(config)
        kept = metadata_of(config, metadata, self._metadata_keys)
        keeping = self._store.keeping
        encoder = keeping.encoder(thread_id, self._engine.limit)
        held = checkpoint["channel_values"]
        values = [
            (
                channel,
                str(version),
                encoder.encoded(self._clean(channel, held[channel])) if channel in held else NOTHING,
            )
            for channel, version in new_versions.items()
        ]
        row = CheckpointRow(
            thread_id,
            ns,
            checkpoint["id"],
            get_checkpoint_id(config),
            str(kept.get("run_id", "")),
            keeping.facts(kept),
            {channel: str(version) for channel, version in checkpoint["channel_versions"].items()},
            keeping.skeleton(thread_id, ns, checkpoint, kept),
        )

        def rows(new: Sequence[PartRow], refs: Refs) -> Rows:
            held = [
                keeping.sealed_refs(ValueRow(thread_id, ns, channel, version, value.form, refs(value)))
                for channel, version, value in values
            ]
            return Rows(parts=new, values=held, checkpoints=[row], follows=follows)

        follows = None if ns else self._heads.follows(thread_id, get_checkpoint_id(config))
        await self._writer.write(keeping, thread_id, Wanted(encoder.parts, rows, follows=follows is not None))
        if follows is not None:
            self._heads.read(thread_id, checkpoint["id"], named=False)
        return config_of(thread_id, ns, checkpoint["id"])

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote, unless it was erased since the run began: then, nothing."""
        thread_id, ns = place_of(config)
        checkpoint_id = get_checkpoint_id(config)
        if checkpoint_id is None:
            raise InvalidInputError("Writes belong to a checkpoint; the configuration names none.")
        keeping = self._store.keeping
        encoder = keeping.encoder(thread_id, self._engine.limit)
        encoded = [
            (WRITES_IDX_MAP.get(channel, place), channel, encoder.encoded(self._clean(channel, value)))
            for place, (channel, value) in enumerate(writes)
        ]

        special = all(channel in WRITES_IDX_MAP for _, channel, _ in encoded)

        def rows(new: Sequence[PartRow], refs: Refs) -> Rows:
            written = {
                idx: keeping.sealed_refs(
                    WriteRow(
                        thread_id,
                        ns,
                        checkpoint_id,
                        task_path,
                        task_id,
                        idx,
                        channel,
                        value.form,
                        refs(value),
                    )
                )
                for idx, channel, value in encoded
            }
            return Rows(parts=new, writes=list(written.values()), replace_writes=special)

        if encoded:
            await self._writer.write(keeping, thread_id, Wanted(encoder.parts, rows, replaces=special))

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread, with its subgraphs, and that there was one."""
        await self._engine.delete(self._scope, str(thread_id), self._clock())
        self._writer.forget(str(thread_id))

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Delete the checkpoints of runs, and what nothing refers to after that."""
        for thread_id in await self._engine.threads_of_runs(self._scope, run_ids):
            await pruning.drop_runs(self._store, thread_id, frozenset(run_ids), self._clock())

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread as a whole, every checkpoint and its writes; the target keeps what it has besides."""
        await pruning.copy(self._store, str(source_thread_id), str(target_thread_id), self._clock())
        self._writer.forget(str(target_thread_id))

    async def aprune(
        self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", count: int = 1
    ) -> None:
        """Keep the latest checkpoint of each namespace (``keep_latest``) or nothing (``delete``).

        ``count`` is how many of the latest to keep, for a window in which a thread can still be played back. What they are
        rebuilt from, where a channel holds deltas, is kept with them.
        """
        if count < 1:
            raise InvalidInputError("At least one checkpoint is kept; give a count of 1 or more.")
        if strategy not in ("keep_latest", "delete"):
            raise InvalidInputError(f"{strategy!r} is no way to prune; use keep_latest or delete.")
        for thread_id in thread_ids:
            if strategy == "delete":
                await self.adelete_thread(thread_id)
                continue
            await pruning.keep_latest(self._store, str(thread_id), self._clock(), count)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Do as `aget_tuple` does, from a thread."""
        return wait_for(self._loop, self.aget_tuple(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Do as `alist` does, from a thread."""
        return each(self._loop, self.alist(config, filter=filter, before=before, limit=limit))

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Do as `aget_delta_channel_history` does, from a thread."""
        return wait_for(self._loop, self.aget_delta_channel_history(config=config, channels=channels))

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Do as `aput` does, from a thread."""
        return wait_for(self._loop, self.aput(config, checkpoint, metadata, new_versions))

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Do as `aput_writes` does, from a thread."""
        wait_for(self._loop, self.aput_writes(config, writes, task_id, task_path))

    def delete_thread(self, thread_id: str) -> None:
        """Do as `adelete_thread` does, from a thread."""
        wait_for(self._loop, self.adelete_thread(thread_id))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Do as `adelete_for_runs` does, from a thread."""
        wait_for(self._loop, self.adelete_for_runs(run_ids))

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Do as `acopy_thread` does, from a thread."""
        wait_for(self._loop, self.acopy_thread(source_thread_id, target_thread_id))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", count: int = 1) -> None:
        """Do as `aprune` does, from a thread."""
        wait_for(self._loop, self.aprune(thread_ids, strategy=strategy, count=count))

    @property
    def _store(self) -> Store:
        # Made when asked for: LangGraph gives a copy of the saver another serialiser.
        return Store(
            self._engine, self._scope, Keeping(self._scope, self.serde, self._sealer, self._serialised)
        )
