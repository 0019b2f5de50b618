"""The user's answer to "Shall I remember this?": a yes, a no, or neither.

The whole message has to be the answer. A message that says anything more, or hesitates, or asks back is neither:
consent is never read into it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from itertools import pairwise, product
from typing import NamedTuple

from memwarden.guard.answer_words import ENGLISH, FOLD, LANGUAGES, MOCKERY, NO_MESSAGES, YES_MESSAGES, Phrases
from memwarden.guard.normalise import clean

_MAX_ANSWER = 60
_FIRST_TAG = 0xE0000
_JOINERS = dict.fromkeys(map(ord, "\u200c\u200d\ufe0f"))
_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_ACCENT = re.compile("[\u0300-\u036f]")


class Answer(StrEnum):
    """What the user answered."""

    YES = "yes"
    NO = "no"


_Words = tuple[str, ...]


class _Grammar(NamedTuple):
    """The phrases of one language: what decides for either answer, and what may stand around it."""

    yes: frozenset[_Words]
    no: frozenset[_Words]
    polite: frozenset[_Words]
    assent: frozenset[_Words]


def _split(text: str) -> _Words:
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return tuple(_DRAWN_OUT.sub(r"\1", composed.translate(FOLD)).split())


def _words(text: str) -> _Words:
    return _split(clean(text).translate(_JOINERS))


def _phrases(language: Phrases, *groups: Iterable[str]) -> frozenset[_Words]:
    spelled = {phrase for group in groups for phrase in group}
    if language.unspaced:
        spelled |= {phrase.replace(" ", "") for phrase in spelled}
    if not language.accents:
        spelled |= {_ACCENT.sub("", unicodedata.normalize("NFD", phrase)) for phrase in spelled}
    return frozenset(map(_split, spelled))


def _run_on(before: Iterable[str], after: Iterable[str]) -> frozenset[str]:
    return frozenset("".join(pair).replace(" ", "") for pair in product(before, after))


def _grammar(language: Phrases) -> _Grammar:
    yes, no, polite = language.yes | language.remember, language.no | language.refuse, language.polite
    if language.unspaced:
        # two yes-words run together can be another word: 好是好 is a doubt
        yes |= _run_on(language.yes, language.remember | polite | language.assent) | _run_on(polite, yes)
        no |= _run_on(language.no, language.refuse | polite) | _run_on(polite, no)
    return _Grammar(
        _phrases(language, yes),
        _phrases(language, no),
        _phrases(language, polite),
        _phrases(language, polite, language.assent),
    )


@cache
def _grammars() -> tuple[_Grammar, ...]:
    english, *others = (_grammar(language) for language in LANGUAGES)
    mixed = (
        _Grammar(*(mine | theirs for mine, theirs in zip(english, other, strict=True))) for other in others
    )
    return (english, *mixed)


@cache
def _messages() -> dict[_Words, Answer]:
    yes, no = _phrases(ENGLISH, YES_MESSAGES), _phrases(ENGLISH, NO_MESSAGES)
    return dict.fromkeys(yes, Answer.YES) | dict.fromkeys(no, Answer.NO)


def _says(
    words: _Words, deciding: frozenset[_Words], before: frozenset[_Words], after: frozenset[_Words]
) -> bool:
    """Tell whether the words are a deciding phrase and nothing but such and the others around it."""
    begun, decided = {0}, set[int]()
    for start in range(len(words)):
        if start not in begun and start not in decided:
            continue
        for end in range(start + 1, len(words) + 1):
            phrase = words[start:end]
            if phrase in deciding or (start in decided and phrase in after):
                decided.add(end)
            if start in begun and phrase in before:
                begun.add(end)
    return len(words) in decided


def _found(words: _Words) -> set[Answer]:
    found: set[Answer] = set()
    for grammar in _grammars():
        if _says(words, grammar.yes, grammar.polite, grammar.assent):
            found.add(Answer.YES)
        if _says(words, grammar.no, grammar.polite, grammar.polite):
            found.add(Answer.NO)
    return found


def _mocks(words: _Words) -> bool:
    return any(word == following and word in MOCKERY for word, following in pairwise(words))


def _says_more(ch: str) -> bool:
    """Tell whether the character asks, or is one that `clean` drops although it could carry a message."""
    if ord(ch) >= _FIRST_TAG or unicodedata.category(ch) in ("Cn", "Co", "Cs"):
        return True
    name = unicodedata.name(ch, "")
    return "QUESTION" in name or "INTERROBANG" in name


def answer(text: str) -> Answer | None:
    """Return whether a message as a whole is a yes or a no to "Shall I remember this?", None if it is neither.

    None too for anything longer than 60 characters, and for what is a yes in one language and a no in another.
    """
    if len(text) > _MAX_ANSWER or any(map(_says_more, text)):
        return None
    words = _words(text)
    if _mocks(words):
        return None
    found = {_messages()[words]} if words in _messages() else _found(words)
    return found.pop() if len(found) == 1 else None
