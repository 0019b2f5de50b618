"""Whether the database answers."""

from __future__ import annotations

from memwarden.db.database import Database
from memwarden.db.failures import database_failures

PATIENCE_S = 5.0


async def require_reachable(db: Database) -> None:
    """Raise `DatabaseUnavailableError` unless PostgreSQL answers within a few seconds."""
    with database_failures():
        async with db.pool.connection(timeout=PATIENCE_S) as connection:
            await connection.execute("SELECT 1")
