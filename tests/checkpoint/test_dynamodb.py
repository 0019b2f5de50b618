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
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from memwarden.checkpoint.dynamodb import DynamoRows, create_table, items_partition, threads_partition
from memwarden.model.scope import Scope
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.checkpoint.wide_rows_contract import Horizons, WideRowsContract

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
    assert server.stdout is not None
    assert b"listening" in await asyncio.wait_for(server.stdout.readline(), 30)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    await server.wait()


@asynccontextmanager
async def on_dynalite() -> AsyncIterator[Engine]:
    async with running_dynalite() as address, dynamodb_client(address) as client:
        # It has no UpdateTimeToLive, so the table is not made by `create_table`.
        await client.create_table(
            TableName="checkpoints",
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
        await client.get_waiter("table_exists").wait(TableName="checkpoints")
        yield Engine(client, "checkpoints")


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
async def on_moto() -> AsyncIterator[Engine]:
    async with running_dynamodb() as address, dynamodb_client(address) as client:
        await create_table(client, "checkpoints")
        yield Engine(client, "checkpoints")


@pytest.fixture(scope="session", params=ENGINES)
async def engine(request: pytest.FixtureRequest) -> AsyncIterator[Engine]:
    async with {"moto": on_moto, "dynalite": on_dynalite, "aws": on_aws}[request.param]() as running:
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
