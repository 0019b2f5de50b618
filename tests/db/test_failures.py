"""What PostgreSQL says went wrong, in our own exceptions, without its words about rows."""

from __future__ import annotations

import psycopg
import pytest
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout

from memwarden.db.failures import database_failures, translated
from memwarden.errors import (
    DatabaseError,
    DatabaseUnavailableError,
    MemwardenError,
    SchemaError,
    StorageFullError,
    UnsafeRoleError,
)


@pytest.mark.parametrize(
    ("error", "ours"),
    [
        (pg.DiskFull("row with a secret"), StorageFullError),
        (pg.ReadOnlySqlTransaction("secret"), DatabaseError),
        (pg.QueryCanceled("secret"), DatabaseUnavailableError),
        (pg.LockNotAvailable("secret"), DatabaseUnavailableError),
        (pg.UndefinedTable("secret"), SchemaError),
        (pg.InsufficientPrivilege("secret"), UnsafeRoleError),
        (pg.AdminShutdown("secret"), DatabaseUnavailableError),
        (pg.UniqueViolation("Key (content)=(secret)"), DatabaseError),
        (psycopg.OperationalError("secret"), DatabaseUnavailableError),
        (PoolTimeout("secret"), DatabaseUnavailableError),
        (PoolClosed("secret"), DatabaseUnavailableError),
    ],
)
def test_each_has_its_own_and_quotes_nothing(error: psycopg.Error, ours: type[MemwardenError]) -> None:
    assert type(translated(error)) is ours
    with pytest.raises(ours) as caught, database_failures():
        raise error
    assert "secret" not in str(caught.value)
    assert str(caught.value).endswith(".")
    assert caught.value.__cause__ is error
