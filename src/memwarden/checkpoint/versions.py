"""Versions of channels: each greater than the one before, and no two branches of a thread alike."""

from __future__ import annotations

import random


def next_version(current: str | float | None) -> str:
    """Return the version after ``current``, in the form of LangGraph's PostgreSQL saver, so that threads can be taken over."""
    if current is None:
        number = 0
    elif isinstance(current, str):
        number = int(current.split(".")[0])
    else:
        number = int(current)
    # Not a secret: it only has to differ between branches.
    return f"{number + 1:032}.{random.random():016}"  # noqa: S311
