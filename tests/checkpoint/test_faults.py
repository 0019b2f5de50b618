"""A process is killed at any moment of anything it does to a thread: the thread is as it was before, or as it is after."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from typing import Annotated, Any, TypedDict, cast
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointTuple
from langgraph.checkpoint.base.id import uuid6
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import _messages_delta_reducer, add_messages
from langgraph.types import Command, interrupt

from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.wide_items import unpacked_pieces
from memwarden.checkpoint.wide_lease import LASTS
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.model.scope import Scope
from tests.checkpoint.conftest import OwnRows
from tests.checkpoint.dying_rows import DyingRows, KilledError
from tests.checkpoint.raw_thread import RawThread, faults, plant, raw
from tests.conftest import MovableClock

pytestmark = pytest.mark.slow

ONE, OTHER, NEW = "one", "other", "new"
"""Threads: one that something is done to, another that is there, and one that is not there yet."""

SMALL = 400
"""Bytes of an item, so that checkpoints, values and writes of a few messages are in pieces, and the messages too."""

History = tuple[list[CheckpointTuple], Any]
"""The checkpoints of a thread in all namespaces, and what the latest one's deltas are rebuilt from."""

_users = count(1)


class State(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    log: Annotated[list[AnyMessage], DeltaChannel(_messages_delta_reducer, snapshot_frequency=2)]
    data: Any


def place(thread_id: str, **more: Any) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, **more}}


def graph(saver: ScopedSaver) -> Any:
    """Return a graph that answers what is said, or asks back, or leaves it to a graph within, where the message says so."""

    def talk(state: State) -> dict[str, Any]:
        said = state["messages"][-1].text
        answer = interrupt(said) if said.startswith("ask") else "noted"
        return {"messages": [AIMessage(answer)], "log": [AIMessage(f"after {said[:9]}")]}

    within = StateGraph(State).add_node(talk).add_edge(START, "talk").add_edge("talk", END)
    builder: Any = StateGraph(State)
    builder.add_node("within", within.compile(checkpointer=True))
    builder.add_node(talk)
    builder.add_conditional_edges(
        START, lambda state: "within" if state["messages"][-1].text.startswith("within") else "talk"
    )
    builder.add_edge("within", END)
    builder.add_edge("talk", END)
    return builder.compile(checkpointer=saver)


async def said(saver: ScopedSaver, thread_id: str, text: str, run: str, **how: Any) -> Any:
    """Say something in a thread, and return the state after that."""
    config = place(thread_id) | {"metadata": {"run_id": run}}
    given = {"messages": [HumanMessage(text)], "data": scattered()}
    return await graph(saver).ainvoke(given, config, **how)


def scattered() -> list[int]:
    """Return few things in so many places that the numbers of their parts fill more than one small item."""
    return [byte % 16 for byte in os.urandom(2 * SMALL)]


async def goes_on(saver: ScopedSaver, thread_id: str, before: Any) -> Any:
    """Answer what a thread asks, or say something; everything said and noted before has to be there still."""
    text = uuid4().hex
    asks = before.get("__interrupt__")
    given: Any = Command(resume=text) if asks else {"messages": [HumanMessage(text)]}
    after = await graph(saver).ainvoke(given, place(thread_id), durability="exit")
    talk = [m.text for m in before.get("messages", ())]
    assert [m.text for m in after["messages"]] == [*talk, text, *([] if asks else ["noted"])]
    assert [m.text for m in after["log"]][:-1] == [m.text for m in before.get("log", ())]
    assert after.get("data") == before.get("data")
    return after


@dataclass(frozen=True)
class Prepared:
    """Two threads as they are before, and what is put next."""

    threads: dict[str, RawThread]
    config: RunnableConfig
    checkpoint: Checkpoint
    metadata: Any
    versions: ChannelVersions
    written: dict[str, tuple[RunnableConfig, list[tuple[str, Any]], str]]
    """What a task wrote after a checkpoint of each thread, which is there already."""
    limit: int | None
    clock: MovableClock


def somebody() -> Scope:
    return Scope("faults", f"user-{next(_users)}-{uuid4().hex[:6]}")


