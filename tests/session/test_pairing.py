"""A history is put right for the strictest provider, whatever broke it, and nothing anybody said is lost unseen."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    ChatMessage,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)
from langgraph.graph.message import add_messages

from memwarden.errors import InvalidInputError
from memwarden.session.pairing import NO_RESULT, repaired
from memwarden.session.roles import is_placeholder, is_users_own
from tests.session.histories import BROKEN, sound
from tests.session.strictest import complaints


def calling(*ids: str, id_: str = "a") -> AIMessage:
    return AIMessage(
        "",
        id=id_,
        tool_calls=[{"name": "look_up", "args": {}, "id": call, "type": "tool_call"} for call in ids],
    )


def result(call: str, said: str = "12 days", id_: str | None = None) -> ToolMessage:
    return ToolMessage(said, tool_call_id=call, name="look_up", id=id_ or f"t-{call}")


@given(BROKEN)
def test_any_history_is_put_right(history: list[BaseMessage]) -> None:
    assert complaints(repaired(history).messages) == []


@given(BROKEN)
def test_putting_right_once_is_enough(history: list[BaseMessage]) -> None:
    once = repaired(history).messages
    again = repaired(once)
    assert again.messages == once
    assert again.left_out == ()


@given(sound())
def test_a_sound_history_stays_as_it_is(history: list[BaseMessage]) -> None:
    found = repaired(history)
    answered = [m for m in found.messages if not is_placeholder(m)]
    assert answered == history
    assert found.left_out == ()


@given(BROKEN)
def test_every_message_is_there_or_said_to_be_left_out(history: list[BaseMessage]) -> None:
    found = repaired(history)
    there = [m for m in (*found.messages, *found.left_out) if not is_placeholder(m) and m.text != NO_RESULT]
    assert len(there) == len(history)


@given(BROKEN)
def test_what_is_put_between_is_nobodys_word(history: list[BaseMessage]) -> None:
    own = [m.text for m in history if is_users_own(m) and m.text.strip()]
    assert [m.text for m in repaired(history).messages if is_users_own(m) and m.text in own] == own


def test_results_of_parallel_calls_come_in_the_order_of_the_calls() -> None:
    found = repaired(
        [HumanMessage("?", id="h"), calling("one", "two"), result("two"), result("one")]
    ).messages
    assert [m.tool_call_id for m in found if isinstance(m, ToolMessage)] == ["one", "two"]


def test_a_result_that_came_late_goes_behind_its_call() -> None:
    found = repaired(
        [HumanMessage("?", id="h"), calling("one"), HumanMessage("hello?", id="h2"), result("one")]
    ).messages
    assert [m.type for m in found] == ["human", "ai", "tool", "ai", "human"]
    assert is_placeholder(found[3])


def test_ids_that_a_provider_counts_anew_are_told_apart() -> None:
    found = repaired(
        [
            HumanMessage("1?", id="h1"),
            calling("call_0", id_="a1"),
            result("call_0", "one", "t1"),
            AIMessage("1.", id="e1"),
            HumanMessage("2?", id="h2"),
            calling("call_0", id_="a2"),
            result("call_0", "two", "t2"),
        ]
    )
    assert [m.text for m in found.messages if isinstance(m, ToolMessage)] == ["one", "two"]
    assert found.left_out == ()


def test_a_real_result_counts_more_than_a_note_that_there_was_none() -> None:
    broken = [HumanMessage("?", id="h"), calling("one")]
    noted = list(repaired(broken).messages)
    assert noted[-1].text == NO_RESULT
    assert [m.text for m in repaired([*noted, result("one", "12 days")]).messages] == ["?", "", "12 days"]


def test_system_messages_stand_at_the_head() -> None:
    found = repaired([HumanMessage("?", id="h"), SystemMessage("Be brief.", id="s")]).messages
    assert [m.type for m in found] == ["system", "human"]


def test_pairs_and_dictionaries_are_messages() -> None:
    found = repaired([("user", "Hello"), {"role": "assistant", "content": "Hello."}]).messages
    assert [(m.type, m.text) for m in found] == [("human", "Hello"), ("ai", "Hello.")]


@pytest.mark.parametrize(
    "stranger",
    [
        ChatMessage(content="hm", role="critic"),
        FunctionMessage(content="hm", name="f"),
        ("critic", "hm"),
        7,
        {"a": 1},
    ],
)
def test_an_unknown_role_is_an_error_that_says_which(stranger: object) -> None:
    with pytest.raises(InvalidInputError, match="Message 1 of the history"):
        repaired([HumanMessage("?", id="h"), stranger])


@given(BROKEN, st.integers(0, 3))
def test_what_is_put_right_can_be_saved_by_langgraph(history: list[BaseMessage], seed: int) -> None:
    found = repaired(history).messages
    whole: list[Any] = list(found)
    assert add_messages([], whole) == whole
