"""Wide rows in one collection of MongoDB: a document for each item, and one for each thread.

Documents name their tenant, user and thread, which can be the shard key, so that a thread lies on one shard. ``_id``
begins with a hash of these three, and is the hash alone in the document of the thread itself, which has no key.
Moments that are compared or read back are whole microseconds; only what the TTL index looks at is a date, since dates
of BSON hold milliseconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final, TypeVar

from memwarden.checkpoint.wide_rows import Lease, ThreadState
from memwarden.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseUnavailableError,
    InvalidInputError,
    StorageFullError,
    UnsupportedDatabaseError,
)
from memwarden.model.scope import Scope

try:
    import pymongo
except ModuleNotFoundError as missing:
    raise ConfigurationError(
        "Checkpoints in MongoDB need the package pymongo; run `pip install 'memwarden[mongodb]'`."
    ) from missing

from bson import CodecOptions
from pymongo import ASCENDING, DESCENDING, IndexModel, ReadPreference, ReturnDocument, UpdateOne
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import (
    BulkWriteError,
    ConnectionFailure,
    InvalidOperation,
    NotPrimaryError,
    OperationFailure,
    PyMongoError,
    ServerSelectionTimeoutError,
)
from pymongo.read_concern import ReadConcern
from pymongo.write_concern import WriteConcern

Document = dict[str, Any]
Result = TypeVar("Result")

ITEM_BYTES: Final = 900_000
MESSAGE_BYTES: Final = 16_000_000
"""Of bodies in one message; MongoDB takes 48,000,000 bytes of everything."""
NAMED: Final = 1000
"""Documents one message names or writes: with keys of 900 bytes, a filter may be no larger than a document, 16 MB."""

_ITEM: Final = {"_id": False, "key": True, "body": True}
_AFTER_ALL: Final = "\x7f"
"""Later than every key, which are of printable ASCII."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FREE: Final = 0
_DUPLICATE_KEY, _UNAUTHORIZED, _AUTHENTICATION_FAILED, _OUT_OF_DISK = 11000, 13, 18, 14031


