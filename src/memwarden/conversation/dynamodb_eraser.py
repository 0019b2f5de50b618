"""Erasing conversations from DynamoDB: those of a user or a tenant, or one, with the hints that lead to them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence

from memwarden.checkpoint.dynamodb_calls import Calls
from memwarden.conversation.dynamodb_items import (
    Item,
    conversation_of,
    conversations_partition,
    hint_keys,
    key_of,
    user_key,
    users_partition,
)
from memwarden.model.conversation import ConversationMeta
from memwarden.model.erasure import Subject
from memwarden.model.scope import Scope


class DynamoConversationEraser:
    """Takes part in the erasures of users, conversations and tenants."""

    name = "conversations"

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def erase(self, subject: Subject) -> int:
        """Remove the subject's conversations; return how many there were."""
        removed = 0
        for scope in await self._scopes(subject):
            for conversation in await self._conversations(scope, subject):
                keys = [*hint_keys(conversation).values(), key_of(scope, conversation.id)]
                # Hints first: what is left of a removal that is cut short still has its conversation to be found by.
                for key in keys:
                    await self._calls.call("delete_item", Key=key)
                removed += 1
            if subject.conversation_id is None:
                await self._unlist(scope)
        return removed

    async def residue(self, subject: Subject) -> int:
        """Count what is there of the subject's conversations."""
        return sum([len(await self._conversations(scope, subject)) for scope in await self._scopes(subject)])

    async def _unlist(self, scope: Scope) -> None:
        """Forget that there was a user, unless a conversation began meanwhile."""
        await self._calls.call("delete_item", Key=user_key(scope))
        if await self._conversations(scope, Subject(scope.tenant_id, scope.user_id)):
            await self._calls.call("put_item", Item=user_key(scope))

    async def _conversations(self, scope: Scope, subject: Subject) -> Sequence[ConversationMeta]:
        if subject.conversation_id is not None:
            key = key_of(scope, subject.conversation_id)
            answer = await self._calls.call("get_item", Key=key, ConsistentRead=True)
            return [conversation_of(answer["Item"], scope)] if "Item" in answer else []
        partition = conversations_partition(scope)
        return [conversation_of(item, scope) async for item in self._all_of(partition)]

    async def _scopes(self, subject: Subject) -> list[Scope]:
        if subject.user_id is not None:
            return [Scope(subject.tenant_id, subject.user_id)]
        found = self._all_of(users_partition(subject.tenant_id))
        return [Scope(subject.tenant_id, str(item["sk"]["S"])) async for item in found]

    async def _all_of(self, partition: str) -> AsyncIterator[Item]:
        how: dict[str, Mapping[str, object]] = {}
        while True:
            page = await self._calls.call(
                "query",
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": partition}},
                ConsistentRead=True,
                **how,
            )
            for item in page["Items"]:
                yield item
            if not page.get("LastEvaluatedKey"):
                return
            how["ExclusiveStartKey"] = page["LastEvaluatedKey"]
