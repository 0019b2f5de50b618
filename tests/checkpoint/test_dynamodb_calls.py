"""Calls of `DynamoRows` when DynamoDB puts off, throttles, refuses or is gone: moto behind a proxy that does so."""

from __future__ import annotations

import asyncio
import os
import random
import runpy
import socket
import sys
import traceback
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import pytest

from memwarden.checkpoint import dynamodb_calls
from memwarden.checkpoint.dynamodb import DynamoRows, create_table
from memwarden.checkpoint.dynamodb_calls import AT_ONCE, Patience
from memwarden.checkpoint.wide_rows import ThreadState
from memwarden.errors import ConfigurationError, DatabaseError, DatabaseUnavailableError
from memwarden.model.scope import Scope
from tests.checkpoint.dynamodb_proxy import (
    BreakOff,
    Call,
    Proxy,
    PutOff,
    Refusal,
    nothing_wrong,
    running_proxy,
)
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.checkpoint.wide_rows_contract import (
    LATER,
    NOW,
    everything,
    numbered,
    somebody,
    turn,
)

pytestmark = pytest.mark.slow
"""They start a server of their own."""

TABLE = "checkpoints"


def always(fault: Refusal | PutOff | BreakOff) -> Callable[[Call], Awaitable[Refusal | PutOff | BreakOff]]:
    async def same(_: Call) -> Refusal | PutOff | BreakOff:
        return fault

    return same


@dataclass
class Pauses:
    """Notes the pauses asked for, and takes none."""

    taken: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        self.taken.append(seconds)
        await asyncio.sleep(0)


@pytest.fixture(scope="session")
async def started() -> AsyncIterator[tuple[Proxy, Any]]:
    """A proxy, and a client whose calls go through it."""
    async with (
        running_dynamodb() as moto,
        running_proxy(moto) as proxy,
        dynamodb_client(proxy.address) as client,
    ):
        await create_table(client, TABLE)
        yield proxy, client


@pytest.fixture
def proxy(started: tuple[Proxy, Any]) -> Proxy:
    started[0].forget()
    return started[0]


@pytest.fixture
def client(started: tuple[Proxy, Any]) -> Any:
    return started[1]


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def behind(client: Any, pauses: Pauses) -> DynamoRows:
    """Rows whose calls go through the proxy and whose pauses are as long as they may be."""
    return DynamoRows(client, TABLE, patience=Patience(sleep=pauses, random=lambda: 1.0))


async def everything_done(rows: DynamoRows) -> None:
    """Go through every verb, and see that it did what it has to."""
    scope, items = somebody(), numbered(130)
    lease, state = turn(scope), ThreadState(7, 1, LATER, NOW)
    assert await rows.lease(lease, NOW, expecting=(0, 0), reserve=7) == ThreadState(7)
    await rows.put(scope, "thread", [items, {"last": b"1"}], None)
    assert await rows.get(scope, "thread", [*items, "absent"]) == items
    assert await everything(rows, scope) == {**items, "last": b"1"}
    assert await rows.keys(scope, "thread", "last", "lasu") == ["last"]
    await rows.delete(scope, "thread", list(items))
    await rows.stamp(scope, "thread", LATER)
    assert await everything(rows, scope) == {"last": b"1"}
    assert await rows.release(lease, state)
    assert await rows.state(scope, "thread") == state
    assert await rows.threads(scope) == ["thread"]
    await rows.lease(lease, NOW)
    await rows.drop(lease)
    assert await rows.threads(scope) == []


async def test_calls_are_of_a_size_that_dynamodb_takes(proxy: Proxy, behind: DynamoRows) -> None:
    await everything_done(behind)
    big = {f"big/{number}": os.urandom(behind.limit) for number in range(5)}
    await behind.put(Scope("😀" * 255, "é" * 255), "thread", [big, numbered(500)], LATER)
    for call in proxy.calls:
        # aiohttp warns of more than 1 MB, which is an error here; DynamoDB takes 16.
        assert call.size < 2**20
        if call.operation == "BatchWriteItem":
            assert 1 <= len(call.body["RequestItems"][TABLE]) <= 25
        elif call.operation == "BatchGetItem":
            assert 1 <= len(call.body["RequestItems"][TABLE]["Keys"]) <= 100
            assert call.body["RequestItems"][TABLE]["ConsistentRead"]
        elif call.operation in ("GetItem", "Query"):
            assert call.body["ConsistentRead"]
    assert 1 < proxy.most_under_way <= AT_ONCE


