"""What the linear head sees of a text: which words, runs of words and pieces of words occur in it.

Hashed, so that no vocabulary has to be kept (Weinberger et al., "Feature Hashing for Large Scale Multitask
Learning", ICML 2009); over the folded text, so that disguise changes nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from memwarden.guard.normalise import fold

BUCKETS = 1 << 14
"""Places in each of the two tables that features are hashed to."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]")
_DIGIT = re.compile(r"[1-9]")
_LONGEST_PIECE = 5
_LONGEST_RUN = 3
_LONGEST_TEXT = 500


@dataclass(frozen=True, slots=True)
class Features:
    """Places in a table and their weights, whose squares sum to one."""

    places: list[int]
    weights: list[float]


def tokens(text: str) -> list[str]:
    """Return the words and signs of a text, folded, in lower case, every digit a nought.

    How long a number is and what stands around it say what it is; which number it is says nothing.
    """
    return _TOKEN.findall(_DIGIT.sub("0", fold(text[:_LONGEST_TEXT]).lower))


def pieces(words: list[str]) -> Features:
    """Return the features of pieces of one to five characters, within words and their edges."""
    return _hashed(piece for word in words for piece in _pieces_of(f" {word} "))


def runs(words: list[str]) -> Features:
    """Return the features of runs of one to three words, with the edges of the text as words."""
    edged = ["^", *words, "$"]
    return _hashed(
        " ".join(edged[start : start + length])
        for length in range(1, _LONGEST_RUN + 1)
        for start in range(len(edged) - length + 1)
    )


def _pieces_of(word: str) -> Iterator[str]:
    for length in range(1, _LONGEST_PIECE + 1):
        for start in range(len(word) - length + 1):
            yield word[start : start + length]


def _hashed(names: Iterator[str]) -> Features:
    counts = Counter(crc32(name.encode("utf-8", "replace")) % BUCKETS for name in names)
    weights = [1.0 + math.log(count) for count in counts.values()]
    length = math.sqrt(sum(weight * weight for weight in weights)) or 1.0
    return Features(list(counts), [weight / length for weight in weights])
