"""Conversations as DynamoDB's items, and the hints by which those that are due are found across users. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from hashlib import blake2b
from typing import Any

from memwarden.checkpoint.dynamodb_table import EXPIRES_AT
from memwarden.model.conversation import ConversationMeta, ConversationState, TitledBy
from memwarden.model.scope import Scope

Item = Mapping[str, Mapping[str, Any]]

SHARDS = 8
"""Partitions over which the hints of one kind are spread."""

LEFT_OVER = timedelta(days=30)
"""How long after its removal was due DynamoDB removes an item itself: longer than a worker may be away."""

LAST = "\x7f"
"""Sorts behind everything that a hint's key may begin with."""

_LONGEST_PARTITION_KEY = 2048
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND, _SECOND = timedelta(microseconds=1), timedelta(seconds=1)


class Hint(StrEnum):
    """What a conversation may be due for."""

    REMOVAL = "removal"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where a hint leads, and for which version of the conversation it was written."""

    scope: Scope
    conversation_id: str
    version: int


def conversations_partition(scope: Scope) -> str:
    """Return the partition key of a user's conversations."""
    return _partition("conversations", scope.tenant_id, scope.user_id)


def users_partition(tenant_id: str) -> str:
    """Return the partition key of the users of a tenant who have, or had, conversations."""
    return _partition("conversations-users", tenant_id)


def hints_partition(kind: Hint, shard: int) -> str:
    """Return the partition key of some of the hints of a kind."""
    return f"conversations-{kind.value}/{shard}"


def key_of(scope: Scope, conversation_id: str) -> Item:
    """Return the key of a conversation."""
    return {"pk": {"S": conversations_partition(scope)}, "sk": {"S": conversation_id}}


def user_key(scope: Scope) -> Item:
    """Return the key under which a tenant's user is found."""
    return {"pk": {"S": users_partition(scope.tenant_id)}, "sk": {"S": scope.user_id}}


def hour_of(at: datetime) -> str:
    """Return how the hints of an hour begin."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H")


def hint_keys(conversation: ConversationMeta) -> dict[Hint, Item]:
    """Return the keys of the hints that lead to a conversation, by kind."""
    owner = blake2b(conversations_partition(conversation.scope).encode(), digest_size=16).hexdigest()
    name = f"{conversation.id}/{owner}"
    shard = blake2b(name.encode(), digest_size=2).digest()[0] % SHARDS
    keys: dict[Hint, Item] = {}
    if conversation.delete_after is not None:
        begins = hour_of(conversation.delete_after)
        keys[Hint.REMOVAL] = _key(hints_partition(Hint.REMOVAL, shard), f"{begins}/{name}")
    if conversation.awaits_title:
        keys[Hint.TITLE] = _key(hints_partition(Hint.TITLE, shard), name)
    return keys


def hint_item(conversation: ConversationMeta, key: Item) -> Item:
    """Return a hint: ids, and nothing of what the conversation holds."""
    return {
        **key,
        "tenant_id": {"S": conversation.scope.tenant_id},
        "user_id": {"S": conversation.scope.user_id},
        "version": _number(conversation.version),
        **_expiry(conversation),
    }


def pointer_of(item: Item, kind: Hint) -> Pointer:
    """Return where a hint leads."""
    names = str(item["sk"]["S"]).split("/")
    return Pointer(
        Scope(item["tenant_id"]["S"], item["user_id"]["S"]),
        names[1] if kind is Hint.REMOVAL else names[0],
        int(item["version"]["N"]),
    )


def item_of(conversation: ConversationMeta) -> Item:
    """Return the item of a conversation."""
    instants = {
        "title_after": conversation.title_after,
        "ends_at": conversation.expires_at,
        "delete_after": conversation.delete_after,
    }
    return {
        **key_of(conversation.scope, conversation.id),
        "title": {"S": conversation.title},
        "titled_by": {"S": conversation.titled_by.value},
        "title_attempts": _number(conversation.title_attempts),
        "agents": {"L": [{"S": name} for name in conversation.agents]},
        "created_at": _instant(conversation.created_at),
        "last_active_at": _instant(conversation.last_active_at),
        "life": {"S": conversation.state.value},
        "pinned": {"BOOL": conversation.pinned},
        "listed": {"BOOL": conversation.listed},
        "version": _number(conversation.version),
        **{name: _instant(at) for name, at in instants.items() if at is not None},
        **_expiry(conversation),
    }


def conversation_of(item: Item, scope: Scope) -> ConversationMeta:
    """Return the conversation of an item."""
    return ConversationMeta(
        scope=scope,
        id=item["sk"]["S"],
        created_at=_at(item["created_at"]),
        last_active_at=_at(item["last_active_at"]),
        title=item["title"]["S"],
        titled_by=TitledBy(item["titled_by"]["S"]),
        agents=tuple(name["S"] for name in item["agents"]["L"]),
        state=ConversationState(item["life"]["S"]),
        pinned=item["pinned"]["BOOL"],
        listed=item["listed"]["BOOL"],
        expires_at=_at(item["ends_at"]) if "ends_at" in item else None,
        delete_after=_at(item["delete_after"]) if "delete_after" in item else None,
        title_attempts=int(item["title_attempts"]["N"]),
        title_after=_at(item["title_after"]) if "title_after" in item else None,
        version=int(item["version"]["N"]),
    )


def shown(now: datetime, pinned: bool) -> tuple[str, dict[str, Mapping[str, object]]]:
    """Return the condition that what a list shows meets, and its values."""
    condition = (
        "listed = :listed AND pinned = :pinned AND life <> :deleted"
        " AND (attribute_not_exists(ends_at) OR ends_at > :now)"
    )
    return condition, {
        ":listed": {"BOOL": True},
        ":pinned": {"BOOL": pinned},
        ":deleted": {"S": ConversationState.DELETED.value},
        ":now": _instant(now),
    }


def _expiry(conversation: ConversationMeta) -> dict[str, Mapping[str, str]]:
    if conversation.delete_after is None:
        return {}
    return {EXPIRES_AT: _number(-((_EPOCH - conversation.delete_after - LEFT_OVER) // _SECOND))}


def _partition(kind: str, *ids: str) -> str:
    """Return a key that no other ids have: each has its length before it, so that none runs into the next."""
    plain = f"{kind}/" + "".join(f"{len(one)}:{one}" for one in ids)
    if len(plain.encode()) <= _LONGEST_PARTITION_KEY:
        return plain
    return f"{kind}#{blake2b(plain.encode()).hexdigest()}"


def _key(partition: str, sort: str) -> Item:
    return {"pk": {"S": partition}, "sk": {"S": sort}}


def _number(value: int) -> Mapping[str, str]:
    return {"N": str(value)}


def _instant(at: datetime) -> Mapping[str, str]:
    return _number((at - _EPOCH) // _MICROSECOND)


def _at(attribute: Mapping[str, Any]) -> datetime:
    return _EPOCH + int(attribute["N"]) * _MICROSECOND
