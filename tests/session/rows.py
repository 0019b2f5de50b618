"""Everything a user has in the tables, as text, to look for words that must not be there."""

from __future__ import annotations

import json

import psycopg
from psycopg.rows import DictRow

from memwarden import UserMemory
from memwarden.checkpoint.codec import unsqueezed

CHECKPOINTS = ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write")
_PACKED = ("skeleton", "content", "refs")


async def held(
    admin: psycopg.AsyncConnection[DictRow], user: UserMemory, tables: tuple[str, ...] = CHECKPOINTS
) -> str:
    """Return every row a user has in these tables, one after the other."""
    said: list[str] = []
    for table in tables:
        cursor = await admin.execute(
            f"SELECT * FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
            (user.scope.tenant_id, user.scope.user_id),
        )
        for row in await cursor.fetchall():
            plain = {name: unsqueezed(bytes(row[name])) for name in _PACKED if name in row}
            said.append(json.dumps(row | plain, default=_readable, ensure_ascii=False))
    return "\n".join(said)


def _readable(value: object) -> str:
    return bytes(value).decode("utf-8", "replace") if isinstance(value, bytes | memoryview) else str(value)
