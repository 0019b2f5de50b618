"""Conversations on DynamoDB: one table, with a partition for those of each user and a few for what is due across users."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from datetime import datetime

from memwarden.checkpoint.dynamodb_calls import PATIENT, AioBaseClient, Calls, ConditionNotMetError, Patience
from memwarden.checkpoint.dynamodb_table import create_table
from memwarden.conversation.dynamodb_eraser import DynamoConversationEraser
from memwarden.conversation.dynamodb_items import (
    LAST,
    SHARDS,
    Hint,
    Item,
    conversation_of,
    conversations_partition,
    hint_item,
    hint_keys,
    hints_partition,
    hour_of,
    item_of,
    key_of,
    pointer_of,
    shown,
    user_key,
)
from memwarden.db.sweep import Due
from memwarden.model.conversation import ConversationMeta
from memwarden.model.erasure import Eraser
from memwarden.model.scope import Scope

__all__ = ["DynamoConversations", "create_table"]

_SAME_VERSION = "version = :version"


class DynamoConversations:
    """`ConversationStore` in a DynamoDB table that `create_table` made, by an aiobotocore client, which stays the caller's.

    The table may be that of the checkpoints. A hint leads from the hour in which a conversation is due to it. It is
    written before the conversation and removed after it, so that none is ever missing; one too many is found out.
    """

    def __init__(self, client: AioBaseClient, table: str, *, patience: Patience = PATIENT) -> None:
        self._calls = Calls(client, table, patience)

    @property
    def eraser(self) -> Eraser:
        """Takes part in every erasure as ``conversations``."""
        return DynamoConversationEraser(self._calls)

    async def create(self, conversation: ConversationMeta) -> None:
        """Add a conversation."""
        # Its user is found before there is anything of theirs, so that an erasure of their tenant reaches it.
        await self._calls.call("put_item", Item=user_key(conversation.scope))
        await self._hint(conversation)
        await self._calls.call(
            "put_item", Item=item_of(conversation), ConditionExpression="attribute_not_exists(pk)"
        )

    async def get(self, scope: Scope, conversation_id: str) -> ConversationMeta | None:
        """Return one conversation, or null."""
        answer = await self._calls.call("get_item", Key=key_of(scope, conversation_id), ConsistentRead=True)
        return conversation_of(answer["Item"], scope) if "Item" in answer else None

    async def page(
        self, scope: Scope, now: datetime, *, pinned: bool, before: str | None, limit: int
    ) -> list[ConversationMeta]:
        """Return what is shown of a user's conversations, the newest first; DynamoDB reads and charges what is not, too."""
        condition, values = shown(now, pinned)
        found: list[ConversationMeta] = []
        async for item in self._newest(scope, before, values, FilterExpression=condition):
            found.append(conversation_of(item, scope))
            if len(found) == limit:
                break
        return found

    async def everything(self, scope: Scope, limit: int) -> list[ConversationMeta]:
        """Return all conversations of a user, the newest first."""
        found: list[ConversationMeta] = []
        async for item in self._newest(scope, None, {}):
            found.append(conversation_of(item, scope))
            if len(found) == limit:
                break
        return found

    async def update(self, seen: ConversationMeta, changed: ConversationMeta) -> ConversationMeta | None:
        """Write a conversation in place of the one that was seen."""
        written = replace(changed, version=seen.version + 1)
        await self._hint(written)
        try:
            await self._calls.call(
                "put_item",
                Item=item_of(written),
                ConditionExpression=_SAME_VERSION,
                ExpressionAttributeValues=_version(seen.version),
            )
        except ConditionNotMetError:
            if await self.get(seen.scope, seen.id) is None:
                # Erased meanwhile; nothing is to say that it was there.
                for key in hint_keys(written).values():
                    await self._unhint(key, written.version)
            return None
        still = hint_keys(written)
        for kind, key in hint_keys(seen).items():
            if still.get(kind) != key:
                await self._unhint(key, seen.version)
        return written

    async def remove(self, conversation: ConversationMeta) -> bool:
        """Remove a conversation if it is still the one that was seen."""
        try:
            await self._calls.call(
                "delete_item",
                Key=key_of(conversation.scope, conversation.id),
                ConditionExpression=_SAME_VERSION,
                ExpressionAttributeValues=_version(conversation.version),
            )
        except ConditionNotMetError:
            return False
        for key in hint_keys(conversation).values():
            await self._unhint(key, conversation.version)
        return True

    async def to_remove(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations whose time is over; holds, and runs under way, are for whoever removes them to heed."""
        return await self._due(Hint.REMOVAL, hour_of(now) + LAST, limit, lambda found: found.is_due(now))

    async def to_title(self, now: datetime, limit: int) -> list[Due]:
        """Return conversations that await a title."""
        return await self._due(
            Hint.TITLE, LAST, limit, lambda found: found.title_after is None or found.title_after <= now
        )

    async def _due(
        self, kind: Hint, last: str, limit: int, is_due: Callable[[ConversationMeta], bool]
    ) -> list[Due]:
        """Follow hints up to a key, and drop those that lead nowhere any more."""
        due: list[Due] = []
        for shard in range(SHARDS):
            values = {":pk": {"S": hints_partition(kind, shard)}, ":last": {"S": last}}
            async for item in self._query("pk = :pk AND sk <= :last", values):
                if len(due) == limit:
                    return due
                pointer = pointer_of(item, kind)
                key = {"pk": item["pk"], "sk": item["sk"]}
                found = await self.get(pointer.scope, pointer.conversation_id)
                if found is None or hint_keys(found).get(kind) != key:
                    await self._unhint(key, pointer.version)
                elif is_due(found):
                    scope = pointer.scope
                    due.append(Due(scope.tenant_id, scope.user_id, pointer.conversation_id))
        return due

    async def _hint(self, conversation: ConversationMeta) -> None:
        for key in hint_keys(conversation).values():
            await self._calls.call("put_item", Item=hint_item(conversation, key))

    async def _unhint(self, key: Item, version: int) -> None:
        """Remove a hint, unless somebody wrote it again for a later version."""
        try:
            await self._calls.call(
                "delete_item",
                Key=key,
                ConditionExpression="attribute_not_exists(pk) OR version <= :version",
                ExpressionAttributeValues=_version(version),
            )
        except ConditionNotMetError:
            return

    async def _newest(
        self, scope: Scope, before: str | None, values: Mapping[str, Mapping[str, object]], **how: object
    ) -> AsyncIterator[Item]:
        condition, named = "pk = :pk", {":pk": {"S": conversations_partition(scope)}, **values}
        if before is not None:
            condition += " AND sk < :before"
            named[":before"] = {"S": before}
        async for item in self._query(condition, named, ScanIndexForward=False, **how):
            yield item

    async def _query(
        self, condition: str, values: Mapping[str, Mapping[str, object]], **how: object
    ) -> AsyncIterator[Item]:
        while True:
            page = await self._calls.call(
                "query",
                KeyConditionExpression=condition,
                ExpressionAttributeValues=values,
                ConsistentRead=True,
                **how,
            )
            for item in page["Items"]:
                yield item
            if not page.get("LastEvaluatedKey"):
                return
            how["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _version(version: int) -> dict[str, Mapping[str, str]]:
    return {":version": {"N": str(version)}}
