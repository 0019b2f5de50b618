"""Run a command on one user's memory, and print what came of it."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from rich.console import Console

from memwarden.cli import present
from memwarden.memory.candidates import Suggester
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden

PIPE_WIDTH = 160


def console() -> Console:
    """Return the console for results: colours in a terminal, plain text of ample width in a pipe."""
    width = None if sys.stdout.isatty() else PIPE_WIDTH
    return Console(width=width, highlight=False, emoji=False, markup=False)


def error_console() -> Console:
    """Return the console for progress and questions, which leaves results alone."""
    return Console(stderr=True, highlight=False, emoji=False)


def silence_the_queue() -> None:
    """Keep the queue's own log away from the terminal: it names the subjects of its jobs."""
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)


def with_user(
    tenant: str,
    user: str,
    url: str | None,
    data_dir: Path | None,
    work: Callable[[UserMemory], Awaitable[None]],
) -> None:
    """Open the memory, run ``work`` on one user's, and close it."""

    async def with_opened(memwarden: Memwarden) -> None:
        await work(memwarden.user(tenant, user))

    with_memwarden(url, data_dir, with_opened)


def with_memwarden(
    url: str | None,
    data_dir: Path | None,
    work: Callable[[Memwarden], Awaitable[None]],
    *,
    suggester: Suggester | None = None,
) -> None:
    """Open the memory, run ``work`` with it, and close it."""

    async def run() -> None:
        async with Memwarden.open(url, data_dir=data_dir, suggester=suggester) as memwarden:
            await work(memwarden)

    asyncio.run(run())


def print_result(as_json: bool, value: object, pretty: Callable[[Console], None]) -> None:
    """Print a value as JSON for a program, or as ``pretty`` does for a person."""
    out = console()
    if as_json:
        present.print_json(out, value)
    else:
        pretty(out)