@pytest.mark.parametrize("seed", range(3))
async def test_what_is_not_processed_is_sent_again(
    proxy: Proxy, behind: DynamoRows, pauses: Pauses, seed: int
) -> None:
    chance = random.Random(seed)

    async def put_off(call: Call) -> PutOff | None:
        return PutOff(chance.choice([0, 1, 24, 99])) if call.operation.startswith("Batch") else None

    proxy.fault = put_off
    await everything_done(behind)
    assert pauses.taken
    assert proxy.kept.count(".last") == 1
    assert proxy.kept[-1] == ".last"


@pytest.mark.parametrize(
    "refusal",
    [
        Refusal("ProvisionedThroughputExceededException"),
        Refusal("ThrottlingException"),
        Refusal("RequestLimitExceeded"),
        Refusal("InternalServerError", 500),
        Refusal("ServiceUnavailable", 503),
    ],
)
async def test_what_is_throttled_is_tried_again(
    proxy: Proxy, behind: DynamoRows, pauses: Pauses, refusal: Refusal
) -> None:
    seen: dict[str, int] = {}

    async def throttled(call: Call) -> Refusal | None:
        seen[call.operation] = seen.get(call.operation, 0) + 1
        return refusal if seen[call.operation] <= 3 else None

    proxy.fault = throttled
    await everything_done(behind)
    assert set(seen) == {
        *("BatchGetItem", "BatchWriteItem", "DeleteItem", "GetItem", "Query", "UpdateItem"),
    }
    assert len(pauses.taken) == 3 * len(seen)


async def test_pauses_double_up_to_the_longest(proxy: Proxy, client: Any, pauses: Pauses) -> None:
    patience = Patience(attempts=6, first=0.5, longest=5, sleep=pauses, random=lambda: 0.5)
    rows = DynamoRows(client, TABLE, patience=patience)
    proxy.fault = always(Refusal())
    with pytest.raises(DatabaseError, match="keeps throttling"):
        await rows.state(somebody(), "thread")
    assert pauses.taken == [0.25, 0.5, 1, 2, 2.5, 2.5]
    assert proxy.operations() == ["GetItem"] * 7


@pytest.mark.parametrize("fault", [Refusal(), PutOff(0)])
async def test_what_goes_on_for_ever_is_given_up(
    proxy: Proxy, behind: DynamoRows, fault: Refusal | PutOff
) -> None:
    scope = somebody()
    proxy.fault = always(fault)
    with pytest.raises(DatabaseError, match="keeps throttling"):
        await behind.put(scope, "thread", [numbered(60)], None)
    with pytest.raises(DatabaseError, match="keeps throttling"):
        await behind.get(scope, "thread", ["a"])
    with pytest.raises(DatabaseError, match="keeps throttling"):
        await behind.delete(scope, "thread", ["a"])
    assert len(proxy.calls) < 100


async def test_a_stage_that_fails_is_the_last(proxy: Proxy, behind: DynamoRows) -> None:
    async def one_is_stuck(call: Call) -> PutOff | None:
        return PutOff(0) if "k/000042" in str(call.body) else None

    scope = somebody()
    proxy.fault = one_is_stuck
    with pytest.raises(DatabaseError, match="keeps throttling"):
        await behind.put(scope, "thread", [numbered(60), {"last": b"1"}], None)
    assert not any("last" in str(call.body) for call in proxy.calls)
    proxy.fault = nothing_wrong
    await behind.put(scope, "thread", [numbered(60), {"last": b"1"}], None)
    assert await everything(behind, scope) == {**numbered(60), "last": b"1"}


async def test_a_lease_is_one_call(proxy: Proxy, behind: DynamoRows) -> None:
    scope = somebody()
    assert await behind.lease(turn(scope), NOW, expecting=(0, 0), reserve=3) == ThreadState(3)
    assert await behind.lease(turn(scope), NOW, expecting=(3, 0), reserve=3) is None
    assert proxy.operations() == ["UpdateItem", "UpdateItem"]


async def test_an_item_removed_while_it_is_stamped_stays_away(proxy: Proxy, behind: DynamoRows) -> None:
    scope = somebody()
    await behind.put(scope, "thread", [{"a": b"1", "b": b"2"}], None)

    async def removed(call: Call) -> None:
        if call.operation == "UpdateItem":
            await behind.delete(scope, "thread", ["a", "b"])

    proxy.fault = removed
    await behind.stamp(scope, "thread", LATER)
    assert proxy.operations().count("UpdateItem") == 2
    assert await behind.keys(scope, "thread", " ", "\x7f") == []


