"""Calls to DynamoDB: again after a pause where it asks to slow down, in batches it takes, failing in our own exceptions."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from memwarden.errors import ConfigurationError, DatabaseError, DatabaseUnavailableError

try:
    from aiobotocore.client import AioBaseClient as AioBaseClient  # type: ignore[import-untyped]
    from aiohttp import ClientError as HttpError
    from botocore.exceptions import (  # type: ignore[import-untyped]
        BotoCoreError,
        ClientError,
        CredentialRetrievalError,
        NoCredentialsError,
        ParamValidationError,
        PartialCredentialsError,
    )
except ImportError as missing:
    raise ConfigurationError(
        "Checkpoints on DynamoDB need the package aiobotocore; install memwarden[dynamodb]."
    ) from missing

AT_ONCE = 8
"""Calls under way at a time for one request of ours."""

_WRITES_PER_CALL = 25
_READS_PER_CALL = 100
_BYTES_PER_CALL = 1_040_000
"""DynamoDB takes 16 MB; what is larger than 1 MB holds up the event loop, of which aiohttp warns."""

_THROTTLED = {
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
}
_NOT_AUTHENTICATED = {
    "ExpiredTokenException",
    "IncompleteSignatureException",
    "InvalidSignatureException",
    "MissingAuthenticationTokenException",
    "UnrecognizedClientException",
}
_SERVER_FAILED = 500

Item = Mapping[str, Mapping[str, Any]]
"""An item or a key as DynamoDB's API has it: the type and the value of each attribute, by its name."""

T = TypeVar("T")


class ConditionNotMetError(DatabaseError):
    """An item is not as a write expected it, so nothing was written; for whoever sent it."""


class MissingTableError(DatabaseError):
    """The table does not exist, or not yet."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How often to try again where DynamoDB does not get on: ``attempts`` times in a row without any progress.

    The pauses between are random, of at most ``first`` seconds, then twice that and so on up to ``longest``.
    """

    attempts: int = 10
    first: float = 0.05
    longest: float = 5.0
    sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
    random: Callable[[], float] = random.random

    async def pause(self, attempt: int) -> None:
        """Wait before trying again; raise `DatabaseError` after the last attempt (they count from 0)."""
        if attempt >= self.attempts:
            raise DatabaseError(
                "DynamoDB keeps throttling or failing; try again later, or raise the limits of the table."
            )
        await self.sleep(self.random() * min(self.longest, self.first * 2**attempt))


PATIENT = Patience()


async def each(things: Iterable[T], do: Callable[[T], Awaitable[object]]) -> None:
    """Do something with each of them, `AT_ONCE` at a time; the first failure ends it."""
    waiting = iter(things)

    async def worker() -> None:
        for thing in waiting:
            await do(thing)

    try:
        async with asyncio.TaskGroup() as workers:
            for _ in range(AT_ONCE):
                workers.create_task(worker())
    except ExceptionGroup as failures:
        first = failures.exceptions[0]
        raise first from first.__cause__


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls to one table by an aiobotocore client for DynamoDB."""

    client: AioBaseClient
    table: str
    patience: Patience = PATIENT

    async def call(self, operation: str, **request: object) -> Mapping[str, Any]:
        """Call an operation of the client (``get_item``) on the table, again while it is throttled.

        Raises `ConditionNotMetError` where a condition was given and is not met, else `DatabaseError`.
        """
        return await self._sent(operation, TableName=self.table, **request)

    async def write(self, requests: Iterable[tuple[Mapping[str, Item], int]]) -> None:
        """Send requests to put or delete, each with the number of bytes it takes as JSON, until all are done."""
        await each(_batches(requests), self._write)

    async def read(self, keys: Sequence[Item]) -> list[Item]:
        """Return the items that are there of those named, in no particular order."""
        found: list[Item] = []

        async def read(some: Sequence[Item]) -> None:
            found.extend(await self._read(some))

        starts = range(0, len(keys), _READS_PER_CALL)
        await each([keys[start : start + _READS_PER_CALL] for start in starts], read)
        return found

    async def _write(self, left: Sequence[Mapping[str, Item]]) -> None:
        stalled = 0
        while True:
            answer = await self._sent("batch_write_item", RequestItems={self.table: left})
            unprocessed = answer.get("UnprocessedItems", {}).get(self.table)
            if not unprocessed:
                return
            stalled = stalled + 1 if len(unprocessed) == len(left) else 0
            left = unprocessed
            await self.patience.pause(stalled)

    async def _read(self, left: Sequence[Item]) -> list[Item]:
        found: list[Item] = []
        stalled = 0
        while True:
            request = {self.table: {"Keys": left, "ConsistentRead": True}}
            answer = await self._sent("batch_get_item", RequestItems=request)
            found.extend(answer["Responses"].get(self.table, ()))
            unprocessed = answer.get("UnprocessedKeys", {}).get(self.table)
            if not unprocessed:
                return found
            stalled = stalled + 1 if len(unprocessed["Keys"]) == len(left) else 0
            left = unprocessed["Keys"]
            await self.patience.pause(stalled)

    async def _sent(self, operation: str, **request: object) -> Mapping[str, Any]:
        attempt = 0
        while True:
            try:
                answer: Mapping[str, Any] = await getattr(self.client, operation)(**request)
            except ParamValidationError:
                # Its text quotes what was to be written.
                raise DatabaseError(
                    "A request to DynamoDB was malformed; report this as a defect of Memwarden."
                ) from None
            except ClientError as error:
                if not _passes(error):
                    raise _refusal(error) from error
                await self.patience.pause(attempt)
                attempt += 1
            except (NoCredentialsError, PartialCredentialsError, CredentialRetrievalError) as error:
                raise DatabaseUnavailableError(
                    "There are no AWS credentials for DynamoDB; configure some for this process."
                ) from error
            except (BotoCoreError, HttpError, OSError) as error:
                raise DatabaseUnavailableError(
                    "DynamoDB cannot be reached or did not answer; check the network, the region and the endpoint URL."
                ) from error
            else:
                return answer


def _batches(requests: Iterable[tuple[Mapping[str, Item], int]]) -> Iterable[list[Mapping[str, Item]]]:
    batch: list[Mapping[str, Item]] = []
    room = _BYTES_PER_CALL
    for request, size in requests:
        if batch and (len(batch) == _WRITES_PER_CALL or size > room):
            yield batch
            batch, room = [], _BYTES_PER_CALL
        batch.append(request)
        room -= size
    if batch:
        yield batch


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code"))


def _passes(error: ClientError) -> bool:
    """Return whether the same request may succeed a little later."""
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return _code(error) in _THROTTLED or status >= _SERVER_FAILED


def _refusal(error: ClientError) -> DatabaseError:
    """Return our exception for a refusal, with a sentence that quotes no key and no item."""
    code = _code(error)
    if code == "ConditionalCheckFailedException":
        return ConditionNotMetError("An item was changed in between; nothing was written.")
    if code == "ResourceNotFoundException":
        return MissingTableError(
            "There is no such DynamoDB table in this account and region; make it with create_table, or correct its name."
        )
    if code == "AccessDeniedException":
        return DatabaseError(
            f"These AWS credentials may not do {error.operation_name}; allow the actions in docs/checkpoints.md on the table."
        )
    if code in _NOT_AUTHENTICATED:
        return DatabaseUnavailableError(
            "DynamoDB does not accept these AWS credentials; renew or correct them."
        )
    return DatabaseError(
        f"DynamoDB refused {error.operation_name} ({code}); its API reference says when it does."
    )
