"""Keyed hashes of runs of words: whether a text holds something can be told without keeping it.

Runs of words are what near-duplicate detection compares (Broder, "On the resemblance and containment of
documents", 1997); here they are keyed, so that the hashes alone give nothing to try guesses on.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable

RUN = 4
"""Words of a run; a shorter sentence of two words or more is a run of its own."""

SHORTEST = 2
_BYTES = 8


def shingles_of(sentences: Iterable[str], key: bytes) -> frozenset[str]:
    """Return the keyed hashes of the runs of ``RUN`` words in each sentence, or of all of a shorter one."""
    return frozenset(
        _hashed(run, key)
        for sentence in sentences
        for run in _runs(_words(sentence), (min(RUN, max(SHORTEST, len(_words(sentence)))),))
    )


def shingles_in(text: str, key: bytes) -> frozenset[str]:
    """Return the keyed hashes of every run in a text that a sentence could have."""
    return frozenset(_hashed(run, key) for run in _runs(_words(text), range(SHORTEST, RUN + 1)))


def said(sentence: str, owner: tuple[str, str], key: bytes) -> str:
    """Return the keyed hash of a whole sentence of one owner; case and punctuation do not change it."""
    message = "\0".join((*owner, *_words(sentence))).encode()
    return hashlib.blake2b(message, key=_fit(key), digest_size=16).hexdigest()


def _words(text: str) -> list[str]:
    """Return the words in lower case and in order; of a script without spaces, each character is one."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    spaced = "".join(_part(ch) for ch in folded)
    return spaced.split()


def _part(ch: str) -> str:
    if unicodedata.category(ch)[0] not in "LMN":
        return " "
    return (
        f" {ch} "
        if "\u2e80" <= ch <= "\u9fff" or "\uac00" <= ch <= "\ud7af" or "\u0e00" <= ch <= "\u0eff"
        else ch
    )


def _runs(words: list[str], lengths: Iterable[int]) -> Iterable[str]:
    for length in lengths:
        for start in range(len(words) - length + 1):
            yield " ".join(words[start : start + length])


def _hashed(run: str, key: bytes) -> str:
    return hashlib.blake2b(run.encode(), key=_fit(key), digest_size=_BYTES).hexdigest()


def _fit(key: bytes) -> bytes:
    """Return a key of a length the hash takes: 64 bytes at the most."""
    return key if len(key) <= hashlib.blake2b.MAX_KEY_SIZE else hashlib.blake2b(key).digest()
