"""A workflow that waits for an approval, and the other process that goes on with it or dies in it."""

from __future__ import annotations

import asyncio
import json
import operator
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from memwarden import Memwarden, Scope
from memwarden.agent import DownstreamAgent, MemoryContext, build_supervisor
from tests.agent.test_middleware import RecordingModel

Graph = CompiledStateGraph[Any, Any, Any, Any]

TENANT = "workflows"
THREAD = "t"
OWN, SHARED = "own", "shared"
DIED = 3


class Request(TypedDict):
    """A request for leave, and what became of it."""

    days: int
    steps: Annotated[list[str], operator.add]


def noting(log: Path, step: str) -> None:
    """Note that a step ran, for whoever looks later, in whatever process."""
    with log.open("a") as file:
        file.write(f"{step}\n")


def ran(log: Path) -> list[str]:
    """Return the steps that ran so far, in any process."""
    return log.read_text().split()


def dies(log: Path) -> Callable[[str], None]:
    """Return what a step does in the process that dies in it."""

    def now(step: str) -> None:
        noting(log, step)
        os._exit(DIED)

    return now


def request_graph(saver: Any, log: Path, second: Callable[[str], None] | None = None) -> Graph:
    """Build the workflow: it drafts, waits for an approval, and files."""
    then = second or (lambda step: noting(log, step))

    def draft(state: Request) -> dict[str, Any]:
        noting(log, "draft")
        return {"steps": [f"drafted {state['days']} days"]}

    def approve(state: Request) -> dict[str, Any]:
        then("approve")
        return {"steps": [f"approved by {interrupt({'kind': 'approval', 'days': state['days']})}"]}

    def record(state: Request) -> dict[str, Any]:
        noting(log, "record")
        return {"steps": [f"recorded {state['days']} days"]}

    builder = StateGraph(Request, context_schema=MemoryContext)
    builder.add_sequence([draft, approve, record]).add_edge(START, "draft")
    return builder.compile(checkpointer=saver)


def supervised_graph(
    memwarden: Memwarden, saver: Any, log: Path, second: Callable[[str], None] | None = None
) -> Graph:
    """Build a supervisor whose agent drafts, and then waits for an approval."""
    then = second or (lambda step: noting(log, step))

    def draft(state: MessagesState) -> dict[str, Any]:
        noting(log, "draft")
        return {"messages": [AIMessage("A draft.")]}

    def approve(state: MessagesState) -> dict[str, Any]:
        then("approve")
        return {"messages": [AIMessage(f"Approved by {interrupt({'kind': 'approval'})}.")]}

    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    agent = builder.add_sequence([draft, approve]).add_edge(START, "draft").compile()
    call = {"name": "ask_leave", "args": {"request": "Three days"}, "id": "call_1"}
    return build_supervisor(
        memwarden,
        [DownstreamAgent("leave", "Files requests for leave.", agent)],
        model=ModelOfTurns(answers=[AIMessage("", tool_calls=[call]), AIMessage("It is settled.")]),
        checkpointer=saver,
    )


class ModelOfTurns(RecordingModel):
    """Answers by what the conversation holds, so that it can go on in another process."""

    def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
        self.prompts[:] = [[]] * sum(isinstance(m, AIMessage) for m in messages)
        return super()._generate(messages, *args, **kwargs)


def begun(kind: str) -> dict[str, Any]:
    """Return what a run of either graph begins with."""
    if kind == "request":
        return {"days": 3, "steps": []}
    return {"messages": [HumanMessage("I want three days of leave")]}


async def opened_graph(
    memwarden: Memwarden,
    user_id: str,
    kind: str,
    saver: str,
    log: Path,
    second: Callable[[str], None] | None = None,
) -> tuple[Graph, RunnableConfig]:
    """Return a graph on either saver, and the place of the user's thread."""
    user = memwarden.user(TENANT, user_id)
    checkpointer = await (memwarden.checkpointer() if saver == SHARED else user.checkpointer())
    place = user.config(THREAD) if saver == SHARED else RunnableConfig(configurable={"thread_id": THREAD})
    if kind == "request":
        return request_graph(checkpointer, log, second), place
    return supervised_graph(memwarden, checkpointer, log, second), place


def context_of(user_id: str) -> MemoryContext:
    return MemoryContext(Scope(TENANT, user_id), THREAD)


def in_another_process(address: str, *arguments: str) -> tuple[int, list[str]]:
    """Run this file, and return its exit code and the state it ended with."""
    ended = subprocess.run(
        [sys.executable, "-m", "tests.agent.leave_request", address, *arguments],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    return ended.returncode, json.loads(ended.stdout) if ended.stdout else []


async def main(address: str, user_id: str, kind: str, saver: str, log: str, deed: str) -> None:
    """Resume a thread with what was decided, or begin one and die in its second step."""
    async with Memwarden.open(address, opinions=()) as memwarden:
        second = dies(Path(log)) if deed == "die" else None
        graph, place = await opened_graph(memwarden, user_id, kind, saver, Path(log), second)
        given: Any = begun(kind) if deed == "die" else Command(resume=deed)
        done = await graph.ainvoke(given, place, context=context_of(user_id), durability="sync")
        print(json.dumps(done.get("steps") or [m.text for m in done["messages"]]))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
