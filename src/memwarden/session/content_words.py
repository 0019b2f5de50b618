"""The words of a text that say what it is about, and how many of them other texts hold. Pure, for any script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SHORTEST = 4
"""Letters of a content word in scripts whose short words are grammar; elsewhere one less."""

STEM = 5
"""Letters by which two forms of one word are told to be the same."""

_SHORT_WORDED = re.compile(r"[a-z\u00c0-\u052f\u1e00-\u1fff]+")
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\U00020000-\U0003ffff]+)"
)
_REPORTING = frozenset(
    "about after also been before could does done from have having into just like more only other over said says should some such "
    "than that their them then there these they this those very want wanted wants were what when where whether which while will with "
    "would your user users assistant agent asked asks told tells stated states mentioned mentions confirmed confirms noted need needs "
    "pinned".split()
)
"""English grammar, and how a summary speaks of who said something: neither tells what a line is about."""


class _Parts(dict[int, str]):
    """What each character is in a word, found out when it is first met: itself, a plain digit, nothing, or a gap."""

    def __missing__(self, code: int) -> str:
        ch = chr(code)
        category = unicodedata.category(ch)
        if ch in "\u200c\u200d":
            part = ""
        elif category == "Nd":
            part = str(unicodedata.decimal(ch))
        else:
            part = ch if category[0] in "LM" else " "
        self[code] = part
        return part


_PARTS = _Parts()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words that some texts hold, and their beginnings."""

    words: frozenset[str]
    stems: frozenset[str]

    def holds(self, word: str) -> bool:
        """Tell whether the texts hold the word or another form of it; a word with digits has no forms."""
        if word in self.words:
            return True
        if len(word) < SHORTEST or any(ch.isdigit() for ch in word):
            return False
        return word[:STEM] in self.stems or word[:SHORTEST] in self.words

    def share(self, words: Sequence[str]) -> float:
        """Return which part of the words the texts hold, from 0 to 1; all of none."""
        return sum(map(self.holds, words)) / len(words) if words else 1.0


def vocabulary(texts: Iterable[str]) -> Vocabulary:
    """Return all words of the texts, grammar included."""
    tokens = {token for text in texts for token in _parted(text)}
    found = frozenset(piece.casefold() for token in tokens for piece in _pieces(token))
    long = [word for word in found if len(word) >= SHORTEST and word.isalpha()]
    return Vocabulary(found, frozenset(part for word in long for part in (word[:SHORTEST], word[:STEM])))


def words_of(text: str) -> list[str]:
    """Return the words of a text in order and lower case; of a script without spaces, every pair of signs."""
    return [part.casefold() for part in _tokens(text)]


def content_words(text: str) -> list[str]:
    """Return the words that say what a text is about, each once; all of its words when none of them does."""
    tokens = _tokens(text)
    chosen = [token.casefold() for token in tokens if _is_content(token)]
    return list(dict.fromkeys(chosen or (token.casefold() for token in tokens)))


def _is_content(token: str) -> bool:
    lower = token.casefold()
    if lower in _REPORTING:
        return False
    if any(ch.isdigit() for ch in token) or _UNSPACED.match(token) or (len(token) > 1 and token.isupper()):
        return True
    return len(lower) >= (SHORTEST if _SHORT_WORDED.fullmatch(lower) else SHORTEST - 1)


def _tokens(text: str) -> list[str]:
    return [piece for token in _parted(text) for piece in _pieces(token)]


def _parted(text: str) -> list[str]:
    return unicodedata.normalize("NFKC", text).translate(_PARTS).split()


def _pieces(token: str) -> list[str]:
    if token.isascii():
        return [token.lstrip("0") or "0"] if token.isdigit() else [token]
    pieces: list[str] = []
    for run in filter(None, _UNSPACED.split(token)):
        if _UNSPACED.match(run) and len(run) > 1:
            pieces += [run[i : i + 2] for i in range(len(run) - 1)]
        else:
            pieces.append(run)
    return pieces
