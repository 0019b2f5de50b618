"""The DynamoDB table of `DynamoRows`: its keys, paid for by request, and the attribute by which its items expire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memwarden.checkpoint.dynamodb_calls import PATIENT, AioBaseClient, Calls, MissingTableError, Patience
from memwarden.errors import DatabaseError, DatabaseUnavailableError

EXPIRES_AT = "expires_at"
"""The attribute, in whole seconds since 1970, by which DynamoDB removes items itself."""

_KEYS = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
_STRINGS = [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")]
_LOOKS = 120
"""How often, a second apart, a new table is looked at before it counts as not coming."""


async def create_table(client: AioBaseClient, table: str, *, patience: Patience = PATIENT) -> None:
    """Make the table if it is not there, wait until it can be used, and let its items expire.

    It is paid for by request and has the keys ``pk`` and ``sk``. To be called as often as one likes, by an aiobotocore
    client for DynamoDB. Raises `DatabaseError` where a table of that name has other keys or expires by another attribute.
    """
    calls = Calls(client, table, patience)
    described = await _described(calls)
    if described is None:
        await _made(calls)
    for _ in range(_LOOKS):
        if described is not None and described["TableStatus"] in ("ACTIVE", "UPDATING"):
            break
        await patience.sleep(1)
        described = await _described(calls)
    else:
        raise DatabaseUnavailableError("The DynamoDB table is still being made; try again in a few minutes.")
    _check(described)
    if not await _expires(calls):
        await _let_expire(calls)


async def _described(calls: Calls) -> Mapping[str, Any] | None:
    try:
        answer = await calls.call("describe_table")
    except MissingTableError:
        return None
    described: Mapping[str, Any] = answer["Table"]
    return described


async def _made(calls: Calls) -> None:
    try:
        await calls.call(
            "create_table", KeySchema=_KEYS, AttributeDefinitions=_STRINGS, BillingMode="PAY_PER_REQUEST"
        )
    except DatabaseError:
        if await _described(calls) is None:
            raise  # Otherwise somebody else is making it.


def _check(described: Mapping[str, Any]) -> None:
    keys = sorted(described["KeySchema"], key=lambda key: str(key["AttributeName"]))
    if keys != _KEYS or any(key not in described["AttributeDefinitions"] for key in _STRINGS):
        raise DatabaseError(
            "A DynamoDB table of this name has other keys; name another table for checkpoints."
        )


async def _expires(calls: Calls) -> bool:
    answer = await calls.call("describe_time_to_live")
    found = answer["TimeToLiveDescription"]
    if found["TimeToLiveStatus"] not in ("ENABLED", "ENABLING"):
        return False
    if found.get("AttributeName") != EXPIRES_AT:
        raise DatabaseError(
            f"Items of this DynamoDB table expire by another attribute; let them expire by {EXPIRES_AT}, or name another table."
        )
    return True


async def _let_expire(calls: Calls) -> None:
    try:
        await calls.call(
            "update_time_to_live",
            TimeToLiveSpecification={"Enabled": True, "AttributeName": EXPIRES_AT},
        )
    except DatabaseError:
        if not await _expires(calls):
            raise  # Otherwise somebody else has switched it on.
