"""The order in which found records are worth their place in the prompt. Pure: plain values in, plain values out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memwarden.db.memory_table import Hit
from memwarden.model.record import MemoryRecord, Source

RRF_K = 5
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009), which proposes 60 for lists of
a thousand; these lists have tens of rows, and the first places must count."""

WORDS_WEIGHT = 0.5
TRIGRAMS_WEIGHT = 0.5
"""A vote of the text searches at its strongest, beside 1 for the vector search. It is scaled by the square of the share of
the question that was found: a rank alone would let a row that shares one common word vote like a full match."""

RECENCY_HALF_LIFE = timedelta(days=180)
RECENCY_FLOOR = 0.85
"""What is left of the score of a very old record: age decides between near equals, never against relevance."""

_SOURCE_WEIGHT = {Source.USER_CONFIRMED: 1.0, Source.USER_STATED: 1.0, Source.SYSTEM: 0.95}


@dataclass(frozen=True, slots=True)
class Ranked:
    """A record and its fused score; scores compare within one recall only."""

    record: MemoryRecord
    score: float


def rank(hits: Iterable[Hit], now: datetime, limit: int) -> tuple[Ranked, ...]:
    """Fuse the three searches by weighted reciprocal rank, and keep the best ``limit`` after age and source."""
    pool = list(hits)
    scores = {hit.record.id: 0.0 for hit in pool}
    _vote(scores, _descending(pool, _nearness), lambda _: 1.0)
    _vote(scores, _descending(pool, _words), lambda hit: WORDS_WEIGHT * _words(hit) ** 2)
    _vote(scores, _descending(pool, _trigrams), lambda hit: TRIGRAMS_WEIGHT * _trigrams(hit) ** 2)
    ranked = [Ranked(hit.record, scores[hit.record.id] * prior(hit.record, now)) for hit in pool]
    ranked.sort(key=lambda r: (-r.score, _newest(r.record)))
    return tuple(r for r in ranked if r.score > 0)[:limit]


def prior(record: MemoryRecord, now: datetime) -> float:
    """Return what age and source make of a record's score: a factor between about 0.8 and 1."""
    age = max(now - record.updated_at, timedelta())
    decayed: float = 0.5 ** (age / RECENCY_HALF_LIFE)
    freshness = RECENCY_FLOOR + (1 - RECENCY_FLOOR) * decayed
    return freshness * _SOURCE_WEIGHT[record.source]


def _vote(scores: dict[str, float], ordered: Sequence[Hit], weight: Callable[[Hit], float]) -> None:
    for position, hit in enumerate(ordered, start=1):
        scores[hit.record.id] += weight(hit) / (RRF_K + position)


def _descending(pool: list[Hit], strength: Callable[[Hit], float]) -> list[Hit]:
    return sorted((hit for hit in pool if strength(hit) > 0), key=lambda h: (-strength(h), _newest(h.record)))


def _nearness(hit: Hit) -> float:
    """Return a strength that grows as the cosine distance (0 to 2) shrinks; 0 without a vector to compare."""
    return 0.0 if hit.distance is None else 3.0 - hit.distance


def _words(hit: Hit) -> float:
    return min(hit.words, 1.0)


def _trigrams(hit: Hit) -> float:
    return min(hit.trigrams, 1.0)


def _newest(record: MemoryRecord) -> tuple[float, str]:
    return (-record.updated_at.timestamp(), record.id)
