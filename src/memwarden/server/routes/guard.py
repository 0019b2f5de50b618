"""The guard: what would become of a text, with nothing written anywhere."""

from __future__ import annotations

from fastapi import APIRouter

from memwarden.memory.decide import with_opinions
from memwarden.memory.text import checked_text
from memwarden.model.verdict import Candidate
from memwarden.server.access import Opened, OwnMemory
from memwarden.server.representations.judgement import Judgement, ToJudge

router = APIRouter(prefix="/v1/guard", tags=["guard"])


@router.post("/judgement")
async def judge(asked: ToJudge, memwarden: Opened, _: OwnMemory) -> Judgement:
    """Judge a text as if it were to be remembered by somebody who agreed to nothing beyond the notice."""
    deps = memwarden.dependencies
    candidate = Candidate(checked_text(asked.text, "text to judge"), asked.origin)
    verdict = await with_opinions(deps.judge(candidate, frozenset()), candidate, deps.opinions)
    return Judgement.model_validate(verdict)
