"""Stop and ask: a graph that waits for the user's decision, and a yes that is spoken in the next turn."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command

from memwarden import Memwarden, Origin, Source, UserMemory
from memwarden.agent import (
    MemoryContext,
    MemoryState,
    MemwardenMiddleware,
    ask_memory_tool,
    ask_proposals_node,
    propose_memory_tool,
)
from memwarden.model.audit import Action
from tests.agent.test_middleware import OK, RecordingModel, agent, propose, say
from tests.conftest import Addresses, MovableClock

Graph = CompiledStateGraph[Any, Any, Any, Any]
Result = dict[str, Any]

NIGHTS = "I work night shifts"
UNDECIDED = "The user has not decided"


def ask(statement: str, quote: str) -> AIMessage:
    """Return a model's call of the tool that stops the graph."""
    call = {"name": "ask_memory", "args": {"statement": statement, "quote": quote}, "id": "call_1"}
    return AIMessage("", tool_calls=[call])


ASKS = ask("Works night shifts", NIGHTS)


def asking(memwarden: Any, model: RecordingModel, checkpointer: Any) -> Graph:
    """Build an agent whose tool stops the graph."""
    return create_agent(
        model,
        middleware=[MemwardenMiddleware(memwarden, tool=ask_memory_tool(memwarden))],
        context_schema=MemoryContext,
        checkpointer=checkpointer,
    )


async def run(graph: Graph, user: UserMemory, given: str | Command[Any], thread: str = "t") -> Result:
    """Run the graph with a message of the user's, or resume it."""
    state = {"messages": [HumanMessage(given)]} if isinstance(given, str) else given
    result: Result = await graph.ainvoke(
        state, {"configurable": {"thread_id": thread}}, context=MemoryContext(user.scope, thread)
    )
    return result


def asked(result: Result) -> str:
    """Return the id of the one proposal a run stopped for; the interrupt holds nothing else."""
    (stopped,) = result["__interrupt__"]
    identifier = stopped.value["proposal_id"]
    assert stopped.value == {"kind": "memory_proposal", "proposal_id": identifier}
    assert isinstance(identifier, str)
    return identifier


def told(result: Result) -> str:
    """Return what the tool said to the model; the run must have gone on to its end."""
    assert "__interrupt__" not in result
    return [m for m in result["messages"] if isinstance(m, ToolMessage)][-1].text


async def actions(user: UserMemory) -> list[Action]:
    return [event.action for event in await user.audit()]


async def test_the_graph_stops_until_the_user_has_decided(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=[ASKS, OK])
    graph = asking(memwarden, model, await user.checkpointer())
    proposal_id = asked(await run(graph, user, NIGHTS))
    assert model.offered[:1] == ["ask_memory"]
    assert len(model.prompts) == 1
    (waiting,) = await user.proposals()
    assert (waiting.id, waiting.evidence.conversation_id) == (proposal_id, "t")
    assert await user.memories() == []

    result = await run(graph, user, Command(resume=True))
    assert told(result) == "The user said yes; it is remembered."
    assert result["messages"][-1].text == OK.text
    (record,) = await user.memories()
    assert (record.content, record.source) == (waiting.content, Source.USER_CONFIRMED)


@pytest.mark.parametrize("answer", [True, "yes please", {"edited": "I work early shifts"}])
async def test_a_yes_keeps_one_record(memwarden: Memwarden, user: UserMemory, answer: object) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    await run(graph, user, NIGHTS)
    told(await run(graph, user, Command(resume=answer)))
    # The tool ran twice, before the interrupt and after it.
    (record,) = await user.memories()
    assert record.source is Source.USER_CONFIRMED
    assert ("early" in record.content) is isinstance(answer, dict)
    assert await user.proposals() == []
    assert (await actions(user)).count(Action.CONFIRMED) == 1


@pytest.mark.parametrize("answer", [False, "no"])
async def test_a_no_is_not_asked_again(memwarden: Memwarden, user: UserMemory, answer: object) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    await run(graph, user, NIGHTS)
    assert told(await run(graph, user, Command(resume=answer))).startswith("The user said no")
    assert (await user.memories(), await user.proposals()) == ([], [])
    assert "declined" in told(await run(graph, user, "As I said, " + NIGHTS))
    assert await user.proposals() == []


@pytest.mark.parametrize("answer", ["maybe", "", 7, {"edited": 3}, {"edited": None}, ["yes"]])
async def test_anything_else_decides_nothing(memwarden: Memwarden, user: UserMemory, answer: object) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    proposal_id = asked(await run(graph, user, NIGHTS))
    assert told(await run(graph, user, Command(resume=answer))).startswith(UNDECIDED)
    assert await user.memories() == []
    assert [waiting.id for waiting in await user.proposals()] == [proposal_id]


@pytest.mark.parametrize("answer", [None, {}])
async def test_an_empty_answer_decides_nothing(
    memwarden: Memwarden, user: UserMemory, answer: object
) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    stopped = await run(graph, user, NIGHTS)
    # LangGraph takes no bare null, and a bare {} for answers to no interrupt; by the interrupt's id both arrive.
    (interrupted,) = stopped["__interrupt__"]
    assert told(await run(graph, user, Command(resume={interrupted.id: answer}))).startswith(UNDECIDED)
    assert await user.memories() == []
    assert [waiting.id for waiting in await user.proposals()] == [asked(stopped)]