async def prepared(rows: WideRows, *, limit: int | None, size: int) -> Prepared:
    """Make the threads: some turns, the last of which waits for an answer, with a message of ``size``; and one turn."""
    scope, clock = somebody(), MovableClock()
    saver = ScopedSaver(WideEngine(DyingRows(rows, limit=limit), clock=clock), scope, clock=clock)
    await said(saver, ONE, "within " + os.urandom(size).hex(), "run-1", durability="exit")
    await said(saver, ONE, "hello", "run-0", durability="exit")
    await said(saver, ONE, "ask " + "x" * 2_000, "run-2")
    await said(saver, OTHER, "elsewhere", "run-3")
    head = await saver.aget_tuple(place(ONE))
    assert head is not None
    held = head.checkpoint
    version = saver.get_next_version(max(str(v) for v in held["channel_versions"].values()), None)
    messages = [*held["channel_values"]["messages"], AIMessage("put " + "y" * 1_700, id="put")]
    following = held | {
        "id": str(uuid6()),
        "channel_values": held["channel_values"] | {"messages": messages, "data": scattered()},
        "channel_versions": held["channel_versions"] | {"messages": version, "data": version},
    }
    return Prepared(
        {ONE: await raw(rows, scope, ONE), OTHER: await raw(rows, scope, OTHER)},
        head.config,
        cast("Checkpoint", following),
        {"step": 9, "run_id": "run-9", "note": os.urandom(size).hex()},
        {"messages": version, "data": version},
        {thread_id: await _written(saver, thread_id) for thread_id in (ONE, OTHER)},
        limit,
        clock,
    )


async def _written(saver: ScopedSaver, thread_id: str) -> tuple[RunnableConfig, list[tuple[str, Any]], str]:
    at_root = saver.alist(place(thread_id, checkpoint_ns=""))
    found = [one async for one in at_root if one.pending_writes and "source" in one.metadata][-1]
    assert found.pending_writes
    task = found.pending_writes[0][0]
    return (
        found.config,
        [(channel, value) for other, channel, value in found.pending_writes if other == task],
        task,
    )


async def _put(saver: ScopedSaver, given: Prepared) -> None:
    await saver.aput(given.config, given.checkpoint, given.metadata, given.versions)


async def _put_first(saver: ScopedSaver, given: Prepared) -> None:
    versions = given.checkpoint["channel_versions"]
    await saver.aput(place(NEW, checkpoint_ns=""), given.checkpoint, {"step": -1}, versions)


async def _put_writes(saver: ScopedSaver, given: Prepared) -> None:
    writes = [("data", "written " * 200), ("messages", [AIMessage("z" * 1_600, id="w")])]
    await saver.aput_writes(given.config, writes, "a-task", "a-path")


async def _prune(saver: ScopedSaver, _: Prepared) -> None:
    await saver.aprune([ONE])


async def _delete_runs(saver: ScopedSaver, _: Prepared) -> None:
    await saver.adelete_for_runs(["run-2"])


async def _delete(saver: ScopedSaver, _: Prepared) -> None:
    await saver.adelete_thread(ONE)


async def _copy(saver: ScopedSaver, _: Prepared) -> None:
    await saver.acopy_thread(ONE, NEW)


async def _copy_to_other(saver: ScopedSaver, _: Prepared) -> None:
    await saver.acopy_thread(ONE, OTHER)


OPERATIONS = {
    "put": _put,
    "the first put": _put_first,
    "writes": _put_writes,
    "prune": _prune,
    "delete runs": _delete_runs,
    "delete": _delete,
    "copy": _copy,
    "copy to a thread that is there": _copy_to_other,
}


WHERE = {"the first put": NEW, "copy": NEW, "copy to a thread that is there": OTHER}
"""The thread that an operation changes, where it is not the one."""


async def history(saver: ScopedSaver, thread_id: str) -> History:
    """Return everything that is read of a thread."""
    found = [one async for one in saver.alist(place(thread_id))]
    latest = next((one for one in found if not one.config["configurable"]["checkpoint_ns"]), None)
    deltas = latest and await saver.aget_delta_channel_history(config=latest.config, channels=["log"])
    return found, deltas


@dataclass
class World:
    """A user with threads as they were prepared, and the savers of several processes."""

    rows: WideRows
    given: Prepared

    def __post_init__(self) -> None:
        self.scope = somebody()
        self.clock = MovableClock(self.given.clock.now)
        self.dying = DyingRows(self.rows, limit=self.given.limit)

    async def planted(self, *thread_ids: str) -> None:
        """Let threads be there."""
        for thread_id in thread_ids:
            if thread_id in self.given.threads:
                await plant(self.rows, self.scope, thread_id, self.given.threads[thread_id])

    def saver(self, rows: WideRows | None = None) -> ScopedSaver:
        """Return the saver of another process."""
        engine = WideEngine(rows or DyingRows(self.rows, limit=self.given.limit), clock=self.clock)
        return ScopedSaver(engine, self.scope, clock=self.clock)

    async def let_know(self, saver: ScopedSaver, thread_id: str) -> None:
        """Let a saver know what parts a thread has: it writes again what is there."""
        await saver.aget_tuple(place(thread_id))
        if thread_id in self.given.written:
            await saver.aput_writes(*self.given.written[thread_id])


