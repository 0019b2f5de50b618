"""One compiled graph for everybody: each call is inside the scope that its configuration names, and fails without one."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt

from memwarden import Memwarden, UserMemory
from memwarden.checkpoint import SharedSaver
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.shared import SCOPE
from memwarden.errors import InvalidInputError
from memwarden.model.scope import Scope
from tests.conftest import Addresses


def nested(saver: SharedSaver) -> Any:
    """Return a graph with a subgraph that asks before it answers."""

    def ask(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"you said {interrupt('what?')}")]}

    within = StateGraph(MessagesState).add_node(ask).add_edge(START, "ask").add_edge("ask", END)
    outer = StateGraph(MessagesState).add_node("sub", within.compile(checkpointer=True))
    return outer.add_edge(START, "sub").add_edge("sub", END).compile(checkpointer=saver)


async def test_users_with_threads_of_one_name_do_not_meet(memwarden: Memwarden, kept_in: Engine) -> None:
    saver = SharedSaver(kept_in)
    graph = nested(saver)
    tenant = f"shared-{uuid4().hex[:8]}"
    users = [memwarden.user(tenant, name) for name in ("asha", "ben")]
    for user in users:
        config = user.config("t")
        asked = await graph.ainvoke({"messages": [HumanMessage(f"I am {user.scope.user_id}")]}, config)
        assert asked["__interrupt__"][0].value == "what?"
        answered = await graph.ainvoke(Command(resume=user.scope.user_id), config)
        assert [m.text for m in answered["messages"]] == [
            f"I am {user.scope.user_id}",
            f"you said {user.scope.user_id}",
        ]
    for user in users:
        history = [found async for found in graph.aget_state_history(user.config("t"))]
        assert all(
            user.scope.user_id in m.text for found in history for m in found.values.get("messages", ())
        )
        # What LangGraph gives back can be given to it again.
        again = await graph.aget_state(history[1].config)
        assert again.config == history[1].config
        await saver.of(user.scope).adelete_thread("t")
        assert (await graph.aget_state(user.config("t"))).values == {}


async def test_nothing_of_the_scope_is_in_what_is_kept(memwarden: Memwarden, user: UserMemory) -> None:
    saver = await memwarden.checkpointer()
    await nested(saver).ainvoke({"messages": [HumanMessage("hello")]}, user.config("t"))
    found = [found async for found in saver.alist(user.config("t"))]
    assert found
    for one in found:
        assert SCOPE not in one.metadata
        assert user.scope.user_id not in repr((one.metadata, one.checkpoint))


@pytest.mark.parametrize("scope", [None, "acme", {"tenant_id": "acme", "user_id": "asha"}, ("acme", "asha")])
async def test_no_scope_is_an_error_never_a_default(memwarden: Memwarden, scope: Any) -> None:
    saver = await memwarden.checkpointer()
    config: Any = {"configurable": {"thread_id": "t", "checkpoint_ns": "", SCOPE: scope}}
    with pytest.raises(InvalidInputError):
        await nested(saver).ainvoke({"messages": [HumanMessage("hello")]}, config)
    for call in (
        saver.aget_tuple(config),
        saver.aget_delta_channel_history(config=config, channels=["messages"]),
        saver.aput_writes(config, [], "task"),
        saver.adelete_thread("t"),
        saver.adelete_for_runs(["r"]),
        saver.acopy_thread("t", "u"),
        saver.aprune(["t"]),
    ):
        with pytest.raises(InvalidInputError):
            await call
    for listed in (saver.alist(config), saver.alist(None)):
        with pytest.raises(InvalidInputError):
            await anext(listed)


def test_without_await(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app, opinions=()) as memwarden:
        graph = nested(memwarden.checkpointer())
        user = memwarden.user("acme", "sync-shared")
        graph.invoke({"messages": [HumanMessage("hello")]}, user.config("t"))
        answered = graph.invoke(Command(resume="this"), user.config("t"))
        assert answered["messages"][-1].text == "you said this"
        assert len(list(graph.get_state_history(user.config("t")))) == 3
        with pytest.raises(InvalidInputError):
            graph.invoke({"messages": []}, {"configurable": {"thread_id": "t", SCOPE: "acme"}})


async def test_many_users_are_served_by_few_savers(kept_in: Engine) -> None:
    saver = SharedSaver(kept_in)
    first = saver.of(Scope("acme", "first"))
    assert saver.of(Scope("acme", "first")) is first
    for number in range(1_000):
        saver.of(Scope("acme", f"user-{number}"))
    assert saver.of(Scope("acme", "first")) is not first
