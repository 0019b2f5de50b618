"""Tool results: the whole is kept once, the prompt gets what it needs, and the model can open the rest."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain.agents import create_agent
from langchain.tools import ToolRuntime
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command
from psycopg.rows import DictRow

from memwarden import Memwarden, UserMemory
from memwarden.agent import (
    MemoryContext,
    ToolResultsMiddleware,
    conversation_middleware,
    read_tool_result_tool,
    trim_tool_results_node,
)
from memwarden.session import SessionState, ToolView
from memwarden.session.excerpts import excerpt
from memwarden.session.prompt_size import text_tokens
from memwarden.session.shortening import head_and_tail
from memwarden.session.tool_views import view_of
from tests.session.rows import held
from tests.session.scripted_models import ScriptedModel, calls

Agent = CompiledStateGraph[Any, Any, Any, Any]
TICKET = {"ticket": "HR-1042", "state": {"name": "open", "since": "monday"}, "log": "line of the log " * 900}


@tool
def open_ticket() -> str:
    """Open a ticket."""
    return json.dumps(TICKET)


@tool
def leave_table() -> str:
    """Return the table of leave days."""
    return "first row " + "and another row " * 2_000 + "last row"


def looking_up(name: str, then: Callable[[list[BaseMessage]], AIMessage] | None = None) -> ScriptedModel:
    def script(prompt: list[BaseMessage]) -> AIMessage:
        if isinstance(prompt[-1], HumanMessage):
            return calls((f"call-{sum(isinstance(m, HumanMessage) for m in prompt)}", name, {}))
        return AIMessage("Done.") if then is None else then(prompt)

    return ScriptedModel(answer=script)


async def built(
    memwarden: Memwarden, model: ScriptedModel, views: dict[str, ToolView] | None = None
) -> Agent:
    return create_agent(
        model,
        [open_ticket, leave_table],
        middleware=[ToolResultsMiddleware(memwarden, views=views, most_tokens=300)],
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )


async def say(graph: Agent, user: UserMemory, text: str, thread: str = "t") -> list[BaseMessage]:
    result = await graph.ainvoke(
        {"messages": [HumanMessage(text)]}, user.config(thread), context=MemoryContext(user.scope, thread)
    )
    messages: list[BaseMessage] = result["messages"]
    return messages


def results(messages: list[BaseMessage]) -> list[ToolMessage]:
    return [m for m in messages if isinstance(m, ToolMessage)]


async def test_a_long_result_is_shown_by_head_and_tail(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    (shown,) = results(await say(await built(memwarden, looking_up("leave_table")), user, "Which days?"))
    assert shown.text.startswith("first row")
    assert "last row\n[read_tool_result(" in shown.text
    assert text_tokens(shown.text) < 350
    assert await user.tool_result("t", "call-1") == leave_table.invoke({})
    assert "and another row " * 600 not in await held(admin, user)


async def test_declared_fields_are_all_the_prompt_gets(memwarden: Memwarden, user: UserMemory) -> None:
    views = {"open_ticket": ToolView(fields=("ticket", "state.name", "missing"))}
    (shown,) = results(await say(await built(memwarden, looking_up("open_ticket"), views), user, "Open one."))
    said, pointer = shown.text.split("\n")
    assert json.loads(said) == {"ticket": "HR-1042", "state.name": "open"}
    assert "read_tool_result" in pointer
    assert json.loads(await user.tool_result("t", "call-1")) == TICKET


async def test_a_short_result_stays_as_it_is_and_is_kept_nowhere_else(
    memwarden: Memwarden, user: UserMemory
) -> None:
    @tool
    def days() -> str:
        """Return the days that are left."""
        return "12 days"

    graph: Agent = create_agent(
        looking_up("days"),
        [days],
        middleware=[ToolResultsMiddleware(memwarden)],
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    (shown,) = results(await say(graph, user, "How many days?"))
    assert shown.text == "12 days"
    assert await user.archived("t") == []


async def test_the_model_opens_the_whole_piece_by_piece(memwarden: Memwarden, user: UserMemory) -> None:
    def open_it(prompt: list[BaseMessage]) -> AIMessage:
        asked = [m for m in prompt if isinstance(m, ToolMessage)]
        if len(asked) == 1:
            return calls(("r1", "read_tool_result", {"reference": "call-1", "start": 20_000}))
        if len(asked) == 2:
            return calls(("r2", "read_tool_result", {"reference": "call-1", "find": "LAST ROW"}))
        if len(asked) == 3:
            return calls(("r3", "read_tool_result", {"reference": "no such"}))
        return AIMessage("Done.")

    shown = results(
        await say(await built(memwarden, looking_up("leave_table", open_it)), user, "Which days?")
    )
    assert shown[1].text.startswith("[characters 20000 to 21200 of 32018; go on with start=21200]\n")
    assert shown[2].text.endswith("last row")
    assert "no tool result with this reference" in shown[3].text
    assert len(await user.archived("t")) == 1


async def test_nobody_opens_another_users_or_another_conversations_result(
    memwarden: Memwarden, user: UserMemory
) -> None:
    await say(await built(memwarden, looking_up("leave_table")), user, "Which days?")

    def open_it(prompt: list[BaseMessage]) -> AIMessage:
        if isinstance(prompt[-1], HumanMessage):
            return calls(("r1", "read_tool_result", {"reference": "call-1"}))
        return AIMessage("Done.")

    other = memwarden.user("acme", f"not-{user.scope.user_id}")
    for who, thread in ((other, "t"), (user, "another"), (memwarden.user("other", user.scope.user_id), "t")):
        graph = await built(memwarden, ScriptedModel(answer=open_it))
        (shown,) = results(await say(graph, who, "Open it.", thread))
        assert "no tool result with this reference" in shown.text


async def test_results_of_earlier_turns_shrink_to_a_line(memwarden: Memwarden, user: UserMemory) -> None:
    graph: Agent = create_agent(
        looking_up("leave_table"),
        [leave_table],
        middleware=conversation_middleware(memwarden),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    await say(graph, user, "One?")
    first, second = results(await say(graph, user, "Two?"))
    assert len(first.text) < 250
    assert "\n" not in first.text
    assert first.text.startswith("first row")
    assert len(second.text) > 2_000
    assert await user.tool_result("t", "call-1") == leave_table.invoke({})


async def test_a_result_that_comes_with_a_command_is_shortened_too(
    memwarden: Memwarden, user: UserMemory
) -> None:
    @tool
    def note(runtime: ToolRuntime[Any, Any]) -> Command[Any]:
        """Note something."""
        said = ToolMessage("a note " * 1_000, tool_call_id=runtime.tool_call_id or "", name="note")
        return Command(update={"messages": [said]})

    graph: Agent = create_agent(
        looking_up("note"),
        [note],
        middleware=[ToolResultsMiddleware(memwarden)],
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    (shown,) = results(await say(graph, user, "Note it."))
    assert "read_tool_result" in shown.text
    assert await user.tool_result("t", "call-1") == "a note " * 1_000


async def test_the_same_as_a_node_and_in_a_thread(memwarden: Memwarden, user: UserMemory) -> None:
    model = looking_up("leave_table")
    graph = StateGraph(SessionState, context_schema=MemoryContext)
    graph.add_node("model", lambda state: {"messages": [model.invoke(state["messages"])]})
    graph.add_node("tools", ToolNode([leave_table, read_tool_result_tool(memwarden)]))
    graph.add_node("trim", trim_tool_results_node(memwarden))
    graph.add_edge(START, "model")
    graph.add_edge("model", "tools")
    graph.add_edge("tools", "trim")
    built: Agent = graph.compile(checkpointer=await memwarden.checkpointer())
    (shown,) = results(await say(built, user, "Which days?"))
    assert "read_tool_result" in shown.text
    assert text_tokens(shown.text) < 1_050


@given(st.text(max_size=4_000), st.integers(20, 400))
def test_head_and_tail_are_of_the_text_and_within_the_tokens(text: str, most: int) -> None:
    shown = head_and_tail(text, most, "[...]")
    if shown != text:
        head, tail = shown.split("\n[...]\n") if "\n[...]\n" in shown else ("", "")
        assert text.startswith(head)
        assert text.endswith(tail)
    assert text_tokens(shown) <= most


@given(st.text(max_size=3_000), st.integers(0, 4_000), st.integers(10, 300))
def test_a_text_can_be_read_to_its_end(whole: str, start: int, most: int) -> None:
    read, begin = "", 0
    for _ in range(len(whole) + 1):
        head, _, said = excerpt(whole, begin, "", most).partition("\n")
        read += said
        if "go on with start=" not in head:
            break
        begin = int(head.rpartition("=")[2].rstrip("]"))
    assert read == whole
    assert excerpt(whole, start, "", most)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ('[{"a": 1, "b": 2}, {"a": 3}]', '[{"a": 1}, {"a": 3}]'),
        ('{"b": 2}', None),
        ("not JSON", None),
        ('{"a": {"b": 1}}', None),
        ("[]", None),
    ],
)
def test_fields_of_lists_and_of_what_has_none(said: str, shown: str | None) -> None:
    message = ToolMessage(said, tool_call_id="c", name="t")
    found = view_of(message, ToolView(fields=("a",)), 1_000)
    assert found == shown
