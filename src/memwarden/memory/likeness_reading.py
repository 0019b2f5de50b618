"""How one statement is read before it is compared with others: its words, what each means, what it denies. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memwarden.guard.frame_words import third_person
from memwarden.guard.third_person import as_note
from memwarden.memory import likeness_words as lexicon
from memwarden.memory.likeness_words import DENIALS, NO, NO_LONGER, NOT, Words

_UNDONE = {"have": "has", "do": "does", "be": "is"}


@dataclass(frozen=True, slots=True)
class Reading:
    """One statement: its words as written, as read, and without those that say nothing; ``denied``: as a whole."""

    raw: Words
    words: Words
    core: Words
    denied: bool


def read(text: str) -> Reading:
    """Read one statement."""
    raw = lexicon.split(as_note(text.strip(" \t\n.!")))
    words = lexicon.rephrased(raw)
    plain = tuple(map(_usual, _denial_first(words)))
    return Reading(raw, plain, _without_glue(plain), _is_denied(words))


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


def single(words: Iterable[str]) -> Words:
    """Return words with plurals in the singular, times of the week as they are."""
    return tuple(map(_singular, words))


def _singular(word: str) -> str:
    if word in lexicon.TIME_WORDS:
        return word
    if word in lexicon.SINGULARS:
        return lexicon.SINGULARS[word]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
