"""A line in which those that wait together are served together, each with its own outcome."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwarden.checkpoint.waiting_line import WaitingLine


class Served:
    """Notes what was done together; what is negative fails, alone and with others."""

    def __init__(self) -> None:
        self.groups: list[list[int]] = []
        self.open = asyncio.Event()
        self.open.set()
        self.at_once = 0

    async def __call__(self, wanted: Sequence[int]) -> None:
        assert self.at_once == 0
        self.at_once += 1
        try:
            await self.open.wait()
            await asyncio.sleep(0)
        finally:
            self.at_once -= 1
        if any(one < 0 for one in wanted):
            raise ValueError(next(one for one in wanted if one < 0))
        self.groups.append(list(wanted))


def small(first: Sequence[int], other: int) -> bool:
    return len(first) < 3 and abs(other) % 7 != 0


@given(st.lists(st.integers(-20, 20).filter(bool), min_size=1, max_size=30), st.booleans())
def test_each_is_done_once_in_order_or_fails_by_itself(wanted: list[int], at_once: bool) -> None:
    async def run() -> tuple[list[object], Served]:
        line, served = WaitingLine(small), Served()
        if at_once:
            outcomes = await asyncio.gather(
                *(line.wait(one, served) for one in wanted), return_exceptions=True
            )
        else:
            outcomes = [
                (await asyncio.gather(line.wait(one, served), return_exceptions=True))[0] for one in wanted
            ]
        return list(outcomes), served

    outcomes, served = asyncio.run(run())
    done = [one for group in served.groups for one in group]
    assert done == [one for one in wanted if one > 0]
    assert all(len(group) <= 3 for group in served.groups)
    for one, outcome in zip(wanted, outcomes, strict=True):
        assert (outcome is None) == (one > 0)
        if one < 0:
            assert str(outcome) == str(one)


async def test_what_waits_while_another_is_served_is_served_together() -> None:
    line, served = WaitingLine(small), Served()
    served.open.clear()
    first = asyncio.create_task(line.wait(1, served))
    await asyncio.sleep(0.01)
    others = [asyncio.create_task(line.wait(one, served)) for one in (2, 3, 4)]
    await asyncio.sleep(0.01)
    served.open.set()
    await asyncio.gather(first, *others)
    assert served.groups == [[1], [2, 3, 4]]


@pytest.mark.parametrize("who", [0, 1, 2])
async def test_one_that_is_cancelled_leaves_and_holds_up_nobody(who: int) -> None:
    line, served = WaitingLine(small), Served()
    served.open.clear()
    tasks = [asyncio.create_task(line.wait(one, served)) for one in (1, 2, 3)]
    await asyncio.sleep(0.01)
    tasks[who].cancel()
    await asyncio.sleep(0.01)
    served.open.set()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [place for place, outcome in enumerate(outcomes) if outcome is not None] == [who]
    done = [one for group in served.groups for one in group]
    assert {one for place, one in enumerate((1, 2, 3)) if place != who} <= set(done)
    await line.wait(9, served)
    assert served.groups[-1] == [9]
