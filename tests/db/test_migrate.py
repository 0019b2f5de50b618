"""Migrations: idempotent, safe to run at once, and careful about the role they prepare."""

from __future__ import annotations

import asyncio
from datetime import UTC

import psycopg
import pytest
from psycopg import sql

from memwarden import Memwarden, Origin
from memwarden.db.migrate import create_database, migrate
from memwarden.db.preflight import SCHEMA_VERSION, inspect
from memwarden.errors import (
    ConfigurationError,
    DatabaseError,
    DatabaseUnavailableError,
    UnsafeRoleError,
    UnsupportedDatabaseError,
)
from tests.conftest import Addresses


async def drop(addresses: Addresses, name: str) -> None:
    """Remove a database made by a test."""
    async with await psycopg.AsyncConnection.connect(addresses.admin_other, autocommit=True) as connection:
        await connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


async def test_four_migrations_at_once_agree(addresses: Addresses) -> None:
    name = "at-once"
    await asyncio.gather(*(asyncio.to_thread(create_database, addresses.admin_other, name) for _ in range(4)))
    versions = await asyncio.gather(*(asyncio.to_thread(migrate, addresses.other(name)) for _ in range(4)))
    assert set(versions) == {SCHEMA_VERSION}
    assert (await inspect(addresses.other(name, "memwarden_app"))).problems() == ()
    await drop(addresses, name)


async def test_a_second_migration_keeps_what_is_there(addresses: Addresses) -> None:
    name = "kept"
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    await asyncio.to_thread(migrate, addresses.other(name))
    async with Memwarden.open(addresses.other(name, "memwarden_app")) as memwarden:
        await memwarden.user("acme", "asha").remember("I live in Pune", origin=Origin.USER_TURN)
    await asyncio.to_thread(migrate, addresses.other(name))
    async with Memwarden.open(addresses.other(name, "memwarden_app")) as memwarden:
        assert len(await memwarden.user("acme", "asha").memories()) == 1
    await drop(addresses, name)


async def test_pgvector_may_live_in_a_schema_of_its_own(addresses: Addresses) -> None:
    name = "elsewhere"
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    async with await psycopg.AsyncConnection.connect(addresses.other(name), autocommit=True) as connection:
        await connection.execute('CREATE SCHEMA "my % extensions"')
        await connection.execute('CREATE EXTENSION vector SCHEMA "my % extensions"')
    await asyncio.to_thread(migrate, addresses.other(name))
    async with await psycopg.AsyncConnection.connect(addresses.other(name), autocommit=True) as connection:
        await connection.execute('GRANT USAGE ON SCHEMA "my % extensions" TO memwarden_app')
    async with Memwarden.open(addresses.other(name, "memwarden_app")) as memwarden:
        user = memwarden.user("acme", "asha")
        await user.remember("I have two cats", origin=Origin.USER_TURN)
        assert len((await user.recall("Do I have pets?")).memories) == 1
    await drop(addresses, name)


async def test_the_owner_cannot_be_the_application_role(addresses: Addresses) -> None:
    with pytest.raises(UnsafeRoleError, match="another name"):
        await asyncio.to_thread(migrate, addresses.admin, app_role="memwarden_admin")


@pytest.mark.parametrize("name", ["", "pg_read_all_data", "a\0b", "x" * 64, "a\nb"])
async def test_a_name_that_is_no_role_is_a_mistake(addresses: Addresses, name: str) -> None:
    with pytest.raises(ConfigurationError):
        await asyncio.to_thread(migrate, addresses.admin, app_role=name)


async def test_a_server_that_does_not_answer_is_unavailable() -> None:
    with pytest.raises(DatabaseUnavailableError):
        await asyncio.to_thread(migrate, "postgresql://admin@127.0.0.1:1/x")
    with pytest.raises(ConfigurationError):
        await asyncio.to_thread(migrate, "mysql://admin@127.0.0.1:1/x")


async def test_a_server_without_pgvector_says_what_to_install(addresses: Addresses) -> None:
    name = "no-pgvector"
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    async with await psycopg.AsyncConnection.connect(addresses.admin_other, autocommit=True) as connection:
        # As on a server where the package was never installed: the extension's files are not where it looks.
        await connection.execute("ALTER DATABASE \"no-pgvector\" SET extension_control_path = '/nowhere'")
    with pytest.raises(UnsupportedDatabaseError, match="pgvector is not installed"):
        await asyncio.to_thread(migrate, addresses.other(name))
    async with await psycopg.AsyncConnection.connect(addresses.other(name), autocommit=True) as connection:
        cursor = await connection.execute("SELECT to_regnamespace('memwarden')")
        assert await cursor.fetchone() == (None,)
    await drop(addresses, name)


async def test_instants_are_utc_whatever_the_servers_time_zone(addresses: Addresses) -> None:
    name = "kolkata"
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    await asyncio.to_thread(migrate, addresses.other(name))
    async with await psycopg.AsyncConnection.connect(addresses.admin_other, autocommit=True) as connection:
        await connection.execute("ALTER DATABASE kolkata SET timezone = 'Asia/Kolkata'")
    async with Memwarden.open(addresses.other(name, "memwarden_app")) as memwarden:
        user = memwarden.user("acme", "asha")
        await user.remember("I live in Pune", origin=Origin.USER_TURN)
        await user.propose("Works nights", quote="I work nights", message="I work nights")
        await user.recall()
        await memwarden.flush()
        (record,), (proposal,), events = await user.memories(), await user.proposals(), await user.audit()
        instants = [record.created_at, record.updated_at, record.expires_at, record.last_used_at]
        instants += [proposal.created_at, proposal.expires_at, *(event.at for event in events)]
        assert all(at is not None and at.tzinfo is UTC for at in instants)
    await drop(addresses, name)


async def test_a_server_that_accepts_no_writes_says_so(addresses: Addresses) -> None:
    name = "read-only"
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    await asyncio.to_thread(migrate, addresses.other(name))
    async with await psycopg.AsyncConnection.connect(addresses.admin_other, autocommit=True) as connection:
        await connection.execute('ALTER DATABASE "read-only" SET default_transaction_read_only = on')
    async with Memwarden.open(addresses.other(name, "memwarden_app")) as memwarden:
        user = memwarden.user("acme", "asha")
        with pytest.raises(DatabaseError, match="accepts no writes"):
            await user.remember("I live in Pune", origin=Origin.USER_TURN)
        assert await user.memories() == []
    await drop(addresses, name)
