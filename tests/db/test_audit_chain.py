"""The audit log of a tenant is a chain: what is removed or altered shows."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin
from memwarden.db.audit_chain import Chain, verify
from memwarden.db.migrate import migrate
from memwarden.model.ids import new_id
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]
Raw = psycopg.AsyncConnection[DictRow]


async def events(memwarden: Memwarden, tenant: str, count: int = 6) -> None:
    for number in range(count):
        user = memwarden.user(tenant, f"user-{number % 3}")
        await user.remember(f"I like dish number {number} best", origin=Origin.USER_TURN)


async def chain(addresses: Addresses, tenant: str) -> Chain:
    found = await asyncio.to_thread(lambda: list(verify(addresses.admin, tenant)))
    assert len(found) == 1
    return found[0]


async def test_a_log_nobody_touched_is_whole(memwarden: Memwarden, addresses: Addresses) -> None:
    await events(memwarden, "whole")
    before = await chain(addresses, "whole")
    assert (before.events, before.unchained, before.faults) == (6, 0, ())
    await events(memwarden, "whole", 1)
    after = await chain(addresses, "whole")
    assert after.events == 7
    assert after.head != before.head


@pytest.mark.parametrize(
    ("tamper", "what"),
    [
        ("DELETE FROM memwarden.audit_event WHERE tenant_id = %s AND place = 3", {"missing"}),
        ("DELETE FROM memwarden.audit_event WHERE tenant_id = %s AND place > 4", {"cut off"}),
        ("DELETE FROM memwarden.audit_event WHERE tenant_id = %s", {"cut off"}),
        (
            "UPDATE memwarden.audit_event SET action = 'confirmed' WHERE tenant_id = %s AND place = 2",
            {"altered"},
        ),
        (
            "UPDATE memwarden.audit_event SET at = at + interval '1 day' WHERE tenant_id = %s AND place = 6",
            {"altered"},
        ),
        ("UPDATE memwarden.audit_event SET user_id = 'else' WHERE tenant_id = %s AND place = 1", {"altered"}),
        (
            "UPDATE memwarden.audit_event SET reasons = '{sensitive}' WHERE tenant_id = %s AND place = 5",
            {"altered"},
        ),
        ("UPDATE memwarden.audit_head SET place = place - 1 WHERE tenant_id = %s", {"altered"}),
    ],
)
async def test_what_was_removed_or_altered_shows(
    memwarden: Memwarden, admin: Admin, addresses: Addresses, tamper: str, what: set[str]
) -> None:
    tenant = f"tampered-{abs(hash(tamper))}"
    await events(memwarden, tenant)
    await admin.execute(tamper.encode(), (tenant,))
    found = await chain(addresses, tenant)
    assert {fault.what for fault in found.faults} == what


async def test_writers_at_once_make_one_chain(memwarden: Memwarden, addresses: Addresses) -> None:
    await asyncio.gather(*(events(memwarden, "busy", 3) for _ in range(8)))
    found = await chain(addresses, "busy")
    assert found.faults == ()
    assert found.events >= 24


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM memwarden.audit_head",
        "UPDATE memwarden.audit_head SET place = 0",
        "SELECT memwarden.audit_link()",
    ],
)
async def test_the_application_role_cannot_touch_the_chain(raw: Raw, statement: str) -> None:
    with pytest.raises(psycopg.Error):
        await raw.execute(statement.encode())


async def test_the_application_role_cannot_choose_a_place(raw: Raw, addresses: Addresses) -> None:
    async with raw.transaction():
        await raw.execute("SELECT set_config('memwarden.tenant_id', 'chosen', true)")
        await raw.execute("SELECT set_config('memwarden.user_id', 'u', true)")
        await raw.execute(
            "INSERT INTO memwarden.audit_event (tenant_id, user_id, id, at, actor, action, origin, reasons, place, hash)"
            " VALUES ('chosen', 'u', repeat('1', 26), now(), 'user', 'stored', 'user_turn', '{}', 77, 'x')"
        )
    found = await chain(addresses, "chosen")
    assert (found.events, found.faults) == (1, ())


async def test_an_owner_who_is_no_superuser_links_and_verifies(addresses: Addresses, admin: Admin) -> None:
    """Row-level security is forced on the owner too; its own policies let the trigger and `verify` through."""
    await admin.execute("CREATE ROLE chain_owner CREATEROLE")
    await admin.execute("CREATE DATABASE chained OWNER chain_owner TEMPLATE template0 ENCODING 'UTF8'")
    superuser = addresses.other("chained")
    async with await psycopg.AsyncConnection.connect(superuser, autocommit=True) as connection:
        await connection.execute("CREATE EXTENSION vector")
    owner, app = (f"{superuser}&options=-crole%3D{role}" for role in ("chain_owner", "chain_app"))
    await asyncio.to_thread(lambda: migrate(owner, app_role="chain_app"))
    async with await psycopg.AsyncConnection.connect(
        app, autocommit=True, cursor_factory=psycopg.AsyncClientCursor
    ) as connection:
        for user in ("a", "b", "a"):
            await connection.execute(_INSERT, {"tenant": "t", "user": user, "id": new_id(datetime.now(UTC))})
    found = await asyncio.to_thread(lambda: list(verify(owner)))
    assert [(chain.tenant_id, chain.events, chain.faults) for chain in found] == [("t", 3, ())]


_INSERT = """
    SELECT set_config('memwarden.tenant_id', %(tenant)s, false), set_config('memwarden.user_id', %(user)s, false);
    INSERT INTO memwarden.audit_event (tenant_id, user_id, id, at, actor, action, origin, reasons)
    VALUES (%(tenant)s, %(user)s, %(id)s, now(), 'user', 'stored', 'user_turn', '{}')
"""
