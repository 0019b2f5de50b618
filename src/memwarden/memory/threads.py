"""A user's threads: the checkpoint saver that this memory keeps them with."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from memwarden.guard.redact import redact
from memwarden.memory.dependencies import Dependencies
from memwarden.model.scope import Scope, checked_name

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

    from memwarden.checkpoint import ScopedSaver, SharedSaver


def shared_saver(deps: Dependencies, metadata_keys: Collection[str]) -> SharedSaver:
    """Return a checkpoint saver for one graph that serves everybody."""
    from memwarden.checkpoint import PostgresEngine, SharedSaver

    engine = deps.checkpoints or PostgresEngine(deps.database)
    return SharedSaver(
        engine, sealer=deps.sealer, metadata_keys=metadata_keys, redact=_redact(deps), clock=deps.clock
    )


def config_of(scope: Scope, thread_id: str) -> RunnableConfig:
    """Return the configuration of a run of one user's thread."""
    from memwarden.checkpoint.shared import SCOPE

    return {"configurable": {"thread_id": checked_name(thread_id, "thread id"), SCOPE: scope}}


def saver_of(deps: Dependencies, scope: Scope, metadata_keys: Collection[str] = ()) -> ScopedSaver:
    """Return a checkpoint saver that sees one user's threads only."""
    from memwarden.checkpoint import PostgresEngine, ScopedSaver

    engine = deps.checkpoints or PostgresEngine(deps.database)
    return ScopedSaver(
        engine, scope, sealer=deps.sealer, metadata_keys=metadata_keys, redact=_redact(deps), clock=deps.clock
    )


def _redact(deps: Dependencies) -> Callable[[str], str] | None:
    return redact if deps.redact_checkpoints else None
