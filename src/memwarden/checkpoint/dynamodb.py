"""Wide rows on DynamoDB: one table, with a partition for the items of each thread and one for each user's threads."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from json import dumps

from memwarden.checkpoint.dynamodb_calls import (
    PATIENT,
    AioBaseClient,
    Calls,
    ConditionNotMetError,
    Item,
    Patience,
    each,
)
from memwarden.checkpoint.dynamodb_table import EXPIRES_AT, create_table
from memwarden.checkpoint.wide_rows import Lease, ThreadState
from memwarden.model.scope import Scope

__all__ = ["DynamoRows", "create_table", "items_partition", "threads_partition"]

LIMIT = 380_000
"""Bytes of content in an item. DynamoDB allows 409,600 for an item with its key and the names of its attributes."""

_LONGEST_PARTITION_KEY = 2048
_KEY = "."
"""What sort keys of items begin with, since DynamoDB takes no empty ones."""
_LAST = "\x7f"
"""Sorts behind everything that keys may hold."""

_FRAME = 200
"""Bytes of JSON around what an item holds."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SECOND = timedelta(seconds=1)


def threads_partition(scope: Scope) -> str:
    """Return the partition key under which a user's threads have their own items, by thread id."""
    return _partition("threads", scope.tenant_id, scope.user_id)


def items_partition(scope: Scope, thread_id: str) -> str:
    """Return the partition key of the other items of a thread."""
    return _partition("items", scope.tenant_id, scope.user_id, thread_id)


def _partition(kind: str, *ids: str) -> str:
    """Return a key that no other ids have: each has its length before it, so that none runs into the next."""
    plain = f"{kind}/" + "".join(f"{len(one)}:{one}" for one in ids)
    if len(plain.encode()) <= _LONGEST_PARTITION_KEY:
        return plain
    return f"{kind}#{blake2b(plain.encode()).hexdigest()}"


