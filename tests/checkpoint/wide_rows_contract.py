"""What every adapter of `WideRows` has to do, whatever the store.

A test module makes a subclass of `WideRowsContract` and two fixtures: ``rows``, the adapter, and ``horizons``, which
looks behind it. Every test keeps to tenants of its own, so that one store does for all of them.
"""

from __future__ import annotations

import asyncio
import random
import string
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime, timedelta, timezone
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwarden.checkpoint.wide_rows import Lease, ThreadState, WideRows
from memwarden.model.scope import Scope

Horizons = Callable[[Scope, str], Awaitable[dict[str | None, datetime | None]]]
"""The moment the store itself goes by when it removes things, to the second: of each item of a thread by its key, and
of the thread's own item under null."""

NOW = datetime(2026, 3, 1, 9, 0, 0, 123_457, tzinfo=UTC)
"""A moment that milliseconds do not hold."""
LATER = datetime(2095, 6, 7, 8, 9, 10, 654_321, tzinfo=UTC)
"""A horizon that no test lives to see."""
TICK = timedelta(microseconds=1)

ODD = [
    *(
        "a/b",
        "a|b",
        "a:b",
        "a#b",
        "a%b",
        "a%2Fb",
        "a\nb",
        "a\r\nb",
        "a\tb",
        " ",
        " a",
        "a ",
        "'",
        '"',
        "\\",
        "a\\",
    ),
    *(
        "$",
        ".",
        "a.b",
        "$where",
        "*",
        "?",
        "a,b",
        "[]",
        "{}",
        "null",
        "0",
        "-1",
        "\x01",
        "\x1f",
        "\x7f",
        "A",
        "a",
    ),
    *(
        "é",
        "e\u0301",
        "ß",
        "ss",
        "İ",
        "i̇",
        "ａ",
        "\u200b",
        "\ufeff",
        "\uffff",
        "😀",
        "\U0010ffff",
        "אב",
        "日本",
    ),
    *("x" * 254, "x" * 255, "é" * 255, "\U0010ffff" * 255),
]
"""Names of tenants, users and threads that something on the way might take for something else."""

