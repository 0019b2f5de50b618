"""What was forgotten leaves the conversations it was said in, with the answers to it."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph.state import CompiledStateGraph
from psycopg import AsyncConnection
from psycopg.rows import DictRow

from memwarden import MemoryRecord, Memwarden, Origin, UserMemory
from memwarden.agent import MemoryContext
from memwarden.checkpoint.codec import unsqueezed
from memwarden.model.record import Evidence
from tests.agent.test_middleware import OK, RecordingModel, agent, propose, say

Admin = AsyncConnection[DictRow]
Graph = CompiledStateGraph[Any, Any, Any, Any]

CATS = "Remember that I have two cats"


@tool
def shelters(animals: str) -> str:
    """List shelters for animals."""
    return f"The shelter takes {animals}."


LOOKS_UP = AIMessage("", tool_calls=[{"name": "shelters", "args": {"animals": "two cats"}, "id": "call_1"}])
ABOUT_CATS = AIMessage("The shelter would take your two cats.")


async def built(memwarden: Memwarden, user: UserMemory, *answers: AIMessage) -> tuple[Graph, RecordingModel]:
    """Return an agent with a tool of its own, and its model."""
    model = RecordingModel(answers=[*answers, *[OK] * 8])
    return agent(memwarden, model, tools=[shelters], checkpointer=await user.checkpointer()), model


async def kept(graph: Graph, thread: str = "t") -> list[BaseMessage]:
    """Return the conversation as its checkpoint has it."""
    state = await graph.aget_state({"configurable": {"thread_id": thread}})
    messages: list[BaseMessage] = state.values["messages"]
    return messages


async def only(user: UserMemory) -> MemoryRecord:
    (record,) = await user.memories()
    return record


def words(messages: list[BaseMessage]) -> list[str]:
    """Return what the messages say, the arguments of tools included."""
    return [m.text + str(getattr(m, "tool_calls", None) or "") for m in messages]


def history(model: RecordingModel) -> list[str]:
    """Return what the latest prompt holds."""
    return words(model.prompts[-1])


async def test_the_next_run_drops_the_message_and_all_that_was_answered_to_it(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph, model = await built(memwarden, user, LOOKS_UP, ABOUT_CATS)
    said = await say(graph, user, CATS)
    await say(graph, user, "Which holidays are coming?")
    assert [type(m).__name__ for m in said] == ["HumanMessage", "AIMessage", "ToolMessage", "AIMessage"]
    assert any("two cats" in line for line in history(model))

    await user.forget((await only(user)).id)
    assert await user.stale_messages("t") == (said[0].id,)
    await say(graph, user, "And after that?")
    later = ["Which holidays are coming?", "Fine.", "And after that?", "Fine."]
    assert words(await kept(graph)) == later
    assert history(model) == ["You are the helpdesk.", *later[:-1]]


async def test_once_it_is_dropped_no_checkpoint_holds_it_any_more(
    memwarden: Memwarden, user: UserMemory, admin: Admin
) -> None:
    graph, _ = await built(memwarden, user, LOOKS_UP, ABOUT_CATS)
    await say(graph, user, CATS)
    await user.forget((await only(user)).id)
    await say(graph, user, "Which holidays are coming?")
    assert any("two cats" in part for part in await parts(admin, user)), "older checkpoints still have it"
    await say(graph, user, "And after that?")
    await say(graph, user, "Thank you")
    assert not any("two cats" in part for part in await parts(admin, user))
    assert len(await kept(graph)) == 6


async def parts(admin: Admin, user: UserMemory) -> list[str]:
    """Return every part of the user's checkpoints as text."""
    cursor = await admin.execute(
        "SELECT content FROM memwarden.checkpoint_part WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    return [unsqueezed(bytes(row["content"])).decode("utf-8", "replace") for row in await cursor.fetchall()]


async def test_what_was_dropped_is_no_longer_listed(memwarden: Memwarden, user: UserMemory) -> None:
    graph, _ = await built(memwarden, user)
    await say(graph, user, CATS)
    await user.forget((await only(user)).id)
    await say(graph, user, "Hello")
    # Only a later run can see that the removal was saved.
    assert len(await user.stale_messages("t")) == 1
    await say(graph, user, "Hello again")
    assert await user.stale_messages("t") == ()
    assert words(await kept(graph)) == ["Hello", "Fine.", "Hello again", "Fine."]


async def test_earlier_exchanges_stay(memwarden: Memwarden, user: UserMemory) -> None:
    graph, _ = await built(memwarden, user)
    await say(graph, user, "Which holidays are coming?")
    await say(graph, user, CATS)
    await user.forget((await only(user)).id)
    await say(graph, user, "Hello")
    assert words(await kept(graph)) == ["Which holidays are coming?", "Fine.", "Hello", "Fine."]


async def test_the_message_that_is_answered_stays(memwarden: Memwarden, user: UserMemory) -> None:
    graph, model = await built(memwarden, user)
    await say(graph, user, "Hello")
    question = HumanMessage("Do I have two cats?", id="m2")
    where = Evidence(conversation_id="t", message_id="m2")
    await user.remember("I have two cats", origin=Origin.USER_TURN, evidence=where)
    await user.forget((await only(user)).id)
    assert await user.stale_messages("t") == ("m2",)
    result = await graph.ainvoke(
        {"messages": [question]},
        {"configurable": {"thread_id": "t"}},
        context=MemoryContext(user.scope, "t"),
    )
    assert history(model)[-1] == question.text
    assert words(result["messages"]) == ["Hello", "Fine.", question.text, "Fine."]
    # Once it is answered it goes like any other.
    await say(graph, user, "Bye")
    assert words(await kept(graph)) == ["Hello", "Fine.", "Bye", "Fine."]


async def test_another_conversation_and_another_user_are_left_alone(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph, _ = await built(memwarden, user)
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-stranger")
    theirs, _ = await built(memwarden, stranger)
    await say(graph, user, CATS)
    await say(graph, user, "I have two cats, as you know", "other")
    await say(theirs, stranger, CATS)
    await user.forget((await only(user)).id)
    for thread in ("t", "other"):
        await say(graph, user, "Hello", thread)
    await say(theirs, stranger, "Hello")
    assert words(await kept(graph)) == ["Hello", "Fine."]
    assert words(await kept(graph, "other"))[:2] == ["I have two cats, as you know", "Fine."]
    assert words(await kept(theirs))[:2] == [CATS, "Fine."]
    assert (await user.stale_messages("other"), await stranger.stale_messages("t")) == ((), ())


async def test_forgotten_in_one_conversation_leaves_the_one_it_was_said_in(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph, model = await built(memwarden, user)
    await say(graph, user, CATS)
    await say(graph, user, "Forget that I have two cats", "other")
    assert "- forgotten: " in model.system()
    await say(graph, user, "Hello")
    assert words(await kept(graph)) == ["Hello", "Fine."]


async def test_forgotten_in_the_same_conversation_leaves_it_at_once(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph, model = await built(memwarden, user)
    await say(graph, user, CATS)
    await say(graph, user, "Forget that I have two cats")
    assert "- forgotten: " in model.system()
    assert CATS not in history(model)
    assert words(await kept(graph)) == ["Forget that I have two cats", "Fine."]


async def test_the_words_of_the_command_to_forget_go_with_the_next_run(
    memwarden: Memwarden, user: UserMemory
) -> None:
    # Fails: the command itself is not stale, and repeats the forgotten words in every later prompt.
    graph, model = await built(memwarden, user)
    await say(graph, user, CATS)
    await say(graph, user, "Forget that I have two cats")
    await say(graph, user, "Hello")
    assert not any("two cats" in line for line in history(model))


async def test_an_older_version_goes_with_the_new_one(memwarden: Memwarden, user: UserMemory) -> None:
    graph, _ = await built(memwarden, user)
    await say(graph, user, "Remember that I live in Pune")
    await say(graph, user, "Hello")
    await say(graph, user, "Remember that I live in Mumbai")
    await user.forget((await only(user)).id)
    await say(graph, user, "Bye")
    assert words(await kept(graph)) == ["Hello", "Fine.", "Bye", "Fine."]


async def test_what_was_confirmed_goes_with_the_question_about_it(
    memwarden: Memwarden, user: UserMemory
) -> None:
    aloud = AIMessage("Shall I remember that you work night shifts?")
    graph, _ = await built(memwarden, user, propose("Works night shifts", "I work night shifts"), aloud)
    await say(graph, user, "I work night shifts")
    await say(graph, user, "yes")
    await user.forget((await only(user)).id)
    await say(graph, user, "Hello")
    assert not any("night" in line for line in words(await kept(graph)))


@pytest.mark.parametrize("erase", [True, False])
async def test_a_purpose_that_is_withdrawn_and_emptied_leaves_the_conversation(
    memwarden: Memwarden, user: UserMemory, erase: bool
) -> None:
    graph, _ = await built(memwarden, user)
    await say(graph, user, CATS)
    await user.withdraw((await only(user)).purpose, erase=erase)
    assert len(await user.stale_messages("t")) == int(erase)
    await say(graph, user, "Hello")
    assert (CATS in words(await kept(graph))) is not erase