async def test_what_has_the_horizon_already_is_not_stamped_again(proxy: Proxy, behind: DynamoRows) -> None:
    scope = somebody()
    await behind.put(scope, "thread", [{"a": b"1"}], LATER)
    await behind.put(scope, "thread", [{"b": b"1"}], None)
    await behind.stamp(scope, "thread", LATER)
    await behind.stamp(scope, "thread", LATER)
    assert proxy.operations().count("UpdateItem") == 1


async def test_a_call_that_is_cancelled_ends(proxy: Proxy, behind: DynamoRows) -> None:
    arrived, cancelled = asyncio.Event(), asyncio.Event()

    async def stuck(_: Call) -> Refusal:
        arrived.set()
        await cancelled.wait()
        return Refusal()

    proxy.fault = stuck
    put = asyncio.create_task(behind.put(somebody(), "thread", [numbered(60), {"last": b"1"}], None))
    await arrived.wait()
    put.cancel()
    with pytest.raises(asyncio.CancelledError):
        await put
    cancelled.set()
    assert 1 <= len(proxy.calls) <= AT_ONCE
    assert not any("last" in str(call.body) for call in proxy.calls)


# Failures.


@pytest.mark.parametrize(
    ("fault", "kind", "sentence"),
    [
        (BreakOff(), DatabaseUnavailableError, "check the network, the region and the endpoint"),
        (Refusal("AccessDeniedException"), DatabaseError, "may not do GetItem; allow the actions"),
        (Refusal("ExpiredTokenException"), DatabaseUnavailableError, "renew or correct them"),
        (Refusal("UnrecognizedClientException"), DatabaseUnavailableError, "renew or correct them"),
        (Refusal("ResourceNotFoundException"), DatabaseError, "make it with create_table"),
        (Refusal("ValidationException", message="about k3pt"), DatabaseError, "(ValidationException)"),
    ],
)
async def test_a_failure_is_a_sentence_that_says_what_to_do(
    proxy: Proxy,
    behind: DynamoRows,
    fault: BreakOff | Refusal,
    kind: type[DatabaseError],
    sentence: str,
) -> None:
    proxy.fault = always(fault)
    with pytest.raises(kind) as raised:
        await behind.state(somebody(), "k3pt")
    assert sentence in str(raised.value)
    assert "k3pt" not in str(raised.value)
    assert str(raised.value).endswith(".")


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        async with dynamodb_client(f"http://127.0.0.1:{closed.getsockname()[1]}") as client:
            rows = DynamoRows(client, TABLE)
            with pytest.raises(DatabaseUnavailableError, match=r"^DynamoDB cannot be reached [^.]*\.$"):
                await rows.put(somebody(), "thread", [{"a": b"1"}], None)
            with pytest.raises(DatabaseUnavailableError, match=r"^DynamoDB cannot be reached [^.]*\.$"):
                await create_table(client, TABLE)


async def test_a_closed_client_is_unavailable(proxy: Proxy) -> None:
    async with dynamodb_client(proxy.target) as client:
        rows = DynamoRows(client, TABLE)
    with pytest.raises(DatabaseUnavailableError):
        await rows.threads(somebody())


async def test_what_was_to_be_written_is_in_no_traceback(behind: DynamoRows) -> None:
    content = "k3" + "pt"
    with pytest.raises(DatabaseError, match="malformed") as raised:
        await behind.put(somebody(), "thread", [{"a": [content]}], None)  # type: ignore[dict-item]
    assert content not in "".join(traceback.format_exception(raised.value))


async def test_a_table_that_does_not_come_is_waited_for_no_longer(proxy: Proxy, client: Any) -> None:
    proxy.fault = always(Refusal("ResourceNotFoundException"))
    pauses = Pauses()
    with pytest.raises(DatabaseError, match="no such DynamoDB table"):
        await create_table(client, "absent", patience=Patience(sleep=pauses))

    async def made_but_unseen(call: Call) -> Refusal | None:
        return Refusal("ResourceNotFoundException") if call.operation == "DescribeTable" else None

    proxy.fault = made_but_unseen
    with pytest.raises(DatabaseUnavailableError, match="still being made"):
        await create_table(client, f"t-{uuid4().hex}", patience=Patience(sleep=pauses))
    assert pauses.taken == [1] * 120


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiobotocore.client", None)
    with pytest.raises(
        ConfigurationError, match=r"need the package aiobotocore; install memwarden\[dynamodb\]"
    ):
        runpy.run_path(dynamodb_calls.__file__)
