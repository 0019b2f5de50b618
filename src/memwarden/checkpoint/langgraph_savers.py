"""LangGraph's own savers, opened to import from: in PostgreSQL, and in MongoDB.

They come in packages of their own, which nothing else of ours needs.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import psycopg
from langgraph.checkpoint.base import BaseCheckpointSaver
from psycopg import errors as pg
from psycopg.rows import dict_row

from memwarden.checkpoint.importing import Outline, Outlining, Place
from memwarden.checkpoint.strict_types import StrictSerializer, TypeName
from memwarden.db import langgraph_tables
from memwarden.errors import ConfigurationError, DatabaseUnavailableError, NotImportedError, SchemaError

if TYPE_CHECKING:
    from pymongo.collection import Collection as MongoCollection

UNREACHABLE = (
    "The database to import from cannot be reached or refused the connection; check the address, which is taken from "
    "MEMWARDEN_IMPORT_FROM or --from, and run the import again: what was imported stays."
)
NO_SAVER = (
    "At the address to import from there is nothing of LangGraph's saver, or something older than the installed package "
    "reads; check the database, the schema or the collections, or let that package's setup() upgrade them."
)
MALFORMED = "The address to import from, in MEMWARDEN_IMPORT_FROM or --from, cannot be used as it is written."
FORBIDDEN = (
    "The database to import from does not let this user read LangGraph's tables or collections; grant it to."
)

_POSTGRESQL = ("postgresql://", "postgres://")
_MONGODB = ("mongodb://", "mongodb+srv://")
_NOT_ALLOWED = (13, 18)
"""MongoDB's codes for what a user may not do, and for a wrong password."""


@dataclass(frozen=True, slots=True)
class Collections:
    """Where LangGraph's saver keeps what in MongoDB; by default, where it does so by default."""

    database: str = "checkpointing_db"
    checkpoints: str = "checkpoints"
    writes: str = "checkpoint_writes"


@dataclass(frozen=True, slots=True)
class Source:
    """A saver to import from, the ids of the threads in it, and their outlines.

    ``failures`` turns what its database raises inside into our exceptions.
    """

    saver: BaseCheckpointSaver[Any]
    threads: Callable[[], Awaitable[list[str]]]
    outline: Outlining
    failures: Callable[[], Any]


@asynccontextmanager
async def opened(
    address: str, types: Collection[TypeName] = (), collections: Collections | None = None
) -> AsyncIterator[Source]:
    """Open the saver at an address, which is read from only; ``types`` may be read beside the usual ones.

    Raises `ConfigurationError` for an address of another kind or a package that is missing, and
    `DatabaseUnavailableError` or `SchemaError` where nothing is to be found.
    """
    if address.startswith(_POSTGRESQL):
        source = _in_postgresql(address, types)
    elif address.startswith(_MONGODB):
        source = _in_mongodb(address, types, collections or Collections())
    else:
        raise ConfigurationError(
            "The address to import from is of no kind that is known; give postgresql://... or mongodb://..., with --from or "
            "in MEMWARDEN_IMPORT_FROM."
        )
    async with source as opened_source:
        yield opened_source


@asynccontextmanager
async def _in_postgresql(address: str, types: Collection[TypeName]) -> AsyncIterator[Source]:
    try:
        from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    except ImportError as error:
        _require_package("langgraph-checkpoint-postgres", error)

    with _postgresql_failures():
        connection = await psycopg.AsyncConnection.connect(
            address, autocommit=True, prepare_threshold=None, row_factory=dict_row
        )

    async def outline(thread_id: str) -> Outline:
        checkpoints = await langgraph_tables.checkpoints(connection, thread_id)
        return _outline(checkpoints, await langgraph_tables.task_paths(connection, thread_id))

    async with connection:
        yield Source(
            AsyncPostgresSaver(connection, serde=StrictSerializer(types)),
            lambda: langgraph_tables.threads(connection),
            outline,
            _postgresql_failures,
        )