shared = settings(
    max_examples=25,
    suppress_health_check=[
        HealthCheck.differing_executors,
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)
names = st.text(alphabet="ab/|:#%\\.~\n\x01é😀", min_size=1, max_size=3)
ascii_keys = st.text(
    alphabet=string.digits + string.ascii_letters + string.punctuation + " ", min_size=1, max_size=4
)
moments = st.datetimes(datetime(2090, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


def somebody() -> Scope:
    """A user nobody else has used."""
    return Scope(f"tenant-{uuid4().hex}", "user")


def turn(scope: Scope, thread_id: str = "thread", *, until: datetime = NOW + timedelta(seconds=30)) -> Lease:
    """A lease with a token of its own."""
    return Lease(scope, thread_id, uuid4().hex, until)


def numbered(count: int, prefix: str = "k") -> dict[str, bytes]:
    return {f"{prefix}/{number:06}": f"body of {number}".encode() for number in range(count)}


async def everything(rows: WideRows, scope: Scope, thread_id: str = "thread") -> dict[str, bytes]:
    found = await rows.scan(scope, thread_id, " ", "\x7f")
    assert [key for key, _ in found] == sorted({key for key, _ in found})
    return dict(found)


async def kept(rows: WideRows, scope: Scope, state: ThreadState, thread_id: str = "thread") -> None:
    """Make a thread, and leave it in this state."""
    lease = turn(scope, thread_id)
    assert await rows.lease(lease, NOW) is not None
    assert await rows.release(lease, state)


def near(found: datetime | None, meant: datetime) -> bool:
    return found is not None and abs(found - meant) <= timedelta(seconds=1)


class WideRowsContract:
    """Needs the fixtures ``rows`` and ``horizons``."""

    # Leases.

    async def test_the_first_lease_makes_the_thread(self, rows: WideRows) -> None:
        scope = somebody()
        assert await rows.state(scope, "thread") is None
        assert await rows.threads(scope) == []
        assert await rows.lease(turn(scope), NOW) == ThreadState()
        assert await rows.state(scope, "thread") == ThreadState()
        assert await rows.threads(scope) == ["thread"]
        assert await everything(rows, scope) == {}

    async def test_one_holder_at_a_time(self, rows: WideRows) -> None:
        scope, before = somebody(), ThreadState(5, 2, LATER, NOW)
        await kept(rows, scope, before)
        assert await rows.lease(turn(scope), NOW) == before
        assert await rows.lease(turn(scope), NOW, reserve=3) is None
        assert await rows.lease(turn(scope), NOW, expecting=(5, 2), reserve=3) is None
        assert await rows.state(scope, "thread") == before

    async def test_a_lease_ends_at_the_microsecond_it_names(self, rows: WideRows) -> None:
        scope = somebody()
        await rows.lease(turn(scope, until=NOW + TICK), NOW)
        assert await rows.lease(turn(scope), NOW) is None
        assert await rows.lease(turn(scope), NOW + TICK) == ThreadState()
        assert await rows.lease(turn(scope), NOW + TICK) is None

    async def test_moments_count_whatever_zone_they_are_given_in(self, rows: WideRows) -> None:
        scope, east = somebody(), timezone(timedelta(hours=9))
        await rows.lease(turn(scope, until=(NOW + TICK).astimezone(east)), NOW)
        assert await rows.lease(turn(scope), NOW) is None
        assert await rows.lease(turn(scope), (NOW + TICK).astimezone(east)) is not None
        await kept(rows, scope, ThreadState(1, 1, LATER.astimezone(east), NOW.astimezone(east)), "other")
        assert await rows.state(scope, "other") == ThreadState(1, 1, LATER, NOW)

    async def test_the_holder_may_take_it_again(self, rows: WideRows) -> None:
        scope = somebody()
        first = turn(scope, until=NOW + timedelta(seconds=10))
        longer = Lease(scope, "thread", first.token, NOW + timedelta(seconds=20))
        assert await rows.lease(first, NOW, reserve=1) == ThreadState(1)
        assert await rows.lease(longer, NOW, reserve=1) == ThreadState(2)
        assert await rows.lease(turn(scope), NOW + timedelta(seconds=15)) is None
        assert await rows.release(longer, ThreadState(9))

    async def test_a_turn_given_back_is_free(self, rows: WideRows) -> None:
        scope = somebody()
        await kept(rows, scope, ThreadState(1))
        assert await rows.lease(turn(scope), NOW) == ThreadState(1)

    async def test_only_who_expects_what_is_there_gets_it(self, rows: WideRows) -> None:
        scope, before = somebody(), ThreadState(5, 2, LATER, NOW)
        await kept(rows, scope, before)
        for other in ((5, 3), (4, 2), (6, 2), (2, 5), (0, 0)):
            assert await rows.lease(turn(scope), NOW, expecting=other, reserve=7) is None
            assert await rows.state(scope, "thread") == before
        assert await rows.lease(turn(scope), NOW, expecting=(5, 2), reserve=7) == ThreadState(
            12, 2, LATER, NOW
        )

    async def test_the_holder_too_gets_what_it_expects_or_nothing(self, rows: WideRows) -> None:
        scope = somebody()
        lease = turn(scope)
        assert await rows.lease(lease, NOW, reserve=4) == ThreadState(4)
        assert await rows.lease(lease, NOW, expecting=(3, 0), reserve=1) is None
        assert await rows.lease(lease, NOW, expecting=(4, 0), reserve=1) == ThreadState(5)

    async def test_a_thread_that_is_not_there_has_no_parts(self, rows: WideRows) -> None:
        scope = somebody()
        for other in ((1, 0), (0, 1), (5, 2)):
            assert await rows.lease(turn(scope), NOW, expecting=other, reserve=7) is None
        assert await rows.state(scope, "thread") is None
        assert await rows.threads(scope) == []
        assert await rows.lease(turn(scope), NOW, expecting=(0, 0), reserve=7) == ThreadState(7)

    async def test_reserved_numbers_stay_reserved(self, rows: WideRows) -> None:
        scope = somebody()
        lease = turn(scope, until=NOW + timedelta(seconds=10))
        assert await rows.lease(lease, NOW, reserve=40) == ThreadState(40)
        assert await rows.state(scope, "thread") == ThreadState(40)
        # Its holder died; whoever comes next must not give out the same numbers.
        assert await rows.lease(turn(scope), lease.until, reserve=2) == ThreadState(42)

    async def test_of_many_at_once_one_gets_a_new_thread(self, rows: WideRows) -> None:
        scope = somebody()
        leases = [turn(scope) for _ in range(24)]
        states = await asyncio.gather(*(rows.lease(lease, NOW, reserve=3) for lease in leases))
        winners = [(lease, state) for lease, state in zip(leases, states, strict=True) if state is not None]
        assert [state for _, state in winners] == [ThreadState(3)]
        assert await rows.release(winners[0][0], ThreadState(3))

    async def test_of_many_at_once_one_gets_a_free_thread(self, rows: WideRows) -> None:
        scope = somebody()
        await kept(rows, scope, ThreadState(5, 2))
        leases = [turn(scope) for _ in range(24)]
        states = await asyncio.gather(
            *(rows.lease(lease, NOW, expecting=(5, 2), reserve=1) for lease in leases)
        )
        assert [state for state in states if state is not None] == [ThreadState(6, 2)]
        released = await asyncio.gather(*(rows.release(lease, ThreadState(6, 2)) for lease in leases))
        assert sorted(released) == [False] * 23 + [True]

    async def test_everybody_gets_their_turn_and_their_numbers(self, rows: WideRows) -> None:
        scope = somebody()

        async def writer() -> int:
            while True:
                lease = turn(scope)
                state = await rows.lease(lease, NOW, reserve=1)
                if state is not None:
                    assert await rows.release(lease, state)
                    return state.parts
                await asyncio.sleep(0.002)

        assert sorted(await asyncio.gather(*(writer() for _ in range(12)))) == list(range(1, 13))

    async def test_who_lost_the_turn_changes_nothing(self, rows: WideRows) -> None:
        scope, before = somebody(), ThreadState(5, 2, LATER, NOW)
        await kept(rows, scope, before)
        old, new = turn(scope, until=NOW + TICK), turn(scope)
        assert await rows.lease(old, NOW) == before
        assert await rows.lease(new, NOW + TICK) == before
        assert not await rows.release(old, ThreadState(99, 99))
        await rows.drop(old)
        assert await rows.state(scope, "thread") == before
        assert await rows.lease(turn(scope), NOW + TICK) is None
        assert await rows.release(new, ThreadState(6, 2, None, NOW))
        assert not await rows.release(old, ThreadState(99, 99))
        await rows.drop(old)
        assert await rows.state(scope, "thread") == ThreadState(6, 2, None, NOW)

    async def test_a_turn_that_ended_unnoticed_is_still_given_back(self, rows: WideRows) -> None:
        scope = somebody()
        lease = turn(scope, until=NOW - timedelta(days=1))
        assert await rows.lease(lease, NOW - timedelta(days=2)) is not None
        assert await rows.release(lease, ThreadState(3, 1))
        assert await rows.state(scope, "thread") == ThreadState(3, 1)

    async def test_a_turn_nobody_has_cannot_be_given_back(self, rows: WideRows) -> None:
        scope = somebody()
        assert not await rows.release(turn(scope), ThreadState(3, 1))
        await rows.drop(turn(scope))
        assert await rows.state(scope, "thread") is None
        await kept(rows, scope, ThreadState(1))
        assert not await rows.release(turn(scope), ThreadState(3, 1))
        await rows.drop(turn(scope))
        assert await rows.state(scope, "thread") == ThreadState(1)

    async def test_a_dropped_thread_is_gone(self, rows: WideRows) -> None:
        scope = somebody()
        lease = turn(scope)
        await kept(rows, scope, ThreadState(5, 2, LATER, NOW))
        await kept(rows, scope, ThreadState(1), "other")
        await rows.lease(lease, NOW)
        await rows.drop(lease)
        await rows.drop(lease)
        assert await rows.state(scope, "thread") is None
        assert await rows.threads(scope) == ["other"]
        assert not await rows.release(lease, ThreadState(6))
        assert await rows.state(scope, "thread") is None
        assert await rows.lease(turn(scope), NOW) == ThreadState()

    @shared
    @given(
        parts=st.integers(0, 2**50),
        generation=st.integers(0, 2**50),
        horizon=st.none() | moments,
        active_at=st.none() | moments,
    )
    async def test_a_state_is_read_as_it_was_written(
        self,
        rows: WideRows,
        parts: int,
        generation: int,
        horizon: datetime | None,
        active_at: datetime | None,
    ) -> None:
        scope, state = somebody(), ThreadState(parts, generation, horizon, active_at)
        await kept(rows, scope, ThreadState(1, 1, LATER, NOW))
        await kept(rows, scope, state)
        assert await rows.state(scope, "thread") == state
        taken = await rows.lease(turn(scope), NOW, expecting=(parts, generation), reserve=1)
        assert taken == ThreadState(parts + 1, generation, horizon, active_at)
        assert taken.active_at is None or taken.active_at.tzinfo is not None

    async def test_threads_are_those_of_the_user(self, rows: WideRows) -> None:
        scope = somebody()
        other = Scope(scope.tenant_id, "other")
        mine = {f"thread {number}" for number in range(150)}
        for thread_id in mine:
            await rows.lease(turn(scope, thread_id), NOW)
            await rows.put(scope, thread_id, [{"a": b"1", "b": b"2"}], None)
        await kept(rows, other, ThreadState(), "theirs")
        found = await rows.threads(scope)
        assert len(found) == len(mine)
        assert set(found) == mine
        assert await rows.threads(other) == ["theirs"]

    # Items.

    async def test_items_are_found_as_they_were_put(self, rows: WideRows) -> None:
        scope = somebody()
        items = {
            "a": b"",
            "b": b"\0\xff",
            "c/1": bytes(range(256)),
            "k" * 900: b"long",
            "$.%/|:#": b"odd",
            "A": b"A",
        }
        await rows.put(scope, "thread", [items], LATER)
        assert await everything(rows, scope) == items
        assert await rows.get(scope, "thread", [*items, "absent", "a"]) == items
        assert await rows.get(scope, "thread", ["b", "B"]) == {"b": b"\0\xff"}
        assert await rows.keys(scope, "thread", " ", "\x7f") == sorted(items)
        assert await rows.state(scope, "thread") is None

    async def test_the_item_of_the_thread_is_not_among_the_others(self, rows: WideRows) -> None:
        scope = somebody()
        await kept(rows, scope, ThreadState(1, 1, LATER, NOW))
        assert await everything(rows, scope) == {}
        assert await rows.keys(scope, "thread", " ", "\x7f") == []
        await rows.put(scope, "thread", [{"a": b"1"}], None)
        await rows.stamp(scope, "thread", LATER)
        await rows.delete(scope, "thread", await rows.keys(scope, "thread", " ", "\x7f"))
        assert await rows.state(scope, "thread") == ThreadState(1, 1, LATER, NOW)

    async def test_what_is_put_takes_the_place_of_what_was_there(self, rows: WideRows) -> None:
        scope = somebody()
        await rows.put(scope, "thread", [{"a": b"long " * 999, "b": b"1"}, {"c": b"1"}, {"b": b"2"}], None)
        await rows.put(scope, "thread", [{"a": b"short"}, {"d": b"1"}], LATER)
        assert await everything(rows, scope) == {"a": b"short", "b": b"2", "c": b"1", "d": b"1"}

    async def test_what_is_deleted_is_gone(self, rows: WideRows) -> None:
        scope = somebody()
        await rows.put(scope, "thread", [{"a": b"1", "b": b"2", "b/1": b"3", "c": b"4"}], None)
        await rows.delete(scope, "thread", ["b", "absent", "b", "c"])
        await rows.delete(scope, "thread", ["b"])
        assert await everything(rows, scope) == {"a": b"1", "b/1": b"3"}
        await rows.put(scope, "thread", [{"b": b"again"}], None)
        assert await rows.get(scope, "thread", ["a", "b", "c"]) == {"a": b"1", "b": b"again"}

    async def test_nothing_asked_nothing_done(self, rows: WideRows) -> None:
        scope = somebody()
        await rows.put(scope, "thread", [], None)
        await rows.put(scope, "thread", [{}, {}], LATER)
        await rows.delete(scope, "thread", [])
        await rows.delete(scope, "thread", ["absent"])
        await rows.stamp(scope, "thread", LATER)
        assert await rows.get(scope, "thread", []) == {}
        assert await rows.get(scope, "thread", ["absent"]) == {}
        assert await everything(rows, scope) == {}
        assert await rows.keys(scope, "thread", " ", "\x7f") == []
        assert await rows.state(scope, "thread") is None
        assert await rows.threads(scope) == []

    async def test_a_stage_between_empty_ones_is_kept(self, rows: WideRows) -> None:
        scope = somebody()
        await rows.put(scope, "thread", [{}, {"a": b"1"}, {}, {"b": b"2"}, {}], None)
        assert await everything(rows, scope) == {"a": b"1", "b": b"2"}

    async def test_a_range_begins_with_its_first_and_stops_before_its_end(self, rows: WideRows) -> None:
        scope = somebody()
        keys = ["a", "a/1", "a/10", "a/2", "a0", "aa", "b"]
        items = {key: key.encode() for key in keys}
        await rows.put(scope, "thread", [items], None)

        async def found(
            first: str, end: str, *, backwards: bool = False, limit: int | None = None
        ) -> list[str]:
            pairs = await rows.scan(scope, "thread", first, end, backwards=backwards, limit=limit)
            assert all(items[key] == body for key, body in pairs)
            if not backwards and limit is None:
                assert await rows.keys(scope, "thread", first, end) == [key for key, _ in pairs]
            return [key for key, _ in pairs]

        assert await found("a/", "a0") == ["a/1", "a/10", "a/2"]
        assert await found("a", "b") == keys[:-1]
        assert await found("a", "a") == []
        assert await found("b", "a") == []
        assert await found("a/1", "a/1 ") == ["a/1"]
        assert await found("a", "c", backwards=True) == keys[::-1]
        assert await found("a", "b", backwards=True, limit=2) == ["aa", "a0"]
        assert await found("a/", "c", limit=1) == ["a/1"]
        assert await found("a", "c", limit=99) == keys
        assert await found("a", "c", limit=0) == []

    @shared
    @given(
        keys=st.sets(ascii_keys, max_size=12),
        first=ascii_keys,
        end=ascii_keys,
        backwards=st.booleans(),
        limit=st.none() | st.integers(0, 6),
    )
    async def test_keys_are_in_the_order_of_their_bytes(
        self, rows: WideRows, keys: set[str], first: str, end: str, *, backwards: bool, limit: int | None
    ) -> None:
        scope = somebody()
        await rows.put(scope, "thread", [{key: key.encode() for key in keys}], None)
        inside = sorted(key for key in keys if first <= key < end)
        assert await rows.keys(scope, "thread", first, end) == inside
        wanted = (inside[::-1] if backwards else inside)[:limit]
        found = await rows.scan(scope, "thread", first, end, backwards=backwards, limit=limit)
        assert found == [(key, key.encode()) for key in wanted]

    @shared
    @given(
        steps=st.lists(
            st.tuples(
                st.just("put"),
                st.lists(st.dictionaries(ascii_keys, st.binary(max_size=3), max_size=4), max_size=3),
            )
            | st.tuples(st.just("delete"), st.lists(ascii_keys, max_size=4)),
            max_size=6,
        )
    )
    async def test_whatever_was_put_and_deleted(
        self, rows: WideRows, steps: list[tuple[str, list[object]]]
    ) -> None:
        scope, meant = somebody(), dict[str, bytes]()
        for what, arguments in steps:
            if what == "put":
                stages = [dict(stage) for stage in arguments if isinstance(stage, dict)]
                await rows.put(scope, "thread", stages, None)
                for stage in stages:
                    meant |= stage
            else:
                absent = [key for key in arguments if isinstance(key, str)]
                await rows.delete(scope, "thread", absent)
                meant = {key: body for key, body in meant.items() if key not in absent}
        assert await everything(rows, scope) == meant
        assert await rows.get(scope, "thread", sorted(meant)) == meant

    async def test_a_stage_is_there_before_the_next_begins(self, rows: WideRows) -> None:
        scope = somebody()
        parts, half, last = numbered(1200, "part"), {"half": b"1"}, {"last": b"1"}
        more = numbered(700, "write")
        put = asyncio.create_task(rows.put(scope, "thread", [parts, half, more, last], None))
        looks = 0
        while not put.done():
            seen = await rows.get(scope, "thread", ["half", "last"])
            if "half" in seen:
                assert len(await rows.keys(scope, "thread", "part/", "part0")) == len(parts)
            if "last" in seen:
                assert len(await rows.keys(scope, "thread", "write/", "write0")) == len(more)
            looks += 1
            await asyncio.sleep(0)
        await put
        assert looks
        assert await everything(rows, scope) == parts | half | more | last

    # Much of it.

    @pytest.mark.slow
    async def test_thousands_of_items(self, rows: WideRows) -> None:
        scope, items = somebody(), numbered(2500)
        await rows.put(scope, "thread", [items], LATER)
        assert await everything(rows, scope) == items
        assert await rows.get(scope, "thread", [*reversed(items), "absent"]) == items
        assert await rows.keys(scope, "thread", "k/", "k0") == sorted(items)
        found = await rows.scan(scope, "thread", "k/", "k0", backwards=True, limit=1100)
        assert [key for key, _ in found] == sorted(items, reverse=True)[:1100]
        gone = sorted(items)[100:2300]
        await rows.delete(scope, "thread", gone)
        assert await rows.keys(scope, "thread", "k/", "k0") == sorted(set(items) - set(gone))

    async def test_an_item_of_the_most_bytes_one_may_have(self, rows: WideRows) -> None:
        scope = Scope(f"{uuid4().hex}{'😀' * 200}", "😀" * 255)
        assert rows.limit >= 100_000
        items = {"k" * 900: random.Random(1).randbytes(rows.limit), "a": b"\xff" * rows.limit}
        await rows.put(scope, "é" * 255, [items], LATER)
        assert await everything(rows, scope, "é" * 255) == items
        assert await rows.get(scope, "é" * 255, list(items)) == items

    @pytest.mark.slow
    async def test_forty_megabytes_at_once(self, rows: WideRows) -> None:
        scope, source = somebody(), random.Random(2)
        count = 40_000_000 // rows.limit + 1
        items = {f"part/{number:04}": source.randbytes(rows.limit) for number in range(count)}
        await rows.put(scope, "thread", [items, {"last": b"1"}], None)
        assert await rows.get(scope, "thread", list(items)) == items
        assert await everything(rows, scope) == items | {"last": b"1"}

    # Whose they are.

    @pytest.mark.slow
    @pytest.mark.parametrize("which", ["tenant", "user", "thread"])
    async def test_odd_names_name_one_each(self, rows: WideRows, which: str) -> None:
        own = uuid4().hex[:8]
        places: dict[str, tuple[Scope, str]] = {}
        for odd in ODD:
            tenant = f"{own}{odd}"[:255] if which == "tenant" else own
            user = odd if which == "user" else "user"
            places[odd] = Scope(tenant, user), odd if which == "thread" else "thread"
        places = {
            repr(place): place for place in places.values()
        }  # Cut to 255 characters, some are the same.
        for number, (name, (scope, thread_id)) in enumerate(places.items()):
            await kept(rows, scope, ThreadState(number, number, LATER, NOW), thread_id)
            await rows.put(scope, thread_id, [{"k": name.encode()}], LATER)
        for number, (name, (scope, thread_id)) in enumerate(places.items()):
            assert await rows.state(scope, thread_id) == ThreadState(number, number, LATER, NOW)
            assert await everything(rows, scope, thread_id) == {"k": name.encode()}
            mine = {other for where, other in places.values() if where == scope}
            assert set(await rows.threads(scope)) == mine

    @pytest.mark.slow
    @shared
    @given(places=st.lists(st.tuples(names | st.just(""), names, names), min_size=2, max_size=5, unique=True))
    async def test_nobody_reaches_what_is_somebody_elses(
        self, rows: WideRows, places: list[tuple[str, str, str]]
    ) -> None:
        own = uuid4().hex
        threads = [(Scope(own + tenant, user), thread_id) for tenant, user, thread_id in places]
        await self.filled(rows, threads)
        await self.looked_over(rows, threads)
        (scope, thread_id), *others = threads
        lease = turn(scope, thread_id)
        await rows.lease(lease, NOW)
        await rows.stamp(scope, thread_id, None)
        await rows.delete(scope, thread_id, ["k", "k/1"])
        await rows.drop(lease)
        assert await rows.state(scope, thread_id) is None
        assert await everything(rows, scope, thread_id) == {}
        await self.looked_over(rows, [(scope, thread_id), *others], gone=1)

    async def filled(self, rows: WideRows, threads: Iterable[tuple[Scope, str]]) -> None:
        for number, (scope, thread_id) in enumerate(threads):
            await kept(rows, scope, ThreadState(number, 0, LATER, NOW), thread_id)
            await rows.put(scope, thread_id, [{"k": b"%d" % number, "k/1": b"more of %d" % number}], LATER)

    async def looked_over(self, rows: WideRows, threads: list[tuple[Scope, str]], gone: int = 0) -> None:
        for number, (scope, thread_id) in enumerate(threads):
            if number < gone:
                continue
            items = {"k": b"%d" % number, "k/1": b"more of %d" % number}
            assert await rows.state(scope, thread_id) == ThreadState(number, 0, LATER, NOW)
            assert await rows.get(scope, thread_id, list(items)) == items
            assert await everything(rows, scope, thread_id) == items
            assert await rows.keys(scope, thread_id, " ", "\x7f") == list(items)
            found = await rows.threads(scope)
            assert sorted(found) == sorted(name for where, name in threads[gone:] if where == scope)

    async def test_a_token_is_good_for_its_own_thread_only(self, rows: WideRows) -> None:
        scope = somebody()
        await kept(rows, scope, ThreadState(1), "other")
        lease = turn(scope)
        elsewhere = Lease(scope, "other", lease.token, lease.until)
        await rows.lease(lease, NOW)
        assert not await rows.release(elsewhere, ThreadState(9))
        await rows.drop(elsewhere)
        assert await rows.state(scope, "other") == ThreadState(1)
        assert await rows.lease(turn(scope, "other"), NOW) == ThreadState(1)

    # How long they stay.

    async def test_items_and_thread_bear_the_horizon_they_were_given(
        self, rows: WideRows, horizons: Horizons
    ) -> None:
        scope = somebody()
        await kept(rows, scope, ThreadState(1, 1, LATER, NOW))
        await rows.put(scope, "thread", [{"a": b"1"}, {"b": b"2"}], LATER)
        await rows.put(scope, "thread", [{"c": b"3"}], None)
        found = await horizons(scope, "thread")
        assert set(found) == {None, "a", "b", "c"}
        assert all(near(found[key], LATER) for key in (None, "a", "b"))
        assert found["c"] is None
        await rows.put(scope, "thread", [{"a": b"1"}], None)
        await kept(rows, scope, ThreadState(1, 1, None, NOW))
        found = await horizons(scope, "thread")
        assert found[None] is found["a"] is None

    @pytest.mark.slow
    async def test_every_item_bears_what_it_is_stamped_with(self, rows: WideRows, horizons: Horizons) -> None:
        scope, items = somebody(), numbered(1100)
        first, second = LATER, LATER + timedelta(days=30)
        await kept(rows, scope, ThreadState(1, 1, first, NOW))
        await kept(rows, scope, ThreadState(1, 1, first, NOW), "other")
        await rows.put(scope, "other", [{"k": b"1"}], first)
        await rows.put(scope, "thread", [items, {"last": b"1"}], None)
        for stamp in (first, second):
            await rows.stamp(scope, "thread", stamp)
            found = await horizons(scope, "thread")
            assert set(found) == {None, "last", *items}
            assert all(near(found[key], stamp) for key in (*items, "last"))
            assert near(found[None], first)
        await rows.stamp(scope, "thread", None)
        found = await horizons(scope, "thread")
        assert {key for key, horizon in found.items() if horizon is not None} == {None}
        assert await everything(rows, scope) == items | {"last": b"1"}
        assert await rows.state(scope, "thread") == ThreadState(1, 1, first, NOW)
        assert all(near(horizon, first) for horizon in (await horizons(scope, "other")).values())
