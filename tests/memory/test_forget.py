"""Forgetting leaves nothing of what was said, in any column of any table."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from langchain_core.messages import HumanMessage
from langgraph.graph import START, MessagesState, StateGraph
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, Source, UserMemory
from memwarden.db.erasure import ERASED_TABLES
from memwarden.errors import NotFoundError
from memwarden.model.audit import Action

Admin = psycopg.AsyncConnection[DictRow]


async def rows_with(admin: Admin, needle: str, user: UserMemory) -> dict[str, int]:
    """Count the rows of each table about a user in which a word still stands, vectors and search text included."""
    counts = {}
    for table in (*ERASED_TABLES, "audit_event"):
        cursor = await admin.execute(
            f"SELECT count(*) AS n FROM memwarden.{table} t WHERE user_id = %s"
            " AND (strpos(lower(t::text), %s) > 0 OR strpos(t::text, encode(convert_to(%s, 'UTF8'), 'hex')) > 0)",
            (user.scope.user_id, needle.lower(), needle),
        )
        row = await cursor.fetchone()
        assert row is not None
        if row["n"]:
            counts[table] = row["n"]
    return counts


async def test_a_forgotten_record_and_its_older_versions_are_empty(user: UserMemory, admin: Admin) -> None:
    await user.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)
    record = (await user.remember("I live in Quedlinburg", origin=Origin.USER_TURN)).record
    assert record is not None
    assert await rows_with(admin, "Wolfenbuettel", user) == {"memory": 1}
    ids = await user.forget(record.id)

    assert len(ids) == 2
    assert await user.memories() == []
    assert await rows_with(admin, "Wolfenbuettel", user) == {}
    assert await rows_with(admin, "Quedlinburg", user) == {}
    cursor = await admin.execute(
        "SELECT status, content, key, details, evidence, embedding, search::text FROM memwarden.memory WHERE user_id = %s",
        (user.scope.user_id,),
    )
    for row in await cursor.fetchall():
        assert row == {
            "status": "deleted", "content": "", "key": None, "details": {}, "evidence": {}, "embedding": None, "search": "",
        }  # fmt: skip
    assert [e.action for e in await user.audit()].count(Action.FORGOTTEN) == 2
    for verb in (user.forget, user.history):
        with pytest.raises(NotFoundError):
            await verb(record.id)


async def test_a_forgotten_slot_can_be_filled_again(user: UserMemory) -> None:
    record = (await user.remember("I live in Pune", origin=Origin.USER_TURN)).record
    assert record is not None
    await user.forget(record.id)
    again = (await user.remember("I live in Pune", origin=Origin.USER_TURN)).record
    assert again is not None
    assert again.id != record.id
    assert again.source is Source.USER_STATED


async def test_forget_everything_leaves_the_log_and_nothing_else(
    memwarden: Memwarden, user: UserMemory, admin: Admin
) -> None:
    neighbour = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-neighbour")
    for somebody in (user, neighbour):
        await somebody.remember("I live in Wolfenbuettel", origin=Origin.USER_TURN)
        await somebody.propose("I read Lessing", quote="I read Lessing", message="I read Lessing")
        await run_a_graph(somebody, "I am in Wolfenbuettel today")
        await somebody.keep_messages("t", [HumanMessage("I was in Wolfenbuettel", id="long-ago")])
        listed = await somebody.conversations.begin()
        await somebody.conversations.rename(listed.id, "Moving to Wolfenbuettel")
        await somebody.consolidate()

    erasure = await user.forget_everything()
    assert erasure.residue == 0
    assert set(erasure.removed) == {*ERASED_TABLES, "jobs"}
    assert min(count for table, count in erasure.removed.items() if table != "jobs") >= 1, erasure.removed
    assert await rows_with(admin, "Wolfenbuettel", user) == {}
    assert await rows_with(admin, "Lessing", user) == {}
    assert await user.memories() == []
    assert await user.proposals() == []
    assert [event.action for event in (await user.audit())[:2]] == [Action.COMPLETED, Action.ERASED]

    assert len(await neighbour.memories()) == 1
    assert await rows_with(admin, "Wolfenbuettel", neighbour) != {}
    assert (await user.forget_everything()).removed == dict.fromkeys([*ERASED_TABLES, "jobs"], 0)


async def test_no_late_note_of_use_brings_a_row_back(memwarden: Memwarden, user: UserMemory) -> None:
    await user.remember("I live in Pune", origin=Origin.USER_TURN)
    await user.recall("Where do I live?")
    await user.forget_everything()
    await memwarden.flush()
    assert (await user.forget_everything()).removed["memory"] == 0


async def run_a_graph(user: UserMemory, text: str) -> None:
    """Leave a conversation in the user's checkpoints."""

    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [HumanMessage("noted: " + state["messages"][-1].text)]}

    graph = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer")
    app = graph.compile(checkpointer=await user.checkpointer())
    await app.ainvoke({"messages": [HumanMessage(text)]}, {"configurable": {"thread_id": "t"}})
