"""Threads of LangGraph's own savers, on real servers, become threads of a user, and go on as if nothing had happened."""

from __future__ import annotations

import operator
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Annotated, Any, TypedDict
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.mongodb import MongoDBSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from langgraph.types import Command, interrupt
from psycopg.rows import DictRow
from pymongo import MongoClient

from memwarden import Memwarden, UserMemory
from memwarden.checkpoint.importing import Imported, import_thread
from memwarden.checkpoint.langgraph_savers import opened
from memwarden.db.migrate import create_database
from memwarden.errors import NotFoundError, NotImportedError, StateConflictError
from tests.checkpoint.mongodb_server import running_mongodb
from tests.conftest import Addresses

pytestmark = pytest.mark.slow
"""They hold conversations on two savers, and start a server of their own."""

Saver = BaseCheckpointSaver[Any]
TABLES = ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write", "thread")
READ_ONLY = "options=-c%20default_transaction_read_only%3Don"

_threads = count(1)


def joined(state: list[Any] | None, writes: Sequence[list[Any]]) -> list[Any]:
    """A reducer to which the order of writes matters."""
    return [*(state or []), *(item for write in writes for item in write)]


class Plain(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    log: Annotated[list[Any], operator.add]


class Delta(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], DeltaChannel(_messages_delta_reducer, snapshot_frequency=4)]
    log: Annotated[list[Any], DeltaChannel(joined, snapshot_frequency=50)]


class Asking(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]


@dataclass(frozen=True)
class Origin:
    """One of LangGraph's savers to write to, and its address to import from."""

    saver: Saver
    address: str


@pytest.fixture(scope="session")
async def postgresql(addresses: Addresses) -> AsyncIterator[Origin]:
    """LangGraph's saver in a database of its own on the test server, which is imported from without a right to write."""
    create_database(addresses.admin_other, "langgraph")
    address = addresses.other("langgraph")
    async with AsyncPostgresSaver.from_conn_string(address) as saver:
        await saver.setup()
        yield Origin(saver, f"{address}&{READ_ONLY}")


class InTheirOrder:
    """A collection of writes that gives them in the order in which they were applied.

    LangGraph's saver gives them as MongoDB does, and so rebuilds what parallel nodes wrote to a delta channel otherwise than
    it was. What is imported from it is not in that order either, and has to be all the same.
    """

    def __init__(self, collection: Any) -> None:
        self.bulk_write = collection.bulk_write
        self.delete_many = collection.delete_many
        self.collection = collection

    def find(self, query: dict[str, Any]) -> Any:
        return self.collection.find(query).sort(["task_path", "task_id", "idx"])


@pytest.fixture(scope="session")
async def mongodb(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Origin]:
    """LangGraph's saver on a server of MongoDB's protocol."""
    async with running_mongodb(tmp_path_factory.mktemp("langgraph")) as url:
        with MongoClient[dict[str, Any]](url) as client:
            saver: Any = MongoDBSaver(client)
            saver.writes_collection = InTheirOrder(saver.writes_collection)
            yield Origin(saver, url)


@pytest.fixture(params=["postgresql", "mongodb"])
def origin(request: pytest.FixtureRequest) -> Origin:
    """Each of the savers in turn."""
    found: Origin = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def thread() -> RunnableConfig:
    """A thread nobody else has."""
    return {"configurable": {"thread_id": f"thread-{next(_threads)}"}}


def name_of(config: RunnableConfig) -> str:
    return str(config["configurable"]["thread_id"])


async def imported(origin: Origin, target: Saver, thread: RunnableConfig, **options: Any) -> Imported:
    """Import a thread as the command does."""
    async with opened(origin.address) as source:
        return await import_thread(source.saver, target, name_of(thread), outline=source.outline, **options)


