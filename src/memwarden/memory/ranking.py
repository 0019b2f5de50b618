"""The order in which found records are worth their place in the prompt. Pure: plain values in, plain values out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memwarden.db.memory_table import Hit
from memwarden.model.record import MemoryRecord, Source

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

VECTOR_WEIGHT = 1.0
WORDS_WEIGHT = 1.0
TRIGRAMS_WEIGHT = 0.5
"""Trigrams find misspelt and romanised words, and also words that merely look alike: half a voice."""

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
    """Fuse the three searches by reciprocal rank, weigh by recency and source, and keep the best ``limit``."""
    pool = list(hits)
    scores = {hit.record.id: 0.0 for hit in pool}
    _vote(scores, _descending(pool, _nearness), VECTOR_WEIGHT)
    _vote(scores, _descending(pool, lambda h: h.words), WORDS_WEIGHT)
    _vote(scores, _descending(pool, lambda h: h.trigrams), TRIGRAMS_WEIGHT)
    ranked = [Ranked(hit.record, scores[hit.record.id] * prior(hit.record, now)) for hit in pool]
    ranked.sort(key=lambda r: (-r.score, _newest(r.record)))
    return tuple(r for r in ranked if r.score > 0)[:limit]


def prior(record: MemoryRecord, now: datetime) -> float:
    """Return what age and source make of a record's score: a factor between about 0.8 and 1."""
    age = max(now - record.updated_at, timedelta())
    decayed: float = 0.5 ** (age / RECENCY_HALF_LIFE)
    freshness = RECENCY_FLOOR + (1 - RECENCY_FLOOR) * decayed
    return freshness * _SOURCE_WEIGHT[record.source]


def _vote(scores: dict[str, float], ordered: Sequence[Hit], weight: float) -> None:
    for position, hit in enumerate(ordered, start=1):
        scores[hit.record.id] += weight / (RRF_K + position)


def _descending(pool: list[Hit], strength: Callable[[Hit], float]) -> list[Hit]:
    return sorted((hit for hit in pool if strength(hit) > 0), key=lambda h: (-strength(h), _newest(h.record)))


def _nearness(hit: Hit) -> float:
    """Return a strength that grows as the cosine distance (0 to 2) shrinks; 0 without a vector to compare."""
    return 0.0 if hit.distance is None else 3.0 - hit.distance


def _newest(record: MemoryRecord) -> tuple[float, str]:
    return (-record.updated_at.timestamp(), record.id)
