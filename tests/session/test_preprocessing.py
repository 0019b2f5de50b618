"""Before a run: no secret comes in, by whatever way, and nothing of the last run is left that should not be."""

from __future__ import annotations

import operator
from datetime import datetime, timedelta
from typing import Annotated, Any, NotRequired

import psycopg
import pytest
from langchain.agents import AgentState, create_agent
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, Overwrite, interrupt
from psycopg.rows import DictRow

from memwarden import Evidence, Memwarden, Origin, UserMemory
from memwarden.agent import (
    MemoryContext,
    MemoryState,
    MemwardenMiddleware,
    PreprocessingMiddleware,
    compact_node,
    conversation_middleware,
    preprocess_node,
)
from memwarden.errors import ConfigurationError, StateConflictError
from memwarden.session import SessionState, Transient, Window, user_turn
from memwarden.session.incoming import SAID_AT
from memwarden.session.state import resets
from tests.conftest import MovableClock
from tests.session.rows import held
from tests.session.scripted_models import ScriptedModel, calls

Agent = CompiledStateGraph[Any, Any, Any, Any]
SECRET = "Kestrel#44-" + "oysters"
SAID = f"My VPN password is {SECRET}, please reset it."

WAYS: dict[str, Any] = {
    "message": [HumanMessage(SAID)],
    "pair": [("user", SAID)],
    "dictionary": [{"role": "user", "content": SAID}],
    "one message": HumanMessage(SAID),
    "text": SAID,
    "blocks": [HumanMessage([{"type": "text", "text": SAID}, {"type": "text", "text": "Thanks."}])],
    "blocks of a dictionary": [{"role": "user", "content": [{"type": "text", "text": SAID}]}],
    "turn": [user_turn(SAID)],
}


class State(SessionState, MemoryState):
    draft: Annotated[str | None, Transient(None)]
    steps: Annotated[list[str], Transient([]), operator.add]
    kept: str


def answering(said: str = "Done.") -> ScriptedModel:
    return ScriptedModel(answer=lambda prompt: AIMessage(said))


async def run(graph: Agent, user: UserMemory, given: Any, thread: str = "t") -> dict[str, Any]:
    result: dict[str, Any] = await graph.ainvoke(
        given, user.config(thread), context=MemoryContext(user.scope, thread)
    )
    return result