def talking(schema: type, saver: Saver) -> Any:
    """Return a graph with nodes that run beside each other, a subgraph that asks, and a conclusion."""

    def beside(name: str) -> Callable[[Any], dict[str, Any]]:
        def node(state: Any) -> dict[str, Any]:
            said = f"{name} {len(state['messages'])}"
            return {"messages": [AIMessage(said, id=said)], "log": [name, "long text " * 20]}

        return node

    def ask(state: Any) -> dict[str, Any]:
        answer = interrupt({"question": "may I?"})
        return {"messages": [AIMessage(f"told {answer}", id=f"told-{len(state['messages'])}")]}

    def conclude(state: Any) -> dict[str, Any]:
        return {"log": [[m.id for m in state["messages"]], len(state["log"])]}

    inner: Any = StateGraph(Asking)
    inner.add_node("ask", ask)
    inner.add_edge(START, "ask")
    inner.add_edge("ask", END)
    outer: Any = StateGraph(schema)
    # Neither the names nor the hashes that LangGraph makes of them are in the order of their being added.
    for name in ("zeta", "alpha", "mu", "beta"):
        outer.add_node(name, beside(name))
        outer.add_edge(START, name)
        outer.add_edge(name, "inner")
    outer.add_node("inner", inner.compile())
    outer.add_node("conclude", conclude)
    outer.add_edge("inner", "conclude")
    outer.add_edge("conclude", END)
    return outer.compile(checkpointer=saver)


def said(text: str) -> dict[str, Any]:
    return {"messages": [HumanMessage(text, id=text)], "log": [text]}


async def turns(graph: Any, thread: RunnableConfig, number: int) -> None:
    """Have turns of a conversation, the last one left with its question."""
    for turn in range(number):
        await graph.ainvoke(said(f"turn {turn}"), thread)
        if turn < number - 1:
            await graph.ainvoke(Command(resume=f"yes {turn}"), thread)


async def seen(graph: Any, thread: RunnableConfig) -> list[Any]:
    """Return what an application sees of every checkpoint of a thread, subgraphs included."""
    found = []
    async for state in graph.aget_state_history(thread):
        found.append(
            (
                state.values,
                state.next,
                state.config["configurable"]["checkpoint_id"],
                state.parent_config and state.parent_config["configurable"]["checkpoint_id"],
                state.created_at,
                {name: state.metadata.get(name) for name in ("source", "step", "parents")},
                [(task.id, task.name, task.interrupts, task.error) for task in state.tasks],
            )
        )
    return found


def outcome(result: dict[str, Any]) -> Any:
    asked = [(question.id, question.value) for question in result.get("__interrupt__", ())]
    return {**result, "__interrupt__": asked}


async def kept(saver: Saver, thread: RunnableConfig) -> list[CheckpointTuple]:
    return [found async for found in saver.alist(thread)]


async def rows(admin: psycopg.AsyncConnection[DictRow], user: UserMemory) -> dict[str, int]:
    found = {}
    for table in TABLES:
        cursor = await admin.execute(
            f"SELECT count(*) AS n FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
            (user.scope.tenant_id, user.scope.user_id),
        )
        row = await cursor.fetchone()
        found[table] = row["n"] if row else -1
    return found


@pytest.mark.parametrize("schema", [Plain, Delta])
async def test_an_imported_thread_is_the_same_and_goes_on_the_same(
    origin: Origin, user: UserMemory, thread: RunnableConfig, schema: type
) -> None:
    there = talking(schema, origin.saver)
    await turns(there, thread, 4)
    target = await user.checkpointer()
    done = await imported(origin, target, thread)
    here = talking(schema, target)

    space: RunnableConfig = {"configurable": {**thread["configurable"], "checkpoint_ns": ""}}
    assert len(await kept(target, space)) == len(await kept(origin.saver, space))
    assert done.checkpoints == len(await kept(origin.saver, thread)) == len(await kept(target, thread))
    assert done.namespaces == len(
        {found.config["configurable"]["checkpoint_ns"] for found in await kept(target, thread)}
    )
    assert done.namespaces == 5
    assert done.writes == sum(len(found.pending_writes or []) for found in await kept(target, thread))
    assert await seen(here, thread) == await seen(there, thread)
    inside = await here.aget_state(thread, subgraphs=True)
    assert inside.tasks[0].state.tasks[0].interrupts[0].value == {"question": "may I?"}

    for saver_graph in (here, there):
        await saver_graph.ainvoke(Command(resume="at last"), thread)
    assert (await here.aget_state(thread)).values == (await there.aget_state(thread)).values
    assert (
        outcome(await here.ainvoke(said("one more"), thread))["log"]
        == (outcome(await there.ainvoke(said("one more"), thread))["log"])
    )
    assert (await here.aget_state(thread)).values == (await there.aget_state(thread)).values


