"""The title of a conversation: a few words of its first exchange that says something, without secrets and personal data. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memwarden.guard.contacts import find_contacts
from memwarden.guard.normalise import clean, fold
from memwarden.guard.personal import SENSITIVE
from memwarden.guard.redact import find_private
from memwarden.session.content_words import content_words, words_of
from memwarden.session.triviality import is_trivial

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage

MOST_WORDS = 5
MOST_CHARACTERS = 60
UNTOLD = "Conversation"
"""The title of a conversation of which nothing may be told in a list."""

MOST_OF_USER = 200
"""Characters of a title that a user gives."""

_READ = 1_000
"""Characters of a message from which a title is made."""

_MOST_DIGITS = 4
"""Digits in a whole title: a year, and no telephone number."""

_LONGEST_WORD = 24
_LONGEST_RUN = 12
"""Characters of a word, and of a run of signs in a script without gaps."""

_MOST_ANSWERED = 12
"""Words of a model's answer that may be meant as a title; what is longer is something else."""

_UNSPACED_FROM = "\u0e00"
_ADDRESS = re.compile(r"\S*(?:@|://|www\.)\S*")
_NUMBER = re.compile(r"[+(]*\d(?:[\s().-]{0,3}\d){4,}")
"""Digits that belong together, more of them than a year has."""

_MARK = re.compile(r"\[(?:secret |identifier )?removed\]")
_LABEL = re.compile(
    r"^(?:title|titel|titre|título|titolo|शीर्षक|标题|タイトル|제목)\s*[:：-]\s*", re.IGNORECASE
)
_INSIDE = "-'’\u200c\u200d"
"""What may stand between the letters of a word."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """The first thing a user said that says something, and the answer to it, without secrets and personal data."""

    asked: str
    answered: str


def exchange_of(transcript: Sequence[AnyMessage]) -> Exchange | None:
    """Return the exchange that says what a conversation is about; null while there were greetings and the like alone."""
    # Here and not above: it brings LangChain's messages, which few processes need.
    from langchain_core.messages import AIMessage

    from memwarden.session.message_text import text_of
    from memwarden.session.roles import is_users_own

    for place, message in enumerate(transcript):
        if is_users_own(message) and not is_trivial(said := text_of(message)[:_READ]):
            answers = (text_of(other) for other in transcript[place:] if isinstance(other, AIMessage))
            return Exchange(_private_taken_out(said), _private_taken_out(next(answers, "")[:_READ]))
    return None


def extracted(exchange: Exchange) -> str:
    """Return a title made of the content words of what the user said; never empty."""
    told = set(content_words(exchange.asked))
    words = list(_words(exchange.asked))
    chosen = [word for word in words if told.intersection(words_of(word))]
    return _title(chosen) or _title(words) or UNTOLD


def worded(answer: str) -> str | None:
    """Return the title in a model's answer, as it may be kept; null where there is none."""
    line = next((line for line in map(str.strip, answer[:_READ].splitlines()) if line.strip("#*_ `")), "")
    words = list(_words(_private_taken_out(_LABEL.sub("", line.strip("#*_ `\"'")))))
    if len(words) > _MOST_ANSWERED:
        return None
    return _title(words)


def given(title: str) -> str:
    """Return a title that a user gives, as it may be kept: one line, of some length, without secrets."""
    line = clean(title)[: 2 * MOST_OF_USER]
    return _replaced(line, ((f.start, f.end) for f in find_private(fold(line))), "…").strip()[:MOST_OF_USER]


def _title(words: Sequence[str]) -> str | None:
    """Return the first words as a title that nothing private can be read in, not even across them; null for none."""
    chosen: list[str] = []
    for word in words:
        wanted = [*chosen, word]
        title = " ".join(wanted)
        if len(wanted) > MOST_WORDS or len(title) > MOST_CHARACTERS:
            break
        if _digits(title) <= _MOST_DIGITS and not _private(title):
            chosen = wanted
    title = " ".join(chosen)
    return title[:1].upper() + title[1:] if any(map(str.isalpha, title)) else None


def _words(text: str) -> Iterator[str]:
    for piece in clean(text).split():
        for word in "".join(ch if _stands_in_word(ch) else " " for ch in piece).split():
            bare = _bare(word)
            if bare and len(bare) <= _LONGEST_WORD:
                yield bare
            elif bare >= _UNSPACED_FROM:
                yield _bare(bare[:_LONGEST_RUN])


def _bare(word: str) -> str:
    """Return a word that begins with a letter or a digit, and ends with one or with what belongs to it."""
    word = word.rstrip(_INSIDE)
    first = next((place for place, ch in enumerate(word) if unicodedata.category(ch)[0] in "LN"), len(word))
    return word[first:]


def _stands_in_word(ch: str) -> bool:
    return ch in _INSIDE or unicodedata.category(ch) in ("Nd", "Mn", "Mc", "Lu", "Ll", "Lt", "Lm", "Lo")


def _private_taken_out(text: str) -> str:
    """Return a text without addresses, secrets, numbers of people and what memory would not keep of a person."""
    plain = _ADDRESS.sub(" ", text)
    return clean(_NUMBER.sub(" ", _MARK.sub(" ", _replaced(plain, _spans(plain), " "))))


def _spans(text: str) -> Iterator[tuple[int, int]]:
    folded = fold(text)
    for finding in find_private(folded):
        yield finding.start, finding.end
    for start, end, _ in find_contacts(folded.lower):
        yield folded.span(start, end)
    for rule in SENSITIVE:
        for hit in rule.hits(folded):
            yield folded.span(hit.start, hit.end)


def _private(title: str) -> bool:
    return next(_spans(title), None) is not None


def _digits(text: str) -> int:
    return sum(unicodedata.category(ch) == "Nd" for ch in text)


def _replaced(text: str, spans: Iterable[tuple[int, int]], mark: str) -> str:
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end <= done:
            continue
        pieces += (text[done : max(start, done)], mark)
        done = end
    return "".join([*pieces, text[done:]])
