"""`DynamoRows` against moto over HTTP; against dynalite and AWS too where they are given.

dynalite is found on the path or by ``MEMWARDEN_TEST_DYNALITE``. ``MEMWARDEN_TEST_DYNAMODB=aws``, with a region and
credentials where AWS's own tools look for them, makes a table there and deletes it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.checkpoint.dynamodb import DynamoRows, create_table, items_partition, threads_partition
from memwarden.checkpoint.wide_rows import ThreadState
from memwarden.errors import DatabaseError
from memwarden.model.scope import Scope
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.checkpoint.wide_rows_contract import (
    LATER,
    NOW,
    Horizons,
    WideRowsContract,
    kept,
    near,
    somebody,
    turn,
)

pytestmark = pytest.mark.slow
"""They start a server of their own."""

TABLE = "checkpoints"
DYNALITE = os.environ.get("MEMWARDEN_TEST_DYNALITE") or shutil.which("dynalite")
ENGINES = [
    "moto",
    *(["dynalite"] if DYNALITE else []),
    *(["aws"] if os.environ.get("MEMWARDEN_TEST_DYNAMODB") == "aws" else []),
]


@dataclass(frozen=True)
class Engine:
    """A client for a DynamoDB, and a table in it."""

    client: Any
    table: str


@asynccontextmanager
async def running_dynalite() -> AsyncIterator[str]:
    assert DYNALITE is not None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = await asyncio.create_subprocess_exec(
        DYNALITE, "--port", str(port), "--createTableMs", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        assert b"listening" in await asyncio.wait_for(server.stdout.readline(), 30)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        await server.wait()


@asynccontextmanager
async def on_dynalite() -> AsyncIterator[Engine]:
    async with running_dynalite() as address, dynamodb_client(address) as client:
        # It has no UpdateTimeToLive, so the table is not made by `create_table`.
        await client.create_table(
            TableName=TABLE,
            KeySchema=[
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
            AttributeDefinitions=[
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            BillingMode="PAY_PER_REQUEST",
        )
        await client.get_waiter("table_exists").wait(TableName=TABLE)
        yield Engine(client, TABLE)


@asynccontextmanager
async def on_aws() -> AsyncIterator[Engine]:
    table = f"memwarden-test-{uuid4().hex}"
    async with dynamodb_client(None) as client:
        await create_table(client, table)
        try:
            yield Engine(client, table)
        finally:
            await client.delete_table(TableName=table)


@asynccontextmanager
async def on_moto(address: str) -> AsyncIterator[Engine]:
    async with dynamodb_client(address) as client:
        await create_table(client, TABLE)
        yield Engine(client, TABLE)


@pytest.fixture(scope="session")
async def moto() -> AsyncIterator[str]:
    async with running_dynamodb() as address:
        yield address


@pytest.fixture(scope="session", params=ENGINES)
async def engine(request: pytest.FixtureRequest, moto: str) -> AsyncIterator[Engine]:
    opened = {"moto": lambda: on_moto(moto), "dynalite": on_dynalite, "aws": on_aws}[request.param]
    async with opened() as running:
        yield running


@pytest.fixture
def rows(engine: Engine) -> DynamoRows:
    return DynamoRows(engine.client, engine.table)


@pytest.fixture
def horizons(engine: Engine) -> Horizons:
    def expiry(item: dict[str, Any]) -> datetime | None:
        return datetime.fromtimestamp(int(item["expires_at"]["N"]), UTC) if "expires_at" in item else None

    async def found(scope: Scope, thread_id: str) -> dict[str | None, datetime | None]:
        own = {"pk": {"S": threads_partition(scope)}, "sk": {"S": thread_id}}
        answer = await engine.client.get_item(TableName=engine.table, Key=own, ConsistentRead=True)
        pages = engine.client.get_paginator("query").paginate(
            TableName=engine.table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": items_partition(scope, thread_id)}},
            ConsistentRead=True,
        )
        items = {item["sk"]["S"][1:]: expiry(item) async for page in pages for item in page["Items"]}
        return {**items, **({None: expiry(answer["Item"])} if "Item" in answer else {})}

    return found


class TestDynamo(WideRowsContract):
    """What every store has to do."""


# The table, and what is in it.


async def test_a_table_is_made_once(moto: str) -> None:
    table = f"t-{uuid4().hex}"
    async with dynamodb_client(moto) as client:
        await asyncio.gather(*(create_table(client, table) for _ in range(4)))
        await create_table(client, table)
        made = (await client.describe_table(TableName=table))["Table"]
        ttl = (await client.describe_time_to_live(TableName=table))["TimeToLiveDescription"]
    assert made["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    assert [(key["AttributeName"], key["KeyType"]) for key in made["KeySchema"]] == [
        ("pk", "HASH"),
        ("sk", "RANGE"),
    ]
    assert ttl == {"TimeToLiveStatus": "ENABLED", "AttributeName": "expires_at"}


async def test_a_table_for_something_else_is_refused(moto: str) -> None:
    async with dynamodb_client(moto) as client:
        other, expiring = f"t-{uuid4().hex}", f"t-{uuid4().hex}"
        await client.create_table(
            TableName=other,
            KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        with pytest.raises(DatabaseError, match="has other keys"):
            await create_table(client, other)
        await create_table(client, expiring)
        for enabled, attribute in ((False, "expires_at"), (True, "other")):
            await client.update_time_to_live(
                TableName=expiring,
                TimeToLiveSpecification={"Enabled": enabled, "AttributeName": attribute},
            )
        with pytest.raises(DatabaseError, match="expire by another attribute"):
            await create_table(client, expiring)


def size_of(item: dict[str, dict[str, Any]]) -> int:
    """What DynamoDB counts: names and strings as UTF-8, bytes as they are, a number as a byte for two digits and one more."""

    def of(value: dict[str, Any]) -> int:
        ((kind, held),) = value.items()
        return {"S": lambda: len(held.encode()), "B": lambda: len(held), "N": lambda: len(held) // 2 + 2}[
            kind
        ]()

    return sum(len(name.encode()) + of(value) for name, value in item.items())


async def test_the_biggest_item_fits(engine: Engine, rows: DynamoRows) -> None:
    wide = "\U0010ffff" * 255
    places = [(Scope(wide, wide), wide), (Scope(wide, wide[:253]), "i"), (Scope(wide, wide), "i")]
    sizes, lengths = [], []
    for scope, thread_id in places:
        await kept(rows, scope, ThreadState(2**53, 2**53, LATER, LATER), thread_id)
        await rows.lease(turn(scope, thread_id), NOW)
        await rows.put(scope, thread_id, [{"k" * 900: b"\xff" * rows.limit}], LATER)
        for partition in (threads_partition(scope), items_partition(scope, thread_id)):
            answer = await engine.client.query(
                TableName=engine.table,
                KeyConditionExpression="pk = :pk",
                ExpressionAttributeValues={":pk": {"S": partition}},
            )
            sizes += [size_of(item) for item in answer["Items"]]
            lengths += [(len(i["pk"]["S"].encode()), len(i["sk"]["S"].encode())) for i in answer["Items"]]
    assert rows.limit < max(sizes) < 400 * 1024
    assert max(pk for pk, _ in lengths) <= 2048
    assert max(sk for _, sk in lengths) <= 1024


pieces = st.text("a1:/#é😀", min_size=1, max_size=3)
separators = st.sampled_from(["", "/", ":", "#", "|", "1:", "1:a", "\\", "%2F"])


@given(st.tuples(pieces, pieces, pieces, pieces), separators, st.sampled_from(["", "😀" * 200]))
def test_no_two_have_the_same_partition(some: tuple[str, str, str, str], between: str, before: str) -> None:
    a, b, c, d = some
    names = [
        (a + between + b, c, d),
        (a, b + between + c, d),
        (a, b, c + between + d),
        (a, b, d + between + c),
        (b, a, c + between + d),
    ]
    scopes = {Scope(before + tenant, before + user) for tenant, user, _ in names}
    threads = {(Scope(before + tenant, before + user), before + thread) for tenant, user, thread in names}
    keys = [*map(threads_partition, scopes), *(items_partition(*place) for place in threads)]
    assert len(set(keys)) == len(keys)
    assert all(len(key.encode()) <= 2048 for key in keys)


async def test_an_item_expires_no_earlier_than_its_horizon(rows: DynamoRows, horizons: Horizons) -> None:
    scope, whole = somebody(), LATER.replace(microsecond=0)
    await rows.put(scope, "thread", [{"a": b"1"}], whole)
    await rows.put(scope, "thread", [{"b": b"1"}], whole + timedelta(microseconds=1))
    await rows.put(scope, "thread", [{"c": b"1"}], whole + timedelta(microseconds=999_999))
    later = whole + timedelta(seconds=1)
    assert await horizons(scope, "thread") == {"a": whole, "b": later, "c": later}


async def test_a_thread_does_not_expire_while_somebody_has_its_turn(
    rows: DynamoRows, horizons: Horizons
) -> None:
    scope, lease, state = somebody(), turn(somebody()), ThreadState(1, 1, LATER, NOW)
    lease = turn(scope)
    await kept(rows, scope, state)
    assert await rows.lease(lease, NOW) == state
    assert (await horizons(scope, "thread"))[None] is None
    assert await rows.release(lease, state)
    assert near((await horizons(scope, "thread"))[None], LATER)


async def test_a_turn_may_be_given_back_twice(rows: DynamoRows) -> None:
    scope, state = somebody(), ThreadState(1, 1, LATER, NOW)
    lease = turn(scope)
    await rows.lease(lease, NOW)
    assert await rows.release(lease, state)
    assert await rows.release(lease, state)
    assert await rows.lease(turn(scope), NOW) == state
    assert not await rows.release(lease, state)
