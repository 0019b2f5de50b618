"""The codec: what comes out is what went in, in parts no larger than allowed, and each part once."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.serde.types import _DeltaSnapshot

from memwarden.checkpoint.codec import (
    LONG_TEXT,
    Encoder,
    content_name,
    decoded,
    packed_refs,
    squeezed,
    unpacked_refs,
    unsqueezed,
)

SERDE = JsonPlusSerializer(allowed_msgpack_modules=None)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=600)
messages = st.one_of(
    st.builds(HumanMessage, words, id=words),
    st.builds(lambda text, name: ToolMessage(text, tool_call_id=name), words, words),
    st.builds(lambda text: AIMessage([{"type": "text", "text": text}]), words),
)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | words
    | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)
values = st.one_of(
    plain, messages, st.lists(messages, max_size=6), st.lists(plain | messages, max_size=6),
    st.lists(messages, max_size=4).map(_DeltaSnapshot), st.tuples(plain, plain), st.sets(words, max_size=3),
)  # fmt: skip


def there_and_back(value: object, limit: int) -> Any:
    encoder = Encoder(SERDE, limit, content_name)
    encoded = encoder.encoded(value)
    assert all(len(part) <= limit for part in encoder.parts.values())
    numbers = {name: place for place, name in enumerate(encoder.parts, start=1)}
    refs = unpacked_refs(packed_refs([numbers[name] for name in encoded.parts]))
    kept = {numbers[name]: squeezed(raw) for name, raw in encoder.parts.items()}
    return decoded(encoded.form, [unsqueezed(kept[number]) for number in refs], SERDE)


@given(values, st.sampled_from([8, 64, 1000, 2**24]))
def test_what_comes_out_is_what_went_in(value: object, limit: int) -> None:
    expected = SERDE.loads_typed(SERDE.dumps_typed(value))
    found = there_and_back(value, limit)
    assert found == expected
    assert type(found) is type(expected)


@given(st.lists(messages, max_size=5), messages)
def test_a_message_more_is_a_part_or_two_more(history: list[Any], new: Any) -> None:
    encoder = Encoder(SERDE, 2**24, content_name)
    encoder.encoded(history)
    before = len(encoder.parts)
    encoder.encoded([*history, new])
    assert len(encoder.parts) - before <= 2


@given(words.filter(lambda text: text), words, words)
def test_the_same_text_under_another_id_is_kept_once(text: str, one: str, other: str) -> None:
    text *= LONG_TEXT
    encoder = Encoder(SERDE, 2**24, content_name)
    first = encoder.encoded([ToolMessage(text, tool_call_id="c", id=one)])
    second = encoder.encoded([ToolMessage(text, tool_call_id="c", id=other)])
    assert first.parts[1] == second.parts[1]


@given(st.lists(st.integers(0, 2**40)))
def test_references_are_packed_and_unpacked(numbers: list[int]) -> None:
    assert unpacked_refs(packed_refs(numbers)) == numbers


def test_the_references_of_a_long_history_are_few_bytes() -> None:
    assert len(packed_refs(list(range(1, 10_001)))) < 100


def test_a_message_is_not_changed_by_being_kept() -> None:
    message = HumanMessage("x" * 1000, id="1")
    there_and_back([message], 2**24)
    assert message.content == "x" * 1000
