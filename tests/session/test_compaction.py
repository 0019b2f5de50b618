"""What leaves a prompt leaves as a whole, what stays fits, and every provider takes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from memwarden.session.compaction import TOO_LONG, split
from memwarden.session.pairing import repaired
from memwarden.session.prompt_size import tokens_of
from memwarden.session.turns import in_turns
from tests.session.histories import BROKEN, sound
from tests.session.strictest import complaints

ROOM = st.integers(150, 3_000)


def count(messages: Sequence[AnyMessage]) -> int:
    return tokens_of(messages)


@given(st.one_of(BROKEN, sound()), st.integers(1, 4), ROOM, ROOM)
def test_what_stays_fits_and_providers_take_it(
    history: list[BaseMessage], recent: int, one: int, other: int
) -> None:
    target, limit = sorted((one, other))
    messages = repaired(history).messages
    found = split(messages, recent, target, limit, count)
    assert complaints(found.kept) == []
    smallest = sum(count([m]) for m in found.kept if m.type == "system") + 40 * len(found.kept)
    assert count(found.kept) <= max(limit, smallest)


@given(st.one_of(BROKEN, sound()), st.integers(1, 4), ROOM, ROOM)
def test_every_message_stays_or_leaves(history: list[BaseMessage], recent: int, one: int, other: int) -> None:
    target, limit = sorted((one, other))
    messages = repaired(history).messages
    found = split(messages, recent, target, limit, count)
    assert {m.id for m in found.evicted} | {m.id for m in found.kept} == {m.id for m in messages}
    assert not {m.id for m in found.evicted} & {m.id for m in found.kept}
    by_id = {m.id: m for m in messages}
    changed = [m for m in found.kept if m != by_id[m.id]]
    assert {m.id for m in changed} == {m.id for m in found.cut}
    assert all(m == by_id[m.id] for m in found.cut)


@given(sound(), st.integers(1, 4), ROOM)
def test_the_latest_question_stays(history: list[BaseMessage], recent: int, room: int) -> None:
    messages = repaired(history).messages
    kept = split(messages, recent, room, room, count).kept
    assert [m.id for m in kept if m.type == "human"][-1] == [m.id for m in messages if m.type == "human"][-1]


@given(sound(), st.integers(1, 4))
def test_recent_turns_stay_word_for_word_where_they_fit(history: list[BaseMessage], recent: int) -> None:
    messages = repaired(history).messages
    turns = in_turns(messages).turns
    latest = [m for turn in turns[max(0, len(turns) - recent) :] for m in turn.messages]
    found = split(messages, recent, 1, count(latest), count)
    assert list(found.kept) == latest
    assert found.cut == ()


def test_a_question_longer_than_the_window_is_shortened_and_kept_whole_elsewhere() -> None:
    long = HumanMessage("word " * 20_000, id="h")
    found = split([long], 3, 500, 1_000, count)
    assert TOO_LONG in found.kept[0].text
    assert count(found.kept) <= 1_000
    assert found.cut == (long,)


def test_earlier_steps_of_one_long_turn_leave_before_anything_is_shortened() -> None:
    history: list[AnyMessage] = [HumanMessage("Compare all offices.", id="h")]
    for step in range(20):
        history.append(
            AIMessage(
                "",
                id=f"a{step}",
                tool_calls=[{"name": "look", "args": {}, "id": f"c{step}", "type": "tool_call"}],
            )
        )
        history.append(ToolMessage("row " * 100, tool_call_id=f"c{step}", name="look", id=f"t{step}"))
    found = split(history, 3, 500, 800, count)
    assert found.cut == ()
    assert found.kept[0].id == "h"
    assert found.kept[-1].id == "t19"
    assert complaints(found.kept) == []


def test_only_results_and_nothing_else() -> None:
    messages = repaired([ToolMessage("x", tool_call_id="c", id="t")])
    assert messages.messages == ()
    assert split(messages.messages, 3, 100, 100, count).kept == ()


def test_pictures_and_files_are_named_when_they_do_not_fit() -> None:
    blocks: list[str | dict[str, Any]] = [
        {"type": "text", "text": "look " * 4_000},
        {"type": "file", "base64": "a" * 50_000, "mime_type": "application/pdf"},
    ]
    found = split([HumanMessage(blocks, id="h")], 1, 300, 600, count)
    assert count(found.kept) <= 600
    assert "[file left out]" in found.kept[0].text
