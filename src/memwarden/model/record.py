"""The long-term memory record: one envelope for every type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from typing_extensions import TypeAliasType

from memwarden.model.scope import Scope

Json = TypeAliasType("Json", "bool | int | float | str | list[Json] | dict[str, Json] | None")
"""A value that JSON can carry."""

NO_DETAILS: Mapping[str, Json] = MappingProxyType({})
"""The empty structured part."""


class MemoryType(StrEnum):
    """What kind of thing a record remembers."""

    PREFERENCE = "preference"
    """How the user wants to be served."""
    FACT = "fact"
    """Something durable about the user or their task."""
    EPISODE = "episode"
    """A task that was carried out, and how it ended."""


class Source(StrEnum):
    """Who vouches for a record."""

    USER_STATED = "user_stated"
    """The user said it in their own turn and asked for it to be remembered."""
    USER_CONFIRMED = "user_confirmed"
    """Somebody proposed it and the user said yes."""
    SYSTEM = "system"
    """Deterministic code of the application wrote it."""


class Status(StrEnum):
    """Where a record is in its life; only active ones are ever recalled."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    DELETED = "deleted"
    """A tombstone: its content, details, evidence and vector are gone."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a record came from: pointers into a conversation, never its words.

    ``also`` are the further places where the same was said, of a record that says what several said.
    """

    conversation_id: str | None = None
    message_id: str | None = None
    also: tuple[Evidence, ...] = ()

    def joined(self, other: Evidence) -> Evidence:
        """Return both places, each once, this one first; of many, the latest `MAX_PLACES`."""
        first = Evidence(self.conversation_id, self.message_id)
        places = (first, *self.also, Evidence(other.conversation_id, other.message_id), *other.also)
        known = [place for place in dict.fromkeys(places) if place != NO_EVIDENCE][:MAX_PLACES]
        return replace(known[0], also=tuple(known[1:])) if known else NO_EVIDENCE


MAX_PLACES = 20
"""Places that one record points to at the most."""


NO_EVIDENCE = Evidence()
"""No pointer at all, as for a command typed outside a conversation."""


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """One thing remembered about one user.

    ``id`` is a ULID; ``key`` the profile slot ("language") or null for free text; ``content`` the
    sentence shown to the user and, as quoted data, to the model; ``details`` its structured part;
    ``purpose`` why it is kept. ``created_at`` is when it was first said, in these words or others. Instants are timezone-aware UTC; ``expires_at`` is always set, and
    a record is never returned from it on. ``superseded_by`` is the id of the record that took its place.
    """

    scope: Scope
    id: str
    type: MemoryType
    content: str
    source: Source
    purpose: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    key: str | None = None
    details: Mapping[str, Json] = field(default_factory=lambda: NO_DETAILS)
    status: Status = Status.ACTIVE
    evidence: Evidence = NO_EVIDENCE
    last_used_at: datetime | None = None
    superseded_by: str | None = None
    embedding_model: str | None = None