@asynccontextmanager
async def _in_mongodb(
    address: str, types: Collection[TypeName], collections: Collections
) -> AsyncIterator[Source]:
    try:
        from langgraph.checkpoint.mongodb import MongoDBSaver
        from pymongo import MongoClient
    except ImportError as error:
        _require_package("langgraph-checkpoint-mongodb", error)

    def opened_saver() -> MongoDBSaver:
        # The saver would make what it does not find, in whatever database this is.
        if collections.checkpoints not in client[collections.database].list_collection_names():
            raise SchemaError(NO_SAVER)
        names = (collections.database, collections.checkpoints, collections.writes)
        return MongoDBSaver(client, *names, serde=StrictSerializer(types))

    def threads() -> list[str]:
        found = saver.checkpoint_collection.aggregate([{"$group": {"_id": "$thread_id"}}])
        return sorted(row["_id"] for row in found)

    def outline(thread_id: str) -> Outline:
        def read(collection: MongoCollection[dict[str, Any]], *names: str) -> Iterator[tuple[Any, ...]]:
            rows = collection.find({"thread_id": thread_id}, dict.fromkeys(names, 1))
            return (tuple(row.get(name) for name in names) for row in rows)

        place = ("checkpoint_ns", "checkpoint_id")
        checkpoints = read(saver.checkpoint_collection, *place, "parent_checkpoint_id")
        tasks = read(saver.writes_collection, *place, "task_id", "task_path")
        return _outline(checkpoints, {(ns, id_, task): path or "" for ns, id_, task, path in tasks})

    with _mongodb_failures():
        try:
            client: MongoClient[dict[str, Any]] = MongoClient(address)
        except ValueError as error:
            raise ConfigurationError(MALFORMED) from error
    with client:
        with _mongodb_failures():
            saver = await asyncio.to_thread(opened_saver)
        yield Source(
            saver,
            lambda: asyncio.to_thread(threads),
            lambda thread_id: asyncio.to_thread(outline, thread_id),
            _mongodb_failures,
        )


def _outline(
    checkpoints: Iterable[tuple[str, str, str | None]], paths: Mapping[tuple[str, str, str], str]
) -> Outline:
    """Return an outline from the namespaces, ids and parents of checkpoints."""
    return Outline(
        {Place(id_, ns): Place(parent, ns) if parent else None for ns, id_, parent in checkpoints}, paths
    )


@contextmanager
def _mongodb_failures() -> Iterator[None]:
    from pymongo.errors import ConnectionFailure, OperationFailure, PyMongoError

    try:
        yield
    except OperationFailure as error:
        if error.code in _NOT_ALLOWED:
            raise ConfigurationError(FORBIDDEN) from error
        raise NotImportedError(f"MongoDB did not give the thread (code {error.code}).") from error
    except ConnectionFailure as error:
        raise DatabaseUnavailableError(UNREACHABLE) from error
    except PyMongoError as error:
        raise ConfigurationError(MALFORMED) from error


@contextmanager
def _postgresql_failures() -> Iterator[None]:
    try:
        yield
    except (pg.UndefinedTable, pg.UndefinedColumn, pg.InvalidSchemaName) as error:
        raise SchemaError(NO_SAVER) from error
    except pg.InsufficientPrivilege as error:
        raise ConfigurationError(FORBIDDEN) from error
    except psycopg.Error as error:
        if error.sqlstate is None or error.sqlstate.startswith(("08", "28", "3D", "57P")):
            raise DatabaseUnavailableError(UNREACHABLE) from error
        raise NotImportedError(f"PostgreSQL did not give the thread (SQLSTATE {error.sqlstate}).") from error


def _require_package(name: str, error: ImportError) -> NoReturn:
    raise ConfigurationError(
        f"Importing from this address needs a package that is not installed; run `pip install {name}`."
    ) from error
