"""Three hundred turns with tool calls in a window of 4,000 tokens: nothing pinned is lost, nothing grows."""

from __future__ import annotations

import json
from typing import Any

import psycopg
import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from psycopg.rows import DictRow

from memwarden import Memwarden, UserMemory
from memwarden.agent import MemoryContext, conversation_middleware
from memwarden.session import Window
from tests.session.scripted_models import ScriptedModel, calls
from tests.session.strictest import complaints

TURNS, WINDOW = 300, 4_000
CONSENT = "I do not consent to sharing my bank details."
TICKETS = {turn: f"HR-{4000 + turn}" for turn in range(20, TURNS, 60)}
DECISIONS = {turn: f"Shall I book day {turn} as leave?" for turn in range(10, TURNS, 70)}


@tool
def open_ticket(turn: int) -> str:
    """Open a ticket for what the user asked."""
    return json.dumps({"ticket": TICKETS[turn], "state": "open", "log": "line of the log " * 300})


@tool
def leave_days(turn: int) -> str:
    """Return the table of leave days of the user's team."""
    return f"table for turn {turn}: " + "name, office, days; " * 300


def asked(turn: int) -> str:
    if turn == 3:
        return CONSENT
    if turn - 1 in DECISIONS:
        return "Yes." if turn % 140 == 11 else "No."
    return f"Question {turn}: how many days of leave does my team have in week {turn % 52}?"


def answered(turn: int, prompt: list[BaseMessage]) -> AIMessage:
    """Return what the agent does: in some turns two calls at once, in some a ticket, else one call; then it speaks."""
    if isinstance(prompt[-1], ToolMessage) or turn % 5 == 4:
        return AIMessage(DECISIONS.get(turn, f"Answer {turn}: your team has {turn % 30} days."))
    if turn in TICKETS:
        return calls((f"t{turn}", "open_ticket", {"turn": turn}))
    if turn % 3 == 0:
        return calls((f"a{turn}", "leave_days", {"turn": turn}), (f"b{turn}", "leave_days", {"turn": turn}))
    return calls((f"c{turn}", "leave_days", {"turn": turn}))


def size(model: ScriptedModel, prompt: list[BaseMessage]) -> int:
    """Count a prompt apart from the code under test: four characters a token, and four tokens a message."""
    said = sum(
        len(json.dumps(m.content)) + len(json.dumps(getattr(m, "tool_calls", []))) + 16 for m in prompt
    )
    return (said + len(json.dumps(model.tools))) // 4


async def rows(admin: psycopg.AsyncConnection[DictRow], user: UserMemory) -> dict[str, tuple[int, int]]:
    """Return, by table, the bytes of a user's largest row and of all of them."""
    found = {}
    for table in ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write"):
        cursor = await admin.execute(
            f"SELECT coalesce(max(pg_column_size(t.*)), 0) AS largest, coalesce(sum(pg_column_size(t.*)), 0) AS all"
            f" FROM memwarden.{table} AS t WHERE tenant_id = %s AND user_id = %s",
            (user.scope.tenant_id, user.scope.user_id),
        )
        row = await cursor.fetchone()
        assert row is not None
        found[table] = (int(row["largest"]), int(row["all"]))
    return found


@pytest.mark.slow
async def test_three_hundred_turns(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    turn = 0
    model = ScriptedModel(answer=lambda prompt: answered(turn, prompt))
    graph = create_agent(
        model,
        [open_ticket, leave_days],
        system_prompt="You are the helpdesk.",
        middleware=conversation_middleware(memwarden, window=Window(WINDOW)),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    kept: dict[int, dict[str, tuple[int, int]]] = {}
    result: dict[str, Any] = {}
    for turn in range(TURNS):
        result = await graph.ainvoke(
            {"messages": [HumanMessage(asked(turn))]},
            user.config("t"),
            context=MemoryContext(user.scope, "t"),
        )
        if turn + 1 in (100, 200, 300):
            kept[turn + 1] = await rows(admin, user)

    assert [found for prompt in model.prompts if (found := complaints(_with_ids(prompt)))] == []
    assert max(size(model, prompt) for prompt in model.prompts) <= WINDOW

    last = model.prompts[-1][0].text
    assert f'The user has not consented: "{CONSENT}"' in last
    for turn, question in DECISIONS.items():
        answer = "confirmed" if (turn + 1) % 140 == 11 else "refused"
        assert f'The user {answer} (asked: "{question}")' in last
    assert all(ticket in last for ticket in TICKETS.values())

    transcript = result["transcript"]
    assert [m.type for m in transcript] == ["human", "ai"] * TURNS
    assert [m.text for m in transcript[::2]] == [asked(turn) for turn in range(TURNS)]
    assert len(result["seen_message_ids"]) > 2 * TURNS
    assert len(result["messages"]) < 40

    await _nothing_left_unread(user, result)
    print(
        kept,
        max(size(model, prompt) for prompt in model.prompts),
        len(model.prompts[-1][0].text),
        len(result["ledger"]),
    )
    print(last[-3500:])
    _flat(kept)


async def _nothing_left_unread(user: UserMemory, result: dict[str, Any]) -> None:
    """Every message that was ever seen is in the history or in the archive."""
    archived = [
        item.id for after in range(0, 20_000, 1_000) for item in await user.archived("t", after=after)
    ]
    present = {m.id for m in result["messages"]}
    assert set(result["seen_message_ids"]) <= present | set(archived)
    assert "line of the log " * 300 in await user.tool_result("t", f"t{min(TICKETS)}")


def _flat(kept: dict[int, dict[str, tuple[int, int]]]) -> None:
    for table, (largest, _) in kept[300].items():
        assert largest <= max(1.25 * kept[100][table][0], 4_096), table
    for table in kept[100]:
        second = kept[200][table][1] - kept[100][table][1]
        third = kept[300][table][1] - kept[200][table][1]
        assert third <= 1.25 * second + 4_096, table


def _with_ids(prompt: list[BaseMessage]) -> list[BaseMessage]:
    return [m if m.id else m.model_copy(update={"id": f"rules-{place}"}) for place, m in enumerate(prompt)]
