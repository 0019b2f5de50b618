"""Bring a database to the schema of this version, and prepare the application role."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import sql

from memwarden.db.failures import database_failures, translated
from memwarden.db.job_schema import prepare_jobs
from memwarden.db.statements import statements
from memwarden.errors import ConfigurationError, UnsafeRoleError, UnsupportedDatabaseError

APP_ROLE = "memwarden_app"
"""The application role's usual name."""

_LOCK = 4_772_656_341_927  # any constant: migrations of one database take turns on it


def migrate(dsn: str, *, app_role: str = APP_ROLE, app_password: str | None = None) -> str:
    """Create or upgrade the schema as the role in ``dsn``, and return the version it now stands at.

    The role in ``dsn`` must be able to create a schema, the extension ``vector`` and a role; it becomes
    the tables' owner and is not the one the application connects as. ``app_role`` is created when absent
    (it may log in, owns nothing, cannot bypass row-level security) and granted what it needs;
    ``app_password`` sets its password. Blocking; run it once per deployment.
    """
    checked_role(app_role)
    with database_failures(), _connect(dsn) as connection:
        connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
        _require_server(connection)
        _create_schema(connection)
        prepare_jobs(connection)
        version = _run_alembic(dsn)
        _prepare_role(connection, app_role, app_password)
        return version


def create_database(dsn: str, name: str) -> None:
    """Create the database ``name`` on the server of ``dsn`` unless it exists."""
    with database_failures(), _connect(dsn) as connection:
        if connection.execute("SELECT FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            try:
                connection.execute(
                    sql.SQL("CREATE DATABASE {} ENCODING 'UTF8' TEMPLATE template0").format(
                        sql.Identifier(name)
                    )
                )
            except (psycopg.errors.DuplicateDatabase, psycopg.errors.UniqueViolation):
                return  # another process was faster


def checked_role(name: str) -> str:
    """Return ``name`` if it can be a PostgreSQL role, else raise `ConfigurationError`."""
    if not re.fullmatch(r"[^\x00-\x1f\x7f]{1,63}", name) or name.startswith("pg_"):
        raise ConfigurationError(
            f"{name!r} cannot be the name of a PostgreSQL role; choose 1 to 63 plain characters."
        )
    return name


def _connect(dsn: str) -> psycopg.Connection[tuple[Any, ...]]:
    try:
        return psycopg.connect(dsn, autocommit=True, prepare_threshold=None, connect_timeout=10)
    except psycopg.ProgrammingError as error:
        raise ConfigurationError(
            "The database URL cannot be read; write it as postgresql://user:password@host:5432/database."
        ) from error


def _require_server(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    if connection.info.server_version < 150_000:
        major = connection.info.server_version // 10_000
        raise UnsupportedDatabaseError(f"This is PostgreSQL {major}; Memwarden needs 15 or later.")
    row = connection.execute(
        "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'"
    ).fetchone()
    if row is None:
        raise UnsupportedDatabaseError(
            "pgvector is not installed on this server; install the package for its PostgreSQL version "
            "(for Debian: postgresql-<version>-pgvector), then run `memwarden migrate` again."
        )
    if tuple(int(part) for part in str(row[0]).split(".")) < (0, 7):
        raise UnsupportedDatabaseError(f"This server has pgvector {row[0]}; Memwarden needs 0.7 or later.")


def _create_schema(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    connection.execute("CREATE SCHEMA IF NOT EXISTS memwarden")
    connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _run_alembic(dsn: str) -> str:
    """Run the migrations in one transaction each, on a connection of their own."""
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from sqlalchemy import NullPool, create_engine
    from sqlalchemy.exc import DBAPIError

    config = Config()
    config.set_main_option(
        "script_location", str(files("memwarden.db").joinpath("migrations")).replace("%", "%%")
    )
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(dsn), poolclass=NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(
            "SELECT set_config('search_path', 'memwarden, ' || quote_ident(n.nspname), false)"
            "  FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'"
        )
        connection.commit()
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except DBAPIError as error:
            raise translated(error.orig) if isinstance(error.orig, psycopg.Error) else error from error
        connection.commit()
    engine.dispose()
    return ScriptDirectory.from_config(config).get_current_head() or ""


def _prepare_role(connection: psycopg.Connection[tuple[Any, ...]], role: str, password: str | None) -> None:
    name = sql.Identifier(role)
    row = connection.execute(
        "SELECT rolsuper OR rolbypassrls, rolname = current_user FROM pg_roles WHERE rolname = %s", (role,)
    ).fetchone()
    if row is None:
        connection.execute(
            sql.SQL(
                "CREATE ROLE {} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION"
            ).format(name)
        )
    elif row[0] or row[1]:
        raise UnsafeRoleError(
            f"The role {role!r} exists and owns the tables or can bypass row-level security; "
            "choose another name for the application role."
        )
    if password is not None:
        connection.execute(sql.SQL("ALTER ROLE {} PASSWORD {}").format(name, sql.Literal(password)))
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(database, name))
    connection.execute(sql.SQL(statements("roles")["application_role_grants"]).format(role=name))