class DynamoRows:
    """`WideRows` in a DynamoDB table that `create_table` made, by an aiobotocore client, which stays the caller's."""

    def __init__(self, client: AioBaseClient, table: str, *, patience: Patience = PATIENT) -> None:
        self._calls = Calls(client, table, patience)

    @property
    def limit(self) -> int:
        """The most bytes one item may have."""
        return LIMIT

    async def lease(
        self, lease: Lease, now: datetime, *, expecting: tuple[int, int] | None = None, reserve: int = 0
    ) -> ThreadState | None:
        """Take a thread's turn by one conditional update; see `WideRows.lease`."""
        free = "(attribute_not_exists(lease_until) OR lease_until <= :now OR lease_token = :token)"
        values = {
            ":now": _number(_microseconds(now)),
            ":token": {"S": lease.token},
            ":until": _number(_microseconds(lease.until)),
            ":reserve": _number(reserve),
            ":zero": _number(0),
        }
        expected = ""
        if expecting is not None:
            expected = " AND (part_count = :parts AND generation = :generation)"
            values |= {":parts": _number(expecting[0]), ":generation": _number(expecting[1])}
        if expecting == (0, 0):
            expected = f"{expected[:-1]} OR attribute_not_exists(pk))"
        # Nothing may remove the item in the middle of a turn: what it says next is for `release` to say.
        update = (
            "SET lease_token = :token, lease_until = :until, generation = if_not_exists(generation, :zero) "
            f"ADD part_count :reserve REMOVE {EXPIRES_AT}"
        )
        try:
            answer = await self._calls.call(
                "update_item",
                Key=_thread(lease.scope, lease.thread_id),
                ConditionExpression=free + expected,
                UpdateExpression=update,
                ExpressionAttributeValues=values,
                ReturnValues="ALL_NEW",
            )
        except ConditionNotMetError:
            return None
        return _state(answer["Attributes"])

    async def release(self, lease: Lease, state: ThreadState) -> bool:
        """Write a thread's state and give the turn back; the token stays, so that this can be said twice."""
        update, values = _changes(
            {
                "part_count": state.parts,
                "generation": state.generation,
                "horizon": None if state.horizon is None else _microseconds(state.horizon),
                "active_at": None if state.active_at is None else _microseconds(state.active_at),
                "lease_until": None,
                EXPIRES_AT: _expiry(state.horizon),
            }
        )
        try:
            await self._calls.call(
                "update_item",
                Key=_thread(lease.scope, lease.thread_id),
                ConditionExpression="lease_token = :token",
                UpdateExpression=update,
                ExpressionAttributeValues={**values, ":token": {"S": lease.token}},
            )
        except ConditionNotMetError:
            return False
        return True

    async def drop(self, lease: Lease) -> None:
        """Remove a thread's own item, if the lease is still this one."""
        try:
            await self._calls.call(
                "delete_item",
                Key=_thread(lease.scope, lease.thread_id),
                ConditionExpression="lease_token = :token",
                ExpressionAttributeValues={":token": {"S": lease.token}},
            )
        except ConditionNotMetError:
            return

    async def state(self, scope: Scope, thread_id: str) -> ThreadState | None:
        """Return the state of a thread, or null where there is none."""
        answer = await self._calls.call("get_item", Key=_thread(scope, thread_id), ConsistentRead=True)
        return _state(answer["Item"]) if "Item" in answer else None

    async def threads(self, scope: Scope) -> list[str]:
        """Return the ids of all threads of a user."""
        found = self._query(threads_partition(scope), ProjectionExpression="sk")
        return [str(item["sk"]["S"]) async for item in found]

    async def get(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the items that are there of those named, by key."""
        partition = items_partition(scope, thread_id)
        found = await self._calls.read([_item(partition, key) for key in dict.fromkeys(keys)])
        return {_key(item): _content(item) for item in found}

    async def scan(
        self,
        scope: Scope,
        thread_id: str,
        first: str,
        end: str,
        *,
        backwards: bool = False,
        limit: int | None = None,
    ) -> list[tuple[str, bytes]]:
        """Return the items with ``first <= key < end`` in the order of their keys, or in the reverse of it."""
        found = self._range(scope, thread_id, first, end, limit, ScanIndexForward=not backwards)
        return [(_key(item), _content(item)) async for item in found]

    async def keys(self, scope: Scope, thread_id: str, first: str, end: str) -> list[str]:
        """Return the keys that `scan` would find. DynamoDB loads and charges the whole items all the same."""
        found = self._range(scope, thread_id, first, end, None, ProjectionExpression="sk")
        return [_key(item) async for item in found]

    async def put(
        self, scope: Scope, thread_id: str, stages: Sequence[Mapping[str, bytes]], horizon: datetime | None
    ) -> None:
        """Write items; every item of a stage is kept before the next begins."""
        partition, expiry = items_partition(scope, thread_id), _expiry(horizon)
        expires = {} if expiry is None else {EXPIRES_AT: _number(expiry)}

        def requests(stage: Mapping[str, bytes]) -> Iterator[tuple[Mapping[str, Item], int]]:
            for key, content in stage.items():
                item = {**_item(partition, key), "content": {"B": content}, **expires}
                yield (
                    {"PutRequest": {"Item": item}},
                    _FRAME + len(dumps([partition, key])) + len(content) * 4 // 3,
                )

        for stage in stages:
            await self._calls.write(requests(stage))

    async def delete(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> None:
        """Remove items by key; those that are not there are gone already."""
        partition = items_partition(scope, thread_id)
        await self._calls.write(
            ({"DeleteRequest": {"Key": _item(partition, key)}}, 0) for key in dict.fromkeys(keys)
        )

    async def stamp(self, scope: Scope, thread_id: str, horizon: datetime | None) -> None:
        """Give every item of a thread, not its own item, a new horizon; each costs as much as writing it again."""
        expiry = _expiry(horizon)
        update, values = _changes({EXPIRES_AT: expiry})
        given = {"ExpressionAttributeValues": values} if values else {}

        async def stamp(item: Item) -> None:
            try:
                await self._calls.call(
                    "update_item",
                    Key={"pk": item["pk"], "sk": item["sk"]},
                    ConditionExpression="attribute_exists(pk)",
                    UpdateExpression=update,
                    **given,
                )
            except ConditionNotMetError:
                return  # Removed meanwhile; it is not to come back empty.

        found = self._query(items_partition(scope, thread_id), ProjectionExpression=f"pk, sk, {EXPIRES_AT}")
        meant = None if expiry is None else _number(expiry)
        await each([item async for item in found if item.get(EXPIRES_AT) != meant], stamp)

    async def _range(
        self, scope: Scope, thread_id: str, first: str, end: str, limit: int | None, **how: object
    ) -> AsyncIterator[Item]:
        """Yield the items of a range of keys, at most ``limit``."""
        if not first < end or limit == 0:
            return
        # BETWEEN has both ends in it: this is what is next before `end` and everything that could begin with that.
        low, high = _KEY + first, f"{_KEY}{end[:-1]}{chr(ord(end[-1]) - 1)}{_LAST}"
        if low > high:
            return
        async for item in self._query(items_partition(scope, thread_id), (low, high), limit, **how):
            yield item

    async def _query(
        self, partition: str, between: tuple[str, str] | None = None, limit: int | None = None, **how: object
    ) -> AsyncIterator[Item]:
        """Yield the items of a partition, at most ``limit``, page by page."""
        condition, values = "pk = :pk", {":pk": {"S": partition}}
        if between is not None:
            condition += " AND sk BETWEEN :low AND :high"
            values |= {":low": {"S": between[0]}, ":high": {"S": between[1]}}
        while True:
            page = await self._calls.call(
                "query",
                KeyConditionExpression=condition,
                ExpressionAttributeValues=values,
                ConsistentRead=True,
                **how,
                **({} if limit is None else {"Limit": limit}),
            )
            for item in page["Items"]:
                yield item
            if limit is not None:
                limit -= len(page["Items"])
            if not page.get("LastEvaluatedKey") or limit == 0:
                return
            how["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def _thread(scope: Scope, thread_id: str) -> Item:
    return {"pk": {"S": threads_partition(scope)}, "sk": {"S": thread_id}}


def _item(partition: str, key: str) -> Item:
    return {"pk": {"S": partition}, "sk": {"S": _KEY + key}}


def _key(item: Item) -> str:
    return str(item["sk"]["S"]).removeprefix(_KEY)


def _content(item: Item) -> bytes:
    return bytes(item["content"]["B"])


def _state(item: Item) -> ThreadState:
    horizon, active_at = item.get("horizon"), item.get("active_at")
    return ThreadState(
        parts=int(item["part_count"]["N"]),
        generation=int(item["generation"]["N"]),
        horizon=None if horizon is None else _EPOCH + int(horizon["N"]) * _MICROSECOND,
        active_at=None if active_at is None else _EPOCH + int(active_at["N"]) * _MICROSECOND,
    )


def _changes(attributes: Mapping[str, int | None]) -> tuple[str, dict[str, Mapping[str, str]]]:
    """Return the expression that sets attributes, or removes them for null, and its values."""
    set_ = {name: value for name, value in attributes.items() if value is not None}
    removed = [name for name in attributes if name not in set_]
    words = "SET " + ", ".join(f"{name} = :{name}" for name in set_) if set_ else ""
    words += " REMOVE " + ", ".join(removed) if removed else ""
    return words.strip(), {f":{name}": _number(value) for name, value in set_.items()}


def _number(value: int) -> Mapping[str, str]:
    return {"N": str(value)}


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def _expiry(horizon: datetime | None) -> int | None:
    """Return the first whole second that is not before a horizon."""
    return None if horizon is None else -((_EPOCH - horizon) // _SECOND)
