"""LangGraph's PostgreSQL saver, held inside one user's rows."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.base import SerializerProtocol
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import AsyncCursor
from psycopg.rows import DictRow, dict_row

from memwarden.db import thread_table
from memwarden.db.database import Database
from memwarden.db.erasure import erase_checkpoints, latest, still_latest
from memwarden.model.clock import Clock, system_clock
from memwarden.model.scope import Scope

_log = logging.getLogger(__name__)
_MOST_THREADS = 10_000


@dataclass(frozen=True, slots=True)
class Writing:
    """What the block's transaction writes: the thread, and under which erasure its run began, if it was seen to begin."""

    thread_id: str
    began: tuple[str | None] | None


_WRITING: ContextVar[Writing | None] = ContextVar("memwarden_what_a_run_writes", default=None)


class ErasedSinceError(Exception):
    """Everything about the user was erased since the run began; it never leaves this module."""


def _owned(upsert: str) -> str:
    """Name the owner among the columns an upsert of LangGraph's looks for; its value is the row's default."""
    return upsert.replace("ON CONFLICT (", "ON CONFLICT (tenant_id, user_id, ")


class ScopedPostgresSaver(AsyncPostgresSaver):
    """A checkpoint saver bound to one user: another user's thread reads, lists and deletes as absent.

    It runs LangGraph's own statements in transactions that carry the scope, so that row-level security
    decides what they see; the same thread id may exist once for each user. Types of your own in the
    graph's state need ``serde=JsonPlusSerializer(allowed_msgpack_modules=[...])``: without it, only
    LangChain's and the standard types are read back as objects.
    """

    UPSERT_CHECKPOINT_BLOBS_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINT_BLOBS_SQL)
    UPSERT_CHECKPOINTS_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINTS_SQL)
    UPSERT_CHECKPOINT_WRITES_SQL = _owned(AsyncPostgresSaver.UPSERT_CHECKPOINT_WRITES_SQL)
    INSERT_CHECKPOINT_WRITES_SQL = _owned(AsyncPostgresSaver.INSERT_CHECKPOINT_WRITES_SQL)

    def __init__(
        self,
        database: Database,
        scope: Scope,
        *,
        serde: SerializerProtocol | None = None,
        clock: Clock = system_clock,
    ) -> None:
        super().__init__(database.pool, serde=serde or JsonPlusSerializer(allowed_msgpack_modules=None))
        self._database = database
        self._scope = scope
        self._clock = clock
        self._began: OrderedDict[str, str | None] = OrderedDict()

    async def setup(self) -> None:
        """Do nothing: the tables come with `memwarden migrate`."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """Return a checkpoint; a run does this first, so it is also where its writes come to have a beginning."""
        thread_id = config["configurable"]["thread_id"]
        self._began[thread_id] = await latest(self._database, self._scope, thread_id)
        while len(self._began) > _MOST_THREADS:
            self._began.popitem(last=False)
        return await super().aget_tuple(config)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, unless everything about the user was erased since the run began: then, nothing."""
        configurable = config["configurable"]
        try:
            with self._as_begun(configurable["thread_id"]):
                return await super().aput(config, checkpoint, metadata, new_versions)
        except ErasedSinceError:
            _log.info("A checkpoint came after an erasure and was not written.")
        saved = {"thread_id": configurable["thread_id"], "checkpoint_ns": configurable["checkpoint_ns"]}
        return {"configurable": {**saved, "checkpoint_id": checkpoint["id"]}}

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save the writes of a step, unless everything about the user was erased since the run began."""
        try:
            with self._as_begun(config["configurable"]["thread_id"]):
                await super().aput_writes(config, writes, task_id, task_path)
        except ErasedSinceError:
            _log.info("The writes of a step came after an erasure and were not kept.")

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints, and that there was one."""
        await super().adelete_thread(thread_id)
        async with self._database.transaction(self._scope) as tx:
            await erase_checkpoints(tx, str(thread_id))

    @contextmanager
    def _as_begun(self, thread_id: str) -> Iterator[None]:
        """Let the block's transaction know what it writes, and since when."""
        began = (self._began[thread_id],) if thread_id in self._began else None
        token = _WRITING.set(Writing(thread_id, began))
        try:
            yield
        finally:
            _WRITING.reset(token)

    @asynccontextmanager
    async def _cursor(self, *, pipeline: bool = False) -> AsyncIterator[AsyncCursor[DictRow]]:
        # One transaction for each of the saver's operations, pipelined or not: it carries the scope, and it
        # makes a checkpoint and its blobs visible together. Connections are not shared, so no lock is held.
        async with (
            self._database.transaction(self._scope) as tx,
            AsyncCursor(tx.connection, row_factory=dict_row) as cursor,
        ):
            writing = _WRITING.get()
            if writing is not None:
                if writing.began is not None and not await still_latest(
                    tx, writing.began[0], writing.thread_id
                ):
                    raise ErasedSinceError
                await thread_table.note(tx, writing.thread_id, self._clock())
            yield cursor
