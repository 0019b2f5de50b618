"""Histories to try things on: such as agents have, and such as other tools have broken."""

from __future__ import annotations

from hypothesis import strategies as st
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

CALLS = [f"call_{n}" for n in range(6)]
WORDS = st.sampled_from(["", " ", "Hello", "How many days?", "नमस्ते", "x" * 300, "12 days", "Book 12 May"])
IDS = st.one_of(st.none(), st.sampled_from([f"m{n}" for n in range(8)]), st.uuids().map(str))
BLOCKS = st.one_of(
    WORDS,
    st.lists(
        st.one_of(
            WORDS.map(lambda said: {"type": "text", "text": said}),
            st.just({"type": "image", "base64": "aGk=", "mime_type": "image/png"}),
            st.just({"type": "file", "base64": "aGk=", "mime_type": "application/pdf"}),
        ),
        max_size=3,
    ),
)


@st.composite
def answers(draw: st.DrawFn) -> AIMessage:
    ids = draw(st.lists(st.sampled_from([*CALLS, None]), max_size=3))
    calls = [
        {"name": "look_up", "args": {"n": n}, "id": id_, "type": "tool_call"} for n, id_ in enumerate(ids)
    ]
    invalid = draw(st.booleans()) and draw(st.booleans())
    wrong = [{"name": "x", "args": "{", "id": "bad", "error": None, "type": "invalid_tool_call"}]
    return AIMessage(draw(WORDS), id=draw(IDS), tool_calls=calls, invalid_tool_calls=wrong if invalid else [])


RESULTS = st.builds(
    lambda content, call, id_: ToolMessage(content, tool_call_id=call, name="look_up", id=id_),
    BLOCKS,
    st.sampled_from([*CALLS, "nobody"]),
    IDS,
)
MESSAGES: st.SearchStrategy[BaseMessage] = st.one_of(
    st.builds(lambda content, id_: HumanMessage(content, id=id_), BLOCKS, IDS),
    answers(),
    RESULTS,
    RESULTS,
    st.builds(lambda said, id_: SystemMessage(said or "Rules.", id=id_), WORDS.filter(str.strip), IDS),
)
BROKEN = st.lists(MESSAGES, max_size=14)


@st.composite
def sound(draw: st.DrawFn, most_turns: int = 8) -> list[BaseMessage]:
    """Return a history as an agent has it: turns of questions, calls in parallel, results, and an answer."""
    out: list[BaseMessage] = []
    for turn in range(draw(st.integers(1, most_turns))):
        out.append(HumanMessage(f"Question {turn}? " + "word " * draw(st.integers(0, 40)), id=f"h{turn}"))
        for step in range(draw(st.integers(0, 3))):
            calls = [f"c{turn}.{step}.{n}" for n in range(draw(st.integers(1, 3)))]
            out.append(
                AIMessage(
                    "",
                    id=f"a{turn}.{step}",
                    tool_calls=[
                        {"name": "look_up", "args": {}, "id": call, "type": "tool_call"} for call in calls
                    ],
                )
            )
            out += [
                ToolMessage(
                    "row " * draw(st.integers(1, 120)), tool_call_id=call, name="look_up", id=f"t{call}"
                )
                for call in calls
            ]
        if turn or draw(st.booleans()):
            out.append(AIMessage(f"Answer {turn}.", id=f"e{turn}"))
    return out
