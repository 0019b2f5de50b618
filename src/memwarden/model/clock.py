"""Where the time comes from."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""A function that answers the present instant, timezone-aware and in UTC."""


def system_clock() -> datetime:
    """Return the machine's present time in UTC."""
    return datetime.now(UTC)
