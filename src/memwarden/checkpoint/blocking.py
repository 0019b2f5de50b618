"""The synchronous face of an asynchronous saver, for graphs that are invoked without ``await``."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from typing import Any, TypeVar

from memwarden.errors import ConfigurationError

T = TypeVar("T")


def wait_for(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """Wait, in a thread that does not run it, for work on the loop that holds the connections."""
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is loop:
        work.close()
        raise ConfigurationError(
            "The graph is invoked synchronously inside the event loop that holds the memory's connections, which would "
            "wait for itself; use `await graph.ainvoke(...)`, or open the memory with Memwarden.open_sync."
        )
    return asyncio.run_coroutine_threadsafe(work, loop).result()


def each(loop: asyncio.AbstractEventLoop, source: AsyncIterator[T]) -> Iterator[T]:
    """Yield what an asynchronous source yields, one by one."""

    async def following() -> tuple[bool, T | None]:
        try:
            return True, await anext(source)
        except StopAsyncIteration:
            return False, None

    while True:
        there, item = wait_for(loop, following())
        if not there:
            return
        yield item  # type: ignore[misc]
