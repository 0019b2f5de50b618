"""What each kind of job does; all of it may be done again without harm."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from memwarden.errors import MemwardenError, NotFoundError, StateConflictError
from memwarden.memory.consolidate import consolidate
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import finish
from memwarden.memory.erase_tenant import TENANT_ITSELF, finish_tenant
from memwarden.memory.purge import purge
from memwarden.memory.removing import Removal, remove_conversation
from memwarden.memory.reviewing import review_conversation
from memwarden.memory.titling import title
from memwarden.model.conversation import TitledBy
from memwarden.model.erasure import ErasureState
from memwarden.model.scope import Scope

PURGE, CONSOLIDATE, REVIEW = "purge", "consolidate", "review"
REMOVE, TITLE = "remove_conversation", "title"
FINISH_ERASURE, FINISH_TENANT_ERASURE = "finish_erasure", "finish_tenant_erasure"


class UnfinishedError(MemwardenError):
    """A job could not finish yet and is tried again; its text holds no content."""


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work: its kind, whose, and which conversation or erasure it is about, if it is about one."""

    kind: str
    scope: Scope
    about: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What a job did, in counts, for whoever watches."""

    kind: str
    counts: Mapping[str, int] = field(default_factory=dict)


async def do(deps: Dependencies, job: Job) -> Done:
    """Do a job; what has nothing left to be done about counts as done."""
    try:
        return Done(job.kind, await _WORK[job.kind](deps, job))
    except (NotFoundError, StateConflictError):
        return Done(job.kind)  # erased or decided since it was found


async def _purge(deps: Dependencies, job: Job) -> Mapping[str, int]:
    purged = await purge(deps, job.scope)
    return {
        "memories": purged.memories,
        "proposals": purged.proposals,
        "conversations": purged.conversations,
        "exports": purged.exports,
    }


async def _consolidate(deps: Dependencies, job: Job) -> Mapping[str, int]:
    done = await consolidate(deps, job.scope)
    return {
        "purged": done.purged,
        "reembedded": done.reembedded,
        "merged": done.merged,
        "asked": done.asked,
    }


async def _review(deps: Dependencies, job: Job) -> Mapping[str, int]:
    reviewed = await review_conversation(deps, job.scope, job.about)
    return {"episodes": reviewed.episodes, "proposed": reviewed.proposed}


async def _remove(deps: Dependencies, job: Job) -> Mapping[str, int]:
    done = await remove_conversation(deps, job.scope, job.about)
    return {"conversations": int(done is Removal.REMOVED), "running": int(done is Removal.RUNNING)}


async def _title(deps: Dependencies, job: Job) -> Mapping[str, int]:
    titled = await title(deps, job.scope, job.about)
    return {"titles": int(titled.titled_by is TitledBy.GENERATED)}


async def _finish_erasure(deps: Dependencies, job: Job) -> Mapping[str, int]:
    erasure = await finish(deps, job.scope, job.about)
    _require_finished(erasure.state)
    return {"removed": sum(erasure.removed.values()), "withheld": erasure.withheld}


async def _finish_tenant_erasure(deps: Dependencies, job: Job) -> Mapping[str, int]:
    erasure = await finish_tenant(deps, job.scope.tenant_id, job.about)
    _require_finished(erasure.state)
    return {"users": erasure.users}


def _require_finished(state: ErasureState) -> None:
    if state is ErasureState.INCOMPLETE:
        raise UnfinishedError("An erasure has not reached every store yet; it is tried again.")


def tenant_scope(tenant_id: str) -> Scope:
    """Return the scope of work that is about a tenant as a whole."""
    return Scope(tenant_id, TENANT_ITSELF)


_WORK: Mapping[str, Callable[[Dependencies, Job], Awaitable[Mapping[str, int]]]] = {
    PURGE: _purge,
    CONSOLIDATE: _consolidate,
    REVIEW: _review,
    REMOVE: _remove,
    TITLE: _title,
    FINISH_ERASURE: _finish_erasure,
    FINISH_TENANT_ERASURE: _finish_tenant_erasure,
}
