"""Explicit commands of a user turn, understood without a model: remember this, forget that.

Only a command that stands at the start of a sentence counts. A question is none, and neither are
"remember to ...", "remember when ..." or talk about remembering.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memwarden.guard.command_words import FORGET, FORGET_EVERYTHING, ORDERS, REMEMBER
from memwarden.guard.normalise import clean
from memwarden.guard.switch_words import SWITCH_OFF, SWITCH_ON, THIS_CONVERSATION

_MAX_COMMAND = 4000
_SENTENCE = re.compile(
    r"[^.!?।؟？。！\n]+(?:[.](?=\S)[^.!?।؟？。！\n]+|(?<=\b[A-Z])[.][^.!?।؟？。！\n]*|(?<=\bDr)[.][^.!?।؟？。！\n]*|(?<=\b[MJS]r)[.][^.!?।؟？。！\n]*|(?<=\bMrs)[.][^.!?।؟？。！\n]*)*[.!?।؟？。！]*"
)
_QUESTION_END = re.compile(r"[?؟？]\s*[\"')]*\s*$")


class CommandKind(StrEnum):
    """What the user told the memory to do."""

    REMEMBER = "remember"
    FORGET = "forget"
    FORGET_EVERYTHING = "forget_everything"
    SWITCH_OFF = "switch_off"
    SWITCH_ON = "switch_on"


_SWITCHES = (CommandKind.SWITCH_OFF, CommandKind.SWITCH_ON)


@dataclass(frozen=True, slots=True)
class Command:
    """A command and the statement it is about.

    ``text`` is what to remember or forget, empty for the other kinds; ``this_conversation`` says that a switch
    is meant for the present conversation alone; ``start`` and ``end`` are the
    offsets of the commanding sentence in the message.
    """

    kind: CommandKind
    text: str
    start: int = 0
    end: int = 0
    this_conversation: bool = False


def _statement(match: re.Match[str]) -> str:
    text = match.group("text").strip(" \t,:;-–—\"'“”")
    return text.rstrip("!") if text else ""


def _remember(sentence: str) -> str | None:
    for pattern in REMEMBER:
        match = pattern.match(sentence)
        if match:
            return _statement(match) or None
    return None


def strip_command(text: str) -> str:
    """Return the statement inside "remember that ...", or the text itself where there is no such lead."""
    current = clean(text)
    return _remember(current) or current


def _in_sentence(sentence: str) -> tuple[CommandKind, str] | None:
    if _QUESTION_END.search(sentence):
        return None
    if any(pattern.fullmatch(sentence) for pattern in FORGET_EVERYTHING):
        return CommandKind.FORGET_EVERYTHING, ""
    if any(pattern.fullmatch(sentence) for pattern in SWITCH_OFF):
        return CommandKind.SWITCH_OFF, ""
    if any(pattern.fullmatch(sentence) for pattern in SWITCH_ON):
        return CommandKind.SWITCH_ON, ""
    for pattern in FORGET:
        match = pattern.match(sentence)
        if match and _statement(match):
            return CommandKind.FORGET, _statement(match).rstrip(".।。")
    remembered = _remember(sentence)
    if remembered is not None:
        return CommandKind.REMEMBER, remembered
    if any(pattern.match(sentence) for pattern in ORDERS):
        return CommandKind.REMEMBER, sentence
    return None


def command(text: str) -> Command | None:
    """Return the first explicit memory command of a user's message, or None.

    ``Command.text`` holds the statement of the commanding sentence only; what stands in other
    sentences of the message is left out. Whether the statement may be kept is for `judge`.
    """
    for match in _SENTENCE.finditer(text[:_MAX_COMMAND]):
        sentence = clean(match.group())
        if not sentence:
            continue
        found = _in_sentence(sentence)
        if found is not None:
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            end = match.start() + len(match.group().rstrip())
            here = found[0] in _SWITCHES and THIS_CONVERSATION.search(sentence) is not None
            return Command(found[0], found[1], start, end, this_conversation=here)
    return None
