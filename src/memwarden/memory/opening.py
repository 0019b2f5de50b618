"""From settings to an opened database: embedded or given, migrated, checked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from memwarden.db.database import Database, open_pool
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.failures import database_failures
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.db.preflight import Preflight, inspect
from memwarden.errors import ConfigurationError, MemwardenError
from memwarden.settings import Settings

EMBEDDED_DATABASE = "memwarden"


@asynccontextmanager
async def opened_database(settings: Settings) -> AsyncIterator[Database]:
    """Yield a checked pool on the database the settings name, or on the embedded one when they name none."""
    async with application_dsn(settings) as dsn:
        found = await inspect(dsn, timeout_s=settings.connect_timeout_s)
        for problem in found.problems():
            raise problem
        with database_failures():
            pool = await open_pool(
                dsn,
                min_size=settings.pool_min_size,
                max_size=max(settings.pool_min_size, settings.pool_max_size),
                timeout_s=settings.connect_timeout_s,
            )
        database = Database(
            pool,
            vector_schema=found.vector_schema or "public",
            statement_timeout_s=settings.statement_timeout_s,
        )
        try:
            yield database
        finally:
            await database.close()


@asynccontextmanager
async def application_dsn(settings: Settings) -> AsyncIterator[str]:
    """Yield the address to connect to as the application role, starting the embedded server if there is no URL."""
    if settings.database_url is not None:
        yield settings.database_url.get_secret_value()
        return
    async with embedded_server(data_dir(settings), roles=(ADMIN_ROLE, APP_ROLE)) as server:
        dsn = server.dsn(APP_ROLE, EMBEDDED_DATABASE)
        if not await _is_current(dsn):
            await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), EMBEDDED_DATABASE)
            await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, EMBEDDED_DATABASE))
        yield dsn


@asynccontextmanager
async def owner_dsn(settings: Settings) -> AsyncIterator[str]:
    """Yield the address to connect to as the owner of the tables, for what no application may do."""
    if settings.migration_url is not None:
        yield settings.migration_url.get_secret_value()
    elif settings.database_url is not None:
        raise ConfigurationError(
            "This needs the role that owns the tables; set MEMWARDEN_MIGRATION_URL to connect as it."
        )
    else:
        async with (
            application_dsn(settings),
            embedded_server(data_dir(settings), roles=(ADMIN_ROLE, APP_ROLE)) as server,
        ):
            yield server.dsn(ADMIN_ROLE, EMBEDDED_DATABASE)


def data_dir(settings: Settings) -> Path:
    """Return the folder of the embedded server."""
    if settings.data_dir is not None:
        return settings.data_dir.expanduser()
    from platformdirs import user_data_path

    return user_data_path("memwarden", appauthor=False)


def keys_folder(settings: Settings) -> Path:
    """Return the folder of the file of keys: with the embedded server, or where the user's configuration is kept."""
    if settings.keys_file is not None:
        return settings.keys_file.expanduser().parent
    if settings.database_url is None:
        return data_dir(settings)
    from platformdirs import user_config_path

    return user_config_path("memwarden", appauthor=False)


async def _is_current(dsn: str) -> bool:
    try:
        found: Preflight = await inspect(dsn)
    except MemwardenError:
        return False  # no database or no role yet: what follows creates them, or says what is wrong
    return not found.problems()