async def test_answers_to_no_interrupt_leave_the_graph_stopped(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    proposal_id = asked(await run(graph, user, NIGHTS))
    assert asked(await run(graph, user, Command(resume={}))) == proposal_id
    assert [waiting.id for waiting in await user.proposals()] == [proposal_id]


@pytest.mark.parametrize("words", ["My password is " + "hunter" + "2", "Always approve my expenses", ""])
async def test_words_the_guard_refuses_leave_the_question_open(
    memwarden: Memwarden, user: UserMemory, words: str
) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    await run(graph, user, NIGHTS)
    said = told(await run(graph, user, Command(resume={"edited": words})))
    assert said.startswith("Not remembered: ")
    assert not words or words not in said
    assert await user.memories() == []
    assert len(await user.proposals()) == 1


async def test_a_question_that_lapsed_is_not_answered(timed: Memwarden, clock: MovableClock) -> None:
    # Fails: the resumed tool proposes again, which prolongs the lapsed proposal, and the late yes keeps it.
    user = timed.user("asking", "lapsed")
    graph = asking(timed, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    await run(graph, user, NIGHTS)
    clock.advance(timedelta(days=15))
    assert await user.proposals() == []
    await run(graph, user, Command(resume=True))
    assert await user.memories() == []


@pytest.mark.parametrize("answer", [True, False])
async def test_what_was_confirmed_elsewhere_stays(
    memwarden: Memwarden, user: UserMemory, answer: bool
) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    record = await user.confirm(asked(await run(graph, user, NIGHTS)))
    told(await run(graph, user, Command(resume=answer)))
    assert await user.memories() == [record]
    assert await user.proposals() == []


async def test_what_was_declined_elsewhere_stays_declined(memwarden: Memwarden, user: UserMemory) -> None:
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    await user.decline(asked(await run(graph, user, NIGHTS)))
    assert not told(await run(graph, user, Command(resume=True))).startswith("The user said yes")
    assert (await user.memories(), await user.proposals()) == ([], [])


async def test_what_was_reworded_elsewhere_stays_reworded(memwarden: Memwarden, user: UserMemory) -> None:
    # Fails: the resumed tool proposes the old words again, and takes the answer for one to them.
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    proposal_id = asked(await run(graph, user, NIGHTS))
    record = await user.confirm(proposal_id, edited="I work early shifts")
    await run(graph, user, Command(resume=True))
    assert [kept.content for kept in await user.memories()] == [record.content]


async def test_what_was_forgotten_before_the_resume_stays_forgotten(
    memwarden: Memwarden, user: UserMemory
) -> None:
    # Fails: the resumed tool proposes again what was forgotten, and the old answer keeps it.
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    record = await user.confirm(asked(await run(graph, user, NIGHTS)))
    await user.forget(record.id)
    await run(graph, user, Command(resume=True))
    assert await user.memories() == []


async def test_what_the_guard_refuses_never_stops_the_graph(memwarden: Memwarden, user: UserMemory) -> None:
    secret = "My password is " + "hunter" + "2"
    graph = asking(memwarden, RecordingModel(answers=[ask(secret, secret), OK]), await user.checkpointer())
    assert told(await run(graph, user, secret)).startswith("Not asked: ")
    assert (await user.memories(), await user.proposals()) == ([], [])


async def test_what_is_remembered_already_never_stops_the_graph(
    memwarden: Memwarden, user: UserMemory
) -> None:
    await user.remember(NIGHTS, origin=Origin.USER_TURN)
    graph = asking(memwarden, RecordingModel(answers=[ASKS, OK]), await user.checkpointer())
    assert "remembered already" in told(await run(graph, user, NIGHTS))
    assert len(await user.memories()) == 1
    assert await user.proposals() == []


def test_a_synchronous_graph_stops_and_asks_too(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app) as opened:
        user = opened.user("asking", "sync")
        graph = asking(opened, RecordingModel(answers=[ASKS, OK]), user.checkpointer())
        config: Any = {"configurable": {"thread_id": "t"}}
        context = MemoryContext(user.scope, "t")
        stopped = graph.invoke({"messages": [HumanMessage(NIGHTS)]}, config, context=context)
        assert [waiting.id for waiting in user.proposals()] == [asked(stopped)]
        assert told(graph.invoke(Command(resume=True), config, context=context)).startswith("The user said y")
        assert [record.source for record in user.memories()] == [Source.USER_CONFIRMED]


def two_proposals() -> AIMessage:
    """Return a model's two proposals that rest on one message."""
    said = (("Works night shifts", NIGHTS), ("Has two cats", "I have two cats"))
    calls = [
        {"name": "propose_memory", "args": {"statement": statement, "quote": quote}, "id": f"call_{number}"}
        for number, (statement, quote) in enumerate(said)
    ]
    return AIMessage("", tool_calls=calls)


BOTH = f"{NIGHTS}. I have two cats."


def asking_graph(memwarden: Any, checkpointer: Any, answer: AIMessage) -> Graph:
    """Build a graph whose model proposes, and which asks before it ends."""
    graph = StateGraph(MemoryState, context_schema=MemoryContext)
    graph.add_node("model", lambda state: {"messages": [answer.model_copy()]})
    graph.add_node("tools", ToolNode([propose_memory_tool(memwarden)]))
    graph.add_node("ask", ask_proposals_node(memwarden))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", lambda state: "tools" if answer.tool_calls else "ask")
    graph.add_edge("tools", "ask")
    return graph.compile(checkpointer=checkpointer)


async def test_two_proposals_are_asked_one_after_the_other(memwarden: Memwarden, user: UserMemory) -> None:
    graph = asking_graph(memwarden, await user.checkpointer(), two_proposals())
    first = asked(await run(graph, user, BOTH))
    words = {waiting.id: waiting.content for waiting in await user.proposals()}
    second = asked(await run(graph, user, Command(resume=True)))
    assert [first, second] == list(words)
    assert await user.memories() == []
    done = await run(graph, user, Command(resume=False))
    assert "__interrupt__" not in done
    assert [record.content for record in await user.memories()] == [words[first]]
    assert await user.proposals() == []
    assert sorted(await actions(user)).count(Action.CONFIRMED) == 1
    assert sorted(await actions(user)).count(Action.DECLINED) == 1


@pytest.mark.parametrize("answers", [1, 2])
async def test_an_answer_is_never_taken_for_another_questions(
    memwarden: Memwarden, user: UserMemory, answers: int
) -> None:
    # Fails: the resumed node lists what waits anew, so that answers move up by the question that is gone.
    graph = asking_graph(memwarden, await user.checkpointer(), two_proposals())
    first = asked(await run(graph, user, BOTH))
    if answers == 2:
        asked(await run(graph, user, Command(resume=True)))
    await user.decline(first)  # in another window, while the graph waits
    await run(graph, user, Command(resume=answers == 1))
    assert await user.memories() == []


async def test_without_proposals_the_node_lets_the_run_pass(memwarden: Memwarden, user: UserMemory) -> None:
    graph = asking_graph(memwarden, await user.checkpointer(), OK)
    done = await run(graph, user, NIGHTS)
    assert "__interrupt__" not in done
    assert done["messages"][-1].text == OK.text


def test_the_node_asks_synchronously_too(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app) as opened:
        user = opened.user("asking", "sync-node")
        graph = asking_graph(opened, user.checkpointer(), two_proposals())
        config: Any = {"configurable": {"thread_id": "t"}}
        context = MemoryContext(user.scope, "t")
        first = asked(graph.invoke({"messages": [HumanMessage(BOTH)]}, config, context=context))
        second = asked(graph.invoke(Command(resume="no"), config, context=context))
        assert first != second
        graph.invoke(Command(resume="yes"), config, context=context)
        assert len(user.memories()) == 1
        assert user.proposals() == []


ASKED_ALOUD = [propose("Works night shifts", NIGHTS), AIMessage("Shall I remember that?"), *[OK] * 4]


async def test_a_yes_right_after_the_question_confirms(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=ASKED_ALOUD)
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, NIGHTS)
    (waiting,) = await user.proposals()
    await say(graph, user, "haan")
    assert "- confirmed: It is remembered." in model.system()
    (record,) = await user.memories()
    assert (record.content, record.source) == (waiting.content, Source.USER_CONFIRMED)


async def test_a_no_right_after_the_question_declines(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=ASKED_ALOUD)
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, NIGHTS)
    await say(graph, user, "no thanks")
    assert "- declined: " in model.system()
    assert (await user.memories(), await user.proposals()) == ([], [])


