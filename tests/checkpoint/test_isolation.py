"""Another tenant's thread reads as absent, lists as absent, and nothing that is done to it reaches it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph

from memwarden.checkpoint import ScopedSaver
from memwarden.checkpoint.engine import Engine
from memwarden.errors import DatabaseError, NotFoundError
from memwarden.model.scope import Scope

THREAD: RunnableConfig = {"configurable": {"thread_id": "t"}}
RUN: RunnableConfig = {**THREAD, "metadata": {"run_id": "run-1"}}


def talking(saver: ScopedSaver) -> Any:
    def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage("noted " + "x" * 2_000)]}

    builder = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
    return builder.compile(checkpointer=saver)


async def everything(saver: ScopedSaver) -> list[Any]:
    return [found async for found in saver.alist(None)]


@pytest.mark.parametrize(
    "other",
    [
        ("another", "asha"),
        ("acme", "ben"),
        ("acme", "asha "),
        ("asha", "acme"),
        ("acm", "easha"),
        ("ACME", "asha"),
    ],
)
async def test_nobody_else_reaches_a_thread(kept_in: Engine, other: tuple[str, str]) -> None:
    one = uuid4().hex[:8]
    mine = ScopedSaver(kept_in, Scope(f"{one}acme", "asha"))
    theirs = ScopedSaver(kept_in, Scope(f"{one}{other[0]}", other[1]))
    await talking(mine).ainvoke({"messages": [HumanMessage("hello")]}, RUN)
    before = await everything(mine)
    assert before

    assert await theirs.aget_tuple(THREAD) is None
    named = before[0].config
    assert await theirs.aget_tuple(named) is None
    assert await everything(theirs) == []
    assert [found async for found in theirs.alist(THREAD)] == []
    assert await theirs.aget_delta_channel_history(config=THREAD, channels=["messages"]) == {
        "messages": {"writes": []}
    }
    with pytest.raises(DatabaseError):  # as for one that was never there
        await theirs.aget_delta_channel_history(config=named, channels=["messages"])
    with pytest.raises(NotFoundError):
        await theirs.acopy_thread("t", "mine-now")
    await theirs.adelete_for_runs(["run-1"])
    await theirs.aprune(["t"])
    await theirs.aprune(["t"], strategy="delete")
    await theirs.adelete_thread("t")
    assert await everything(mine) == before

    # The same thread id, for somebody else, is another thread.
    await talking(theirs).ainvoke({"messages": [HumanMessage("also hello")]}, RUN)
    assert await everything(mine) == before
    await mine.adelete_thread("t")
    assert len(await everything(theirs)) == 3
