"""A user's threads: the checkpoint saver that this memory keeps them with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    from memwarden.checkpoint import ScopedSaver


def saver_of(deps: Dependencies, scope: Scope) -> ScopedSaver:
    """Return a checkpoint saver that sees one user's threads only."""
    from memwarden.checkpoint import PostgresEngine, ScopedSaver

    engine = deps.checkpoints or PostgresEngine(deps.database)
    return ScopedSaver(engine, scope, sealer=deps.sealer, clock=deps.clock)
