"""Which of a user's records a "forget that ..." means. Pure: it would rather ask than forget the wrong one."""

from __future__ import annotations

from collections.abc import Sequence

from memwarden.db.search_text import words
from memwarden.guard import SlotRegistry, recognise
from memwarden.model.record import MemoryRecord

ENOUGH = 0.6
"""Share of the words in common, of either side, from which a sentence is taken to mean a record."""

_FILLERS = frozenset(
    "i my me mine am is are was a an the that this it about to of in at and do does for please".split()
)


def named(text: str, records: Sequence[MemoryRecord], slots: SlotRegistry) -> list[MemoryRecord]:
    """Return the records that ``text`` can mean, the best alone when it is clearly the best.

    A slot said by its name ("my location") or by its sentence ("I live in Pune") means the slot's record;
    anything else is compared word by word.
    """
    statement = recognise(text, slots)
    if statement is not None and statement.key is not None:
        return [r for r in records if r.key == statement.key and r.content == statement.content]
    said = _content_words(text)
    if by_name := [
        r for r in records if r.key is not None and _content_words(r.key.replace("_", " ")) == said
    ]:
        return by_name
    scored = [(overlap(said, _content_words(record.content)), record) for record in records]
    close = sorted((pair for pair in scored if pair[0] >= ENOUGH), key=lambda pair: -pair[0])
    if len(close) > 1 and close[0][0] > close[1][0]:
        close = close[:1]
    return [record for _, record in close]


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of words two sentences have in common: 0 for none, 1 for the same words (Dice)."""
    if not one or not other:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


def _content_words(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in words(text) if word not in _FILLERS)


def _stem(word: str) -> str:
    # "work" and "works" are one word to whoever asks to have it forgotten.
    return word[:-1] if len(word) > 3 and word.endswith("s") else word
