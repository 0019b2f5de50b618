"""ETags of records: whoever changes one can say which version they saw."""

from __future__ import annotations

import hashlib
from typing import Annotated

from fastapi import Header

from memwarden.memory.user import UserMemory
from memwarden.model.record import MemoryRecord
from memwarden.server.problems import Problem, ProblemError

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=500,
        description="The ETag of the version to be changed; another one is answered with 412.",
    ),
]


def etag(record: MemoryRecord) -> str:
    """Return the tag of what a record says; being used does not change it."""
    said = "\0".join(
        (
            record.id,
            record.content,
            record.status.value,
            record.updated_at.isoformat(),
            record.superseded_by or "",
        )
    )
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


async def require_version(memory: UserMemory, record_id: str, wanted: str | None) -> None:
    """Raise unless the record is still of the version ``wanted``, when one is; `NotFoundError` when there is none."""
    if wanted is None or wanted.strip() == "*":
        return
    newest = (await memory.history(record_id))[0]
    if etag(newest) not in [tag.strip() for tag in wanted.split(",")]:
        raise ProblemError(
            Problem(412, "changed-meanwhile", "This memory was changed since; look at it, and try again.")
        )