@pytest.mark.parametrize("schema", [Plain, Delta])
async def test_branches_of_a_thread_stay_apart(
    origin: Origin, user: UserMemory, thread: RunnableConfig, schema: type
) -> None:
    there = talking(schema, origin.saver)
    await turns(there, thread, 2)
    past = [state.config async for state in there.aget_state_history(thread)]
    # Two branches from one checkpoint: a saver that counts versions in numbers gives both the same ones.
    for turn, config in enumerate((past[-2], past[-2], past[len(past) // 2])):
        await there.aupdate_state(config, {"log": [f"branch {turn}"]}, as_node="alpha")
        await there.ainvoke(None, config)
    await there.ainvoke(said("from an earlier one"), past[3])
    target = await user.checkpointer()
    await imported(origin, target, thread)
    here = talking(schema, target)
    assert await seen(here, thread) == await seen(there, thread)
    for config in (past[-2], past[2], thread):
        assert (await here.aget_state(config)).values == (await there.aget_state(config)).values
    values = []
    for graph in (here, there):
        await graph.aupdate_state(past[2], {"messages": [RemoveMessage(id="turn 0")]}, as_node="alpha")
        await graph.ainvoke(said("later"), thread)
        values.append((await graph.aget_state(thread)).values)
    assert values[0] == values[1]


@pytest.mark.parametrize("schema", [Plain, Delta])
async def test_a_step_that_was_half_done_is_finished_in_its_order(
    origin: Origin, user: UserMemory, thread: RunnableConfig, schema: type
) -> None:
    failing = [True]

    def first(state: Any) -> dict[str, Any]:
        return {"log": ["first"]}

    def middle(state: Any) -> dict[str, Any]:
        if failing[0]:
            raise ValueError("not yet")
        return {"log": ["middle"]}

    def last(state: Any) -> dict[str, Any]:
        return {"log": ["last"]}

    def built(saver: Saver) -> Any:
        builder: Any = StateGraph(schema)
        for name, node in (("n-9", last), ("n-5", middle), ("n-1", first)):
            builder.add_node(name, node)
            builder.add_edge(START, name)
            builder.add_edge(name, "end")
        builder.add_node("end", lambda state: {"log": [list(state["log"])]})
        builder.add_edge("end", END)
        return builder.compile(checkpointer=saver)

    with pytest.raises(ValueError, match="not yet"):
        await built(origin.saver).ainvoke(said("go"), thread)
    target = await user.checkpointer()
    await imported(origin, target, thread)
    failing[0] = False
    here, there = built(target), built(origin.saver)
    ran = (await here.ainvoke(None, thread))["log"]
    assert ran == ["go", "first", "middle", "last", ["go", "first", "middle", "last"]]
    assert (await there.ainvoke(None, thread))["log"] == ran
    assert (await here.aget_state(thread)).values["log"] == ran


async def test_who_was_named_in_the_configuration_does_not_come_along(
    origin: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    named = {**thread["configurable"], "user_email": "asha@example.com", "region": "south"}
    await talking(Plain, origin.saver).ainvoke(said("hello"), {"configurable": named, "run_id": None})
    assert (await kept(origin.saver, thread))[0].metadata["user_email"] == "asha@example.com"  # type: ignore[typeddict-item]
    target = await user.checkpointer()
    await imported(origin, target, thread, metadata=["region"])
    for found in await kept(target, thread):
        assert set(found.metadata) <= {"source", "step", "parents", "run_id", "region"}
        assert found.metadata["region"] == "south"  # type: ignore[typeddict-item]
    assert [found async for found in target.alist(thread, filter={"user_email": "asha@example.com"})] == []


async def test_an_imported_thread_is_its_users_only(
    postgresql: Origin, memwarden: Memwarden, user: UserMemory, thread: RunnableConfig
) -> None:
    await talking(Plain, postgresql.saver).ainvoke(said("hello"), thread)
    await imported(postgresql, await user.checkpointer(), thread, into="another id")
    other = await memwarden.user("acme", f"{user.scope.user_id}-other").checkpointer()
    assert await kept(other, {"configurable": {"thread_id": "another id"}}) == []
    assert await kept(await user.checkpointer(), thread) == []
    assert await kept(await user.checkpointer(), {"configurable": {"thread_id": "another id"}}) != []


class Delegating(BaseCheckpointSaver[str]):
    """A saver that passes on what it is asked for; others change something on the way."""

    def __init__(self, saver: Saver) -> None:
        super().__init__(serde=saver.serde)
        self.inner = saver

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        return await self.inner.aget_tuple(config)

    async def alist(self, config: RunnableConfig | None, **options: Any) -> AsyncIterator[CheckpointTuple]:
        async for found in self.inner.alist(config, **options):
            yield found

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        return await self.inner.aput(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        await self.inner.aput_writes(config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        await self.inner.adelete_thread(thread_id)


class Killed(BaseException):
    """What ends a process, as far as a test can have it without ending."""


class Dying(Delegating):
    """Lets a number of writes through, and then no more."""

    def __init__(self, saver: Saver, left: int) -> None:
        super().__init__(saver)
        self.left = left

    def _live(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Killed

    async def aput(self, *args: Any) -> RunnableConfig:
        self._live()
        return await super().aput(*args)

    async def aput_writes(self, *args: Any) -> None:
        self._live()
        await super().aput_writes(*args)


async def test_killed_anywhere_it_is_completed_by_the_next_run(
    postgresql: Origin, memwarden: Memwarden, user: UserMemory, thread: RunnableConfig
) -> None:
    there = talking(Delta, postgresql.saver)
    await turns(there, thread, 1)
    await there.ainvoke(Command(resume="yes"), thread)
    whole = await user.checkpointer()
    await imported(postgresql, whole, thread)
    expected = await seen(talking(Delta, whole), thread)
    assert expected == await seen(there, thread)
    for left in count():
        target = await memwarden.user("acme", f"{user.scope.user_id}-{left}").checkpointer()
        try:
            await imported(postgresql, Dying(target, left), thread)
        except Killed:
            assert len(await kept(target, thread)) < len(await kept(whole, thread))
        else:
            break
        assert (await imported(postgresql, target, thread)).checkpoints > 0
        assert await seen(talking(Delta, target), thread) == expected
        assert await imported(postgresql, target, thread) == Imported()
    assert left == 20


@pytest.mark.parametrize("schema", [Plain, Delta])
async def test_imported_again_nothing_is_done(
    origin: Origin,
    user: UserMemory,
    thread: RunnableConfig,
    admin: psycopg.AsyncConnection[DictRow],
    schema: type,
) -> None:
    await turns(talking(schema, origin.saver), thread, 2)
    target = await user.checkpointer()
    assert (await imported(origin, target, thread)).checkpoints > 5
    before = await rows(admin, user)
    assert await imported(origin, Dying(target, 0), thread) == Imported()
    assert await rows(admin, user) == before


async def test_what_came_at_the_source_since_is_added(
    origin: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    there = talking(Delta, origin.saver)
    await turns(there, thread, 2)
    target = await user.checkpointer()
    first = await imported(origin, target, thread)
    await there.ainvoke(Command(resume="and on"), thread)
    second = await imported(origin, target, thread)
    # The checkpoint that had the question is written again, with its answer.
    assert 0 < second.checkpoints < first.checkpoints
    assert await seen(talking(Delta, target), thread) == await seen(there, thread)


@pytest.mark.parametrize("answer", [True, False])
async def test_a_thread_that_went_on_here_is_left_alone(
    origin: Origin, user: UserMemory, thread: RunnableConfig, answer: bool
) -> None:
    there = talking(Delta, origin.saver)
    await turns(there, thread, 2)
    target = await user.checkpointer()
    await imported(origin, target, thread)
    here = talking(Delta, target)
    await here.ainvoke(Command(resume="here") if answer else said("another question"), thread)
    went_on = await seen(here, thread)
    assert await imported(origin, target, thread) == Imported()
    assert await seen(here, thread) == went_on

    # Where both went on, neither is what the other should become.
    await there.ainvoke(Command(resume="there"), thread)
    with pytest.raises(StateConflictError, match="went on by itself"):
        await imported(origin, target, thread)
    assert await seen(here, thread) == went_on


async def test_another_thread_of_the_same_id_is_left_alone(
    postgresql: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    await turns(talking(Plain, postgresql.saver), thread, 1)
    target = await user.checkpointer()
    here = talking(Plain, target)
    await here.ainvoke(said("mine"), thread)
    mine = await seen(here, thread)
    with pytest.raises(StateConflictError):
        await imported(postgresql, target, thread)
    assert await seen(here, thread) == mine


@pytest.mark.parametrize("what", ["a time", "the question"])
async def test_a_thread_that_was_altered_here_is_left_alone(
    postgresql: Origin, user: UserMemory, thread: RunnableConfig, what: str
) -> None:
    await turns(talking(Plain, postgresql.saver), thread, 1)
    target = await user.checkpointer()
    await imported(postgresql, target, thread)
    space: RunnableConfig = {"configurable": {**thread["configurable"], "checkpoint_ns": ""}}
    head, below, *_ = await kept(target, space)
    if what == "a time":
        assert below.parent_config is not None
        altered: Any = {**below.checkpoint, "ts": "2020-01-01T00:00:00+00:00"}
        await target.aput(below.parent_config, altered, below.metadata, {})
    else:
        await target.aput_writes(
            head.config, [("__interrupt__", "another?")], (head.pending_writes or [])[0][0]
        )
    mine = await kept(target, thread)
    with pytest.raises(StateConflictError, match="another one"):
        await imported(postgresql, target, thread)
    assert await kept(target, thread) == mine


class Lossy(Delegating):
    """Keeps something else than it was given."""

    def __init__(self, saver: Saver, loss: Callable[..., Any], of: str) -> None:
        super().__init__(saver)
        self.loss = loss
        self.of = of

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> RunnableConfig:
        given = {"config": config, "checkpoint": checkpoint, "metadata": metadata}
        if self.of in given:
            given[self.of] = self.loss(given[self.of])
        return await super().aput(**given, new_versions=new_versions)

    async def aput_writes(self, config: Any, writes: Any, task_id: Any, task_path: str = "") -> None:
        if self.of == "writes":
            writes = self.loss(writes)
        if self.of == "order":
            task_path = self.loss(task_path)
        if writes:
            await super().aput_writes(config, writes, task_id, task_path)


def without_parent(config: RunnableConfig) -> RunnableConfig:
    return {
        "configurable": {
            name: value for name, value in config["configurable"].items() if name != "checkpoint_id"
        }
    }


@pytest.mark.parametrize(
    ("of", "loss"),
    [
        ("checkpoint", lambda it: {**it, "channel_values": {}}),
        ("checkpoint", lambda it: {**it, "versions_seen": {}}),
        ("checkpoint", lambda it: {**it, "ts": "2020-01-01T00:00:00+00:00"}),
        ("metadata", lambda it: {**it, "step": 7}),
        ("metadata", lambda it: {**it, "user_email": "asha@example.com"}),
        ("config", without_parent),
        ("writes", lambda it: it[1:]),
        ("writes", lambda it: [*it, ("log", ["more"])]),
        ("writes", lambda it: [(channel, None) for channel, _ in it]),
        ("order", lambda _: ""),
    ],
    ids=[
        "values",
        "versions seen",
        "time",
        "metadata",
        "more metadata",
        "parents",
        "a write",
        "more writes",
        "what was written",
        "the order",
    ],
)
async def test_a_copy_that_is_not_the_same_is_removed(
    postgresql: Origin,
    user: UserMemory,
    thread: RunnableConfig,
    admin: psycopg.AsyncConnection[DictRow],
    of: str,
    loss: Callable[..., Any],
) -> None:
    await turns(talking(Delta, postgresql.saver), thread, 2)
    target = await user.checkpointer()
    with pytest.raises(NotImportedError, match="did not read back") as raised:
        await imported(postgresql, Lossy(target, loss, of), thread)
    assert "turn" not in str(raised.value)
    assert set((await rows(admin, user)).values()) == {0}
    assert (await imported(postgresql, target, thread)).checkpoints > 0


@pytest.mark.parametrize("far", [True, False])
async def test_a_thread_somebody_goes_on_with_meanwhile_is_not_removed(
    postgresql: Origin, user: UserMemory, thread: RunnableConfig, far: bool
) -> None:
    await turns(talking(Plain, postgresql.saver), thread, 1)
    target = await user.checkpointer()
    here = talking(Plain, target)

    class Busy(Delegating):
        """Has a user who goes on as soon as there is something to go on with, and may not have come far."""

        async def aput(self, *args: Any) -> RunnableConfig:
            done = await super().aput(*args)
            if args[2]["step"] == 1 and far:
                await here.ainvoke(said("already here"), thread)
            elif args[2]["step"] == 1:
                await target.aput_writes(done, [("log", ["already here"])], str(uuid4()), "~here")
            return done

    with pytest.raises(StateConflictError, match="went on"):
        await imported(postgresql, Busy(target), thread)
    assert await kept(target, thread) != []
    if far:
        assert "already here" in (await here.aget_state(thread)).values["log"]


async def test_what_was_erased_does_not_come_back(
    origin: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    there = talking(Plain, origin.saver)
    await turns(there, thread, 2)
    target = await user.checkpointer()
    began = [found async for found in origin.saver.alist(thread)][-1].checkpoint["ts"]

    def erased(at: datetime | None) -> Callable[[], Awaitable[datetime | None]]:
        async def asked() -> datetime | None:
            return at

        return asked

    now = datetime.now(UTC)
    with pytest.raises(StateConflictError, match="erased"):
        await imported(origin, target, thread, erased_at=erased(now))
    with pytest.raises(StateConflictError, match="erased"):
        await imported(origin, target, thread, erased_at=erased(datetime.fromisoformat(began)))
    assert await kept(target, thread) == []
    before = datetime.fromisoformat(began) - timedelta(milliseconds=1)
    assert (await imported(origin, target, thread, erased_at=erased(before))).checkpoints > 0

    async def erases_now() -> datetime | None:
        await user.forget_everything()
        return None

    late: RunnableConfig = {"configurable": {"thread_id": f"{name_of(thread)}-late"}}
    await turns(there, late, 1)
    with pytest.raises(NotImportedError):
        await imported(origin, target, late, erased_at=erases_now)
    assert await kept(target, late) == []


async def test_a_thread_whose_beginning_was_pruned_may_be_older_than_the_erasure(
    postgresql: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    await turns(talking(Plain, postgresql.saver), thread, 2)
    await postgresql.saver.aprune([name_of(thread)])
    target = await user.checkpointer()

    async def long_ago() -> datetime | None:
        return datetime(2020, 1, 1, tzinfo=UTC)

    with pytest.raises(StateConflictError):
        await imported(postgresql, target, thread, erased_at=long_ago)
    await imported(postgresql, target, thread)
    here, there = talking(Plain, target), talking(Plain, postgresql.saver)
    for graph in (here, there):
        await graph.ainvoke(Command(resume="yes"), thread)
    assert (await here.aget_state(thread)).values == (await there.aget_state(thread)).values


async def test_a_thread_that_is_not_there(origin: Origin, user: UserMemory, thread: RunnableConfig) -> None:
    with pytest.raises(NotFoundError):
        await imported(origin, await user.checkpointer(), thread)


async def test_a_long_thread(origin: Origin, user: UserMemory, thread: RunnableConfig) -> None:
    there = talking(Plain, origin.saver)
    await turns(there, thread, 12)
    target = await user.checkpointer()
    done = await imported(origin, target, thread)
    assert done.checkpoints > 64
    assert await seen(talking(Plain, target), thread) == await seen(there, thread)


@dataclass
class Ticket:
    """A type of an application's."""

    number: int


class Ticketed(TypedDict, total=False):
    ticket: Any


async def test_objects_of_other_types_are_read_when_allowed_and_never_flattened(
    origin: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    builder: Any = StateGraph(Ticketed)
    builder.add_node("issue", lambda state: {"ticket": [Ticket(7)]})
    builder.add_edge(START, "issue")
    builder.add_edge("issue", END)
    await builder.compile(checkpointer=origin.saver).ainvoke({"ticket": None}, thread)
    target = await user.checkpointer()
    with pytest.raises(NotImportedError, match=f"--allow-type {Ticket.__module__}:Ticket"):
        await imported(origin, target, thread)
    assert await kept(target, thread) == []

    types = [(Ticket.__module__, "Ticket")]
    allowing = target.with_allowlist(types)
    async with opened(origin.address, types) as source:
        await import_thread(source.saver, allowing, name_of(thread), outline=source.outline)
    assert (await kept(allowing, thread))[0].checkpoint["channel_values"]["ticket"] == [Ticket(7)]


async def test_what_came_over_stays_when_more_of_it_cannot_be_read(
    postgresql: Origin, user: UserMemory, thread: RunnableConfig
) -> None:
    builder: Any = StateGraph(Ticketed)
    builder.add_node("issue", lambda state: {"ticket": Ticket(7) if state["ticket"] == "go" else None})
    builder.add_edge(START, "issue")
    builder.add_edge("issue", END)
    graph = builder.compile(checkpointer=postgresql.saver)
    await graph.ainvoke({"ticket": "not yet"}, thread)
    target = await user.checkpointer()
    first = await imported(postgresql, target, thread)
    await graph.ainvoke({"ticket": "go"}, thread)
    with pytest.raises(NotImportedError):
        await imported(postgresql, target, thread)
    assert len(await kept(target, thread)) >= first.checkpoints


class Remembering(InMemorySaver):
    """LangGraph's saver in memory, counting versions in any kind of number."""

    def __init__(self, step: float) -> None:
        super().__init__()
        self.step = step

    def get_next_version(self, current: Any, channel: None) -> Any:
        return self.step if current is None else current + self.step


@pytest.mark.parametrize("step", [1, 0.25])
@pytest.mark.parametrize("schema", [Plain, Delta])
async def test_any_saver_can_be_imported_from_by_what_it_shows(
    user: UserMemory, thread: RunnableConfig, schema: type, step: float
) -> None:
    source = Remembering(step)
    there = talking(schema, source)
    await turns(there, thread, 9)
    target = await user.checkpointer()
    await import_thread(source, target, name_of(thread))
    here = talking(schema, target)
    assert await seen(here, thread) == await seen(there, thread)
    for graph in (here, there):
        await graph.ainvoke(Command(resume="yes"), thread)
    assert (await here.aget_state(thread)).values == (await there.aget_state(thread)).values
