"""Start-up checks: the server is new enough, the tables are ours, the role is held by row-level security."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import psycopg
from psycopg.rows import dict_row

from memwarden.db.failures import database_failures
from memwarden.db.statements import statements
from memwarden.errors import (
    ConfigurationError,
    DatabaseUnavailableError,
    MemwardenError,
    SchemaError,
    UnsafeRoleError,
    UnsupportedDatabaseError,
)

SCHEMA_VERSION = "0011"
"""The migration this version of the library works with."""

OLDEST_SERVER = 150_000
OLDEST_VECTOR = (0, 7)


@dataclass(frozen=True, slots=True)
class Preflight:
    """What was found on the server: versions, the connecting role, and the state of the tables."""

    server_version: int
    encoding: str
    vector_version: str | None
    vector_schema: str | None
    role: str
    superuser: bool
    bypasses_rls: bool
    owns_tables: bool
    migrated: bool
    may_use_schema: bool
    unprotected_tables: tuple[str, ...]
    schema_version: str | None

    def problems(self) -> tuple[MemwardenError, ...]:
        """Return what keeps Memwarden from starting, the most basic first; empty when all is well."""
        return tuple(
            problem
            for problem in (
                self._server_problem(),
                self._vector_problem(),
                self._role_problem(),
                self._schema_problem(),
            )
            if problem is not None
        )

    def _server_problem(self) -> MemwardenError | None:
        if self.server_version < OLDEST_SERVER:
            major = self.server_version // 10_000
            return UnsupportedDatabaseError(f"This is PostgreSQL {major}; Memwarden needs 15 or later.")
        if self.encoding != "UTF8":
            return UnsupportedDatabaseError(
                f"This database's encoding is {self.encoding}; create one with encoding UTF8 for Memwarden."
            )
        return None

    def _vector_problem(self) -> MemwardenError | None:
        if self.vector_version is None:
            return SchemaError(
                "The extension pgvector is not set up in this database; run `memwarden migrate` "
                "(it needs pgvector 0.7 or later installed on the server)."
            )
        if _version(self.vector_version) < OLDEST_VECTOR:
            return UnsupportedDatabaseError(
                f"This database has pgvector {self.vector_version}; Memwarden needs 0.7 or later: "
                "upgrade it, then run ALTER EXTENSION vector UPDATE."
            )
        return None

    def _role_problem(self) -> MemwardenError | None:
        what = (
            "is a superuser, or may become one"
            if self.superuser
            else "can bypass row-level security, or may become a role that can"
            if self.bypasses_rls
            else "owns Memwarden's tables, or may become their owner"
            if self.owns_tables
            else None
        )
        if what is None:
            return None
        return UnsafeRoleError(
            f"The role {self.role!r} {what}, so nothing would keep users' memories apart; "
            "connect as the application role that `memwarden migrate` prepares."
        )

    def _schema_problem(self) -> MemwardenError | None:
        if not self.migrated:
            return SchemaError("Memwarden's tables are not in this database yet; run `memwarden migrate`.")
        if not self.may_use_schema:
            return UnsafeRoleError(
                f"The role {self.role!r} may not use Memwarden's tables; grant it the application role: "
                f"GRANT memwarden_app TO {self.role}."
            )
        if self.schema_version != SCHEMA_VERSION:
            newer = (self.schema_version or "") > SCHEMA_VERSION
            advice = "upgrade this installation of memwarden" if newer else "run `memwarden migrate`"
            return SchemaError(
                f"The tables stand at version {self.schema_version}, this library works with {SCHEMA_VERSION}; {advice}."
            )
        if self.unprotected_tables:
            tables = ", ".join(self.unprotected_tables)
            return UnsafeRoleError(f"Row-level security is not forced on {tables}; run `memwarden migrate`.")
        return None


async def inspect(dsn: str, *, timeout_s: float = 10.0) -> Preflight:
    """Connect once and look; raise `ConfigurationError` for a malformed URL, `DatabaseUnavailableError` when refused."""
    with database_failures():
        async with await _connect(dsn, timeout_s) as connection:
            cursor = await connection.execute(statements("roles")["preflight"])
            facts = cast("dict[str, Any]", await cursor.fetchone())
            version = None
            if facts["migrated"] and facts["may_use_schema"]:
                cursor = await connection.execute(statements("roles")["schema_version"])
                row = await cursor.fetchone()
                version = None if row is None else str(row["version_num"])
    unprotected = tuple(facts.pop("unprotected_tables"))
    return Preflight(**facts, unprotected_tables=unprotected, schema_version=version)


async def _connect(dsn: str, timeout_s: float) -> psycopg.AsyncConnection[dict[str, Any]]:
    try:
        return await psycopg.AsyncConnection.connect(
            dsn,
            autocommit=True,
            prepare_threshold=None,
            connect_timeout=max(2, int(timeout_s)),
            row_factory=dict_row,
        )
    except psycopg.ProgrammingError as error:
        raise ConfigurationError(
            "The database URL cannot be read; write it as postgresql://user:password@host:5432/database."
        ) from error
    except psycopg.OperationalError as error:
        raise DatabaseUnavailableError(_refusal(error)) from error


def _refusal(error: psycopg.OperationalError) -> str:
    """Say why the server refused, in words that hold neither the password nor the whole URL."""
    text = str(error).lower()
    if "password authentication failed" in text or "no password supplied" in text:
        return "PostgreSQL refused the user name or password in the URL."
    if "does not exist" in text:
        return "The database or role in the URL does not exist on that server; create it, or correct the URL."
    if "connection refused" in text or "no such file" in text:
        return "No PostgreSQL answers at the host and port in the URL; check that it runs and listens there."
    if "resolve" in text or "name or service not known" in text:
        return "The host in the database URL is not known; check its spelling."
    if "timeout" in text or "timed out" in text:
        return "PostgreSQL did not answer in time; check the host, the port and the firewall."
    if "too many" in text or "remaining connection slots" in text:
        return "PostgreSQL has no free connection; lower the pool size or raise max_connections."
    return "PostgreSQL refused the connection; check the URL, pg_hba.conf and the server's log."


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".") if part.isdigit())
