"""Handing over: an agent that takes the conversation over, and a history that stays whole."""

from __future__ import annotations

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.types import Command

from memwarden import Memwarden, UserMemory
from memwarden.agent import DownstreamAgent, MemoryContext, MemwardenMiddleware, build_supervisor
from tests.agent.test_middleware import RecordingModel, say
from tests.agent.test_supervisor import (
    HANDS_OVER,
    PLACE,
    asks,
    booking,
    calls,
    leave,
    results,
    saying,
    stating,
    trains,
    travel,
    valid,
    values,
)

LOOKS = calls(("trains", {"city": "Pune"}))


async def test_an_agent_takes_the_conversation_over_and_answers_the_user(
    memwarden: Memwarden, user: UserMemory
) -> None:
    inner = RecordingModel(answers=[LOOKS, AIMessage("At nine or at ten?"), AIMessage("Booked for nine.")])
    agents = [leave(), travel(create_agent(inner, [trains]), handoff=True)]
    model = RecordingModel(answers=[asks("leave"), HANDS_OVER])
    graph = build_supervisor(memwarden, agents, model=model, checkpointer=await user.checkpointer())
    messages = await say(graph, user, "I want to go to Pune")
    assert len(model.prompts) == 2, "the supervisor is not asked again"
    assert (messages[-1].text, messages[-1].name) == ("At nine or at ten?", "travel")
    assert results(messages) == ["Twelve days.", "Handed over to travel.", "Two trains to Pune."]
    assert valid(messages)
    assert [m.text for m in inner.prompts[0]] == ["I want to go to Pune"]

    # The next turn begins with the supervisor, which sees what was said and hands over again.
    again = RecordingModel(answers=[HANDS_OVER])
    graph = build_supervisor(memwarden, agents, model=again, checkpointer=await user.checkpointer())
    messages = await say(graph, user, "At nine")
    assert len(again.prompts) == 1
    assert any(m.text == "At nine or at ten?" for m in again.prompts[0])
    assert messages[-1].text == "Booked for nine."
    assert valid(messages)
    assert valid(inner.prompts[-1])
    assert [m.text for m in inner.prompts[-1] if m.text] == [
        "I want to go to Pune",
        "Two trains to Pune.",
        "At nine or at ten?",
        "At nine",
    ]
    assert (await values(graph))["agents_involved"] == ["leave", "travel"]


async def test_after_a_handover_the_user_message_is_the_users_word(
    memwarden: Memwarden, user: UserMemory
) -> None:
    quote = "I usually work night shifts"
    proposal = calls(("propose_memory", {"statement": "Works night shifts", "quote": quote}))
    inner = RecordingModel(answers=[proposal, AIMessage("Shall I remember that?")])
    taking = create_agent(inner, middleware=[MemwardenMiddleware(memwarden)], context_schema=MemoryContext)
    graph = build_supervisor(
        memwarden,
        [travel(taking, handoff=True)],
        model=RecordingModel(answers=[HANDS_OVER]),
        checkpointer=await user.checkpointer(),
    )
    messages = await say(graph, user, f"{quote}. Find me a train.")
    (waiting,) = await user.proposals()
    assert waiting.evidence.message_id == messages[0].id
    await user.confirm(waiting.id)
    await say(graph, user, "What do you know?")
    answer = (await values(graph))["messages"][-1]
    assert "night" in inner.system()
    assert answer.id is not None
    assert [record.content for record in (await user.why(answer.id)).records] == [waiting.content]


async def test_one_agent_takes_over_where_two_were_called(memwarden: Memwarden, user: UserMemory) -> None:
    agents = [
        travel(saying("Which train?"), handoff=True),
        DownstreamAgent("payroll", "Pays.", saying("Never said."), handoff=True),
        leave(),
    ]
    both = calls(("ask_leave", {"request": "?"}), ("hand_over_to_travel", {}), ("hand_over_to_payroll", {}))
    graph = build_supervisor(
        memwarden, agents, model=RecordingModel(answers=[both]), checkpointer=await user.checkpointer()
    )
    messages = await say(graph, user, "Travel and pay")
    assert messages[-1].text == "Which train?"
    assert [m.status for m in messages if isinstance(m, ToolMessage)] == ["success", "success", "error"]
    assert valid(messages)
    assert (await values(graph))["agents_involved"] == ["leave", "travel"]


async def test_an_agent_that_took_over_may_wait_and_be_resumed(
    memwarden: Memwarden, user: UserMemory
) -> None:
    model = RecordingModel(answers=[HANDS_OVER, AIMessage("The supervisor must not answer.")])
    graph = build_supervisor(
        memwarden, [travel(booking(), handoff=True)], model=model, checkpointer=await user.checkpointer()
    )
    context = MemoryContext(user.scope, "t")
    stopped = await graph.ainvoke({"messages": [HumanMessage("Book")]}, PLACE, context=context)
    assert stopped["__interrupt__"][0].value["seat"] == "12A"
    done = await graph.ainvoke(Command(resume="aisle"), PLACE, context=context)
    assert results(done["messages"])[-1] == "Booked aisle 12A."
    assert done["messages"][-1].text == "It is booked."
    assert valid(done["messages"])
    assert len(model.prompts) == 1


@pytest.mark.parametrize("said", [[], [calls(("trains", {"city": "Pune"}))]])
async def test_an_agent_that_took_over_and_said_nothing_ends_the_turn(
    memwarden: Memwarden, user: UserMemory, said: list[AIMessage]
) -> None:
    silent = stating(lambda state: {"messages": said})
    graph = build_supervisor(
        memwarden, [travel(silent, handoff=True)], model=RecordingModel(answers=[HANDS_OVER])
    )
    messages = await say(graph, user, "Book")
    assert messages[-1].text == "The agent travel gave no answer."
    assert valid(messages)
