"""The tables of the job queue, in a schema of their own, as the queue's library defines them."""

from __future__ import annotations

import re
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import psycopg
from psycopg import sql

from memwarden.errors import SchemaError

JOBS_SCHEMA = "memwarden_jobs"

_FILE = re.compile(r"(\d+\.\d+\.\d+)_\d+_.*\.sql")


def prepare_jobs(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Create the queue's tables, or bring them to the version of procrastinate that is installed."""
    installed = version("procrastinate")
    with connection.transaction():
        connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(sql.Identifier(JOBS_SCHEMA)))
        connection.execute(sql.SQL("SET LOCAL search_path = {}, pg_temp").format(sql.Identifier(JOBS_SCHEMA)))
        for script in _scripts(_standing(connection), installed):
            connection.execute(script.encode())
        _pin_functions(connection)
        connection.execute(
            sql.SQL("COMMENT ON SCHEMA {} IS {}").format(
                sql.Identifier(JOBS_SCHEMA), sql.Literal(f"procrastinate {installed}")
            )
        )


def _pin_functions(connection: psycopg.Connection[tuple[Any, ...]]) -> None:
    """Let the queue's functions find its tables: its triggers fire in transactions whose search path is ours."""
    found = connection.execute(
        "SELECT format('ALTER FUNCTION %%s SET search_path = %%I, pg_temp', p.oid::regprocedure, %(schema)s::text)"
        "  FROM pg_proc p WHERE p.pronamespace = to_regnamespace(%(schema)s) AND p.prokind = 'f'",
        {"schema": JOBS_SCHEMA},
    ).fetchall()
    for (statement,) in found:
        connection.execute(str(statement).encode())


def _standing(connection: psycopg.Connection[tuple[Any, ...]]) -> str | None:
    """Return the version the tables stand at, null when there are none."""
    row = connection.execute(
        "SELECT obj_description(to_regnamespace(%s)::oid, 'pg_namespace')", (JOBS_SCHEMA,)
    ).fetchone()
    return None if row is None or row[0] is None else str(row[0]).removeprefix("procrastinate ")


def _scripts(standing: str | None, installed: str) -> list[str]:
    """Return what has to be run, in order."""
    sources = files("procrastinate").joinpath("sql")
    if standing is None:
        return [sources.joinpath("schema.sql").read_text(encoding="utf-8")]
    if _numbers(standing) > _numbers(installed):
        raise SchemaError(
            f"The job queue stands at procrastinate {standing}, {installed} is installed; upgrade this installation."
        )
    due = [
        entry
        for entry in sources.joinpath("migrations").iterdir()
        if (found := _FILE.fullmatch(entry.name))
        and _numbers(standing) < _numbers(found[1]) <= _numbers(installed)
    ]
    return [entry.read_text(encoding="utf-8") for entry in sorted(due, key=lambda entry: entry.name)]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])