class MongoRows:
    """`WideRows` in a collection of MongoDB 4.4 or later; `prepare` it before its first use.

    ``collection`` is of an `AsyncMongoClient`, and nothing but this is kept in it; whatever its own settings say, reads
    and writes go to the primary and wait for the majority. ``timeout`` is what one call to the server may take, in
    seconds.
    """

    def __init__(self, collection: AsyncCollection[Document], *, timeout: float = 20) -> None:
        self._rows: AsyncCollection[Document] = collection.with_options(
            codec_options=CodecOptions(document_class=dict),
            read_preference=ReadPreference.PRIMARY,
            read_concern=ReadConcern("majority"),
            write_concern=WriteConcern("majority"),
        )
        self._timeout = timeout

    @property
    def limit(self) -> int:
        """The most bytes one item may have."""
        return ITEM_BYTES

    async def prepare(self) -> None:
        """Make the indexes that are not there yet: for ranges of keys, and for the TTL.

        Raises `UnsupportedDatabaseError` for a collection with a collation, in which different keys can be equal.
        """
        options = await self._asked(self._rows.options)
        if options.get("collation", {}).get("locale", "simple") != "simple":
            raise UnsupportedDatabaseError(
                "The collection for checkpoints has a collation; choose one that was made without."
            )
        indexes = [
            IndexModel(
                [(name, ASCENDING) for name in ("tenant_id", "user_id", "thread_id", "key")], name="keys"
            ),
            IndexModel([("horizon", ASCENDING)], name="horizon", expireAfterSeconds=0),
        ]
        await self._asked(partial(self._rows.create_indexes, indexes))

    async def lease(
        self, lease: Lease, now: datetime, *, expecting: tuple[int, int] | None = None, reserve: int = 0
    ) -> ThreadState | None:
        """Take a thread's turn in one step; see `WideRows`."""
        free = {"$nor": [{"until": {"$gt": _microseconds(now)}, "token": {"$ne": lease.token}}]}
        expected = {} if expecting is None else {"parts": expecting[0], "generation": expecting[1]}
        update = {
            "$set": {"token": lease.token, "until": _microseconds(lease.until)},
            "$inc": {"parts": reserve, "generation": 0},
        }
        try:
            document = await self._asked(
                partial(
                    self._rows.find_one_and_update,
                    _own(lease.scope, lease.thread_id) | expected | free,
                    update,
                    # A thread that is not there has no parts.
                    upsert=expecting in (None, (0, 0)),
                    return_document=ReturnDocument.AFTER,
                )
            )
        except _TakenError:
            # It is there, but not as it has to be: somebody has the turn, or made the thread just now.
            return None
        return None if document is None else _state(document)

    async def release(self, lease: Lease, state: ThreadState) -> bool:
        """Write a thread's state and give the turn back, if the lease is still this one; return whether it was."""
        written = {
            "parts": state.parts,
            "generation": state.generation,
            "exact_horizon": None if state.horizon is None else _microseconds(state.horizon),
            "active_at": None if state.active_at is None else _microseconds(state.active_at),
            "horizon": state.horizon,
            "token": None,
            "until": _FREE,
        }
        own = _own(lease.scope, lease.thread_id) | {"token": lease.token}
        result = await self._asked(partial(self._rows.update_one, own, {"$set": written}))
        return result.matched_count > 0

    async def drop(self, lease: Lease) -> None:
        """Remove a thread's item, if the lease is still this one."""
        own = _own(lease.scope, lease.thread_id) | {"token": lease.token}
        await self._asked(partial(self._rows.delete_one, own))

    async def state(self, scope: Scope, thread_id: str) -> ThreadState | None:
        """Return the state of a thread, or null where there is none."""
        document = await self._asked(partial(self._rows.find_one, _own(scope, thread_id)))
        return None if document is None else _state(document)

    async def threads(self, scope: Scope) -> list[str]:
        """Return the ids of all threads of a user, in no particular order."""
        own = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "key": None}
        found = await self._asked(self._rows.find(own, {"_id": False, "thread_id": True}).to_list)
        return [document["thread_id"] for document in found]

    async def get(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> dict[str, bytes]:
        """Return the items that are there of those named, by key."""
        items: dict[str, bytes] = {}
        for named in _chunks(dict.fromkeys(keys)):
            query = _thread(scope, thread_id) | {"key": {"$in": named}}
            found = await self._asked(self._rows.find(query, _ITEM).to_list)
            items |= {document["key"]: document["body"] for document in found}
        return items

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
        if limit == 0:
            return []  # To MongoDB this is no limit.
        found = self._rows.find(_between(scope, thread_id, first, end), _ITEM, limit=limit or 0)
        order = DESCENDING if backwards else ASCENDING
        documents = await self._asked(found.sort("key", order).to_list)
        return [(document["key"], document["body"]) for document in documents]

    async def keys(self, scope: Scope, thread_id: str, first: str, end: str) -> list[str]:
        """Return the keys that `scan` would find, in order; the index alone answers."""
        found = self._rows.find(_between(scope, thread_id, first, end), {"_id": False, "key": True})
        documents = await self._asked(found.sort("key", ASCENDING).to_list)
        return [document["key"] for document in documents]

    async def put(
        self, scope: Scope, thread_id: str, stages: Sequence[Mapping[str, bytes]], horizon: datetime | None
    ) -> None:
        """Write items, in place of those with the same keys; every item of a stage is kept before the next begins."""
        items = [(key, body) for stage in stages for key, body in stage.items()]
        largest = max((len(body) for _, body in items), default=0)
        if largest > ITEM_BYTES:
            raise InvalidInputError(f"An item has {largest} bytes; {ITEM_BYTES} are allowed.")
        hash_ = _hash(scope, thread_id)
        for batch in _batches(items):
            writes = []
            for key, body in batch:
                one = _thread(scope, thread_id) | {"_id": f"{hash_}/{key}"}
                item = {"key": key, "body": body, "horizon": horizon}
                writes.append(UpdateOne(one, {"$set": item}, upsert=True))
            await self._written(writes)

    async def delete(self, scope: Scope, thread_id: str, keys: Sequence[str]) -> None:
        """Remove items by key; those that are not there are gone already."""
        for named in _chunks(dict.fromkeys(keys)):
            query = _thread(scope, thread_id) | {"key": {"$in": named}}
            await self._asked(partial(self._rows.delete_many, query))

    async def stamp(self, scope: Scope, thread_id: str, horizon: datetime | None) -> None:
        """Give every item of a thread, not its own item, a new horizon."""
        for named in _chunks(await self.keys(scope, thread_id, "", _AFTER_ALL)):
            query = _thread(scope, thread_id) | {"key": {"$in": named}}
            await self._asked(partial(self._rows.update_many, query, {"$set": {"horizon": horizon}}))

    async def _written(self, writes: Sequence[UpdateOne]) -> None:
        """Write documents in order, so that nothing is written of a stage while one before it lacks something."""
        write = partial(self._rows.bulk_write, writes, ordered=True)
        try:
            await self._asked(write)
        except _TakenError:
            # A call that nobody waits for any more put the same item just now.
            pass
        else:
            return
        await self._asked(write)

    async def _asked(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Return what the server answers, or raise our exception with a sentence that quotes none of it."""
        try:
            with pymongo.timeout(self._timeout):
                return await call()
        except PyMongoError as error:
            failure = _translated(error)
            # What a server says quotes documents: only what the driver itself says, of addresses, is chained.
            told = isinstance(error, ConnectionFailure) and not isinstance(error, NotPrimaryError)
            cause = error if told else None
        raise failure from cause


class _TakenError(DatabaseError):
    """There is a document with this ``_id``, but not one that the filter finds."""


def _hash(scope: Scope, thread_id: str) -> str:
    """Return what only this thread of this user of this tenant has, whatever characters their names are made of."""
    names = (name.encode() for name in (scope.tenant_id, scope.user_id, thread_id))
    return hashlib.sha256(b"".join(len(name).to_bytes(4) + name for name in names)).hexdigest()


def _thread(scope: Scope, thread_id: str) -> Document:
    """Return the fields that lead every filter, which are the shard key."""
    return {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": thread_id}


def _own(scope: Scope, thread_id: str) -> Document:
    return _thread(scope, thread_id) | {"_id": _hash(scope, thread_id)}


def _between(scope: Scope, thread_id: str, first: str, end: str) -> Document:
    return _thread(scope, thread_id) | {"key": {"$gte": first, "$lt": end}}


def _state(document: Document) -> ThreadState:
    horizon, active_at = document.get("exact_horizon"), document.get("active_at")
    return ThreadState(
        parts=document["parts"],
        generation=document["generation"],
        horizon=None if horizon is None else _moment(horizon),
        active_at=None if active_at is None else _moment(active_at),
    )


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def _moment(microseconds: int) -> datetime:
    return _EPOCH + microseconds * _MICROSECOND


def _chunks(keys: Iterable[str]) -> Iterator[list[str]]:
    left = iter(keys)
    while chunk := list(islice(left, NAMED)):
        yield chunk


def _batches(items: Iterable[tuple[str, bytes]]) -> Iterator[list[tuple[str, bytes]]]:
    """Return the items in order, in lists that one message can take."""
    batch: list[tuple[str, bytes]] = []
    size = 0
    for key, body in items:
        if batch and (len(batch) == NAMED or size + len(body) > MESSAGE_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((key, body))
        size += len(body)
    if batch:
        yield batch


def _translated(error: PyMongoError) -> DatabaseError:
    if error.timeout and not isinstance(error, ServerSelectionTimeoutError):
        return DatabaseUnavailableError(
            "MongoDB did not answer, or no majority confirmed, within the time limit; try again, or give MongoRows a longer timeout."
        )
    if isinstance(error, ConnectionFailure):
        return DatabaseUnavailableError(
            "MongoDB cannot be reached or has no primary now; check that it runs and that the URL is right, and try again."
        )
    if isinstance(error, InvalidOperation):
        return DatabaseUnavailableError("The MongoDB client cannot be used, or was closed; open a new one.")
    return _refused(_code(error))


def _refused(code: int | None) -> DatabaseError:
    if code == _DUPLICATE_KEY:
        return _TakenError("Somebody else wrote to MongoDB at the same time; try again.")
    if code in (_UNAUTHORIZED, _AUTHENTICATION_FAILED):
        return DatabaseError(
            "MongoDB refused this account; check its password, and give it the role readWrite on the database."
        )
    if code == _OUT_OF_DISK:
        return StorageFullError("The disk under MongoDB is full; free some space and try again.")
    return DatabaseError(
        f"MongoDB refused the request (code {code}); its documentation lists what the codes mean."
    )


def _code(error: PyMongoError) -> int | None:
    """Return MongoDB's number for what went wrong: that of the first write where many were sent."""
    if isinstance(error, BulkWriteError):
        first = [*error.details.get("writeErrors", []), *error.details.get("writeConcernErrors", [])][:1]
        return first[0].get("code") if first else None
    return error.code if isinstance(error, OperationFailure) else None
