"""Decide: the guard's verdict, then what second opinions leave of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from memwarden.guard.opinion import Doubt, SecondOpinion, is_kept, lowered
from memwarden.memory.dependencies import Dependencies
from memwarden.model.verdict import Candidate, Reason, Statement, Verdict

_log = logging.getLogger(__name__)

PATIENCE_S = 20.0
"""Seconds an opinion may take; after that it counts as a doubt."""


async def decide(deps: Dependencies, candidate: Candidate) -> Verdict:
    """Judge ``candidate`` and, where it would be kept, hear the opinions in turn until one doubts."""
    return await with_opinions(deps.judge(candidate), candidate, deps.opinions)


async def with_opinions(verdict: Verdict, candidate: Candidate, opinions: Sequence[SecondOpinion]) -> Verdict:
    """Return ``verdict``, lowered by the first opinion that doubts it."""
    for opinion in opinions:
        if not is_kept(verdict) or verdict.stored is None:
            break
        verdict = lowered(verdict, await _doubt(opinion, candidate, verdict.stored))
    return verdict


async def _doubt(opinion: SecondOpinion, candidate: Candidate, statement: Statement) -> Doubt | None:
    """Ask one opinion; one that fails or does not answer in time is a doubt."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await opinion(candidate, statement)
    except Exception as error:  # noqa: BLE001 - a foreign model may raise anything, and its absence must not allow
        _log.warning("A second opinion failed (%s); the user is asked instead.", type(error).__name__)
        return Doubt(Reason.UNFRAMED)
