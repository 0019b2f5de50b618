"""Give a user's memories the vectors of the model configured now."""

from __future__ import annotations

from memwarden.db import memory_table
from memwarden.embed import TextKind
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.spoken import spoken
from memwarden.model.scope import Scope

BATCH = 32


async def reembed(deps: Dependencies, scope: Scope) -> int:
    """Embed every active record that has no vector of the present model; return how many there were.

    Safe to stop and to run again: each batch is its own transaction.
    """
    done = 0
    model = deps.embedder.model
    while rows := await memory_table.embedded_by_another_model(deps.database, scope, model, BATCH):
        vectors = await deps.embedder.embed([spoken(content) for _, content in rows], TextKind.PASSAGE)
        async with deps.database.transaction(scope) as tx:
            for (record_id, _), vector in zip(rows, vectors, strict=True):
                await memory_table.set_embedding(tx, record_id, vector, model)
        done += len(rows)
    return done