@dataclass(frozen=True)
class Expected:
    """What is read of the thread that an operation changes, before and after, and the state that a graph finds then."""

    before: History
    after: History
    states: tuple[Any, Any]


async def expected(rows: WideRows, given: Prepared, operation: str) -> Expected:
    """Do an operation that nothing happens to."""
    world, changed = World(rows, given), WHERE.get(operation, ONE)
    await world.planted(*{ONE, changed})
    saver = world.saver()
    before, state = await history(saver, changed), await _state(saver, changed)
    await OPERATIONS[operation](saver, given)
    done = Expected(before, await history(saver, changed), (state, await _state(saver, changed)))
    assert done.before != done.after
    return done


async def _state(saver: ScopedSaver, thread_id: str) -> Any:
    found = await graph(saver).aget_state(place(thread_id))
    return found.values | ({"__interrupt__": found.interrupts} if found.interrupts else {})


async def dies(world: World, operation: str, wanted: Expected, moment: int, *, knowing: bool) -> bool:
    """Let a process die at a moment of an operation, and see what others find; return whether it came to die at all."""
    changed = WHERE.get(operation, ONE)
    await world.planted(*{ONE, changed})
    actor, bystander, fresh = world.saver(world.dying), world.saver(), world.saver()
    await (world.let_know(actor, changed) if knowing else actor.aget_tuple(place(changed)))
    # Of those who remember the thread one goes on: the actor too, where it was not killed but had no store for a while.
    one = (bystander, actor)[moment % 2]
    if one is bystander:
        await world.let_know(bystander, changed)
    world.dying.arm(moment)
    died = False
    try:
        await OPERATIONS[operation](actor, world.given)
    except KilledError:
        died = True
    world.dying.revive()
    world.clock.advance(LASTS + timedelta(seconds=1))

    seen = await history(fresh, changed)
    assert seen == wanted.after or (died and seen == wanted.before)
    state = wanted.states[seen == wanted.after]
    for saver in (one, fresh):
        state = await goes_on(saver, changed, state)
    await fresh.aprune([changed])
    assert faults(await raw(world.rows, world.scope, changed)) == []
    return died


async def dies_at(
    store: OwnRows, given: Prepared, operation: str, moments: Iterable[int], *, knowing: bool = True
) -> int:
    """Let processes die at these moments of an operation; return the first that it does not have, or 0."""
    wanted = await expected(store.rows, given, operation)
    for moment in moments:
        await store.emptied()
        if not await dies(World(store.rows, given), operation, wanted, moment, knowing=knowing):
            return moment
    return 0


@pytest.fixture(scope="module")
async def in_pieces(own_mongodb: OwnRows) -> Prepared:
    """Threads in which nearly everything is in pieces."""
    given = await prepared(own_mongodb.rows, limit=SMALL, size=SMALL)
    items = given.threads[ONE].items
    assert {key[0] for key in items} == set("cnpvwx")
    assert {key[0] for key, data in items.items() if key[0] in "cvw" and unpacked_pieces(data)} == set("cvw")
    return given


@pytest.mark.parametrize("operation", OPERATIONS)
async def test_whoever_dies_leaves_a_thread_as_it_was_or_as_it_would_be(
    own_mongodb: OwnRows, in_pieces: Prepared, operation: str
) -> None:
    assert await dies_at(own_mongodb, in_pieces, operation, count(1)) > 5


async def test_whoever_does_not_know_the_thread_dies_as_well(
    own_mongodb: OwnRows, in_pieces: Prepared
) -> None:
    assert await dies_at(own_mongodb, in_pieces, "put", count(1), knowing=False) > 5


async def test_what_is_above_the_stores_own_limit(own_mongodb: OwnRows) -> None:
    given = await prepared(own_mongodb.rows, limit=None, size=own_mongodb.rows.limit)
    assert await dies_at(own_mongodb, given, "put", (6,)) == 0


async def test_some_of_it_on_dynamodb(dynamodb_rows: WideRows) -> None:
    async def not_emptied() -> None:
        pass

    store, given = OwnRows(dynamodb_rows, not_emptied), await prepared(dynamodb_rows, limit=SMALL, size=SMALL)
    assert await dies_at(store, given, "prune", (12,)) == 0
