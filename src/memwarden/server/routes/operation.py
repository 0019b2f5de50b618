"""What is counted about the deployment, for its operators: background work and metrics; nothing about anybody."""

from __future__ import annotations

from typing import cast

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from memwarden.jobs import work_state
from memwarden.server.access import Opened, Operator
from memwarden.server.metrics import MEDIA_TYPE, Metrics
from memwarden.server.representations.form import SHOWN

router = APIRouter(tags=["operation"])


class Work(BaseModel):
    """Jobs of one kind that wait, run, and have failed for good."""

    model_config = SHOWN

    kind: str
    waiting: int
    running: int
    failed: int


@router.get("/v1/jobs")
async def jobs(_: Operator, memwarden: Opened) -> list[Work]:
    """Return how much background work there is, by kind."""
    return [Work.model_validate(state) for state in await work_state(memwarden.dependencies)]


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(_: Operator, request: Request) -> Response:
    """Return the counters of this process in the text format of Prometheus."""
    return Response(cast("Metrics", request.app.state.metrics).text(), media_type=MEDIA_TYPE)
