"""Whether a message says anything: a greeting, thanks, a yes or a no does not. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from memwarden.guard.answer_words import FOLD, LANGUAGES, NO_MESSAGES, YES_MESSAGES
from memwarden.guard.answers import answer
from memwarden.guard.normalise import clean
from memwarden.session.greeting_words import GREETINGS

_MOST = 120
"""Characters of a message that may say nothing."""

_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
_ACCENT = re.compile("[\u0300-\u036f]")
_UNSPACED_FROM = "\u0e00"
"""From here on, scripts that write phrases without gaps."""


class _Phrases(NamedTuple):
    """What may be said without saying anything: words in a row, and signs in a row of scripts without gaps."""

    spaced: frozenset[tuple[str, ...]]
    unspaced: frozenset[str]


def is_trivial(text: str) -> bool:
    """Tell whether a message is made of greetings, thanks, politeness, yes and no alone, or of no words at all."""
    words = _words(text)
    if not words:
        return True
    if len(text) > _MOST:
        return False
    return answer(text) is not None or _consists_of(words)


def _words(text: str) -> list[str]:
    """Return the words of a text as they are compared; what has no letter in it is none."""
    composed = unicodedata.normalize("NFKC", clean(text)).casefold().translate(FOLD)
    plain = _ACCENT.sub("", unicodedata.normalize("NFD", composed))
    folded = unicodedata.normalize("NFC", _DRAWN_OUT.sub(r"\1", plain))
    return [word for word in map(_bare, folded.split()) if word]


def _bare(word: str) -> str:
    """Return a word without signs around it; nothing where it has no letter."""
    kept = [place for place, ch in enumerate(word) if unicodedata.category(ch)[0] in "LMN"]
    bare = word[kept[0] : kept[-1] + 1] if kept else ""
    return bare if any(ch.isalpha() for ch in bare) else "".join(ch for ch in bare if ch.isdigit())


def _consists_of(words: list[str]) -> bool:
    phrases = _phrases()
    joined = "".join(words)
    if joined >= _UNSPACED_FROM and _covered(len(joined), lambda i, j: joined[i:j] in phrases.unspaced):
        return True

    def said(start: int, end: int) -> bool:
        return tuple(words[start:end]) in phrases.spaced

    return _covered(len(words), said)


def _covered(size: int, said: Callable[[int, int], bool]) -> bool:
    """Tell whether pieces that are said, one after the other, make up the whole."""
    reached = {0}
    for end in range(1, size + 1):
        if any(start in reached and said(start, end) for start in range(end)):
            reached.add(end)
    return size in reached


@cache
def _phrases() -> _Phrases:
    known: set[str] = {*GREETINGS, *YES_MESSAGES, *NO_MESSAGES}
    for language in LANGUAGES:
        known |= {*language.yes, *language.no, *language.polite, *language.assent}
    split = {tuple(_words(phrase)) for phrase in known}
    return _Phrases(frozenset(filter(None, split)), frozenset(_unspaced(split)))


def _unspaced(phrases: Iterable[tuple[str, ...]]) -> Iterable[str]:
    return ("".join(words) for words in phrases if words and words[0] >= _UNSPACED_FROM)
