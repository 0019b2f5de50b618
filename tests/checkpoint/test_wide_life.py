"""How threads in wide rows end: by time, all of a thread at once and never some of it; and by erasure, for good."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection

from memwarden import Memwarden
from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.mongodb import MongoRows
from memwarden.checkpoint.wide_eraser import KEPT_OUT
from memwarden.model.clock import system_clock
from memwarden.model.erasure import ErasureState, Subject
from memwarden.model.scope import Scope
from tests.checkpoint.mongodb_server import running_mongodb
from tests.conftest import Addresses, MovableClock

pytestmark = pytest.mark.slow

Collection = AsyncCollection[dict[str, Any]]
KEEP = timedelta(days=30)


def place(thread_id: str = "t") -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


def talking(saver: ScopedSaver) -> Any:
    async def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("noted " + "x" * 2_000)]}

    builder = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
    return builder.compile(checkpointer=saver)


async def say(saver: ScopedSaver, text: str, thread_id: str = "t") -> list[str]:
    result = await talking(saver).ainvoke({"messages": [HumanMessage(text)]}, place(thread_id))
    return [m.text for m in result["messages"] if m.type == "human"]


@pytest.fixture(scope="module")
async def collection(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Collection]:
    """A collection that can be looked at from behind."""
    folder: Path = tmp_path_factory.mktemp("mongodb-life")
    client: AsyncMongoClient[dict[str, Any]]
    async with running_mongodb(folder) as url, AsyncMongoClient(url) as client:
        made: Collection = client["life"]["checkpoints"]
        await MongoRows(made).prepare()
        yield made


async def left(collection: Collection, scope: Scope, thread_id: str | None = None) -> list[dict[str, Any]]:
    """Return every document of a user, or of a thread."""
    mine = {"tenant_id": scope.tenant_id, "user_id": scope.user_id}
    wanted = mine if thread_id is None else {**mine, "thread_id": thread_id}
    return [document async for document in collection.find(wanted)]


def from_now() -> MovableClock:
    """Return a clock that is never behind the store's own, which removes what is past."""
    return MovableClock(system_clock())


def horizon(document: dict[str, Any]) -> datetime:
    """Return when the store removes a document; NX-27017 gives text for a date that was updated."""
    held = document["horizon"]
    return (datetime.fromisoformat(held) if isinstance(held, str) else held).replace(tzinfo=UTC)


def somebody(tenant: str = "acme") -> Scope:
    return Scope(tenant, uuid4().hex)


async def test_a_thread_nobody_goes_on_with_is_gone_at_once(collection: Collection) -> None:
    clock = from_now()
    saver = ScopedSaver(WideEngine(MongoRows(collection), keep=KEEP, clock=clock), somebody(), clock=clock)
    await say(saver, "hello")
    clock.advance(KEEP - timedelta(seconds=1))
    assert await say(saver, "still there") == ["hello", "still there"]
    clock.advance(KEEP + timedelta(seconds=1))
    assert await saver.aget_tuple(place()) is None
    assert [found async for found in saver.alist(place())] == []
    assert [found async for found in saver.alist(None)] == []
    # Another begins under its name, and has nothing of it.
    assert await say(saver, "hello again") == ["hello again"]
    assert len([found async for found in saver.alist(place())]) == 3


@given(waits=st.lists(st.integers(0, 45), min_size=1, max_size=6))
@settings(max_examples=10)
async def test_the_store_never_removes_some_of_a_thread(collection: Collection, waits: list[int]) -> None:
    clock, scope = from_now(), somebody()
    rows = MongoRows(collection)
    saver = ScopedSaver(WideEngine(rows, keep=KEEP, clock=clock), scope, clock=clock)
    expected: list[str] = []
    for number, days in enumerate(waits):
        clock.advance(timedelta(days=days))
        expected = [*(expected if timedelta(days=days) <= KEEP else []), f"message {number}"]
        assert await say(saver, f"message {number}") == expected
        held = await left(collection, scope, "t")
        horizons = {horizon(document) for document in held}
        assert len(horizons) == 1
        assert horizons.pop() >= clock() + KEEP


async def test_an_erased_conversation_stays_away(collection: Collection) -> None:
    scope, rows = somebody(), MongoRows(collection)
    engine = WideEngine(rows)
    saver = ScopedSaver(engine, scope)
    await say(saver, "first")
    await say(saver, "other", "other")
    about = Subject(scope.tenant_id, scope.user_id, "t")
    assert await engine.eraser.residue(about) > 0

    async def erased(state: MessagesState) -> dict[str, Any]:
        assert await engine.eraser.erase(about) > 0
        return {"messages": [AIMessage("too late")]}

    under_way = StateGraph(MessagesState).add_node(erased).add_edge(START, "erased").add_edge("erased", END)
    await under_way.compile(checkpointer=saver).ainvoke({"messages": [HumanMessage("second")]}, place())
    assert await engine.eraser.residue(about) == 0
    assert await left(collection, scope, "t") == []
    assert await engine.eraser.erase(about) == 0
    assert await say(saver, "more", "other") == ["other", "more"]
    # What begins after it is a conversation like any other.
    assert await say(saver, "anew") == ["anew"]


async def test_an_erased_tenant_leaves_marks_for_a_while_and_nothing_else(collection: Collection) -> None:
    tenant, rows = uuid4().hex, MongoRows(collection)
    engine = WideEngine(rows)
    users = [somebody(tenant) for _ in range(3)]
    other = somebody(f"{tenant}x")
    for scope in (*users, other):
        for thread_id in ("t", "u"):
            await say(ScopedSaver(engine, scope), "hello", thread_id)
    assert await engine.eraser.erase(Subject(tenant)) > 0
    assert await engine.eraser.residue(Subject(tenant)) == 0
    found = [document async for document in collection.find({"tenant_id": tenant})]
    assert {document["thread_id"] for document in found} == {""}
    assert all(document["horizon"] is not None for document in found)
    assert len([found async for found in ScopedSaver(engine, other).alist(None)]) == 6


async def test_a_deleted_thread_leaves_no_document(collection: Collection) -> None:
    scope = somebody()
    saver = ScopedSaver(WideEngine(MongoRows(collection)), scope)
    await say(saver, "hello")
    await say(saver, "stays", "other")
    await saver.adelete_thread("t")
    assert await left(collection, scope, "t") == []
    assert all("hello" not in repr(document) for document in await left(collection, scope))
    assert len([found async for found in saver.alist(None)]) == 3


async def test_erasures_of_the_memory_reach_it(collection: Collection, addresses: Addresses) -> None:
    engine = WideEngine(MongoRows(collection))
    async with Memwarden.open(addresses.app, opinions=(), checkpoints=engine) as memwarden:
        user = memwarden.user("acme", f"mongodb-{uuid4().hex}")
        for thread_id in ("t", "u"):
            await say(await user.checkpointer(), "hello", thread_id)
        one = await user.forget_conversation("t")
        reports = {report.name: report for report in one.stores}
        assert reports["checkpoints"].removed > 0
        assert reports["checkpoints"].residue == 0
        assert await left(collection, user.scope, "t") == []
        everything = await user.forget_everything()
        assert everything.state is ErasureState.COMPLETE
        held = await left(collection, user.scope)
        assert {document["thread_id"] for document in held} == {""}
        until = min(document["horizon"].timestamp() for document in held)
        assert (
            until - memwarden.dependencies.clock().timestamp()
            > (KEPT_OUT - timedelta(days=1)).total_seconds()
        )
