"""What stands in a statement that has one value at a time: a time, hours, a number or a name. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from memwarden.memory import likeness_words as lexicon
from memwarden.memory.likeness_reading import single
from memwarden.memory.likeness_words import Words

NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?$")
_TIME = re.compile(r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?$")
_UNTIL = frozenset({"to", "until", "till", "and", "-"})


class Value(NamedTuple):
    """A value by its parts, each as all that it may mean, and the words that stand beside it."""

    parts: tuple[frozenset[object], ...]
    beside: Words


def value_of(kind: str, words: Words) -> Value | None:
    """Return the value of a frame's kind that the words behind the frame are, or null when they are none."""
    return _KINDS[kind](words)


def differ(one: Value, other: Value) -> bool:
    """Tell whether two values of one kind cannot both be: the same stands beside them, and a part has nothing in common."""
    return one.beside == other.beside and any(
        a.isdisjoint(b) for a, b in zip(one.parts, other.parts, strict=True)
    )


def _time(words: Words) -> Value | None:
    """Read a time at the beginning, as the minutes of the day that it may be."""
    if words[:1] in (("noon",), ("midnight",)):
        return Value((frozenset({720 if words[0] == "noon" else 0}),), words[1:])
    match = _TIME.match(words[0]) if words else None
    if match is None:
        return None
    hour, minute = int(match.group("hour")), int(match.group("minute") or 0)
    if words[1:2] in (("am",), ("pm",)):
        return Value((frozenset({(hour % 12 + 12 * (words[1] == "pm")) * 60 + minute}),), words[2:])
    hours = {hour} if hour > 12 else {hour % 12, hour % 12 + 12}
    return Value((frozenset(h * 60 + minute for h in hours),), words[1:])


def _hours(words: Words) -> Value | None:
    begin = _time(words)
    if begin is None or not _UNTIL.issuperset(begin.beside[:1]):
        return None
    end = _time(begin.beside[1:])
    return None if end is None else Value((*begin.parts, *end.parts), end.beside)


def _number(words: Words) -> Value | None:
    if not words or not NUMBER.match(words[0]):
        return None
    return Value((frozenset(words[:1]),), single(words[1:]))


def _name(words: Words) -> Value | None:
    named = 1 <= len(words) <= 3 and all(word.isalpha() and word not in lexicon.NO_NAMES for word in words)
    return Value((frozenset(words),), ()) if named else None


_KINDS: dict[str, Callable[[Words], Value | None]] = {
    "time": _time,
    "hours": _hours,
    "number": _number,
    "name": _name,
}
