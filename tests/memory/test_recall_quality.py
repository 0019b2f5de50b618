"""How often the memory that answers a question comes first, and among the first three."""

from __future__ import annotations

import json
from pathlib import Path

from memwarden import Memwarden, Origin, UserMemory

PROBES = json.loads((Path(__file__).parents[1] / "data/recall/probes.json").read_text(encoding="utf-8"))

FIRST, AMONG_THREE = 0.80, 0.92
"""What is reached, rounded down. The model and the queries are deterministic: a lower figure is a regression."""


async def test_the_answering_memory_comes_first_or_nearly(memwarden: Memwarden) -> None:
    user = memwarden.user("acme", "quality")
    ids = [await keep(user, memory) for memory in PROBES["memories"]]
    ranks = [await rank_of(user, question, ids[index]) for question, index in PROBES["probes"]]
    first = sum(rank == 1 for rank in ranks) / len(ranks)
    among_three = sum(rank <= 3 for rank in ranks) / len(ranks)
    misses = [question for (question, _), rank in zip(PROBES["probes"], ranks, strict=True) if rank > 3]
    print(f"first {first:.3f}, among three {among_three:.3f}, beyond: {misses}")
    assert first >= FIRST, misses
    assert among_three >= AMONG_THREE, misses


async def keep(user: UserMemory, memory: str) -> str:
    """Remember a sentence, confirming it where the guard asks; return its id."""
    result = await user.remember(memory, origin=Origin.USER_TURN)
    record = result.record if result.proposal is None else await user.confirm(result.proposal.id)
    assert record is not None, memory
    return record.id


async def rank_of(user: UserMemory, question: str, record_id: str) -> int:
    """Return the place of a record in the answer to a question, from 1; 99 when it is not in it.

    A profile slot is always in the answer, and counts as first.
    """
    recall = await user.recall(question, limit=10)
    if any(record.id == record_id for record in recall.profile):
        return 1
    found = [ranked.record.id for ranked in recall.memories]
    return found.index(record_id) + 1 if record_id in found else 99
