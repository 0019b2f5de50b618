"""Verify the audit log: each tenant's events are a chain of hashes, and a broken link shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import psycopg
from psycopg.rows import dict_row

from memwarden.db.failures import database_failures
from memwarden.db.statements import statements

_SQL = statements("audit_chain")


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in a chain where something is wrong, and what: a row ``missing`` before it, ``altered``, or ``cut off``."""

    place: int
    event_id: str | None
    what: str


@dataclass(frozen=True, slots=True)
class Chain:
    """What was found of one tenant's log.

    ``events`` are its linked events; ``unchained`` those from before there was a chain. ``head`` is the hash it
    ends with, in hexadecimal: kept elsewhere, it also shows a log that was rewritten as a whole.
    """

    tenant_id: str
    events: int
    unchained: int
    head: str
    faults: tuple[Fault, ...]


def verify(dsn: str, tenant_id: str | None = None) -> Iterator[Chain]:
    """Yield what is found of each tenant's chain, or of one tenant's; ``dsn`` names the owner of the tables."""
    with (
        database_failures(),
        psycopg.connect(dsn, autocommit=True, prepare_threshold=None, row_factory=dict_row) as connection,
    ):
        for head in connection.execute(_SQL["heads"], {"tenant_id": tenant_id}).fetchall():
            named = {"tenant_id": head["tenant_id"]}
            faults = connection.execute(_SQL["broken"], named).fetchall()
            counted = connection.execute(_SQL["counted"], named).fetchone() or {}
            yield Chain(
                head["tenant_id"],
                counted.get("chained", 0),
                counted.get("unchained", 0),
                bytes(head["hash"]).hex(),
                tuple(Fault(fault["place"], fault["id"], fault["fault"]) for fault in faults),
            )
