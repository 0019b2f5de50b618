"""Start-up refuses a database or a role that would not keep users apart, and says what to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psycopg
import pytest
from psycopg import sql
from psycopg.rows import DictRow

from memwarden import Memwarden
from memwarden.db.migrate import create_database, migrate
from memwarden.db.preflight import SCHEMA_VERSION, Preflight, inspect
from memwarden.errors import (
    ConfigurationError,
    DatabaseUnavailableError,
    MemwardenError,
    SchemaError,
    UnsafeRoleError,
    UnsupportedDatabaseError,
)
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]


async def opening_fails(url: str, error: type[MemwardenError], match: str) -> None:
    """Try to open a URL and expect a certain refusal."""
    with pytest.raises(error, match=match):
        async with Memwarden.open(url):
            pass


@asynccontextmanager
async def role(admin: Admin, name: str, options: str, *grants: str) -> AsyncIterator[None]:
    """Make a role for a while."""
    identifier = sql.Identifier(name)
    await admin.execute(sql.SQL("CREATE ROLE {} LOGIN {}").format(identifier, sql.SQL(options)))
    try:
        for grant in grants:
            await admin.execute(sql.SQL("GRANT {} TO {}").format(sql.Identifier(grant), identifier))
        yield
    finally:
        await admin.execute(sql.SQL("DROP ROLE {}").format(identifier))


@asynccontextmanager
async def database(addresses: Addresses, name: str, *, migrated: bool) -> AsyncIterator[None]:
    """Make a database for a while."""
    await asyncio.to_thread(create_database, addresses.admin_other, name)
    if migrated:
        await asyncio.to_thread(migrate, addresses.other(name))
    try:
        yield
    finally:
        async with await psycopg.AsyncConnection.connect(
            addresses.admin_other, autocommit=True
        ) as connection:
            await connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


async def test_the_application_role_is_fit(addresses: Addresses) -> None:
    found = await inspect(addresses.app)
    assert found.problems() == ()
    assert found.schema_version == SCHEMA_VERSION
    assert found.server_version >= 150_000


async def test_a_superuser_is_refused(addresses: Addresses) -> None:
    await opening_fails(addresses.admin, UnsafeRoleError, "superuser.*application role")


async def test_a_role_that_bypasses_row_security_is_refused(addresses: Addresses, admin: Admin) -> None:
    async with role(admin, "test_bypass", "BYPASSRLS", "memwarden_app"):
        await opening_fails(
            addresses.app.replace("memwarden_app@", "test_bypass@"), UnsafeRoleError, "bypass"
        )


async def test_a_role_that_may_become_such_a_role_is_refused(addresses: Addresses, admin: Admin) -> None:
    async with (
        role(admin, "test_bypass", "BYPASSRLS"),
        role(admin, "test_member", "", "memwarden_app", "test_bypass"),
    ):
        await opening_fails(
            addresses.app.replace("memwarden_app@", "test_member@"), UnsafeRoleError, "bypass"
        )


async def test_an_owner_of_the_tables_is_refused(addresses: Addresses, admin: Admin) -> None:
    async with role(admin, "test_owner", ""), database(addresses, "owned", migrated=True):
        async with await psycopg.AsyncConnection.connect(
            addresses.other("owned"), autocommit=True
        ) as connection:
            await connection.execute("ALTER TABLE memwarden.memory OWNER TO test_owner")
        await opening_fails(
            addresses.other("owned", "test_owner"), UnsafeRoleError, "owns Memwarden's tables"
        )


async def test_a_role_of_the_application_roles_group_is_fit(addresses: Addresses, admin: Admin) -> None:
    async with role(admin, "test_member", "", "memwarden_app"):
        assert (await inspect(addresses.app.replace("memwarden_app@", "test_member@"))).problems() == ()


async def test_a_role_without_the_grants_is_told_which_one_it_lacks(
    addresses: Addresses, admin: Admin
) -> None:
    async with role(admin, "test_plain", ""):
        await opening_fails(
            addresses.app.replace("memwarden_app@", "test_plain@"), UnsafeRoleError, "GRANT memwarden_app"
        )


async def test_a_database_without_the_tables_says_to_migrate(addresses: Addresses) -> None:
    async with database(addresses, "empty", migrated=False):
        await opening_fails(addresses.other("empty", "memwarden_app"), SchemaError, "memwarden migrate")


@pytest.mark.parametrize(
    ("version", "advice"), [("0000", "memwarden migrate"), ("9999", "upgrade this installation")]
)
async def test_another_versions_tables_are_not_touched(
    addresses: Addresses, version: str, advice: str
) -> None:
    async with database(addresses, "versioned", migrated=True):
        async with await psycopg.AsyncConnection.connect(
            addresses.other("versioned"), autocommit=True
        ) as connection:
            await connection.execute("UPDATE memwarden.schema_version SET version_num = %s", (version,))
        await opening_fails(addresses.other("versioned", "memwarden_app"), SchemaError, advice)


async def test_a_table_whose_protection_was_taken_off_is_noticed(addresses: Addresses) -> None:
    async with database(addresses, "unprotected", migrated=True):
        async with await psycopg.AsyncConnection.connect(
            addresses.other("unprotected"), autocommit=True
        ) as connection:
            await connection.execute("ALTER TABLE memwarden.proposal NO FORCE ROW LEVEL SECURITY")
        await opening_fails(
            addresses.other("unprotected", "memwarden_app"), UnsafeRoleError, "not forced on proposal"
        )


@pytest.mark.parametrize(
    ("url", "error", "match"),
    [
        ("postgresql://memwarden_app@127.0.0.1:1/x", DatabaseUnavailableError, "No PostgreSQL answers"),
        ("postgresql://memwarden_app@no-such-host.invalid/x", DatabaseUnavailableError, "host"),
        (
            "postgresql://memwarden_app@/x?host=/no/such/folder",
            DatabaseUnavailableError,
            "No PostgreSQL answers",
        ),
        ("mysql://root@localhost/x", ConfigurationError, "postgresql://"),
        ("not a url", ConfigurationError, "postgresql://"),
        ("postgresql://u:secret-word@127.0.0.1:1/x?nonsense=1", ConfigurationError, "postgresql://"),
    ],
)
async def test_a_wrong_url_is_one_sentence_without_its_password(
    url: str, error: type[MemwardenError], match: str
) -> None:
    with pytest.raises(error, match=match) as caught:
        async with Memwarden.open(url):
            pass
    assert "secret-word" not in str(caught.value)


async def test_a_port_that_is_something_else_is_unavailable() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        await opening_fails(
            f"postgresql://memwarden_app@127.0.0.1:{port}/x", DatabaseUnavailableError, "PostgreSQL"
        )


async def test_a_database_that_does_not_exist_says_so(addresses: Addresses) -> None:
    await opening_fails(
        addresses.other("nowhere", "memwarden_app"), DatabaseUnavailableError, "does not exist"
    )


async def test_a_url_and_a_folder_together_are_a_mistake(addresses: Addresses) -> None:
    with pytest.raises(ConfigurationError, match="not both"):
        async with Memwarden.open(addresses.app, data_dir="/tmp/x"):
            pass


FIT = Preflight(
    server_version=180_004,
    encoding="UTF8",
    vector_version="0.8.5",
    vector_schema="public",
    role="app",
    superuser=False,
    bypasses_rls=False,
    owns_tables=False,
    migrated=True,
    may_use_schema=True,
    unprotected_tables=(),
    schema_version=SCHEMA_VERSION,
)


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"server_version": 140_011}, UnsupportedDatabaseError),
        ({"encoding": "SQL_ASCII"}, UnsupportedDatabaseError),
        ({"vector_version": "0.6.2"}, UnsupportedDatabaseError),
        ({"vector_version": None}, SchemaError),
        ({"superuser": True}, UnsafeRoleError),
        ({"bypasses_rls": True}, UnsafeRoleError),
        ({"owns_tables": True}, UnsafeRoleError),
        ({"migrated": False}, SchemaError),
        ({"may_use_schema": False}, UnsafeRoleError),
        ({"unprotected_tables": ("memory",)}, UnsafeRoleError),
        ({"schema_version": None}, SchemaError),
    ],
)
def test_each_finding_has_its_refusal(changed: dict[str, object], error: type[MemwardenError]) -> None:
    from dataclasses import replace

    assert FIT.problems() == ()
    (problem,) = replace(FIT, **changed).problems()  # type: ignore[arg-type]
    assert type(problem) is error
    assert str(problem).endswith(".")


def test_pgvector_at_its_oldest_is_fit() -> None:
    from dataclasses import replace

    for version in ("0.7.0", "0.7", "0.10.1", "1.0"):
        assert replace(FIT, vector_version=version).problems() == ()
