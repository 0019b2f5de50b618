"""What PostgreSQL says went wrong, in the library's own exceptions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout

from memwarden.errors import (
    DatabaseError,
    DatabaseUnavailableError,
    MemwardenError,
    SchemaError,
    StorageFullError,
    UnsafeRoleError,
)

_UNAVAILABLE = (psycopg.OperationalError, psycopg.InterfaceError, PoolTimeout, PoolClosed)


NOT_AS_EXPECTED = "MW001"
"""The SQLSTATE of our functions for a writer who expected something else."""


class NotAsExpectedError(DatabaseError):
    """What was written along with an expectation was undone, because that was not met; for whoever sent it."""


def translated(error: psycopg.Error | PoolTimeout | PoolClosed) -> MemwardenError:
    """Return our exception for one of psycopg's, with a sentence that quotes no statement and no row."""
    if getattr(error, "sqlstate", None) == NOT_AS_EXPECTED:
        return NotAsExpectedError("Somebody else wrote in between; nothing was written.")
    if isinstance(error, pg.DiskFull):
        return StorageFullError(
            "The disk under PostgreSQL is full; free some space and try again. Nothing was written."
        )
    if isinstance(error, pg.ReadOnlySqlTransaction):
        return DatabaseError(
            "This PostgreSQL accepts no writes now (a standby or read-only); use the primary server's URL."
        )
    if isinstance(error, pg.QueryCanceled | pg.LockNotAvailable):
        return DatabaseUnavailableError(
            "PostgreSQL did not answer within the time limit; try again, or raise MEMWARDEN_STATEMENT_TIMEOUT_S."
        )
    if isinstance(error, pg.UndefinedTable | pg.UndefinedColumn | pg.InvalidSchemaName):
        return SchemaError("Memwarden's tables are missing or of another version; run `memwarden migrate`.")
    if isinstance(error, pg.InsufficientPrivilege):
        return UnsafeRoleError(
            "PostgreSQL refused the statement for this role; run `memwarden doctor` to see what it lacks."
        )
    if isinstance(error, _UNAVAILABLE):
        return DatabaseUnavailableError(
            "PostgreSQL cannot be reached or closed the connection; check that it runs and that the URL is right."
        )
    code = getattr(error, "sqlstate", None) or type(error).__name__
    return DatabaseError(f"PostgreSQL refused the request (SQLSTATE {code}).")


@contextmanager
def database_failures() -> Iterator[None]:
    """Turn psycopg's exceptions raised inside into ours, chained."""
    try:
        yield
    except (psycopg.Error, PoolTimeout, PoolClosed) as error:
        # A unique or check violation quotes the row in its detail: keep the cause for debuggers, but not its text.
        raise translated(error) from error
