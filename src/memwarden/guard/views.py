"""Other readings of a text: what it says once decoded, joined up or spoken digits are written out.

Every view is a `Folded` text whose characters point into the same original, so whatever is found in a
view is found at its place in the original. One level of decoding only.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Iterator
from urllib.parse import unquote

from memwarden.guard.credential_words import NUMBER_WORDS
from memwarden.guard.normalise import Folded, fold, fold_lexicon

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_=-])[A-Za-z0-9+/_-]{16,4096}={0,2}(?![A-Za-z0-9+/_=-])", re.ASCII)
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){8,2048}(?![0-9A-Za-z])", re.ASCII)
_RUN = re.compile(r"\S+")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}", re.ASCII)
_SPACED = re.compile(r"(?<!\S)(?:\S[ \n]{1,4}){4,}\S(?!\S)")
_MIXED = re.compile(r"[a-z@$0-9]{2,40}", re.ASCII)
_LEET_SAME_LENGTH = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"}
)
_WORDS = re.compile(r"[^\W\d_]+(?:[\u0900-\u0dff]+[^\W\d_]*)*")
_NUMBERS = {fold_lexicon(word): digit for word, digit in NUMBER_WORDS.items()}
_PRINTABLE_SHARE = 0.95


def _placed(source: Folded, text: str, start: int, end: int) -> Folded:
    """Return ``text`` as a view whose every character stands for the whole span of ``source``."""
    inner = fold(text)
    first, last = source.span(start, end)
    size = len(inner.text)
    return Folded(source.original, inner.text, inner.lower, [first] * size, [last] * size)


def _readable(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    visible = sum(ch.isprintable() for ch in text)
    return text if len(text) >= 6 and visible >= _PRINTABLE_SHARE * len(text) else None


def _decoded_tokens(source: Folded) -> Iterator[Folded]:
    for match in _BASE64.finditer(source.text):
        token = match.group().rstrip("=").replace("-", "+").replace("_", "/")
        try:
            text = _readable(base64.b64decode(token + "=" * (-len(token) % 4)))
        except (binascii.Error, ValueError):
            continue
        if text is not None:
            yield _placed(source, text, *match.span())
    for match in _HEX.finditer(source.text):
        text = _readable(bytes.fromhex(match.group()))
        if text is not None:
            yield _placed(source, text, *match.span())


def _percent_decoded(source: Folded) -> Iterator[Folded]:
    if "%" in source.text:
        for match in _RUN.finditer(source.text):
            if _ESCAPE.search(match.group()):
                yield _placed(source, unquote(match.group()), *match.span())


def _rebuilt(source: Folded, pieces: list[tuple[str, int, int]]) -> Folded:
    """Join pieces of text, each standing for a span of ``source``, into a view."""
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece, start, end in pieces:
        if len(piece) == end - start:
            starts.extend(source.starts[start:end])
            ends.extend(source.ends[start:end])
        else:
            first, last = source.span(start, end)
            starts.extend([first] * len(piece))
            ends.extend([last] * len(piece))
        text.append(piece)
    joined = "".join(text)
    return Folded(source.original, joined, joined.lower(), starts, ends)


def _joined(source: Folded) -> Folded | None:
    """Close up letters that were spaced out; wider gaps are the blanks between words."""
    pieces: list[tuple[str, int, int]] = []
    done = 0
    for match in _SPACED.finditer(source.text):
        pieces.append((source.text[done : match.start()], done, match.start()))
        position = match.start()
        while position < match.end():
            end = position + 1
            while end < match.end() and source.text[end].isspace():
                end += 1
            pieces.append((source.text[position], position, position + 1))
            if end - position > 2:
                pieces.append((" ", position + 1, end))
            position = end
        done = match.end()
    if not pieces:
        return None
    pieces.append((source.text[done:], done, len(source.text)))
    return _rebuilt(source, pieces)


def _spoken_digits(source: Folded) -> Folded | None:
    """Write runs of three or more digit words as digits: "nine nine eight" becomes "998"."""
    words = [(m.start(), m.end(), _NUMBERS.get(m.group())) for m in _WORDS.finditer(source.lower)]
    pieces: list[tuple[str, int, int]] = []
    done = position = 0
    while position < len(words):
        last = position
        while last < len(words) and words[last][2] is not None:
            if last > position and source.lower[words[last - 1][1] : words[last][0]].strip(" ,-.\n"):
                break
            last += 1
        if last - position >= 3:
            start = words[position][0]
            pieces.append((source.text[done:start], done, start))
            pieces.extend((words[i][2] or "", words[i][0], words[i][1]) for i in range(position, last))
            done = words[last - 1][1]
        position = max(last, position + 1)
    if not pieces:
        return None
    pieces.append((source.text[done:], done, len(source.text)))
    return _rebuilt(source, pieces)


def _unleeted(source: Folded) -> Folded | None:
    """Read digits and signs inside words as the letters they are drawn for."""
    mixed = [
        match
        for match in _MIXED.finditer(source.lower)
        if not match.group().isalpha() and any(ch.isalpha() for ch in match.group())
    ]
    if not mixed:
        return None
    if len(mixed) >= 3:
        lower = source.lower.translate(_LEET_SAME_LENGTH)
    else:
        letters = list(source.lower)
        for match in mixed:
            letters[match.start() : match.end()] = match.group().translate(_LEET_SAME_LENGTH)
        lower = "".join(letters)
    return Folded(source.original, lower, lower, source.starts, source.ends)


def _rotated(source: Folded) -> Folded | None:
    """Undo rot13 where the text says that it is used."""
    if "rot13" not in source.lower and "rot-13" not in source.lower:
        return None
    text = codecs.encode(source.text, "rot13")
    return Folded(source.original, text, text.lower(), source.starts, source.ends)


def digit_views(source: Folded) -> list[Folded]:
    """Return the readings in which secrets and identifiers are looked for, the plain one first."""
    found = [source]
    found.extend(view for view in (_joined(source), _spoken_digits(source)) if view is not None)
    found.extend(_decoded_tokens(source))
    found.extend(_percent_decoded(source))
    return found


def word_views(source: Folded) -> list[Folded]:
    """Return the readings in which statements are judged, the plain one first."""
    found = [source]
    found.extend(view for view in (_joined(source), _unleeted(source), _rotated(source)) if view is not None)
    if source.hidden:
        found.append(
            _placed(source, source.hidden, 0, len(source.text)) if source.text else fold(source.hidden)
        )
    found.extend(_decoded_tokens(source))
    found.extend(_percent_decoded(source))
    return found
