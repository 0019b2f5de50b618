"""Which messages leave the prompt when it nears the model's window, and which stay. Pure.

Whole turns leave, the oldest first; within the present turn whole steps, an answer with all results of its calls. What
stays is a history that every provider takes. The summary of what left is made elsewhere (`summarise`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import AnyMessage, ToolMessage

from memwarden.session.prompt_size import Count
from memwarden.session.shortening import shortened
from memwarden.session.turns import History, Turn, in_turns

TOO_LONG = "[... left out: too long for the prompt; the whole is in the archive of the conversation ...]"


@dataclass(frozen=True, slots=True)
class Split:
    """What leaves a history, and what stays; ``cut`` are messages that stay shortened, as they were before."""

    evicted: tuple[AnyMessage, ...]
    kept: tuple[AnyMessage, ...]
    cut: tuple[AnyMessage, ...] = ()


def split(messages: Sequence[AnyMessage], recent_turns: int, target: int, limit: int, count: Count) -> Split:
    """Split a history that was put right so that what stays is about ``target`` tokens, and never above ``limit``.

    Of the most recent turns, ``recent_turns`` stay whole as long as all that stays is below ``limit``; then turns leave
    but for the present one, then its steps but for the last, and what is still too long is shortened.
    """
    history = in_turns(messages)
    turns = _without_oldest(history, recent_turns, target, count)
    if count(_joined(history, turns)) > limit:
        turns = _without_oldest(replace(history, turns=turns), 1, limit, count)
    if count(_joined(history, turns)) > limit and turns:
        turns = (_with_last_steps(history, turns[-1], limit, count),)
    kept = _joined(history, turns)
    evicted = _missing(messages, kept)
    if count(kept) <= limit:
        return Split(evicted, kept)
    fitting = _cut_to(kept, limit, count)
    before = {message.id: message for message in kept}
    return Split(evicted, fitting, tuple(before[m.id] for m in fitting if m is not before[m.id]))


def _without_oldest(history: History, stay: int, most: int, count: Count) -> tuple[Turn, ...]:
    """Return the newest turns within ``most`` tokens, ``stay`` at the least."""
    left = most - count(history.system)
    kept: list[Turn] = []
    for turn in reversed(history.turns):
        left -= count(turn.messages)
        if left < 0 and len(kept) >= stay:
            break
        kept.append(turn)
    return tuple(reversed(kept))


def _with_last_steps(history: History, turn: Turn, most: int, count: Count) -> Turn:
    """Return a turn with its newest steps within ``most`` tokens, the last at the least."""
    left = most - count(history.system) - count(turn.asked)
    kept: list[tuple[AnyMessage, ...]] = []
    for step in reversed(turn.steps):
        left -= count(step)
        if left < 0 and kept:
            break
        kept.append(step)
    return Turn(turn.asked, tuple(reversed(kept)))


def _cut_to(messages: Sequence[AnyMessage], limit: int, count: Count) -> tuple[AnyMessage, ...]:
    """Return messages of which the longest are shortened, by as much as it takes."""
    out = list(messages)
    for _ in range(len(out)):
        over = count(out) - limit
        if over <= 0:
            break
        sizes = [count([message]) for message in out]
        longest = max(range(len(out)), key=lambda place: (sizes[place], isinstance(out[place], ToolMessage)))
        smaller = shortened(out[longest], max(LEAST_TOKENS, sizes[longest] - over - LEAST_TOKENS), TOO_LONG)
        if count([smaller]) >= sizes[longest]:
            break
        out[longest] = smaller
    return tuple(out)


LEAST_TOKENS = 24
"""Tokens a shortened message keeps: those of the note that says so."""


def _joined(history: History, turns: Iterable[Turn]) -> tuple[AnyMessage, ...]:
    return (*history.system, *(message for turn in turns for message in turn.messages))


def _missing(messages: Sequence[AnyMessage], kept: Sequence[AnyMessage]) -> tuple[AnyMessage, ...]:
    stay = {message.id for message in kept}
    return tuple(message for message in messages if message.id not in stay)
