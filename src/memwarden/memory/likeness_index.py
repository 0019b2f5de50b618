"""Find, among many statements, those that say the same as one or exclude it, without comparing it with each. Pure.

Record linkage calls it blocking: statements stand under keys, and only those that share one are compared. There is a
key for every rule of `likeness`, so that a pair that shares none is never anything but ``OTHER``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import merge

from memwarden.memory import likeness_words as lexicon
from memwarden.memory.likeness import (
    Likeness,
    choice,
    compared,
    denied,
    denied_in,
    exclude,
    say_the_same,
    stated,
    stated_in,
)
from memwarden.memory.likeness_reading import Reading, read, single
from memwarden.memory.likeness_values import NUMBER, value_of
from memwarden.memory.likeness_words import DENIALS, Words

ALIKE = 1.0
"""The similarity at which words alone decide whether two statements say the same."""


@dataclass(frozen=True, slots=True)
class Keys:
    """Where a statement stands: its words in any order, what it says, and what it excludes.

    Two statements that say the same have the same words; of two that exclude each other, one excludes what the other
    says.
    """

    words: Words
    says: frozenset[Hashable]
    excludes: frozenset[Hashable]


def keys_of(reading: Reading) -> Keys:
    """Return the keys of a statement; one without a word that counts has none."""
    if not reading.core:
        return Keys((), frozenset(), frozenset())
    either = (*_amounts(reading), *_values(reading))
    return Keys(
        _in_any_order(reading),
        frozenset((*either, *_said(reading))),
        frozenset((*either, *_excluded(reading))),
    )


def _in_any_order(reading: Reading) -> Words:
    return tuple(sorted(reading.core))


def _said(reading: Reading) -> Iterator[Hashable]:
    core = reading.core
    yield "words", core
    for said in stated(reading):
        yield "stated", said
    for language in _languages(reading):
        if (told := stated_in(language, reading)) is not None:
            yield "told", told
    if (chosen := choice(core)) is not None:
        yield "chosen", core[0], *chosen
    yield from _sides(core, 1)


def _excluded(reading: Reading) -> Iterator[Hashable]:
    core = reading.core
    yield from _turned(core)
    if (said := denied(reading)) is not None:
        yield "stated", said
    for language in _languages(reading):
        if (told := denied_in(language, reading)) is not None:
            yield "told", told
    if (chosen := choice(core)) is not None and core[0] in lexicon.PREFERRING:
        yield "chosen", core[0], *reversed(chosen)
    yield from _sides(core, 0)


def _languages(reading: Reading) -> Sequence[lexicon.Language]:
    """Return the languages in which a sentence has to be looked at; what none knows a word of is the same in all."""
    return lexicon.LANGUAGES[:1] if _LOOSE.isdisjoint(reading.raw) else lexicon.LANGUAGES


def _turned(core: Words) -> Iterator[Hashable]:
    """Yield the statement with one of its words turned into another that excludes it."""
    if lexicon.EXISTENTIAL.intersection(core):
        return
    for place, word in enumerate(core):
        for opposite in _OPPOSITES.get(word, ()):
            yield "words", (*core[:place], opposite, *core[place + 1 :])


def _sides(core: Words, side: int) -> Iterator[Hashable]:
    """Yield the rows of `lexicon.EXCLUSIVE` that hold the whole statement on one of their sides."""
    if len(core) > lexicon.LONGEST_EXCLUSIVE:
        return
    whole = " ".join(core)
    for row, sides in enumerate(lexicon.EXCLUSIVE):
        if whole in sides[side]:
            yield "side", row


def _amounts(reading: Reading) -> Iterator[Hashable]:
    """Yield the statement without each of the amounts in it."""
    core = reading.core
    if not _COUNTING.issuperset(single(core[:1])) or _UNCOUNTED.intersection(core):
        return
    for place, word in enumerate(core):
        if NUMBER.match(word):
            yield "amount", single(core[:place]), single(core[place + 1 :])


def _values(reading: Reading) -> Iterator[Hashable]:
    """Yield each frame that the statement fills, with what stands beside its value."""
    words = reading.words
    if DENIALS.intersection(words):
        return
    for frame in lexicon.FRAMES_BY_FIRST_WORD.get(words[0], ()):
        size = len(frame.begins)
        if words[:size] == frame.begins and (value := value_of(frame.kind, words[size:])) is not None:
            yield "value", frame, value.beside


def _paired(tables: Iterable[frozenset[frozenset[str]]]) -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for one, other in (sorted(pair) for table in tables for pair in table):
        found[one].add(other)
        found[other].add(one)
    return {word: frozenset(others) for word, others in found.items()}


_OPPOSITES = _paired(
    (
        lexicon.OPPOSED_FORMS,
        lexicon.OPPOSED_VERBS,
        lexicon.OPPOSED_FREQUENCY,
        lexicon.OPPOSED_TIMES,
        lexicon.OPPOSED_WAYS,
        lexicon.OPPOSED_STATES,
    )
)
_COUNTING = frozenset(single(lexicon.COUNTING))
_LOOSE = frozenset[str]().union(*(language.loose for language in lexicon.LANGUAGES))
_UNCOUNTED = DENIALS | lexicon.BOUNDS | lexicon.EXISTENTIAL


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    kind: Hashable
    reading: Reading


class LikenessIndex:
    """Statements in the order in which they were added, each to be looked up among those before it.

    It holds some 2 kB for each statement. What a search yields next is decided when it is asked for, so that one
    that was begun passes over what was dropped meanwhile.
    """

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._places: dict[str, int] = {}
        self._dropped: set[int] = set()
        self._words: defaultdict[tuple[Words, Hashable], list[int]] = defaultdict(list)
        self._says: defaultdict[Hashable, list[int]] = defaultdict(list)
        self._excludes: defaultdict[Hashable, list[int]] = defaultdict(list)

    def add(self, name: str, text: str, kind: Hashable) -> None:
        """Add a statement under a name of its own; only those of one kind are doubles of each other."""
        place, reading = len(self._entries), read(text)
        self._entries.append(_Entry(name, kind, reading))
        self._places[name] = place
        keys = keys_of(reading)
        if keys.words:
            self._words[keys.words, kind].append(place)
        for key in keys.says:
            self._says[key].append(place)
        for key in keys.excludes:
            self._excludes[key].append(place)

    def drop(self, name: str) -> None:
        """Let a statement be found no more, and find nothing itself."""
        self._dropped.add(self._places[name])

    def compared(self, one: str, other: str, similarity: float | None) -> Likeness:
        """Return the likeness of two statements that were added."""
        return compared(self._reading(one), self._reading(other), similarity)

    def doubles(self, name: str) -> Iterator[str]:
        """Yield the statements before one, of its kind, that say the same if their vectors bear it out; the latest first."""
        place = self._places[name]
        entry = self._entries[place]
        found = _before(place, self._words.get((_in_any_order(entry.reading), entry.kind), []))
        for other in self._remaining(place, found):
            if say_the_same(entry.reading, other.reading, ALIKE):
                yield other.name

    def rivals(self, name: str) -> Iterator[str]:
        """Yield the statements before one that exclude it unless their vectors let them say the same; the latest first."""
        place = self._places[name]
        reading = self._entries[place].reading
        keys = keys_of(reading)
        lists = [self._says[key] for key in keys.excludes if key in self._says]
        lists += [self._excludes[key] for key in keys.says if key in self._excludes]
        found = merge(*(_before(place, some) for some in lists), reverse=True)
        for other in self._remaining(place, found):
            if exclude(reading, other.reading):
                yield other.name

    def _remaining(self, place: int, found: Iterable[int]) -> Iterator[_Entry]:
        """Yield each entry that was found, once, as long as neither it nor the one looked up is dropped."""
        last = place
        for candidate in found:
            if place in self._dropped:
                return
            if candidate != last and candidate not in self._dropped:
                yield self._entries[candidate]
            last = candidate

    def _reading(self, name: str) -> Reading:
        return self._entries[self._places[name]].reading


def _before(place: int, places: list[int]) -> Iterator[int]:
    return (places[i] for i in range(bisect_left(places, place) - 1, -1, -1))
