"""Identifiers: ULIDs, so that sorting by id is sorting by time."""

from __future__ import annotations

from datetime import datetime

from ulid import ULID


def new_id(at: datetime) -> str:
    """Return a new ULID for the instant ``at``: 26 characters of Crockford base 32, in upper case."""
    return str(ULID.from_datetime(at))


def is_id(value: str) -> bool:
    """Tell whether ``value`` has the form of an identifier made by `new_id`."""
    try:
        return str(ULID.from_str(value)) == value
    except (ValueError, TypeError):
        return False