@pytest.mark.parametrize("way", WAYS)
async def test_a_secret_is_in_no_row_from_the_first_checkpoint_on(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow], way: str
) -> None:
    def died(prompt: Any) -> AIMessage:
        raise ConnectionError

    graph: Agent = create_agent(
        ScriptedModel(answer=died),
        middleware=conversation_middleware(memwarden),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    with pytest.raises(ConnectionError):
        await run(graph, user, {"messages": WAYS[way]})
    rows = await held(admin, user)
    assert "please reset it" in rows
    assert "[secret removed]" in rows
    assert SECRET not in rows


async def test_the_model_never_sees_it_either(memwarden: Memwarden, user: UserMemory) -> None:
    model = answering()
    graph = create_agent(model, middleware=[PreprocessingMiddleware(memwarden)], context_schema=MemoryContext)
    await graph.ainvoke({"messages": [HumanMessage(SAID)]}, context=MemoryContext(user.scope))
    assert [m.text for m in model.prompts[0]] == ["My VPN password is [secret removed], please reset it."]


async def test_an_answer_to_an_interrupt_is_looked_through(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    heard = []

    def ask(state: SessionState) -> dict[str, Any]:
        heard.append(interrupt("And your user name?"))
        return {"messages": [AIMessage("Thanks.")]}

    graph = StateGraph(SessionState, context_schema=MemoryContext)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    built: Agent = graph.compile(checkpointer=await memwarden.checkpointer())
    await run(built, user, {"messages": [HumanMessage("Hello")]})
    await run(built, user, Command(resume={"answer": SAID}))
    assert heard == [{"answer": SAID}]
    assert SECRET not in await held(admin, user)


async def test_a_saver_that_is_told_to_keeps_everything(
    addresses: Any, embedder: Any, admin: psycopg.AsyncConnection[DictRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMWARDEN_REDACT_CHECKPOINTS", "false")
    async with Memwarden.open(addresses.app, embedder=embedder) as memwarden:
        user = memwarden.user("acme", "keeps-everything")
        graph: Agent = create_agent(answering(), checkpointer=await memwarden.checkpointer())
        await run(graph, user, {"messages": [HumanMessage(SAID)]})
        assert SECRET in await held(admin, user)


def test_what_the_user_meant_to_say_stays() -> None:
    turn = user_turn("Please book 12 May as leave; my employee id card says Asha.")
    assert turn.text == "Please book 12 May as leave; my employee id card says Asha."
    assert turn.id
    assert datetime.fromisoformat(turn.additional_kwargs[SAID_AT]).tzinfo is not None


async def test_the_turn_has_its_id_and_time(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("acme", "turns")
    graph: Agent = create_agent(
        answering(),
        middleware=[PreprocessingMiddleware(timed)],
        context_schema=MemoryContext,
        checkpointer=await timed.checkpointer(),
    )
    await run(graph, user, {"messages": [HumanMessage("One", id="m1")]})
    first = clock().isoformat()
    clock.advance(timedelta(days=1))
    result = await run(graph, user, {"messages": [HumanMessage("Two", id="m2")]})
    assert result["turn"] == {"id": "m2", "at": clock().isoformat()}
    assert [m.additional_kwargs.get(SAID_AT) for m in result["messages"]] == [
        first,
        None,
        clock().isoformat(),
        None,
    ]


def hand_made(memwarden: Memwarden, checkpointer: Any, schema: type[Any] = State) -> Agent:
    graph = StateGraph(schema, context_schema=MemoryContext)
    graph.add_node("preprocess", preprocess_node(memwarden, transient_of=schema))
    graph.add_node(
        "work",
        lambda state: {
            "draft": "a draft",
            "steps": [f"saw {state.get('draft')}, {state.get('steps')}, {state.get('kept')}"],
            "kept": "kept",
        },
    )
    graph.add_edge(START, "preprocess")
    graph.add_edge("preprocess", "work")
    return graph.compile(checkpointer=checkpointer)


async def test_transient_fields_begin_every_run_at_their_defaults(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph = hand_made(memwarden, await memwarden.checkpointer())
    await run(graph, user, {"messages": [HumanMessage("One")]})
    result = await run(graph, user, {"messages": [HumanMessage("Two")]})
    assert result["steps"] == ["saw None, [], kept"]
    assert result["draft"] == "a draft"


async def test_transient_fields_of_an_agent(memwarden: Memwarden, user: UserMemory) -> None:
    class Mine(AgentState[Any]):
        draft: NotRequired[Annotated[str | None, Transient(None)]]
        kept: NotRequired[str]

    seen: list[Any] = []
    graph: Agent = create_agent(
        answering(),
        state_schema=Mine,
        middleware=[PreprocessingMiddleware(memwarden, transient_of=Mine)],
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    await run(graph, user, {"messages": [HumanMessage("One")], "draft": "a draft", "kept": "kept"})
    await graph.aupdate_state(user.config("t"), {"draft": "a draft"})
    result = await run(graph, user, {"messages": [HumanMessage("Two")]})
    seen += [result.get("draft"), result.get("kept")]
    assert seen == [None, "kept"]


def test_a_default_is_not_shared_between_runs() -> None:
    class Mine(SessionState):
        notes: Annotated[dict[str, str], Transient({})]
        tags: NotRequired[Annotated[list[str], Transient(["new"]), operator.add]]

    first = resets(Mine)
    first["notes"]["x"] = "y"  # type: ignore[index]
    assert resets(Mine)["notes"] == {}
    assert resets(Mine)["tags"] == Overwrite(["new"])
    assert set(first) == {"notes", "tags", "pending_proposals"}


async def test_pending_proposals_are_those_the_next_yes_would_answer(
    memwarden: Memwarden, user: UserMemory
) -> None:
    said = "I usually work night shifts. Which holidays are coming?"

    def script(prompt: Any) -> AIMessage:
        if not isinstance(prompt[-1], ToolMessage) and prompt[-1].text == said:
            asked = {"statement": "Works night shifts", "quote": "I usually work night shifts"}
            return calls(("c1", "propose_memory", asked))
        return AIMessage("Shall I remember that?")

    both: list[Any] = [PreprocessingMiddleware(memwarden), MemwardenMiddleware(memwarden)]
    graph: Agent = create_agent(
        ScriptedModel(answer=script),
        middleware=both,
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    await run(graph, user, {"messages": [HumanMessage(said)]})
    (waiting,) = await user.proposals()
    second = await run(graph, user, {"messages": [HumanMessage("What is the weather like?")]})
    assert second["pending_proposals"] == [waiting.id]
    third = await run(graph, user, {"messages": [HumanMessage("Yes.")]})
    assert third["pending_proposals"] == []
    assert await user.memories() == []


async def test_what_was_forgotten_leaves_the_transcript_the_ledger_and_the_summary(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    graph: Agent = create_agent(
        answering("word " * 60),
        middleware=conversation_middleware(memwarden, window=Window(1_200, recent_turns=1)),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    said = "I live in Wolfenbuettel."
    await run(graph, user, {"messages": [HumanMessage(said, id="m0")]})
    await user.remember(said, origin=Origin.USER_TURN, evidence=Evidence("t", "m0"))
    for turn in range(6):
        await run(graph, user, {"messages": [HumanMessage(f"I have {turn + 2} cats in house {turn}. " * 6)]})
    state = (await graph.aget_state(user.config("t"))).values
    assert "m0" not in {m.id for m in state["messages"]}
    assert "Wolfenbuettel" in str(state["summary"])
    assert "Wolfenbuettel" in str(state["transcript"])
    (record,) = [record for record in await user.memories() if record.key == "location"]
    await user.forget(record.id)

    result = await run(graph, user, {"messages": [HumanMessage("Hello again.")]})
    assert "Wolfenbuettel" not in str([result["transcript"], result["summary"], result["ledger"]])
    assert "cats in house" in str(result["summary"])
    await run(graph, user, {"messages": [HumanMessage("And again.")]})
    assert "Wolfenbuettel" not in await held(admin, user, ("checkpoint_part", "archive"))


async def test_a_message_that_is_answered_stays_until_the_next_one(
    memwarden: Memwarden, user: UserMemory
) -> None:
    graph: Agent = create_agent(
        answering(),
        middleware=conversation_middleware(memwarden),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    said = HumanMessage("I live in Wolfenbuettel.", id="m0")
    await run(graph, user, {"messages": [said]})
    stored = await user.remember(said.text, origin=Origin.USER_TURN, evidence=Evidence("t", "m0"))
    assert stored.record is not None
    await user.forget(stored.record.id)
    again = await run(graph, user, {"messages": [said]})
    assert "m0" in {m.id for m in again["messages"]}
    after = await run(graph, user, {"messages": [HumanMessage("Hello.", id="m1")]})
    assert "m0" not in {m.id for m in (*after["messages"], *after["transcript"])}


async def test_a_run_that_began_before_an_erasure_puts_nothing_aside(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    async def erased(state: Any) -> dict[str, Any]:
        await user.forget_everything()
        return {}

    graph = StateGraph(State, context_schema=MemoryContext)
    graph.add_node("preprocess", preprocess_node(memwarden, transient_of=State))
    graph.add_node("erased", erased)
    graph.add_node("compact", compact_node(memwarden, window=Window(600)))
    graph.add_edge(START, "preprocess")
    graph.add_edge("preprocess", "erased")
    graph.add_edge("erased", "compact")
    built: Agent = graph.compile(checkpointer=await memwarden.checkpointer())
    history = [
        message
        for n in range(12)
        for message in (HumanMessage(f"Wolfenbuettel {n} " * 20), AIMessage("Yes."))
    ]
    with pytest.raises(StateConflictError):
        await run(built, user, {"messages": [*history, HumanMessage("Hello")]})
    assert "Wolfenbuettel" not in await held(admin, user, ("checkpoint_part", "archive"))


async def test_a_removed_message_does_not_come_back(memwarden: Memwarden, user: UserMemory) -> None:
    graph: Agent = create_agent(
        answering(),
        middleware=conversation_middleware(memwarden),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    await run(graph, user, {"messages": [HumanMessage("One", id="m1")]})
    await graph.aupdate_state(user.config("t"), {"messages": [RemoveMessage(id="m1")]})
    result = await run(graph, user, {"messages": [HumanMessage("Two", id="m2")]})
    assert [m.id for m in result["transcript"] if m.type == "human"] == ["m1", "m2"]
    assert "m1" not in {m.id for m in result["messages"]}


async def test_unknown_people_are_refused(memwarden: Memwarden) -> None:
    graph = create_agent(answering(), middleware=conversation_middleware(memwarden))
    with pytest.raises(ConfigurationError, match="no memory scope"):
        await graph.ainvoke({"messages": [HumanMessage("Hello")]}, context={"scope": "acme/asha"})


async def test_remembering_goes_on_as_before(memwarden: Memwarden, user: UserMemory) -> None:
    await user.remember("I prefer replies in Telugu", origin=Origin.USER_TURN)
    model = answering()
    graph: Agent = create_agent(
        model,
        system_prompt="You are the helpdesk.",
        middleware=conversation_middleware(memwarden),
        context_schema=MemoryContext,
        checkpointer=await memwarden.checkpointer(),
    )
    await run(graph, user, {"messages": [HumanMessage("Hello")]})
    assert "Telugu" in model.prompts[0][0].text
