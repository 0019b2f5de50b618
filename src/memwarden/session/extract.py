"""A summary made by code alone: what was done, what is open, what the user said of themselves, what tools found. Pure.

Lines are taken from the messages, never reworded. What comes from a tool's result carries the tool's name, so that it
reads as that tool's word. Consent is left to the pinned items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from memwarden.guard.normalise import fold
from memwarden.guard.provenance import own_part
from memwarden.guard.redact import redact
from memwarden.session.admissible import (
    MAX_INSPECTED,
    MAX_LINE,
    admitted,
    cut,
    gives_orders,
    one_line,
    speaks_of_consent,
)
from memwarden.session.content_words import content_words
from memwarden.session.message_text import Call, calls_of, text_of, tool_names, tool_of
from memwarden.session.roles import is_users_own
from memwarden.session.sentence_kinds import is_about_speaker, is_question, sentences
from memwarden.session.summary import Summary

MAX_ARGUMENT = 80
"""Characters of a call's argument with its name."""

MAX_READ = 20_000
"""Characters of a message that are looked at; a longer one is a document, not speech."""

_PLAIN = frozenset({"ok", "okay", "done", "success", "true", "null", "none", "{}", "[]", "(no output)"})
_COURTESY = re.compile(
    r"\b(?:anything else|something else|else (?:i|we) can|(?:can|may|could) i (?:help|assist)|help you with|assist you|sonst noch|autre chose|algo más|algo mas)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stated:
    """What a history holds that a summary of it may not lose: open questions, and the user's word about themselves."""

    open_questions: tuple[str, ...]
    facts: tuple[str, ...]


def extracted(evicted: Sequence[AnyMessage], kept: Sequence[AnyMessage] = ()) -> Summary:
    """Return the summary of messages that leave the prompt; ``kept`` are those behind them, which may answer a question.

    Every line has at most `MAX_LINE` characters and no secrets. Never raises, whatever the messages are.
    """
    held = stated(evicted, kept)
    names = tool_names(evicted)
    return Summary(
        decisions=_unique(_done(evicted)),
        open_questions=list(held.open_questions),
        confirmed_facts=_unique([*held.facts, *_results(evicted, names)]),
        consent=[],
    )


def stated(evicted: Sequence[AnyMessage], kept: Sequence[AnyMessage] = ()) -> Stated:
    """Return the open questions, and what the user said of themselves."""
    return Stated(tuple(_unique(_open(evicted, kept))), tuple(_unique(_facts(evicted))))


def _done(evicted: Sequence[AnyMessage]) -> Iterator[str]:
    """Yield the calls that succeeded, with their arguments."""
    succeeded = {m.tool_call_id for m in evicted if isinstance(m, ToolMessage) and m.status == "success"}
    for message in evicted:
        for call in calls_of(message):
            if call.id in succeeded:
                yield from _lines([f"{_called(call)}: done"])


def _called(call: Call) -> str:
    # Before it is cut: the beginning of a secret may not be recognised for one.
    whole = (redact(one_line(f"{name}={value[:MAX_INSPECTED]}")) for name, value in call.arguments)
    arguments = (cut(argument, MAX_ARGUMENT) for argument in whole)
    return cut(f"{call.name}({', '.join(arguments)})", MAX_LINE - len(": done"))


def _results(evicted: Sequence[AnyMessage], names: Mapping[str, str]) -> Iterator[str]:
    """Yield the beginning of each result that says more than that it worked."""
    for message in evicted:
        if isinstance(message, ToolMessage) and message.status == "success":
            said = " ".join(_reports(_first_line(text_of(message)[:MAX_READ])))
            if said and said.casefold().rstrip(".!") not in _PLAIN:
                yield from _lines([f"{one_line(tool_of(message, names))}: {said}"])


def _reports(line: str) -> Iterator[str]:
    """Yield the sentences of a result that fit a line, up to one that gives orders or speaks of consent."""
    for sentence in sentences(redact(line[:MAX_INSPECTED])[:MAX_LINE]):
        if speaks_of_consent(sentence) or gives_orders(sentence):
            return
        yield sentence


def _first_line(text: str) -> str:
    """Return the first line with words, or all lines as one where the first is but an opening of something longer."""
    lines = [line for line in text.splitlines() if any(ch.isalnum() for ch in line)]
    if not lines:
        return ""
    return one_line(text) if text.lstrip()[:1] in {"{", "["} else one_line(lines[0])


def _facts(evicted: Sequence[AnyMessage]) -> Iterator[str]:
    for message in evicted:
        if isinstance(message, HumanMessage) and is_users_own(message):
            yield from _lines(
                s for s in _own_sentences(message) if is_about_speaker(s) and not speaks_of_consent(s)
            )


def _own_sentences(message: HumanMessage) -> list[str]:
    """Return the short sentences of a message that were not pasted into it."""
    text = text_of(message)[:MAX_READ]
    own = " ".join(own_part(text).split())
    return [s for s in sentences(text) if len(s) <= MAX_LINE and " ".join(fold(s).lower.split()) in own]


def _open(evicted: Sequence[AnyMessage], kept: Sequence[AnyMessage]) -> Iterator[str]:
    """Yield what the user asked and nothing was answered to, and what the user was asked and did not answer."""
    history = [*evicted, *kept]
    spoken = {place for place, m in enumerate(history) if isinstance(m, AIMessage) and _is_answer(m)}
    own = {place for place, m in enumerate(history) if is_users_own(m) and text_of(m).strip()}
    answered, heard = max(spoken, default=-1), max(own, default=-1)
    for place, message in enumerate(evicted):
        if place in own and place > answered:
            yield from _lines(_asked(message))
        elif place == answered and place > heard:
            questions = (s for s in sentences(text_of(message)[-MAX_READ:]) if is_question(s))
            yield from _lines(s for s in questions if not _COURTESY.search(s))


def _is_answer(message: AIMessage) -> bool:
    """Tell whether a message is for the user: words beside calls only say what is being done."""
    return not message.tool_calls and bool(text_of(message).strip())


def _asked(message: AnyMessage) -> list[str]:
    """Return what a message wants to know or have done: all that it does not state."""
    wanted = [s for s in sentences(text_of(message)[:MAX_READ]) if not is_about_speaker(s)]
    return [s for s in wanted if is_question(s)] or [s for s in wanted if len(content_words(s)) > 1][:1]


def _lines(texts: Iterable[str]) -> Iterator[str]:
    yield from (line for text in texts if (line := admitted(text)) is not None)


def _unique(lines: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(lines))
