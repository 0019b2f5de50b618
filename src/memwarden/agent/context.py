"""Whose run it is: identity travels in the run's context, which LangGraph never writes to a checkpoint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from memwarden.errors import ConfigurationError
from memwarden.model.scope import Scope


@dataclass(frozen=True, slots=True)
class MemoryContext:
    """The ``context`` of a run: whose memory it may touch.

    Build it from a verified token and pass it as ``graph.ainvoke(..., context=MemoryContext(scope))``.
    An application with a context class of its own only has to give it an attribute ``scope``.
    """

    scope: Scope
    conversation_id: str | None = None


def scope_of(context: object) -> Scope:
    """Return the scope a run's context carries; raise `ConfigurationError` when it carries none."""
    found = context if isinstance(context, Scope) else getattr(context, "scope", None)
    if found is None and isinstance(context, dict):
        found = context.get("scope")
    if not isinstance(found, Scope):
        raise ConfigurationError(
            "This run has no memory scope; pass context=MemoryContext(Scope(tenant_id, user_id)) when invoking the graph."
        )
    return found


def conversation_of(context: object) -> str | None:
    """Return the conversation a run's context names, if it names one."""
    found = (
        context.get("conversation_id")
        if isinstance(context, dict)
        else getattr(context, "conversation_id", None)
    )
    return found if isinstance(found, str) else None


def thread_of(runtime: Runtime[Any]) -> str | None:
    """Return the thread a run belongs to: that of its checkpoints, else the conversation its context names; null for none."""
    info = runtime.execution_info
    found = None if info is None else info.thread_id
    return found or conversation_of(runtime.context)
