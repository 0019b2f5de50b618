"""From wherever a graph runs to the event loop that holds the memory's connections."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from memwarden.errors import ConfigurationError
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.warden import Memwarden

T = TypeVar("T")

Work = Callable[[], Coroutine[Any, Any, T]]
"""Something that starts a coroutine, called on the right loop."""


def asynchronous(memwarden: Memwarden | SyncMemwarden) -> Memwarden:
    """Return the asynchronous object behind either face."""
    return memwarden.asynchronous if isinstance(memwarden, SyncMemwarden) else memwarden


async def across(memwarden: Memwarden, work: Work[T]) -> T:
    """Await ``work`` on the memory's own loop, from this or another loop."""
    if asyncio.get_running_loop() is memwarden.loop:
        return await work()
    return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work(), memwarden.loop))


def blocking(memwarden: Memwarden, work: Work[T]) -> T:
    """Wait for ``work`` on the memory's loop from a thread that is not running that loop."""
    try:
        running = asyncio.get_running_loop()
    except RuntimeError:
        running = None
    if running is memwarden.loop:
        raise ConfigurationError(
            "The graph is invoked synchronously inside the event loop that Memwarden.open runs in, which would wait "
            "for itself; use `await graph.ainvoke(...)`, or open the memory with Memwarden.open_sync."
        )
    return asyncio.run_coroutine_threadsafe(work(), memwarden.loop).result()
