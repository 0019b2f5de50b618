"""Wide rows in MongoDB: the contract, and what only MongoDB has."""

from __future__ import annotations

import asyncio
import gc
import importlib.util
import os
import sys
import traceback
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.monitoring import CommandFailedEvent, CommandListener, CommandStartedEvent, CommandSucceededEvent

from memwarden.checkpoint.mongodb import MongoRows
from memwarden.checkpoint.wide_rows import ThreadState
from memwarden.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseUnavailableError,
    InvalidInputError,
    UnsupportedDatabaseError,
)
from memwarden.model.scope import Scope
from tests.checkpoint.mongodb_server import free_port, running_mongodb
from tests.checkpoint.wide_rows_contract import (
    LATER,
    NOW,
    Horizons,
    WideRowsContract,
    everything,
    kept,
    numbered,
    somebody,
    turn,
)

pytestmark = pytest.mark.slow
"""They start a server of their own."""

Document = dict[str, Any]
Client = AsyncMongoClient[Document]
Collection = AsyncCollection[Document]

REAL = "MONGODB_URL" in os.environ
only_real = pytest.mark.skipif(not REAL, reason="needs MongoDB itself: set MONGODB_URL")
_numbers = count(1)


@asynccontextmanager
async def server(folder: Path) -> AsyncIterator[str]:
    """Yield the URL of the MongoDB there is, or of the server that stands in for it."""
    if REAL:
        yield os.environ["MONGODB_URL"]
    else:
        async with running_mongodb(folder) as url:
            yield url


@pytest.fixture(scope="session")
async def url(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    async with server(tmp_path_factory.mktemp("mongodb")) as found:
        yield found


@pytest.fixture(scope="session")
async def client(url: str) -> AsyncIterator[Client]:
    opened: Client
    async with AsyncMongoClient(url, tz_aware=True) as opened:
        yield opened


@pytest.fixture(scope="session")
async def database(client: Client) -> AsyncIterator[str]:
    name = f"memwarden-{uuid4().hex}"
    yield name
    await client.drop_database(name)


@pytest.fixture
async def collection(client: Client, database: str) -> AsyncIterator[Collection]:
    made = client[database][f"checkpoints_{next(_numbers)}"]
    yield made
    await made.drop()


@pytest.fixture
async def rows(collection: Collection) -> MongoRows:
    made = MongoRows(collection)
    await made.prepare()
    return made


@pytest.fixture
def horizons(collection: Collection) -> Horizons:
    async def found(scope: Scope, thread_id: str) -> dict[str | None, datetime | None]:
        mine = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": thread_id}
        documents = await collection.find(mine, {"key": True, "horizon": True}).to_list()
        return {document.get("key"): date(document.get("horizon")) for document in documents}

    return found


def date(stored: object) -> datetime | None:
    if not REAL and isinstance(stored, str):
        # The stand-in keeps a date as text once it was updated; that a date is sent is tested below.
        return datetime.fromisoformat(stored).replace(tzinfo=UTC)
    assert stored is None or isinstance(stored, datetime)
    return stored


class TestContract(WideRowsContract):
    """All of it."""


# What is sent.


class Sent(CommandListener):
    """The commands that a client sends about documents."""

    def __init__(self) -> None:
        self.commands: list[tuple[str, Mapping[str, Any]]] = []

    def started(self, event: CommandStartedEvent) -> None:
        if event.command_name in ("find", "update", "delete", "findAndModify"):
            self.commands.append((event.command_name, event.command))

    def succeeded(self, event: CommandSucceededEvent) -> None:
        pass

    def failed(self, event: CommandFailedEvent) -> None:
        pass

    def filters(self) -> Iterator[tuple[bool, Mapping[str, Any]]]:
        """Yield whether one document is meant, and the filter."""
        for name, command in self.commands:
            if name == "find":
                yield command.get("limit") == 1, command["filter"]
            elif name == "findAndModify":
                yield True, command["query"]
            elif name == "update":
                yield from ((not update.get("multi"), update["q"]) for update in command["updates"])
            else:
                yield from ((delete["limit"] == 1, delete["q"]) for delete in command["deletes"])


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
async def watched(url: str, collection: Collection, sent: Sent) -> AsyncIterator[MongoRows]:
    """Rows of a client that settles for less than we need."""
    client: Client
    async with AsyncMongoClient(
        url, event_listeners=[sent], w=0, readConcernLevel="local", readPreference="secondaryPreferred"
    ) as client:
        yield MongoRows(client[collection.database.name][collection.name])


async def everything_once(rows: MongoRows, scope: Scope, thread_id: str) -> None:
    lease = turn(scope, thread_id)
    await rows.lease(lease, NOW)
    await rows.put(scope, thread_id, [{"a": b"1", "b": b"2"}, {"c": b"3"}], LATER)
    await rows.stamp(scope, thread_id, LATER + timedelta(days=1))
    await rows.get(scope, thread_id, ["a", "b"])
    await rows.scan(scope, thread_id, "a", "c", backwards=True, limit=2)
    await rows.keys(scope, thread_id, "a", "c")
    await rows.delete(scope, thread_id, ["a"])
    await rows.state(scope, thread_id)
    await rows.threads(scope)
    await rows.release(lease, ThreadState(1, 1, LATER, NOW))
    await rows.lease(lease, NOW, expecting=(1, 1))
    await rows.drop(lease)


async def test_every_filter_names_the_shard_key(watched: MongoRows, sent: Sent) -> None:
    scope = somebody()
    await everything_once(watched, scope, "thread")
    filters = list(sent.filters())
    assert len(filters) == 15
    whole = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": "thread"}
    threads = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "key": None}
    for one, query in filters:
        assert query == threads or dict(query) | whole == query
        assert not one or isinstance(query["_id"], str)


