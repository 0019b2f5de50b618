"""Decide: the guard's verdict, then what second opinions leave of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from memwarden.guard.opinion import Doubt, SecondOpinion, contested, is_contested, is_kept, lowered
from memwarden.memory.dependencies import Dependencies
from memwarden.model.consent import Standing
from memwarden.model.verdict import Candidate, Reason, Verdict

_log = logging.getLogger(__name__)

PATIENCE_S = 20.0
"""Seconds an opinion may take; after that it counts as a doubt."""


async def decide(deps: Dependencies, candidate: Candidate, standing: Standing) -> Verdict:
    """Judge ``candidate`` and, where it would be kept or is contested, hear the opinions in turn until one doubts."""
    return await with_opinions(deps.judge(candidate, standing.granted), candidate, deps.opinions)


async def with_opinions(verdict: Verdict, candidate: Candidate, opinions: Sequence[SecondOpinion]) -> Verdict:
    """Return ``verdict``, lowered by the first opinion that doubts it."""
    for opinion in opinions:
        if not (is_kept(verdict) or is_contested(verdict)):
            break
        verdict = lowered(verdict, await _doubt(opinion, candidate, verdict))
    return verdict


async def _doubt(opinion: SecondOpinion, candidate: Candidate, verdict: Verdict) -> Doubt | None:
    """Ask one opinion; one that fails or does not answer in time is a doubt."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await opinion(candidate, verdict)
    except Exception as error:  # noqa: BLE001 - a foreign model may raise anything, and its absence must not allow
        _log.warning("A second opinion failed (%s); the user is asked instead.", type(error).__name__)
        return contested(verdict) if is_contested(verdict) else Doubt(Reason.UNFRAMED)
