"""How a conversation begins, is come back to, ends and goes. Pure: a conversation and an instant in, a conversation out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from memwarden.model.conversation import ConversationMeta, ConversationState
from memwarden.model.ids import new_id
from memwarden.model.scope import Scope

MOST_AGENTS = 100
"""Names of agents that one conversation keeps."""


def begun(scope: Scope, at: datetime, life: timedelta, grace: timedelta) -> ConversationMeta:
    """Return a conversation that begins now, and is in nobody's list yet."""
    expires_at = at + life
    return ConversationMeta(scope, new_id(at), at, at, expires_at=expires_at, delete_after=expires_at + grace)


def renewed(
    conversation: ConversationMeta, at: datetime, longest: timedelta, grace: timedelta
) -> ConversationMeta:
    """Return a conversation that its user came back to: it lives as long again as it was given, or ``longest``."""
    at = max(at, conversation.last_active_at)
    expires_at = None
    if conversation.expires_at is not None:
        expires_at = at + min(conversation.expires_at - conversation.last_active_at, longest)
    return replace(
        conversation,
        state=ConversationState.ACTIVE,
        last_active_at=at,
        expires_at=expires_at,
        delete_after=None if expires_at is None else expires_at + grace,
    )


def ended(conversation: ConversationMeta) -> ConversationMeta:
    """Return a conversation that is over, unless it is deleted."""
    if conversation.state is ConversationState.DELETED:
        return conversation
    return replace(conversation, state=ConversationState.ENDED)


def deleted(conversation: ConversationMeta, at: datetime, grace: timedelta) -> ConversationMeta:
    """Return a conversation that its user deleted: hidden now, and removed once the time to come back is over."""
    if conversation.state is ConversationState.DELETED:
        return conversation
    # How long it was given stays readable in expires_at, for when the user comes back.
    ends = [at + grace, *([conversation.delete_after] if conversation.delete_after else [])]
    return replace(conversation, state=ConversationState.DELETED, delete_after=min(ends))


def joined_by(conversation: ConversationMeta, agents: Iterable[str]) -> ConversationMeta:
    """Return a conversation in which these agents took part as well."""
    names = dict.fromkeys([*conversation.agents, *agents])
    return replace(conversation, agents=tuple(names)[:MOST_AGENTS])
