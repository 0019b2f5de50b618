"""Progress that suits where it is read: bars on a terminal, a few plain lines in a pipe."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

SECONDS_BETWEEN_LINES = 15.0

_console = Console(stderr=True, highlight=False)


@contextmanager
def step(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show one step of ``total`` units; call what it yields with the units done since the last call."""
    started = time.perf_counter()
    if _console.is_terminal:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        # Drawn seldom, since what is measured may be running meanwhile.
        with Progress(*columns, console=_console, transient=True, refresh_per_second=2) as progress:
            task = progress.add_task(what, total=total)
            yield lambda units: progress.advance(task, units)
    else:
        yield _now_and_then(what, total)
    _console.print(f"{what}: {time.perf_counter() - started:.1f} s")


def note(text: str) -> None:
    """Say something beside the results."""
    _console.print(text)


def _now_and_then(what: str, total: int) -> Callable[[int], None]:
    done, said = 0, time.perf_counter()

    def advance(units: int) -> None:
        nonlocal done, said
        done += units
        if time.perf_counter() - said > SECONDS_BETWEEN_LINES:
            said = time.perf_counter()
            _console.print(f"{what}: {done:,} of {total:,}")

    return advance
