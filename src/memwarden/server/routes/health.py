"""Whether the process lives, and whether it can do its work."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from memwarden.db.reachable import require_reachable
from memwarden.server.access import Opened

open_router = APIRouter(tags=["health"])
router = APIRouter(tags=["health"])


class Health(BaseModel):
    """That it is well; what is not is a problem."""

    status: str = "ok"


@open_router.get("/livez")
async def livez() -> Health:
    """Say that the process lives; the one address that needs no token."""
    return Health()


@router.get("/readyz")
async def readyz(memwarden: Opened) -> Health:
    """Say that the database answers; 503 where it does not."""
    await require_reachable(memwarden.dependencies.database)
    return Health()
