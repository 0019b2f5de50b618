"""Read traces: which memories an answer rested on, and which answers used a memory."""

from __future__ import annotations

from memwarden.db import read_trace_table
from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.recall import Recall
from memwarden.model.ids import is_id, new_id
from memwarden.model.scope import Scope
from memwarden.model.trace import ReadTrace, Why

MAX_ANSWER_ID = 255
TIME = 10
"""Characters of an id that tell when it was made."""


async def trace(
    deps: Dependencies,
    scope: Scope,
    answer_id: str,
    recalled: Recall,
    conversation_id: str | None,
) -> ReadTrace | None:
    """Note which records stood in the prompt of an answer; null, and nothing written, when none did."""
    if not 0 < len(answer_id) <= MAX_ANSWER_ID or "\0" in answer_id:
        raise InvalidInputError(f"The id of an answer has 1 to {MAX_ANSWER_ID} characters.")
    ids = tuple(dict.fromkeys(record.id for record in recalled.records))
    if not ids:
        return None
    now = deps.clock()
    noted = ReadTrace(scope, new_id(now), answer_id, now, ids, conversation_id)
    return await read_trace_table.insert(deps.database, noted, began=new_id(recalled.at)[:TIME])


async def why(deps: Dependencies, scope: Scope, answer_id: str) -> Why:
    """Return what an answer rested on; raise `NotFoundError` when no memory was in its prompt."""
    traces = await read_trace_table.of_answer(deps.database, scope, answer_id)
    if not traces:
        raise NotFoundError("No memory was in the prompt of such an answer of this user's.")
    ids = list(dict.fromkeys(record_id for noted in traces for record_id in noted.record_ids))
    records = await read_trace_table.records(deps.database, scope, ids)
    there = {record.id for record in records}
    return Why(tuple(traces), tuple(records), tuple(i for i in ids if i not in there))


async def used_in(deps: Dependencies, scope: Scope, record_id: str, limit: int) -> list[ReadTrace]:
    """Return the answers a record was in the prompt of, newest first, also after it was forgotten."""
    return (
        await read_trace_table.of_record(deps.database, scope, record_id, limit) if is_id(record_id) else []
    )
