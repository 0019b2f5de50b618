"""Conversations as their user sees them in a list: a title, a life, and who took part. Pure."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memwarden.model.scope import Scope

DEFAULT_TITLE = "New conversation"
"""What a conversation is called until it has a title of its own."""


class TitledBy(StrEnum):
    """Where a title comes from."""

    DEFAULT = "default"
    GENERATED = "generated"
    USER = "user"


class ConversationState(StrEnum):
    """Where a conversation stands, but for whether its time is over, which ``expires_at`` tells."""

    ACTIVE = "active"
    ENDED = "ended"
    """Over, and gone on with as soon as the user comes back."""
    DELETED = "deleted"
    """Deleted by its user: hidden, and gone for good once ``delete_after`` has passed."""


@dataclass(frozen=True, slots=True)
class ConversationMeta:
    """One conversation: ``id`` is a ULID, and the id of its graph's thread.

    ``agents`` names the meaningful agents that took part, in the order in which they came in. It is in its user's list
    once ``listed``, until ``expires_at`` or its deletion; what it holds is removed after ``delete_after``. Null: never.
    ``title_attempts`` counts how often a model was asked for a title, and ``title_after`` is when it may be asked again.
    ``version`` grows with every change, so that nobody overwrites what they have not seen.
    """

    scope: Scope
    id: str
    created_at: datetime
    last_active_at: datetime
    title: str = DEFAULT_TITLE
    titled_by: TitledBy = TitledBy.DEFAULT
    agents: tuple[str, ...] = ()
    state: ConversationState = ConversationState.ACTIVE
    pinned: bool = False
    listed: bool = False
    expires_at: datetime | None = None
    delete_after: datetime | None = None
    title_attempts: int = 0
    title_after: datetime | None = None
    version: int = 1

    @property
    def awaits_title(self) -> bool:
        """Whether it is worth a title and has none yet."""
        return (
            self.listed and self.titled_by is TitledBy.DEFAULT and self.state is not ConversationState.DELETED
        )

    def is_shown(self, at: datetime) -> bool:
        """Tell whether it is in its user's list at an instant."""
        deleted = self.state is ConversationState.DELETED
        return self.listed and not deleted and (self.expires_at is None or self.expires_at > at)

    def is_due(self, at: datetime) -> bool:
        """Tell whether what it holds is to be removed by an instant."""
        return self.delete_after is not None and self.delete_after <= at


Titled = Callable[[ConversationMeta], Awaitable[None]]
"""Is told of a conversation that was given a title, once it is stored; what it raises changes nothing."""
