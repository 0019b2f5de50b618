"""The tables of LangGraph's own saver in PostgreSQL, as far as it does not show itself what is in them."""

from __future__ import annotations

from typing import cast

from psycopg import AsyncConnection
from psycopg.rows import DictRow

from memwarden.db.statements import statements

_SQL = statements("langgraph")


async def threads(connection: AsyncConnection[DictRow]) -> list[str]:
    """Return the ids of all threads; they have no owners."""
    rows = await (await connection.execute(_SQL["threads"])).fetchall()
    return [cast("str", row["thread_id"]) for row in rows]


async def checkpoints(
    connection: AsyncConnection[DictRow], thread_id: str
) -> list[tuple[str, str, str | None]]:
    """Return the namespace, the id and the parent of each checkpoint of a thread."""
    cursor = await connection.execute(_SQL["checkpoints"], {"thread_id": thread_id})
    return [
        (row["checkpoint_ns"], row["checkpoint_id"], row["parent_checkpoint_id"] or None)
        for row in await cursor.fetchall()
    ]


async def task_paths(connection: AsyncConnection[DictRow], thread_id: str) -> dict[tuple[str, str, str], str]:
    """Return the paths of a thread's tasks by (namespace, checkpoint, task)."""
    cursor = await connection.execute(_SQL["task_paths"], {"thread_id": thread_id})
    return {
        (row["checkpoint_ns"], row["checkpoint_id"], row["task_id"]): row["task_path"]
        for row in await cursor.fetchall()
    }
