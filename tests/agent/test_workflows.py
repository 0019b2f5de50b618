"""Workflows over days: waiting, resuming elsewhere, playing back, branching, and going on after a death."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.errors import EmptyInputError
from langgraph.types import Command, StateSnapshot

from memwarden import Memwarden
from memwarden.model.clock import system_clock
from tests.agent.leave_request import (
    DIED,
    OWN,
    SHARED,
    TENANT,
    THREAD,
    Graph,
    begun,
    context_of,
    in_another_process,
    opened_graph,
    ran,
)
from tests.conftest import Addresses, MovableClock

both_savers = pytest.mark.parametrize("saver", [OWN, SHARED])
DONE = ["drafted 3 days", "approved by Mona", "recorded 3 days"]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where the steps note that they ran."""
    return tmp_path / "steps"


@pytest.fixture
def user_id() -> str:
    """A user of these workflows nobody else has used."""
    return uuid4().hex


async def run(graph: Graph, place: RunnableConfig, user_id: str, given: Any) -> dict[str, Any]:
    result: dict[str, Any] = await graph.ainvoke(given, place, context=context_of(user_id))
    return result


async def elsewhere(addresses: Addresses, *arguments: object) -> tuple[int, list[str]]:
    return await asyncio.to_thread(in_another_process, addresses.app, *map(str, arguments))


async def history(graph: Graph, place: RunnableConfig) -> list[StateSnapshot]:
    return [state async for state in graph.aget_state_history(place)]


def at(place: RunnableConfig, state: StateSnapshot) -> RunnableConfig:
    """Return the place of one checkpoint of a thread; the shared saver has to be told again whose it is."""
    return {"configurable": {**place["configurable"], **state.config["configurable"]}}


@pytest.mark.slow
@both_savers
async def test_an_approval_is_given_days_later_in_another_process(
    timed: Memwarden, clock: MovableClock, addresses: Addresses, log: Path, user_id: str, saver: str
) -> None:
    clock.now = system_clock() - timedelta(days=5)
    graph, place = await opened_graph(timed, user_id, "request", saver, log)
    stopped = await run(graph, place, user_id, begun("request"))
    assert stopped["__interrupt__"][0].value == {"kind": "approval", "days": 3}

    assert await elsewhere(addresses, user_id, "request", saver, log, "Mona") == (0, DONE)
    assert ran(log) == ["draft", "approve", "approve", "record"]
    assert (await graph.aget_state(place)).values["steps"] == DONE


@pytest.mark.slow
@both_savers
async def test_an_agent_of_a_supervisor_gets_its_approval_in_another_process(
    timed: Memwarden, clock: MovableClock, addresses: Addresses, log: Path, user_id: str, saver: str
) -> None:
    clock.now = system_clock() - timedelta(days=5)
    graph, place = await opened_graph(timed, user_id, "supervised", saver, log)
    stopped = await run(graph, place, user_id, begun("supervised"))
    assert stopped["__interrupt__"][0].value == {"kind": "approval"}

    code, said = await elsewhere(addresses, user_id, "supervised", saver, log, "Mona")
    assert (code, said[2:]) == (0, ["Approved by Mona.", "It is settled."])
    assert ran(log) == ["draft", "approve", "approve"]
    assert (await graph.aget_state(place)).values["agents_involved"] == ["leave"]


async def finished(memwarden: Memwarden, user_id: str, saver: str, log: Path) -> tuple[Graph, RunnableConfig]:
    """Return a workflow that was approved and came to its end."""
    graph, place = await opened_graph(memwarden, user_id, "request", saver, log)
    await run(graph, place, user_id, begun("request"))
    await run(graph, place, user_id, Command(resume="Mona"))
    return graph, place


@both_savers
async def test_a_thread_is_played_back_from_each_checkpoint(
    memwarden: Memwarden, log: Path, user_id: str, saver: str
) -> None:
    graph, place = await finished(memwarden, user_id, saver, log)
    kept = await history(graph, place)
    assert [state.next for state in kept] == [(), ("record",), ("approve",), ("draft",), ("__start__",)]
    for state in kept:
        log.unlink()
        log.touch()
        played = await run(graph, at(place, state), user_id, None)
        if "__interrupt__" in played:
            # What comes before the approval comes to the question again.
            latest = await history(graph, place)
            played = await run(graph, at(place, latest[0]), user_id, Command(resume="Mona"))
        assert played["steps"] == DONE
        steps = {"__start__": 4, "draft": 4, "approve": 3, "record": 1}
        assert len(ran(log)) == (steps[state.next[0]] if state.next else 0), state.next


