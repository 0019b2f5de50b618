"""Reading a transcript: page by page from its end, and by the words that somebody looks for. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.errors import InvalidInputError
from memwarden.guard.normalise import Folded, fold

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

MOST_TERMS = 12
"""Words of a query that are looked for; more do not narrow it down."""

_AROUND = 80
"""Characters of an excerpt on either side of what was found."""

_LONGEST = 20_000
"""Characters of one message that are looked through."""

_TERM = re.compile(r"\S+")
_UNSPACED_FROM = "\u0e00"
"""From here on, scripts that write words without gaps, where a word may stand anywhere."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Messages of a transcript in their order, and the id to ask for what stands before them; null at the beginning."""

    messages: Sequence[AnyMessage]
    before: str | None


def newest(messages: Sequence[AnyMessage], before: str | None, limit: int) -> Slice:
    """Return the last messages of a transcript, or the last before one; raise `InvalidInputError` where that is not in it."""
    end = len(messages)
    if before is not None:
        places = {message.id: place for place, message in enumerate(messages)}
        if before not in places:
            raise InvalidInputError(
                "There is no such message in the transcript any more; begin again with its newest page."
            )
        end = places[before]
    start = max(0, end - limit)
    return Slice(messages[start:end], messages[start].id if start else None)


def without_exchanges(messages: Sequence[AnyMessage], gone: Collection[str]) -> list[AnyMessage]:
    """Return a transcript without these messages of the user's, and what was answered to them."""
    if not gone:
        return list(messages)
    kept: list[AnyMessage] = []
    within = False
    for message in messages:
        if message.type == "human":
            within = message.id in gone
        if not within and message.id not in gone:
            kept.append(message)
    return kept


def terms_of(query: str) -> list[str]:
    """Return the words of a query as they are compared; raise `InvalidInputError` where there are none."""
    words = (_trimmed(match.group()) for match in _TERM.finditer(fold(query).lower))
    terms = list(dict.fromkeys(filter(None, words)))[:MOST_TERMS]
    if not terms:
        raise InvalidInputError("There is no word to look for; give at least one letter or digit.")
    return terms


def excerpt(text: str, terms: Sequence[str]) -> str | None:
    """Return what stands around the first of the words, in one line, if a text holds them all; null if it does not.

    A word is found at the beginning of words, whatever its case and accents; in scripts without gaps, anywhere.
    """
    folded = fold(text[:_LONGEST])
    places = [_place(folded.lower, term) for term in terms]
    if None in places:
        return None
    first, term = min((place, term) for place, term in zip(places, terms, strict=True) if place is not None)
    return _around(folded, first, first + len(term))


def _around(folded: Folded, start: int, end: int) -> str:
    first, last = folded.span(start, end)
    text, low, high = folded.original, max(0, first - _AROUND), last + _AROUND
    # Not in the middle of a word, where there is a gap to end at.
    low = low and next((p for p in range(low, first) if text[p].isspace()), low)
    high = next((p for p in range(min(high, len(text) - 1), last - 1, -1) if text[p].isspace()), high)
    high = len(text) if last + _AROUND >= len(text) else high
    shown = " ".join(text[low:high].split())
    return ("… " if low else "") + shown + (" …" if high < len(text) else "")


def _place(lower: str, term: str) -> int | None:
    """Return where a word begins with the term."""
    anywhere = term[0] >= _UNSPACED_FROM
    for place in _occurrences(lower, term):
        if anywhere or place == 0 or not _is_of_word(lower[place - 1]):
            return place
    return None


def _occurrences(lower: str, term: str) -> Iterator[int]:
    place = lower.find(term)
    while place >= 0:
        yield place
        place = lower.find(term, place + 1)


def _trimmed(word: str) -> str:
    """Return a word without what stands around its letters and digits."""
    places = [place for place, ch in enumerate(word) if _is_of_word(ch)]
    return word[places[0] : places[-1] + 1] if places else ""


def _is_of_word(ch: str) -> bool:
    return unicodedata.category(ch)[0] in "LMN"
