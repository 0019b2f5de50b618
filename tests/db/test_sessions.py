"""A transaction-mode pooler may give every transaction another connection: none relies on the one before."""

from __future__ import annotations

import psycopg
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, UserMemory
from memwarden.db.database import Database, open_pool
from memwarden.model.scope import Scope
from tests.conftest import Addresses

LEFTOVERS = """
SELECT (SELECT count(*) FROM pg_prepared_statements) AS prepared,
       (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
       (SELECT count(*) FROM pg_listening_channels()) AS channels,
       current_setting('memwarden.tenant_id', true) AS tenant,
       current_setting('memwarden.user_id', true) AS "user",
       current_setting('search_path') AS path,
       current_setting('statement_timeout') AS timeout
"""


async def test_nothing_is_left_in_a_session(addresses: Addresses) -> None:
    pool = await open_pool(addresses.app, min_size=1, max_size=1, timeout_s=5)
    database = Database(pool)
    scope = Scope("acme", "session")
    await database.fetch(scope, "SELECT 1")
    async with database.transaction(scope) as tx:
        await tx.fetch("SELECT pg_advisory_xact_lock(1)")
    async with pool.connection() as connection:
        row = await (await connection.execute(LEFTOVERS)).fetchone()
    assert row is not None
    assert row == {
        "prepared": 0, "locks": 0, "channels": 0, "tenant": "", "user": "", "path": '"$user", public', "timeout": "0",
    }  # fmt: skip
    await database.close()


async def test_the_verbs_and_the_saver_leave_nothing_either(
    memwarden: Memwarden, user: UserMemory, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    await user.remember("I live in Pune", origin=Origin.USER_TURN)
    await user.recall("Where do I live?")
    saver = await user.checkpointer()
    assert await saver.aget_tuple({"configurable": {"thread_id": "t"}}) is None
    cursor = await admin.execute(
        "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'memwarden' AND state LIKE 'idle in%'"
    )
    row = await cursor.fetchone()
    assert row == {"n": 0}


async def test_a_statement_that_takes_too_long_is_given_up(addresses: Addresses) -> None:
    import pytest

    from memwarden.errors import DatabaseUnavailableError

    pool = await open_pool(addresses.app, min_size=1, max_size=1, timeout_s=5)
    database = Database(pool, statement_timeout_s=0.2)
    with pytest.raises(DatabaseUnavailableError, match="time limit"):
        await database.fetch(Scope("acme", "slow"), "SELECT pg_sleep(5)")
    assert await database.fetch(Scope("acme", "slow"), "SELECT 1 AS one") == [{"one": 1}]
    await database.close()
