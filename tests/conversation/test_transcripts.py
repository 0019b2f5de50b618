"""Transcripts are read from their end, and searched for words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph

from memwarden import Memwarden, Origin, UserMemory
from memwarden.conversation.transcript import excerpt, terms_of
from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory import transcripts
from memwarden.model.record import Evidence
from tests.conversation.talk import say


async def begun(user: UserMemory, *texts: str) -> str:
    conversation = await user.conversations.begin()
    await say(user, conversation.id, *texts)
    await user.conversations.took_part(conversation.id, ["hr"])
    return conversation.id


async def test_pages_lead_from_the_end_to_the_beginning(asha: UserMemory) -> None:
    talk = await begun(asha, *(f"Question number {n}" for n in range(4)))
    seen: list[str | None] = []
    before: str | None = None
    sizes = []
    while True:
        page = await asha.conversations.transcript(talk, before=before, limit=3)
        seen = [message.id for message in page.messages] + seen
        sizes.append(len(page.messages))
        before = page.before
        if before is None:
            break
    assert seen == [f"m{n}{what}" for n in range(4) for what in ("", "-answer")]
    assert sizes == [3, 3, 2]
    last = await asha.conversations.transcript(talk, limit=1)
    assert [(m.role, m.text) for m in last.messages] == [("ai", "About that: Question")]


async def test_new_messages_move_no_page(asha: UserMemory) -> None:
    talk = await begun(asha, "First question", "Second question")
    page = await asha.conversations.transcript(talk, limit=2)
    await say(asha, talk, "Third question")
    older = await asha.conversations.transcript(talk, before=page.before, limit=2)
    assert [message.id for message in older.messages] == ["m0", "m0-answer"]
    assert older.before is None
    with pytest.raises(InvalidInputError):
        await asha.conversations.transcript(talk, before="unknown")


async def test_one_without_a_run_is_empty(asha: UserMemory) -> None:
    conversation = await asha.conversations.begin()
    page = await asha.conversations.transcript(conversation.id)
    assert (page.messages, page.before) == ((), None)
    with pytest.raises(NotFoundError):
        await asha.conversations.transcript("unknown")


async def test_a_graph_without_a_transcript_shows_what_a_person_would_see(asha: UserMemory) -> None:
    def answer(state: MessagesState) -> dict[str, list[AIMessage]]:
        call = {"name": "look", "args": {}, "id": "1"}
        return {"messages": [AIMessage("", tool_calls=[call]), AIMessage("Twelve days", id="a")]}

    builder = StateGraph(MessagesState).add_node(answer).add_edge(START, "answer").add_edge("answer", END)
    graph = builder.compile(checkpointer=await asha.checkpointer())
    conversation = await asha.conversations.begin()
    said = HumanMessage("How much leave?", id="m")
    await graph.ainvoke({"messages": [said]}, {"configurable": {"thread_id": conversation.id}})
    page = await asha.conversations.transcript(conversation.id)
    assert [message.text for message in page.messages] == ["How much leave?", "Twelve days"]


async def test_what_was_forgotten_is_not_read_or_found(asha: UserMemory) -> None:
    talk = await begun(asha, "Where is the canteen?", "Wolfenbuettel is where I live", "And the garage?")
    kept = await asha.remember(
        "I live in Wolfenbuettel", origin=Origin.USER_TURN, evidence=Evidence(talk, "m1")
    )
    assert kept.record is not None
    assert len((await asha.conversations.search("wolfenbuettel")).found) == 2
    await asha.forget(kept.record.id)
    assert (await asha.conversations.search("wolfenbuettel")).found == ()
    page = await asha.conversations.transcript(talk)
    assert [message.id for message in page.messages] == ["m0", "m0-answer", "m2", "m2-answer"]


async def test_words_are_found_in_listed_conversations_of_ones_own(
    listed: Memwarden, asha: UserMemory
) -> None:
    one = await begun(asha, "Where do I hand in the parking permit?")
    two = await begun(asha, "The permit for the café expired")
    deleted = await begun(asha, "One more permit")
    await asha.conversations.delete(deleted)
    hidden = await asha.conversations.begin()
    await say(asha, hidden.id, "A permit nobody listed")
    other = listed.user(asha.scope.tenant_id, f"{asha.scope.user_id}-other")
    await begun(other, "Their permit")
    found = (await asha.conversations.search("PERMIT")).found
    assert {(f.conversation_id, f.message_id) for f in found} == {(one, "m0"), (two, "m0")}
    assert {f.excerpt for f in found} == {
        "Where do I hand in the parking permit?",
        "The permit for the café expired",
    }
    assert [f.conversation_id for f in (await asha.conversations.search("permit park")).found] == [one]
    assert [f.conversation_id for f in (await asha.conversations.search("cafe")).found] == [two]
    assert (await asha.conversations.search("ermit")).found == ()
    for nothing in ("", "  ", "?!"):
        with pytest.raises(InvalidInputError):
            await asha.conversations.search(nothing)


async def test_a_search_is_bounded_and_goes_on(asha: UserMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "READ_AT_ONCE", 2)
    made = [await begun(asha, "Where is the permit?", *(5 * ["Another permit"])[:n]) for n in range(5)]
    await asha.conversations.pin(made[0])
    seen: list[str] = []
    before: str | None = None
    rounds = 0
    while True:
        page = await asha.conversations.search("permit", before=before)
        seen += dict.fromkeys(found.conversation_id for found in page.found)
        before = page.before
        rounds += 1
        if before is None:
            break
    assert sorted(seen) == sorted(made)
    assert seen[0] == made[0]
    assert rounds == 2
    few = await asha.conversations.search("permit", limit=1)
    assert {found.conversation_id for found in few.found} == {made[0]}
    more = await asha.conversations.search("permit", limit=1, before=few.before)
    assert len({found.conversation_id for found in more.found}) == 1
    assert len(more.found) <= transcripts.FOUND_IN_EACH


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("Das Straßenfest ist morgen", "strassenfest", True),
        ("Das Straßenfest ist morgen", "straße", True),
        ("北京办公室的请假政策", "请假", True),
        ("मेरी छुट्टी का आवेदन", "छुट्टी", True),
        ("ПРОПУСК на парковку", "пропуск", True),
        ("a" * 500 + " needle " + "b" * 500, "needle", True),
        ("permit-office", "office", True),
        ("a haystack", "stack", False),
        ("x" * 30_000 + " late", "late", False),
    ],
)
def test_matching(text: str, query: str, found: bool) -> None:
    around = excerpt(text, terms_of(query))
    assert (around is not None) == found
    if around is not None:
        assert len(around) < 400


@given(
    before=st.text(max_size=300),
    word=st.from_regex(r"[a-z]{3,12}", fullmatch=True),
    after=st.text(max_size=300),
)
def test_a_word_among_others_is_found_and_shown(before: str, word: str, after: str) -> None:
    around = excerpt(f"{before} {word} {after}", terms_of(word))
    assert around is not None
    assert len(around) <= 400
    assert "\n" not in around
