"""One saver for a graph that serves everybody: whose thread it is, each call says by a `Scope` in its configuration."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Collection, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memwarden.checkpoint.cleaning import Redact
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.saver import ScopedSaver
from memwarden.checkpoint.sealer import Sealer
from memwarden.checkpoint.versions import next_version
from memwarden.errors import InvalidInputError
from memwarden.model.clock import Clock, system_clock
from memwarden.model.scope import Scope

SCOPE = "memwarden_scope"
"""The key of ``configurable`` under which a call's `Scope` stands. LangGraph copies text and numbers from there into what
it keeps, and no objects."""

_MOST_USERS = 1_000


class SharedSaver(BaseCheckpointSaver[str]):
    """A checkpoint saver for one compiled graph and all users; each call is inside the scope its configuration names.

    ``graph.ainvoke(..., user.config(thread))`` names it. The scope is an object that the application makes from a verified
    identity: a text, which might come from a request, is refused, and so is a call that names none. What is done to
    threads without a configuration is asked of `of`.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        serde: SerializerProtocol | None = None,
        sealer: Sealer | None = None,
        metadata_keys: Collection[str] = (),
        redact: Redact | None = None,
        clock: Clock = system_clock,
    ) -> None:
        super().__init__(serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self._engine = engine
        self._sealer = sealer
        self._metadata_keys = frozenset(metadata_keys)
        self._redact = redact
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._savers: OrderedDict[Scope, ScopedSaver] = OrderedDict()

    def of(self, scope: Scope) -> ScopedSaver:
        """Return the saver of one user."""
        if not isinstance(scope, Scope):
            raise InvalidInputError("Whose threads they are is said by a Scope; use user.scope.")
        saver = self._savers.pop(scope, None)
        if saver is None:
            saver = ScopedSaver(
                self._engine,
                scope,
                serde=self.serde,
                sealer=self._sealer,
                metadata_keys=self._metadata_keys,
                redact=self._redact,
                clock=self._clock,
                loop=self._loop,
            )
        self._savers[scope] = saver
        while len(self._savers) > _MOST_USERS:
            self._savers.popitem(last=False)
        return saver.with_serde(self.serde)

    def get_next_version(self, current: str | None, channel: None) -> str:
        """Return a version that is greater than the current one, and that no other branch of the thread has."""
        return next_version(current)

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint."""
        scope = _scope_of(config)
        found = await self.of(scope).aget_tuple(config)
        return None if found is None else _of_scope(found, scope)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Do as `aget_tuple` does, from a thread."""
        scope = _scope_of(config)
        found = self.of(scope).get_tuple(config)
        return None if found is None else _of_scope(found, scope)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what rebuilds channels that hold deltas."""
        saver = self.of(_scope_of(config))
        return await saver.aget_delta_channel_history(config=config, channels=channels)

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Do as `aget_delta_channel_history` does, from a thread."""
        return self.of(_scope_of(config)).get_delta_channel_history(config=config, channels=channels)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Yield checkpoints of a thread, the newest first."""
        scope = _scope_of(config)
        async for found in self.of(scope).alist(config, filter=filter, before=before, limit=limit):
            yield _of_scope(found, scope)

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - LangGraph's name
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Do as `alist` does, from a thread."""
        scope = _scope_of(config)
        for found in self.of(scope).list(config, filter=filter, before=before, limit=limit):
            yield _of_scope(found, scope)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        scope = _scope_of(config)
        return _with_scope(await self.of(scope).aput(config, checkpoint, metadata, new_versions), scope)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Do as `aput` does, from a thread."""
        scope = _scope_of(config)
        return _with_scope(self.of(scope).put(config, checkpoint, metadata, new_versions), scope)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a task wrote."""
        await self.of(_scope_of(config)).aput_writes(config, writes, task_id, task_path)

    def put_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Do as `aput_writes` does, from a thread."""
        self.of(_scope_of(config)).put_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Refuse, since nothing says whose thread it is."""
        _refuse()

    def delete_thread(self, thread_id: str) -> None:
        """Refuse, since nothing says whose thread it is."""
        _refuse()

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Refuse, since nothing says whose runs they are."""
        _refuse()

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Refuse, since nothing says whose runs they are."""
        _refuse()

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Refuse, since nothing says whose threads they are."""
        _refuse()

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Refuse, since nothing says whose threads they are."""
        _refuse()

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Refuse, since nothing says whose threads they are."""
        _refuse()

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Refuse, since nothing says whose threads they are."""
        _refuse()


def _refuse() -> NoReturn:
    raise InvalidInputError(
        "A saver for everybody does not know whose thread is meant; use saver.of(user.scope), or user.checkpointer()."
    )


def _scope_of(config: RunnableConfig | None) -> Scope:
    scope = ((config or {}).get("configurable") or {}).get(SCOPE)
    if not isinstance(scope, Scope):
        raise InvalidInputError(
            "The configuration does not say whose thread it is; invoke the graph with user.config(thread_id)."
        )
    return scope


def _with_scope(config: RunnableConfig, scope: Scope) -> RunnableConfig:
    return {**config, "configurable": {**config["configurable"], SCOPE: scope}}


def _of_scope(found: CheckpointTuple, scope: Scope) -> CheckpointTuple:
    parent = found.parent_config
    return found._replace(
        config=_with_scope(found.config, scope),
        parent_config=None if parent is None else _with_scope(parent, scope),
    )