async def test_the_majority_has_what_was_written_and_read(watched: MongoRows, sent: Sent) -> None:
    await everything_once(watched, somebody(), "thread")
    for name, command in sent.commands:
        concern = {"level": "majority"} if name == "find" else {"w": "majority"}
        assert command["readConcern" if name == "find" else "writeConcern"] == concern
        assert command.get("$readPreference", {"mode": "primary"})["mode"] in ("primary", "primaryPreferred")
        assert command["maxTimeMS"] > 0


async def test_horizons_are_sent_as_dates(watched: MongoRows, sent: Sent) -> None:
    await everything_once(watched, somebody(), "thread")
    updates = [update for name, command in sent.commands if name == "update" for update in command["updates"]]
    assert len(updates) == 5
    for update in updates:
        assert isinstance(update["u"]["$set"]["horizon"], datetime)


async def test_items_are_sent_to_be_written_in_order(watched: MongoRows, sent: Sent) -> None:
    stages = [{"z": b"1", "y": b"2"}, numbered(1500), {"a": b"3"}]
    await watched.put(somebody(), "thread", stages, None)
    keys = [update["u"]["$set"]["key"] for _, command in sent.commands for update in command["updates"]]
    assert keys == [key for stage in stages for key in stage]
    assert [command["ordered"] for _, command in sent.commands] == [True, True]


async def test_one_item_is_one_document_with_an_id_of_its_own(
    rows: MongoRows, collection: Collection
) -> None:
    alike = [
        (Scope("a", "bc"), "d"),
        (Scope("ab", "c"), "d"),
        (Scope("a", "b"), "cd"),
        (Scope("a", "b"), "cd/k"),
        (Scope("a/b", "c"), "d"),
        (Scope("a", "b/c"), "d"),
    ]
    for scope, thread_id in alike:
        await rows.put(scope, thread_id, [{"k": b"1", "k/k": b"2"}], None)
        await kept(rows, scope, ThreadState(), thread_id)
    documents = await collection.find({}).to_list()
    assert len({document["_id"] for document in documents}) == len(documents) == 3 * len(alike)
    assert max(len(document["_id"]) for document in documents) == 64 + len("/k/k")


# Indexes.


