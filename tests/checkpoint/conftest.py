"""Every engine that keeps checkpoints: our PostgreSQL, a server of MongoDB's protocol, a server of DynamoDB's."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection

from memwarden import Memwarden
from memwarden.checkpoint import PostgresEngine, ScopedSaver, WideEngine
from memwarden.checkpoint.dynamodb import DynamoRows
from memwarden.checkpoint.dynamodb_table import create_table
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.mongodb import MongoRows
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.model.scope import Scope
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.checkpoint.mongodb_server import running_mongodb

NewSaver = Callable[[], ScopedSaver]

_users = count(1)


@pytest.fixture(scope="session")
async def mongodb_rows(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[WideRows]:
    """A collection of a server of its own."""
    client: AsyncMongoClient[dict[str, Any]]
    async with running_mongodb(tmp_path_factory.mktemp("mongodb")) as url, AsyncMongoClient(url) as client:
        rows = MongoRows(client[f"memwarden-{uuid4().hex}"]["checkpoints"])
        await rows.prepare()
        yield rows


TABLE = "checkpoints"


@pytest.fixture(scope="session")
async def dynamodb() -> AsyncIterator[Any]:
    """A client for a server of its own, which has a table."""
    async with running_dynamodb() as url, dynamodb_client(url) as client:
        await create_table(client, TABLE)
        yield client


@pytest.fixture(scope="session")
def dynamodb_rows(dynamodb: Any) -> WideRows:
    """Wide rows in the table."""
    return DynamoRows(dynamodb, TABLE)


@dataclass(frozen=True)
class OwnRows:
    """Wide rows that no other module uses, and what empties them: the stand-ins of real stores slow down with what is in them."""

    rows: WideRows
    emptied: Callable[[], Awaitable[object]]


@pytest.fixture(scope="module")
async def own_collection(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[AsyncCollection[dict[str, Any]]]:
    """A collection for one module, to look at behind what keeps things there."""
    client: AsyncMongoClient[dict[str, Any]]
    async with running_mongodb(tmp_path_factory.mktemp("own")) as url, AsyncMongoClient(url) as client:
        yield client["own"]["checkpoints"]


@pytest.fixture(scope="module")
async def own_mongodb(own_collection: AsyncCollection[dict[str, Any]]) -> OwnRows:
    """Wide rows for one module."""
    rows = MongoRows(own_collection)
    await rows.prepare()
    return OwnRows(rows, lambda: own_collection.delete_many({}))


ENGINES = [
    "postgresql",
    pytest.param("mongodb", marks=pytest.mark.slow),
    pytest.param("dynamodb", marks=pytest.mark.slow),
]


@pytest.fixture(scope="session", params=ENGINES)
def kept_in(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    if request.param == "postgresql":
        memwarden: Memwarden = request.getfixturevalue("memwarden")
        return PostgresEngine(memwarden.dependencies.database)
    return WideEngine(request.getfixturevalue(f"{request.param}_rows"))


@pytest.fixture
async def new_saver(kept_in: Engine) -> NewSaver:
    """Makes the saver of a user nobody else is."""
    return lambda: ScopedSaver(kept_in, Scope("checkpoints", f"user-{next(_users)}-{uuid4().hex[:6]}"))
