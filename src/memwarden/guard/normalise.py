"""One folding of every text before it is inspected, with a map back to the original characters.

Folding makes look-alikes equal: compatibility forms, accents, digits of every script, letters of
other alphabets that are drawn like Latin ones; it drops what cannot be seen. Lexicons are folded
the same way, so a rule is written once in plain spelling.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memwarden.guard.confusables import CONFUSABLES

_COMBINING = ((0x0300, 0x036F), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F))
_VARIATION = ((0xFE00, 0xFE0F), (0xE0100, 0xE01EF), (0x180B, 0x180D))
_TAG_FIRST, _TAG_LAST = 0xE0020, 0xE007E
_FLAG = "\U0001f3f4"
_UNUSUAL_ASCII = re.compile(r"[^ -~\n]")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text prepared for inspection.

    ``text`` keeps case, ``lower`` does not; both have the same length, and character ``i`` stands for
    ``original[starts[i]:ends[i]]``. ``hidden`` is what invisible tag characters spell, if anything.
    """

    original: str
    text: str
    lower: str
    starts: Sequence[int]
    ends: Sequence[int]
    hidden: str = ""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the original of the folded characters from ``start`` to ``end``."""
        return self.starts[start], self.ends[max(start, end - 1)]


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)


def _fold_simple(ch: str) -> str:
    """Fold one character that has no further decomposition."""
    known = CONFUSABLES.get(ch)
    if known is not None:
        return known
    code, category = ord(ch), unicodedata.category(ch)
    if category in ("Cf", "Cs", "Co", "Cn") or _within(code, _COMBINING) or _within(code, _VARIATION):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(ch))
    if category in ("Zl", "Zp") or ch == "\n":
        return "\n"
    if category == "Zs" or ch in "\t\r\v\f":
        return " "
    return "" if category == "Cc" else ch


@lru_cache(maxsize=16384)
def fold_char(ch: str) -> str:
    """Return what one character is compared as: nothing, itself, or one or more plain characters."""
    if ch in CONFUSABLES:
        return CONFUSABLES[ch]
    return "".join(_fold_simple(part) for part in unicodedata.normalize("NFKD", ch))


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := ch.lower()) == 1 else ch for ch in text)


def _hidden_text(text: str) -> str:
    """Return the words spelled in tag characters; sub-division flags, which need them, do not count."""
    letters: list[str] = []
    in_flag = False
    for ch in text:
        if _TAG_FIRST <= ord(ch) <= _TAG_LAST:
            if not in_flag:
                letters.append(chr(ord(ch) - 0xE0000))
        else:
            in_flag = ch == _FLAG
    return "".join(letters)


def fold(text: str) -> Folded:
    """Fold ``text`` for inspection."""
    if text.isascii() and not _UNUSUAL_ASCII.search(text):
        size = len(text)
        return Folded(text, text, text.lower(), range(size), range(1, size + 1))
    pieces: list[str] = []
    starts: list[int] = []
    for offset, ch in enumerate(text):
        piece = fold_char(ch)
        pieces.append(piece)
        if len(piece) == 1:
            starts.append(offset)
        else:
            starts.extend([offset] * len(piece))
    folded = "".join(pieces)
    ends = [start + 1 for start in starts]
    return Folded(text, folded, _lower(folded), starts, ends, _hidden_text(text))


def fold_lexicon(pattern: str) -> str:
    """Fold the non-ASCII letters of a pattern or word list the way the inspected text is folded."""
    return "".join(ch if ch.isascii() else fold_char(ch) for ch in pattern)


_JOINERS = "\u200c\u200d"


def _keeps(text: str, position: int) -> bool:
    """Tell whether the character is visible, or a joiner that Indic scripts and emoji are spelled with."""
    ch = text[position]
    category = unicodedata.category(ch)
    if ch in _JOINERS:
        neighbours = text[max(0, position - 1) : position] + text[position + 1 : position + 2]
        return len(neighbours) == 2 and all(ord(other) > 0x8FF for other in neighbours)
    if ch == "\ufe0f":
        return position > 0 and ord(text[position - 1]) > 0x2000
    hidden = _within(ord(ch), _VARIATION) or category in ("Cf", "Cc", "Cs", "Co", "Cn")
    return not hidden or ch.isspace()


def clean(text: str) -> str:
    """Return ``text`` as it may be kept: one line, composed, trimmed, without invisible characters."""
    if not text.isascii() or not text.isprintable():
        text = "".join(ch for position, ch in enumerate(text) if _keeps(text, position))
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split())
