"""Threads in wide rows that end by themselves: gone at once when nobody went on for so long, and never by halves."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from pymongo.asynchronous.collection import AsyncCollection

from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.dynamodb import items_partition, threads_partition
from memwarden.checkpoint.wide_lease import LASTS
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.errors import NotFoundError, ThreadBusyError
from memwarden.model.scope import Scope
from tests.checkpoint.conftest import TABLE, OwnRows
from tests.checkpoint.dying_rows import DyingRows, KilledError
from tests.checkpoint.raw_thread import faults, raw
from tests.checkpoint.wide_rows_contract import Horizons
from tests.conftest import MovableClock

pytestmark = pytest.mark.slow

KEEP = timedelta(days=30)
PLACE: RunnableConfig = {"configurable": {"thread_id": "t"}}
TICK = timedelta(microseconds=1)


@dataclass
class Keeper:
    """A user whose threads end, on a clock that is moved, far enough ahead that no store removes anything by itself."""

    rows: WideRows
    scope: Scope = field(default_factory=lambda: Scope("time to live", f"user-{uuid4().hex[:12]}"))
    clock: MovableClock = field(default_factory=lambda: MovableClock(datetime(2090, 1, 1, tzinfo=UTC)))

    def saver(self, rows: WideRows | None = None, keep: timedelta | None = KEEP) -> ScopedSaver:
        """Return the saver of another process."""
        return ScopedSaver(
            WideEngine(rows or self.rows, keep=keep, clock=self.clock), self.scope, clock=self.clock
        )

    async def say(self, text: str, saver: ScopedSaver | None = None) -> list[str]:
        """Hold a turn in the thread, and return all that is said in it then."""

        def node(state: MessagesState) -> dict[str, Any]:
            return {"messages": [AIMessage("noted")]}

        builder = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
        graph = builder.compile(checkpointer=saver or self.saver())
        after = await graph.ainvoke({"messages": [HumanMessage(text)]}, PLACE, durability="exit")
        return [message.text for message in after["messages"] if message.type == "human"]

    async def said(self) -> list[str]:
        """Return all that is said in the thread, as somebody reads it who was not there."""
        found = await self.saver().aget_tuple(PLACE)
        messages = [] if found is None else found.checkpoint["channel_values"]["messages"]
        return [message.text for message in messages if message.type == "human"]


async def test_a_thread_nobody_went_on_with_is_gone_at_once(own_mongodb: OwnRows) -> None:
    keeper = Keeper(own_mongodb.rows)
    saver = keeper.saver()
    await keeper.say("an old secret", saver)
    keeper.clock.advance(KEEP)
    assert await keeper.said() == ["an old secret"]
    assert len([found async for found in saver.alist(None)]) > 0

    keeper.clock.advance(TICK)
    for one in (saver, keeper.saver()):
        assert await one.aget_tuple(PLACE) is None
        assert [found async for found in one.alist(None)] == []
        assert [found async for found in one.alist(PLACE)] == []
        await one.aprune(["t"])
        with pytest.raises(NotFoundError):
            await one.acopy_thread("t", "copy")


@pytest.mark.parametrize("remembers", [True, False])
async def test_a_run_under_the_same_name_begins_anew(own_mongodb: OwnRows, remembers: bool) -> None:
    keeper = Keeper(own_mongodb.rows)
    saver = keeper.saver()
    await keeper.say("an old secret " + "x" * 3_000, saver)
    old = (await raw(keeper.rows, keeper.scope, "t")).items
    keeper.clock.advance(KEEP + TICK)
    assert await keeper.say("hello", saver if remembers else None) == ["hello"]
    new = await raw(keeper.rows, keeper.scope, "t")
    assert not old.keys() & new.items.keys()
    await saver.aprune(["t"])
    assert faults(await raw(keeper.rows, keeper.scope, "t")) == []


async def test_a_run_whose_thread_ended_meanwhile_is_told(own_mongodb: OwnRows) -> None:
    keeper = Keeper(own_mongodb.rows)
    saver = keeper.saver()
    await keeper.say("an old secret", saver)
    found = await saver.aget_tuple(PLACE)
    assert found is not None
    keeper.clock.advance(KEEP + TICK)
    with pytest.raises(ThreadBusyError):
        await saver.aput(found.config, found.checkpoint | {"id": "1f" + "f" * 30}, {"step": 1}, {})
    assert await keeper.said() == []


async def test_threads_that_ended_by_themselves_stay_where_they_no_longer_do(
    own_mongodb: OwnRows, horizons: Horizons
) -> None:
    keeper = Keeper(own_mongodb.rows)
    await keeper.say("hello")
    assert None not in (await horizons(keeper.scope, "t")).values()
    await keeper.say("and more", keeper.saver(keep=None))
    assert set((await horizons(keeper.scope, "t")).values()) == {None}


@pytest.fixture(scope="module")
def horizons(own_collection: AsyncCollection[dict[str, Any]]) -> Horizons:
    async def found(scope: Scope, thread_id: str) -> dict[str | None, datetime | None]:
        mine = {"tenant_id": scope.tenant_id, "user_id": scope.user_id, "thread_id": thread_id}
        documents = await own_collection.find(mine, {"key": True, "horizon": True}).to_list()
        return {document.get("key"): _date(document.get("horizon")) for document in documents}

    return found


def _date(stored: datetime | str | None) -> datetime | None:
    # The stand-in keeps a date as text once it was updated.
    moment = datetime.fromisoformat(stored) if isinstance(stored, str) else stored
    return None if moment is None else moment.replace(tzinfo=UTC)


@dataclass
class Life:
    """A thread that lives on, and what has to be true of it."""

    keeper: Keeper
    horizons: Horizons
    swept: Callable[[str | None], Awaitable[object]]
    said: list[str] = field(default_factory=list)
    active_at: datetime | None = None
    perhaps_at: datetime | None = None
    """When somebody was killed who may have noted before that the thread is active."""
    steady: bool = True
    """Whether nobody was killed since the last turn."""

    def possible(self) -> list[list[str]]:
        """Return what can be read."""
        last, now = self.active_at, self.keeper.clock.now
        if last is not None and now <= last + KEEP:
            return [self.said]
        if self.perhaps_at is not None and now <= self.perhaps_at + KEEP:
            return [self.said, []]
        return [[]]

    async def put(self, text: str) -> None:
        """Hold a turn."""
        now = await self.keeper.say(text)
        assert now in [[*before, text] for before in self.possible()]
        self.said, self.active_at, self.perhaps_at, self.steady = now, self.keeper.clock.now, None, True

    async def die(self, text: str, moment: int) -> None:
        """Hold a turn in a process that is killed; its lease ends."""
        rows, before, at = DyingRows(self.keeper.rows), self.possible(), self.keeper.clock.now
        rows.arm(moment)
        with suppress(KilledError):
            await self.keeper.say(text, self.keeper.saver(rows))
        self.keeper.clock.advance(LASTS)
        now = await self.keeper.said()
        assert now in [*before, *([*said, text] for said in before)]
        self.said, self.perhaps_at, self.steady = now, at, False
        if self.possible() == [[]]:
            self.active_at = None

    async def sweep(self) -> None:
        """Do what the store does by itself: remove what has passed its horizon."""
        for key, horizon in (await self.horizons(self.keeper.scope, "t")).items():
            if horizon is not None and horizon <= self.keeper.clock.now:
                await self.swept(key)

    async def require(self) -> None:
        """Require that the thread is there as a whole or not at all, and that the store will never remove half of it."""
        now = await self.keeper.said()
        assert now in self.possible()
        if now and self.active_at is not None:
            found = set((await self.horizons(self.keeper.scope, "t")).values())
            # Without a horizon is the own item of a thread in DynamoDB during a turn, and after one that never ended.
            assert all(horizon > self.active_at + KEEP for horizon in found if horizon is not None)
            assert (len(found) == 1 and None not in found) or not self.steady


moves = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.sampled_from([1, 10, 26, 27, 29, 30, 31, 61])),
        st.tuples(st.just("put"), st.just(0)),
        st.tuples(st.just("die"), st.integers(1, 12)),
        st.tuples(st.just("prune"), st.just(0)),
    ),
    max_size=10,
)


async def live(life: Life, moves: list[tuple[str, int]]) -> None:
    """Make the moves, and look at the thread after each."""
    for place, (move, count) in enumerate([("put", 0), *moves]):
        if move == "wait":
            life.keeper.clock.advance(timedelta(days=count))
            await life.sweep()
        elif move == "put":
            await life.put(f"text {place}")
        elif move == "die":
            await life.die(f"text {place}", count)
        else:
            await life.keeper.saver().aprune(["t"])
        await life.require()


@given(moves=moves)
@settings(max_examples=15)
async def test_no_half_of_a_thread_ever_ends(
    own_mongodb: OwnRows,
    own_collection: AsyncCollection[dict[str, Any]],
    horizons: Horizons,
    moves: list[tuple[str, int]],
) -> None:
    await own_mongodb.emptied()
    keeper = Keeper(own_mongodb.rows)

    async def swept(key: str | None) -> None:
        await own_collection.delete_one({"user_id": keeper.scope.user_id, "thread_id": "t", "key": key})

    await live(Life(keeper, horizons, swept), moves)


async def test_no_half_of_a_thread_ends_on_dynamodb(dynamodb: Any, dynamodb_rows: WideRows) -> None:
    keeper = Keeper(dynamodb_rows)
    own = {"pk": {"S": threads_partition(keeper.scope)}, "sk": {"S": "t"}}
    items = items_partition(keeper.scope, "t")

    async def horizons(scope: Scope, thread_id: str) -> dict[str | None, datetime | None]:
        found = await dynamodb.query(
            TableName=TABLE,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": items}},
        )
        item = (await dynamodb.get_item(TableName=TABLE, Key=own)).get("Item")
        all_ = [(one["sk"]["S"], one) for one in found["Items"]] + ([] if item is None else [(None, item)])
        return {
            key: datetime.fromtimestamp(int(one["expires_at"]["N"]), UTC) if "expires_at" in one else None
            for key, one in all_
        }

    async def swept(key: str | None) -> None:
        await dynamodb.delete_item(
            TableName=TABLE, Key=own if key is None else {"pk": {"S": items}, "sk": {"S": key}}
        )

    waits = [
        ("wait", 26),
        ("put", 0),
        ("wait", 10),
        ("die", 5),
        ("put", 0),
        ("wait", 30),
        ("wait", 31),
        ("put", 0),
    ]
    await live(Life(keeper, horizons, swept), waits)
