"""How the background work stands."""

from __future__ import annotations

from dataclasses import dataclass

from memwarden.jobs.queue import job_queue
from memwarden.jobs.worker import tell_nobody
from memwarden.memory.dependencies import Dependencies


@dataclass(frozen=True, slots=True)
class WorkState:
    """Jobs of one kind that wait, run, and have failed for good."""

    kind: str
    waiting: int
    running: int
    failed: int


async def work_state(deps: Dependencies) -> list[WorkState]:
    """Return how many jobs of each kind there are, by name; what was done is not in the queue any more."""
    found = await job_queue(deps, tell_nobody).job_manager.list_tasks_async()
    return sorted(
        (
            WorkState(
                kind=str(task["name"]).removeprefix("memwarden."),
                waiting=int(task["todo"]),
                running=int(task["doing"]),
                failed=int(task["failed"]),
            )
            for task in found
        ),
        key=lambda state: state.kind,
    )