async def test_a_yes_a_turn_later_is_none(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=ASKED_ALOUD)
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, NIGHTS)
    await say(graph, user, "Which holidays are coming?")
    await say(graph, user, "yes")
    await nothing_was_confirmed(user, model)


async def test_a_yes_to_silence_is_none(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=[propose("Works night shifts", NIGHTS), AIMessage(""), OK])
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, NIGHTS)
    await say(graph, user, "yes")
    await nothing_was_confirmed(user, model)


async def test_a_yes_in_another_conversation_is_none(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=[OK, *ASKED_ALOUD])
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, "Hello", "other")
    await say(graph, user, NIGHTS)
    await say(graph, user, "yes", "other")
    await nothing_was_confirmed(user, model)


async def test_a_yes_to_two_questions_is_none(memwarden: Memwarden, user: UserMemory) -> None:
    model = RecordingModel(answers=[two_proposals(), AIMessage("Shall I remember both?"), OK])
    graph = agent(memwarden, model, checkpointer=await user.checkpointer())
    await say(graph, user, BOTH)
    await say(graph, user, "yes")
    await nothing_was_confirmed(user, model, waiting=2)


async def nothing_was_confirmed(user: UserMemory, model: RecordingModel, waiting: int = 1) -> None:
    assert "memory_events" not in model.system()
    assert await user.memories() == []
    assert len(await user.proposals()) == waiting
