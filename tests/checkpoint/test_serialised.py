"""Messages are serialised once for as long as they live, and again when anything of them has changed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from memwarden.checkpoint.codec import Encoder, content_name
from memwarden.checkpoint.serialised import Serialised

SERDE = JsonPlusSerializer(allowed_msgpack_modules=None)


def encoded(messages: list[Any], serialised: Serialised | None = None) -> tuple[Any, dict[bytes, bytes]]:
    encoder = (
        Encoder(SERDE, 4_096, content_name)
        if serialised is None
        else Encoder(SERDE, 4_096, content_name, serialised.parts)
    )
    return encoder.encoded(messages), encoder.parts


def called() -> AIMessage:
    return AIMessage(
        "", id="a", tool_calls=[{"name": "look", "args": {"n": [1]}, "id": "c", "type": "tool_call"}]
    )


CHANGES: dict[str, tuple[Callable[[], BaseMessage], Callable[[Any], object]]] = {
    "content": (lambda: HumanMessage("one", id="h"), lambda m: setattr(m, "content", "two")),
    "a block": (
        lambda: HumanMessage([{"type": "text", "text": "one"}], id="h"),
        lambda m: m.content[0].update(text="two"),
    ),
    "a call's argument": (called, lambda m: m.tool_calls[0]["args"]["n"].append(2)),
    "something kept beside": (lambda: HumanMessage("one", id="h"), lambda m: m.additional_kwargs.update(x=1)),
    "an extra field": (lambda: HumanMessage("one", id="h"), lambda m: setattr(m, "mood", "good")),
    "a long text": (
        lambda: HumanMessage("one" * 2_000, id="h"),
        lambda m: setattr(m, "content", "two" * 2_000),
    ),
    "an artifact": (
        lambda: ToolMessage("x", tool_call_id="c", id="t", artifact={"rows": {1, 2}}),
        lambda m: m.artifact["rows"].add(3),
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_inside_a_message_is_seen(what: str) -> None:
    make, change = CHANGES[what]
    message, serialised = make(), Serialised()
    before = encoded([message], serialised)
    assert encoded([message], serialised) == before == encoded([message])
    change(message)
    after = encoded([message], serialised)
    assert after == encoded([message])
    assert after != before


@given(st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=3_000)), max_size=6), st.data())
def test_it_never_makes_a_difference(said: list[tuple[str, str]], data: st.DataObject) -> None:
    messages: list[Any] = [HumanMessage(text, id=one) for one, text in said]
    serialised = Serialised()
    for _ in range(3):
        assert encoded(messages, serialised) == encoded(messages)
        for message in messages:
            if data.draw(st.booleans()):
                message.content += "!"


def test_a_message_that_is_gone_is_forgotten() -> None:
    serialised = Serialised()
    messages = [HumanMessage(f"{n}", id=f"{n}") for n in range(10)]
    encoded(messages, serialised)
    assert len(serialised._known) == 10
    del messages
    gc.collect()
    assert serialised._known == {}


def test_an_unchanged_message_is_serialised_once() -> None:
    made: list[str] = []

    class Counting(JsonPlusSerializer):
        def dumps_typed(self, obj: Any) -> tuple[str, bytes]:
            made.append(obj.id)
            return super().dumps_typed(obj)

    serde, serialised = Counting(allowed_msgpack_modules=None), Serialised()
    messages: list[Any] = [HumanMessage("one", id="h"), called()]
    for _ in range(3):
        Encoder(serde, 4_096, content_name, serialised.parts).encoded(messages)
    assert made == ["h", "a"]
