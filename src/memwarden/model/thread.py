"""Threads: the conversations of an agent, as far as memory knows of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class Thread:
    """One conversation of one user: when it began, went on and ended.

    ``ended_at`` is null while it may go on; ``stale_messages`` are the ids of messages in it that hold what
    the user has had forgotten since. ``reviewed_at`` and ``reviewed_until`` say up to when, and to which message, it
    was looked through.
    """

    scope: Scope
    id: str
    started_at: datetime
    last_active_at: datetime
    ended_at: datetime | None = None
    reviewed_at: datetime | None = None
    reviewed_until: str = ""
    stale_messages: tuple[str, ...] = ()
