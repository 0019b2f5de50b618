"""On the wire: what reaches a provider is what it takes, and what it counts is what counts."""

from __future__ import annotations

from typing import Any

import openai
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph.state import CompiledStateGraph

from memwarden import Memwarden, UserMemory
from memwarden.agent import CompactionMiddleware, MemoryContext, conversation_middleware
from memwarden.session import Window
from tests.session.openai_stub import Payload, Stub, called, openai_stub, said

pytestmark = pytest.mark.slow
"""Each test holds a conversation over the network."""

Agent = CompiledStateGraph[Any, Any, Any, Any]


@tool
def leave_days(week: int) -> str:
    """Return the table of leave days of the user's team."""
    return f"week {week}: " + "Asha 3, Ravi 5, Meera 2; " * 60


def script(request: Payload) -> Payload:
    """Look up two weeks at once, then speak."""
    if request["messages"][-1]["role"] == "tool":
        return said("Your team has 12 days.")
    turn = sum(len(m["content"] or "") for m in request["messages"])
    return called((f"a{turn}", "leave_days", {"week": 1}), (f"b{turn}", "leave_days", {"week": 2}))


def chat(stub: Stub) -> ChatOpenAI:
    return ChatOpenAI(
        model="gpt-4o-mini", base_url=stub.url, api_key="none", max_retries=0, use_responses_api=False
    )


async def agent(memwarden: Memwarden, stub: Stub, window: int) -> Agent:
    return create_agent(
        chat(stub),
        [leave_days],
        system_prompt="You are the helpdesk.",
        middleware=conversation_middleware(memwarden, window=Window(window)),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )


async def say(graph: Agent, user: UserMemory, *messages: BaseMessage) -> dict[str, Any]:
    result: dict[str, Any] = await graph.ainvoke(
        {"messages": list(messages)}, user.config("t"), context=MemoryContext(user.scope, "t")
    )
    return result


def test_the_stub_refuses_what_the_real_service_refuses() -> None:
    lone = ToolMessage("12", tool_call_id="c", name="leave_days")
    open_call = AIMessage("", tool_calls=[{"name": "leave_days", "args": {}, "id": "c", "type": "tool_call"}])
    with openai_stub(script, window=500) as stub:
        for broken in (
            [HumanMessage("?"), lone],
            [HumanMessage("?"), open_call],
            [HumanMessage("?"), open_call, HumanMessage("!")],
        ):
            with pytest.raises(openai.BadRequestError):
                chat(stub).invoke(broken)
        with pytest.raises(openai.BadRequestError, match="maximum context length"):
            chat(stub).invoke([HumanMessage("word " * 2_000)])
        assert len(stub.refused) == 4


async def test_a_long_conversation_is_never_refused(memwarden: Memwarden, user: UserMemory) -> None:
    with openai_stub(script) as stub:
        graph = await agent(memwarden, stub, 4_000)
        for turn in range(20):
            await say(graph, user, HumanMessage(f"How many days in week {turn}?"))
    assert stub.refused == []
    assert len(stub.asked) == 40
    assert "<conversation_summary>" in stub.asked[-1]["messages"][0]["content"]


async def test_a_history_that_another_tool_broke_is_put_right(memwarden: Memwarden, user: UserMemory) -> None:
    open_call = AIMessage(
        "", id="a", tool_calls=[{"name": "leave_days", "args": {}, "id": "c", "type": "tool_call"}]
    )
    with openai_stub(script) as stub:
        graph = await agent(memwarden, stub, 4_000)
        lone = ToolMessage("12 days", tool_call_id="gone", name="leave_days", id="lone")
        await say(
            graph,
            user,
            HumanMessage("?", id="h1"),
            open_call,
            HumanMessage("Hello?", id="h2"),
            lone,
            HumanMessage("!"),
        )
        again = await say(graph, user, HumanMessage("And next week?"))
    assert stub.refused == []
    assert "lone" not in {m.id for m in again["messages"]}
    assert "lone" in {item.id for item in await user.archived("t")}


async def test_a_provider_that_counts_more_than_we_do_is_believed(
    memwarden: Memwarden, user: UserMemory
) -> None:
    with openai_stub(script, characters=2.0) as stub:
        graph = await agent(memwarden, stub, 4_000)
        for turn in range(12):
            await say(graph, user, HumanMessage(f"How many days in week {turn}?"))
        state = await graph.aget_state(user.config("t"))
    assert state.values["token_scale"] > 1.5
    assert stub.refused == []
    assert max(stub.tokens(request) for request in stub.asked) <= 4_000


async def test_a_window_smaller_than_told_is_met_by_compacting_once_more(
    memwarden: Memwarden, user: UserMemory
) -> None:
    with openai_stub(lambda request: said("Fine. " * 60), window=1_500) as stub:
        graph = create_agent(
            chat(stub),
            [],
            system_prompt="You are the helpdesk.",
            middleware=[CompactionMiddleware(memwarden, window=Window(3_000))],
            context_schema=MemoryContext,
            checkpointer=await memwarden.checkpointer(),
        )
        for turn in range(20):
            await say(graph, user, HumanMessage(f"Question {turn}: " + "word " * 40))
    assert len(stub.asked) == 20
    assert all("maximum context length" in refusal for refusal in stub.refused)
    assert stub.refused