async def test_preparing_twice_makes_the_indexes_once(rows: MongoRows, collection: Collection) -> None:
    before = await collection.index_information()
    await rows.prepare()
    assert await collection.index_information() == before
    keys = [index["key"] for index in before.values()]
    assert [("tenant_id", 1), ("user_id", 1), ("thread_id", 1), ("key", 1)] in keys
    assert [index["key"] for index in before.values() if index.get("expireAfterSeconds") == 0] == [
        [("horizon", 1)]
    ]


@only_real
async def test_a_collection_in_which_different_keys_are_equal_is_refused(
    client: Client, database: str
) -> None:
    made = await client[database].create_collection("folded", collation={"locale": "en", "strength": 1})
    with pytest.raises(UnsupportedDatabaseError):
        await MongoRows(made).prepare()


@only_real
async def test_ranges_are_found_in_the_index(rows: MongoRows, collection: Collection) -> None:
    scope = somebody()
    for number in range(20):
        await rows.put(scope, f"thread {number}", [numbered(50)], LATER)
    mine = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": "thread 3"}
    query = mine | {"key": {"$gte": "k/", "$lt": "k/000010"}}
    command = {
        "find": collection.name,
        "filter": query,
        "sort": {"key": -1},
        "projection": {"_id": 0, "key": 1},
    }
    explained = await collection.database.command("explain", command, verbosity="executionStats")
    assert explained["executionStats"]["totalKeysExamined"] <= 11
    assert explained["executionStats"]["totalDocsExamined"] == 0


@only_real
@pytest.mark.slow
async def test_the_server_removes_what_is_past_its_horizon(rows: MongoRows) -> None:
    scope = somebody()
    past = datetime.now(UTC) - timedelta(minutes=1)
    await kept(rows, scope, ThreadState(1, 1, past, past))
    await rows.put(scope, "thread", [numbered(10)], past)
    await kept(rows, scope, ThreadState(1, 1, LATER, past), "other")
    await rows.put(scope, "other", [{"past": b"1"}], past)
    await rows.put(scope, "other", [{"always": b"1"}], None)
    await rows.put(scope, "other", [{"later": b"1"}], LATER)
    async with asyncio.timeout(180):
        while await rows.threads(scope) != ["other"] or await everything(rows, scope):
            await asyncio.sleep(1)
        while await everything(rows, scope, "other") != {"always": b"1", "later": b"1"}:
            await asyncio.sleep(1)


# What goes wrong.


@pytest.mark.slow
async def test_a_put_that_was_cancelled_left_whole_stages(rows: MongoRows) -> None:
    stages = [numbered(700, "a"), numbered(700, "b"), numbered(700, "c")]
    left = []
    for passes in (0, 1, 5, 20, 60, 150, 400):
        scope = somebody()
        # So that there is a connection: pymongo leaves a socket open where connecting is cancelled.
        assert await rows.state(scope, "thread") is None
        put = asyncio.create_task(rows.put(scope, "thread", stages, None))
        for _ in range(passes):
            await asyncio.sleep(0.001)
        put.cancel()
        await asyncio.wait([put])
        found = await everything(rows, scope)
        left.append(len(found))
        for before, after in ((stages[0], stages[1]), (stages[1], stages[2])):
            assert not any(key in found for key in after) or all(key in found for key in before)
    assert left[0] == 0


def secretless(error: BaseException, *secrets: str) -> None:
    told = "".join(traceback.format_exception(error)) + repr(error)
    assert error.__context__ is None
    assert not any(secret in told for secret in secrets)


async def test_what_is_refused_is_not_quoted(rows: MongoRows, collection: Collection) -> None:
    scope, secret = somebody(), uuid4().hex
    await rows.put(scope, secret, [{secret: secret.encode()}], None)
    # Somebody altered the document: it has the id, and is not found.
    await collection.update_one({}, {"$set": {"tenant_id": "other"}})
    with pytest.raises(DatabaseError) as put:
        await rows.put(scope, secret, [{secret: secret.encode()}], None)
    secretless(put.value, secret, scope.tenant_id)
    assert put.value.__cause__ is None


