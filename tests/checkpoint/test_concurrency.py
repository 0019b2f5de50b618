"""Several processes at one thread in wide rows: nobody sees half a checkpoint, and nobody writes who lost the turn."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Any, cast
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.base import ChannelVersions, CheckpointTuple, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6

from memwarden.checkpoint import ScopedSaver, WideEngine, wide_lease
from memwarden.checkpoint.codec import unpacked_refs
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.wide_lease import LASTS, RENEWED_S, at_once, held
from memwarden.checkpoint.wide_rows import Lease, ThreadState, WideRows
from memwarden.errors import DatabaseError, ThreadBusyError
from memwarden.model.checkpoint import Rows, ValueRow, WriteRow
from memwarden.model.clock import system_clock
from memwarden.model.scope import Scope
from tests.checkpoint.conftest import OwnRows
from tests.checkpoint.dying_rows import DyingRows
from tests.checkpoint.raw_thread import faults, raw
from tests.checkpoint.test_faults import (
    NEW,
    ONE,
    OPERATIONS,
    OTHER,
    SMALL,
    WHERE,
    Prepared,
    World,
    expected,
    goes_on,
    graph,
    place,
    prepared,
    said,
)
from tests.conftest import MovableClock

pytestmark = pytest.mark.slow

COPIES = ("copy 0", "copy 1")

Read = Callable[[ScopedSaver], Awaitable[Any]]
Change = Callable[[ScopedSaver], Awaitable[None]]


def somebody() -> Scope:
    return Scope("at once", f"user-{uuid4().hex[:12]}")


@dataclass
class Truth:
    """What was given to savers to keep, and what of it they said is kept."""

    values: dict[str, Any] = field(default_factory=dict)
    writes: dict[str, Any] = field(default_factory=dict)
    kept: list[str] = field(default_factory=list)
    kept_writes: set[str] = field(default_factory=set)

    async def step(self, saver: ScopedSaver, text: str) -> None:
        """Add a checkpoint to the latest, and what a task wrote after it; nothing, where somebody else was quicker."""
        found = await saver.aget_tuple(place(ONE))
        held = empty_checkpoint() if found is None else found.checkpoint
        version = saver.get_next_version(max(map(str, held["channel_versions"].values()), default=None), None)
        values = {
            "messages": [*held["channel_values"].get("messages", ()), HumanMessage(text * 50, id=text)],
            "last": text * 100,
        }
        versions: ChannelVersions = dict.fromkeys(values, version)
        id_ = str(uuid6())
        following = held | {"id": id_, "channel_values": values, "channel_versions": versions}
        self.values[id_], self.writes[id_] = (
            values,
            [("last", text * 90), ("messages", [HumanMessage(text, id="w")])],
        )
        config = place(ONE, checkpoint_ns="") if found is None else found.config
        try:
            config = await saver.aput(config, following, {"step": 1}, versions)
        except ThreadBusyError:
            return
        self.kept.append(text)
        await saver.aput_writes(config, self.writes[id_], "task")
        self.kept_writes.add(id_)

    def require_whole(self, found: CheckpointTuple, kept_writes: set[str]) -> None:
        """Require that a checkpoint is as it was given, and has all writes of its task or none that was not kept yet."""
        id_ = found.checkpoint["id"]
        assert found.checkpoint["channel_values"] == self.values[id_]
        written = [(channel, value) for _, channel, value in found.pending_writes or ()]
        assert written == self.writes[id_] or (written == [] and id_ not in kept_writes)


@dataclass
class Crowd:
    """Processes that write, prune, copy, list and read one thread, all at the same time."""

    rows: WideRows
    scope: Scope = field(default_factory=somebody)
    truth: Truth = field(default_factory=Truth)
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def process(self) -> ScopedSaver:
        """Return the saver of another process."""
        return ScopedSaver(WideEngine(DyingRows(self.rows, limit=SMALL)), self.scope)

    async def write(self, name: str, steps: int) -> None:
        """Add checkpoints."""
        saver = self.process()
        for number in range(steps):
            await self.truth.step(saver, f"{name}{number} ")

    async def prune(self) -> None:
        """Prune again and again."""
        saver = self.process()
        while not self.done.is_set():
            await saver.aprune([ONE])

    async def copy(self) -> None:
        """Copy to two threads, one after the other, again and again."""
        saver = self.process()
        for number in count():
            if self.done.is_set():
                return
            if await saver.aget_tuple(place(ONE)) is not None:
                await saver.acopy_thread(ONE, COPIES[number % 2])

    async def read(self, thread_id: str) -> None:
        """Read again and again."""
        saver = self.process()
        while not self.done.is_set():
            kept, writes = len(self.truth.kept), set(self.truth.kept_writes)
            found = await saver.aget_tuple(place(thread_id))
            assert found is not None or not kept or thread_id in COPIES
            for one in [found, *[one async for one in saver.alist(place(thread_id))]]:
                if one is not None:
                    self.truth.require_whole(one, set() if thread_id in COPIES else writes)


async def all_at_once(rows: WideRows, *, steps: int) -> None:
    """Let processes do everything at the same time, and look at what is left."""
    crowd = Crowd(rows)
    async with asyncio.TaskGroup() as others:
        for working in (crowd.prune(), crowd.copy(), *(crowd.read(name) for name in (ONE, *COPIES))):
            others.create_task(working)
        await asyncio.gather(crowd.write("a", steps), crowd.write("b", steps))
        crowd.done.set()
    saver, truth = crowd.process(), crowd.truth
    latest = await saver.aget_tuple(place(ONE))
    assert latest is not None
    truth.require_whole(latest, truth.kept_writes)
    assert [m.id for m in latest.checkpoint["channel_values"]["messages"]] == truth.kept
    assert len(truth.kept) >= steps
    for thread_id in (ONE, *COPIES):
        await saver.aprune([thread_id])
        assert faults(await raw(rows, crowd.scope, thread_id)) == []


async def test_all_at_once_on_mongodb(own_mongodb: OwnRows) -> None:
    await own_mongodb.emptied()
    await all_at_once(own_mongodb.rows, steps=5)


async def test_all_at_once_on_dynamodb(dynamodb_rows: WideRows) -> None:
    await all_at_once(dynamodb_rows, steps=2)


# What happens between any two calls of a reader.


@pytest.fixture(scope="module")
async def in_pieces(own_mongodb: OwnRows) -> Prepared:
    """Threads in which nearly everything is in pieces."""
    return await prepared(own_mongodb.rows, limit=SMALL, size=SMALL)


async def _latest(saver: ScopedSaver) -> Any:
    return await saver.aget_tuple(place(OTHER))


async def _listed(saver: ScopedSaver) -> Any:
    return [found async for found in saver.alist(place(OTHER))]


async def _state(saver: ScopedSaver) -> Any:
    found = (await graph(saver).aget_state(place(OTHER))).values
    assert set(found) in (set(), {"messages", "log", "data"})
    return found


async def _go_on_and_prune(saver: ScopedSaver) -> None:
    await said(saver, OTHER, "and more", "run-5", durability="exit")
    await saver.aprune([OTHER])


async def _delete(saver: ScopedSaver) -> None:
    await saver.adelete_thread(OTHER)


@pytest.mark.parametrize("read", [_latest, _listed, _state])
@pytest.mark.parametrize("change", [_go_on_and_prune, _delete])
async def test_a_reader_sees_whole_checkpoints_whatever_happens_between_its_calls(
    own_mongodb: OwnRows, in_pieces: Prepared, read: Read, change: Change
) -> None:
    outcomes = set()
    for moment in count(1):
        await own_mongodb.emptied()
        world, calls = World(own_mongodb.rows, in_pieces), count(1)
        await world.planted(OTHER)
        before = await read(world.saver())

        async def changing(world: World = world, calls: Iterator[int] = calls, moment: int = moment) -> None:
            if next(calls) == moment:
                await change(world.saver())

        rows = DyingRows(own_mongodb.rows, limit=SMALL, before=changing)
        try:
            seen = await read(world.saver(rows))
        except DatabaseError:
            outcomes.add("told to read again")
            continue
        after = await read(world.saver())
        if read is _listed:  # no list is of one moment, but what is on it is whole
            assert all(found in [*before, *after] for found in seen)
        else:
            assert seen in (before, after)
        outcomes.add("before" if seen == before else "after")
        if next(calls) <= moment:
            break
    assert {"before", "after"} <= outcomes
    assert "told to read again" not in outcomes or read is _state


# What comes too late, or too soon, on every engine.


class Interrupted:
    """An engine of which somebody else does something before it returns values."""

    def __init__(self, engine: Engine, before: Callable[[], Awaitable[object]]) -> None:
        self._engine = engine
        self._before = before

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    async def values(
        self, scope: Scope, wanted: Sequence[tuple[str, str, str, str]]
    ) -> dict[tuple[str, str, str, str], ValueRow]:
        """Do as the engine does."""
        await self._before()
        return await self._engine.values(scope, wanted)


async def test_a_list_has_whole_checkpoints_while_somebody_prunes(kept_in: Engine) -> None:
    scope, truth = somebody(), Truth()
    saver = ScopedSaver(kept_in, scope)
    for text in ("a", "b", "c"):
        await truth.step(saver, text)
    interrupted = cast("Engine", Interrupted(kept_in, lambda: saver.aprune([ONE])))
    listed = [found async for found in ScopedSaver(interrupted, scope).alist(place(ONE))]
    for found in listed:
        truth.require_whole(found, truth.kept_writes)
    assert [found.checkpoint["id"] for found in listed] == [max(truth.values)]


async def test_what_is_written_after_a_checkpoint_that_is_gone_goes_too(kept_in: Engine) -> None:
    scope, truth = somebody(), Truth()
    saver = ScopedSaver(kept_in, scope)
    for text in ("a", "b"):
        await truth.step(saver, text)
    gone, latest = sorted(truth.values)
    await saver.aprune([ONE])
    for id_ in (gone, latest):
        await saver.aput_writes(
            place(ONE, checkpoint_id=id_), [("last", f"too late for {gone}" * 100)], "late"
        )
    on_its_way = place(ONE, checkpoint_id=str(uuid6()))
    await saver.aput_writes(on_its_way, [("last", "too soon " * 100)], "soon")
    await saver.aprune([ONE])
    async with kept_in.turn_of(scope, ONE, system_clock()) as turn:
        assert turn is not None
        writes, values, parts = await turn.writes(), await turn.values(), await turn.parts()
    assert {write.checkpoint_id for write in writes} == {latest, on_its_way["configurable"]["checkpoint_id"]}
    rows: list[WriteRow | ValueRow] = [*writes, *values]
    used = {number for row in rows for number in unpacked_refs(row.refs)}
    assert {part.number for part in parts} == used


# Whose turn it is.


@pytest.mark.parametrize("operation", ["put", "prune", "copy to a thread that is there"])
async def test_whoever_comes_back_after_the_turn_was_taken_harms_nothing(
    own_mongodb: OwnRows, in_pieces: Prepared, operation: str
) -> None:
    changed = WHERE.get(operation, ONE)
    wanted = await expected(own_mongodb.rows, in_pieces, operation)
    outcomes = []
    for moment in count(2, 3):
        await own_mongodb.emptied()
        world = World(own_mongodb.rows, in_pieces)
        await world.planted(ONE, OTHER)
        late, other = world.saver(world.dying), world.saver()
        await world.let_know(late, changed)
        await world.let_know(other, changed)
        reached, go_on = asyncio.Event(), asyncio.Event()

        async def held_up(reached: asyncio.Event = reached, go_on: asyncio.Event = go_on) -> None:
            reached.set()
            await go_on.wait()

        world.dying.arm(moment, held_up)
        working = asyncio.create_task(_done(OPERATIONS[operation](late, in_pieces)))
        waiting = asyncio.create_task(reached.wait())
        await asyncio.wait({working, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
        if not reached.is_set():
            break
        world.clock.advance(LASTS)
        before = [found async for found in other.alist(place(changed))]
        state = wanted.states[before == wanted.after[0]]
        state = await goes_on(other, changed, state)
        go_on.set()
        outcomes.append(await working)
        for saver in (late, other, world.saver()):
            state = await goes_on(saver, changed, state)
        await other.aprune([changed])
        assert faults(await raw(world.rows, world.scope, changed)) == []
    assert outcomes.count("told") > 1


async def _done(work: Awaitable[object]) -> str:
    try:
        await work
    except DatabaseError:
        return "told"
    return "done"


async def test_a_turn_is_its_holders_until_it_ends_and_then_somebody_elses(own_mongodb: OwnRows) -> None:
    rows, scope, clock = own_mongodb.rows, somebody(), MovableClock()
    engine = WideEngine(rows, clock=clock)
    value = ValueRow(ONE, "", "channel", "1", 0, b"")
    await ScopedSaver(engine, scope, clock=clock).aput(
        place(ONE, checkpoint_ns=""), empty_checkpoint(), {"step": 1}, {}
    )
    with pytest.raises(DatabaseError):
        async with engine.turn(scope, ONE, clock()) as turn:
            expecting = (turn.found.parts, turn.found.generation)
            clock.advance(LASTS - timedelta(microseconds=1))
            assert await at_once(rows, scope, ONE, clock, expecting=expecting, reserve=0) is None
            clock.advance(timedelta(microseconds=1))
            async with engine.turn(scope, ONE, clock()) as theirs:
                await theirs.put(Rows(values=[value]))
            kept = await raw(rows, scope, ONE)
            for late in (turn.put(Rows(values=[value])), turn.drop([], [value], [])):
                with pytest.raises(DatabaseError):
                    await late
    assert await raw(rows, scope, ONE) == kept


async def test_the_work_ends_where_the_turn_ends(
    own_mongodb: OwnRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wide_lease, "LASTS", timedelta(seconds=0.2))
    scope, forever = somebody(), asyncio.Event()
    rows = DyingRows(own_mongodb.rows)
    saver = ScopedSaver(WideEngine(rows), scope)
    rows.arm(3, forever.wait)
    with pytest.raises(DatabaseError):
        await saver.aput(place(NEW, checkpoint_ns=""), empty_checkpoint(), {"step": 1}, {})
    assert await saver.aget_tuple(place(NEW)) is None


class Renewed(DyingRows):
    """Tells of each lease that is taken or renewed."""

    def __init__(self, rows: WideRows) -> None:
        super().__init__(rows)
        self.times = asyncio.Semaphore(0)

    async def lease(
        self, lease: Lease, now: Any, *, expecting: tuple[int, int] | None = None, reserve: int = 0
    ) -> ThreadState | None:
        """Do as the store does."""
        found = await super().lease(lease, now, expecting=expecting, reserve=reserve)
        self.times.release()
        return found


async def test_a_turn_lasts_for_as_long_as_it_is_renewed(
    own_mongodb: OwnRows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wide_lease, "RENEWED_S", RENEWED_S / 1_000)
    rows, scope, clock = Renewed(own_mongodb.rows), somebody(), MovableClock()
    async with held(rows, scope, ONE, clock) as one:
        for _ in range(4):
            clock.advance(LASTS / 2)
            for _ in range(2):  # one that began before the clock moved, and one after
                await rows.times.acquire()
            while rows.times.locked() is False:
                await rows.times.acquire()
            one.check()
            assert await own_mongodb.rows.lease(Lease(scope, ONE, "other", clock() + LASTS), clock()) is None
