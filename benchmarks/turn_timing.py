"""A stopwatch for the parts of one turn: seconds and trips to the database of each, by wrapping what does the work."""

from __future__ import annotations

import functools
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from psycopg import AsyncConnection

from memwarden.agent.compaction import CompactionMiddleware
from memwarden.agent.middleware import MemwardenMiddleware
from memwarden.agent.postprocessing import PostprocessingMiddleware
from memwarden.agent.preprocessing import PreprocessingMiddleware
from memwarden.checkpoint import SharedSaver
from memwarden.memory.last_use import LastUse
from memwarden.memory.user import UserMemory
from memwarden.session.compacting import Compactor

Method = Callable[..., Awaitable[Any]]
Exchange = Generator[Any, Any, Any]

ELSEWHERE, CHECKPOINT = "elsewhere", "checkpoint"

_PARTS: tuple[tuple[str, type[Any], str], ...] = (
    ("recall", UserMemory, "recall"),
    ("guard", UserMemory, "follow"),
    ("trace", UserMemory, "trace"),
    ("preprocessing", PreprocessingMiddleware, "abefore_agent"),
    ("memory's beginning", MemwardenMiddleware, "abefore_agent"),
    ("postprocessing", PostprocessingMiddleware, "aafter_agent"),
    ("compactor", Compactor, "__call__"),
    ("last use, later", LastUse, "flush"),
    *(
        (f"checkpoint {what}", saver, method)
        for saver in (SharedSaver, AsyncPostgresSaver)
        for what, method in (
            ("read", "aget_tuple"),
            ("deltas", "aget_delta_channel_history"),
            ("put", "aput"),
            ("writes", "aput_writes"),
        )
    ),
)


@dataclass
class Turn:
    """What one turn took, in seconds, and of each part: seconds, calls and trips to the database."""

    whole: float = 0.0
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    calls: Counter[str] = field(default_factory=Counter)
    trips: Counter[str] = field(default_factory=Counter)
    _saving: int = 0
    _since: float = 0.0

    def enter(self, name: str, at: float) -> None:
        """Note that a part began."""
        if name.startswith(CHECKPOINT):
            self._since = self._since if self._saving else at
            self._saving += 1

    def leave(self, name: str, began: float, at: float) -> None:
        """Note that a part ended; while several checkpoint calls are under way at once, their time counts once."""
        self.seconds[name] += at - began
        self.calls[name] += 1
        if name.startswith(CHECKPOINT):
            self._saving -= 1
            if not self._saving:
                self.seconds[CHECKPOINT] += at - self._since


class Stopwatch:
    """Notes what is done between the beginning and the end of a turn; one turn at a time."""

    def __init__(self) -> None:
        self.turn = Turn()
        self._part: ContextVar[str] = ContextVar("part", default=ELSEWHERE)

    @asynccontextmanager
    async def timed(self) -> AsyncIterator[Turn]:
        """Yield a turn, of which the parts are noted until the block ends."""
        self.turn = turn = Turn()
        started = time.perf_counter()
        yield turn
        turn.whole = time.perf_counter() - started

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Wrap what does the work, for agents that are made and invoked inside the block."""
        with ExitStack() as stack:
            for name, owner, method in _PARTS:
                stack.enter_context(patch.object(owner, method, self._noted(name, vars(owner)[method])))
            own = CompactionMiddleware.awrap_model_call
            stack.enter_context(patch.object(CompactionMiddleware, "awrap_model_call", self._around(own)))
            stack.enter_context(patch.object(AsyncConnection, "wait", self._trip(AsyncConnection.wait)))
            yield

    def _noted(self, name: str, method: Method) -> Method:
        @functools.wraps(method)
        async def noted(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            turn, before = self.turn, self._part.set(name)
            started = time.perf_counter()
            turn.enter(name, started)
            try:
                return await method(*args, **kwargs)
            finally:
                turn.leave(name, started, time.perf_counter())
                self._part.reset(before)

        return noted

    def _around(self, method: Method) -> Method:
        """Note the time of a middleware around the model's call, without the call itself."""

        @functools.wraps(method)
        async def around(middleware: object, request: object, handler: Method) -> Any:  # noqa: ANN401
            turn, inner = self.turn, 0.0

            async def called(changed: object) -> Any:  # noqa: ANN401
                nonlocal inner
                began = time.perf_counter()
                try:
                    return await handler(changed)
                finally:
                    inner += time.perf_counter() - began

            started = time.perf_counter()
            try:
                return await method(middleware, request, called)
            finally:
                turn.seconds["compaction check"] += time.perf_counter() - started - inner
                turn.calls["compaction check"] += 1

        return around

    def _trip(self, method: Method) -> Method:
        @functools.wraps(method)
        async def trip(connection: object, gen: Exchange, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
            def noted() -> None:
                self.turn.trips[self._part.get()] += 1

            return await method(connection, _told(gen, noted), *args, **kwargs)

        return trip


def _told(gen: Exchange, waits: Callable[[], None]) -> Exchange:
    """Do as an exchange with the server does, and tell if it waits for the server at all; some end without."""
    try:
        item = next(gen)
        waits()
        while True:
            try:
                got = yield item
            except BaseException as error:  # noqa: BLE001 - handed to the exchange, which decides
                item = gen.throw(error)
            else:
                item = gen.send(got)
    except StopIteration as ended:
        return ended.value