async def test_an_item_that_is_too_large_is_refused_before_anything_is_written(rows: MongoRows) -> None:
    scope = somebody()
    with pytest.raises(InvalidInputError, match="900001 bytes"):
        await rows.put(scope, "thread", [{"a": b"1"}, {"b": b"x" * (rows.limit + 1)}], None)
    assert await everything(rows, scope) == {}


@pytest.fixture
async def dropped_sockets() -> AsyncIterator[None]:
    """Let go of what pymongo leaves open where a client is closed while it looks for its server."""
    yield
    await asyncio.sleep(0)
    gc.collect()


@pytest.mark.usefixtures("dropped_sockets")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
async def test_no_server() -> None:
    client: Client
    async with AsyncMongoClient(f"mongodb://127.0.0.1:{free_port()}") as client:
        rows = MongoRows(client["memwarden"]["checkpoints"], timeout=0.3)
        thread_id = uuid4().hex
        with pytest.raises(DatabaseUnavailableError) as raised:
            await everything_once(rows, somebody(), thread_id)
        secretless(raised.value, thread_id)
        with pytest.raises(DatabaseUnavailableError):
            await rows.prepare()


@pytest.mark.usefixtures("dropped_sockets")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
async def test_a_server_that_says_nothing() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    client: Client
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        async with AsyncMongoClient(f"mongodb://127.0.0.1:{port}") as client:
            rows = MongoRows(client["memwarden"]["checkpoints"], timeout=0.3)
            with pytest.raises(DatabaseUnavailableError, match="cannot be reached"):
                await rows.state(somebody(), "thread")


@asynccontextmanager
async def halting(url: str) -> AsyncIterator[tuple[str, asyncio.Event]]:
    """Yield the URL of a way to a server, and what is set as long as something gets through."""
    open_ = asyncio.Event()
    open_.set()
    host, port = url.removeprefix("mongodb://").split(":")

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while heard := await reader.read(65536):
            await open_.wait()
            writer.write(heard)
        writer.close()

    async def both(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(host, int(port))
        await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))

    async with await asyncio.start_server(both, "127.0.0.1", 0) as listening:
        yield f"mongodb://127.0.0.1:{listening.sockets[0].getsockname()[1]}", open_
        open_.set()


@pytest.mark.skipif(REAL, reason="a server with a URL of its own may be reached by other ways, too")
async def test_an_answer_that_does_not_come_in_time(url: str, collection: Collection) -> None:
    client: Client
    async with halting(url) as (way, open_), AsyncMongoClient(way) as client:
        rows = MongoRows(client[collection.database.name][collection.name], timeout=1)
        scope = somebody()
        lease = turn(scope)
        assert await rows.lease(lease, NOW, reserve=2) == ThreadState(2)
        open_.clear()
        with pytest.raises(DatabaseUnavailableError, match="time limit") as raised:
            await rows.release(lease, ThreadState(3))
        secretless(raised.value, lease.token, scope.tenant_id)
        open_.set()
        # Whether it arrived or not, what is asked again is done.
        assert await rows.lease(lease, NOW) is not None
        assert await rows.release(lease, ThreadState(3))
        assert await rows.state(scope, "thread") == ThreadState(3)


async def test_a_client_that_was_closed(url: str) -> None:
    client: Client = AsyncMongoClient(url)
    rows = MongoRows(client["memwarden"]["checkpoints"])
    await client.close()
    with pytest.raises(DatabaseUnavailableError):
        await rows.state(somebody(), "thread")


@pytest.mark.usefixtures("dropped_sockets")
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
async def test_waiting_for_a_server_can_be_cancelled() -> None:
    client: Client
    async with AsyncMongoClient(f"mongodb://127.0.0.1:{free_port()}") as client:
        rows = MongoRows(client["memwarden"]["checkpoints"], timeout=60)
        asking = asyncio.create_task(rows.lease(turn(somebody()), NOW))
        await asyncio.sleep(0.05)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking


def test_without_the_package_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.find_spec("memwarden.checkpoint.mongodb")
    assert spec is not None
    assert spec.loader is not None
    monkeypatch.setitem(sys.modules, "pymongo", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'memwarden\[mongodb\]'"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
