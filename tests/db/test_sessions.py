"""A transaction-mode pooler may give every transaction another connection: none relies on the one before."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, UserMemory
from memwarden.db.database import Database, open_pool
from memwarden.errors import DatabaseError, DatabaseUnavailableError
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
    pool = await open_pool(addresses.app, min_size=1, max_size=1, timeout_s=5)
    database = Database(pool, statement_timeout_s=0.2)
    with pytest.raises(DatabaseUnavailableError, match="time limit"):
        await database.fetch(Scope("acme", "slow"), "SELECT pg_sleep(5)")
    assert await database.fetch(Scope("acme", "slow"), "SELECT 1 AS one") == [{"one": 1}]
    await database.close()


async def test_connections_that_were_cut_are_replaced_without_an_error(
    addresses: Addresses, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    pool = await open_pool(addresses.app, min_size=3, max_size=3, timeout_s=5)
    database = Database(pool)
    scope = Scope("acme", "cut")
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'memwarden_app' AND pid = ANY(%s)"

    async def cut_all() -> None:
        pids = []
        for connection in list(pool._pool):
            pids.append(connection.info.backend_pid)
        await admin.execute(cut, (pids,))

    await pool.wait()
    await cut_all()
    assert await database.fetch(scope, "SELECT 1 AS one") == [{"one": 1}]
    await pool.wait()
    await cut_all()
    async with database.transaction(scope) as tx:
        assert await tx.fetch("SELECT 1 AS one") == [{"one": 1}]
    await database.close()


async def test_a_failure_inside_a_transaction_rolls_it_back_and_is_not_repeated(addresses: Addresses) -> None:
    pool = await open_pool(addresses.app, min_size=1, max_size=1, timeout_s=5)
    database = Database(pool)
    scope = Scope("acme", "rolled-back")
    runs = 0
    with pytest.raises(RuntimeError, match="ours"):
        async with database.transaction(scope) as tx:
            runs += 1
            await tx.fetch("SELECT 1")
            raise RuntimeError("ours")
    assert runs == 1
    with pytest.raises(DatabaseError):
        async with database.transaction(scope) as tx:
            await tx.fetch("SELECT 1 / 0")
    assert await database.fetch(scope, "SELECT 1 AS one") == [{"one": 1}]
    await database.close()
    with pytest.raises(DatabaseUnavailableError):
        await database.fetch(scope, "SELECT 1")