@both_savers
async def test_a_thread_is_played_back_with_its_agents(
    memwarden: Memwarden, log: Path, user_id: str, saver: str
) -> None:
    graph, place = await opened_graph(memwarden, user_id, "supervised", saver, log)
    await run(graph, place, user_id, begun("supervised"))
    await run(graph, place, user_id, Command(resume="Mona"))
    kept = await history(graph, place)
    before = next(state for state in kept if state.next == ("tools",))
    log.unlink()
    stopped = await run(graph, at(place, before), user_id, None)
    assert "__interrupt__" in stopped, "the agent asks again, and does not know what was decided later"
    assert ran(log) == ["draft", "approve"]
    done = await run(graph, place, user_id, Command(resume="Noor"))
    assert [m.text for m in done["messages"] if isinstance(m, ToolMessage)] == ["Approved by Noor."]
    left = (await graph.aget_state(at(place, kept[0]))).values["messages"]
    assert [m.text for m in left if isinstance(m, ToolMessage)] == ["Approved by Mona."]


@both_savers
async def test_a_branch_and_what_it_left_are_both_readable(
    memwarden: Memwarden, log: Path, user_id: str, saver: str
) -> None:
    graph, place = await finished(memwarden, user_id, saver, log)
    kept = await history(graph, place)
    before_draft = next(state for state in kept if state.next == ("draft",))
    fork = await graph.aupdate_state(at(place, before_draft), {"days": 5})
    stopped = await run(graph, at(place, await graph.aget_state(fork)), user_id, None)
    assert stopped["__interrupt__"][0].value["days"] == 5
    await run(graph, place, user_id, Command(resume="Noor"))

    branch = (await graph.aget_state(place)).values
    assert branch["steps"] == ["drafted 5 days", "approved by Noor", "recorded 5 days"]
    assert (await graph.aget_state(at(place, kept[0]))).values == {"days": 3, "steps": DONE}
    ends = [state.values["steps"] for state in await history(graph, place) if not state.next]
    assert ends == [branch["steps"], DONE]


@both_savers
async def test_a_pruned_checkpoint_is_not_played_back(
    memwarden: Memwarden, log: Path, user_id: str, saver: str
) -> None:
    graph, place = await finished(memwarden, user_id, saver, log)
    kept = await history(graph, place)
    await (await memwarden.user(TENANT, user_id).checkpointer()).aprune([THREAD], count=2)
    assert [state.next for state in await history(graph, place)] == [(), ("record",)]
    gone = at(place, next(state for state in kept if state.next == ("approve",)))
    assert (await graph.aget_state(gone)).values == {}
    steps = ran(log)
    with pytest.raises(EmptyInputError):
        await run(graph, gone, user_id, None)
    assert ran(log) == steps
    assert len(await history(graph, place)) == 2
    window = at(place, kept[1])
    assert (await run(graph, window, user_id, None))["steps"] == DONE


@pytest.mark.slow
@both_savers
async def test_a_run_that_died_goes_on_where_it_was(
    memwarden: Memwarden, addresses: Addresses, log: Path, user_id: str, saver: str
) -> None:
    assert await elsewhere(addresses, user_id, "request", saver, log, "die") == (DIED, [])
    assert ran(log) == ["draft", "approve"]
    graph, place = await opened_graph(memwarden, user_id, "request", saver, log)
    assert (await graph.aget_state(place)).next == ("approve",)

    await run(graph, place, user_id, None)
    assert (await run(graph, place, user_id, Command(resume="Mona")))["steps"] == DONE
    assert ran(log) == ["draft", "approve", "approve", "approve", "record"]


@pytest.mark.slow
@both_savers
async def test_an_agent_of_a_supervisor_that_died_goes_on_where_it_was(
    memwarden: Memwarden, addresses: Addresses, log: Path, user_id: str, saver: str
) -> None:
    assert await elsewhere(addresses, user_id, "supervised", saver, log, "die") == (DIED, [])
    assert ran(log) == ["draft", "approve"]
    graph, place = await opened_graph(memwarden, user_id, "supervised", saver, log)
    assert (await graph.aget_state(place)).values["agents_involved"] == ["leave"]

    await run(graph, place, user_id, None)
    done = await run(graph, place, user_id, Command(resume="Mona"))
    assert [m.text for m in done["messages"] if isinstance(m, ToolMessage)] == ["Approved by Mona."]
    assert [m.text for m in done["messages"] if isinstance(m, AIMessage)][-1] == "It is settled."
    assert ran(log) == ["draft", "approve", "approve", "approve"]
