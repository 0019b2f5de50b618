"""Inserts of several rows: one statement of multi-row ``VALUES``, made of a statement for one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import LiteralString

from psycopg.types.json import Jsonb

_SHARED = frozenset({"tenant_id", "user_id", "thread_id"})
_NAMED = re.compile(r"%\((\w+)\)s")


def multi_row(
    statement: LiteralString, rows: Sequence[object], prefix: str, params: dict[str, object]
) -> LiteralString:
    """Return an insert of several rows, and add their parameters; the names that all rows share stay as they are."""
    head, body = statement.split("VALUES", 1)
    row, conflict, tail = body.partition("\nON CONFLICT")
    written = [_one(row, values, f"{prefix}_{place}", params) for place, values in enumerate(rows)]
    return f"{head}VALUES{','.join(written)}{conflict}{tail}"


def _one(row: str, values: object, prefix: str, params: dict[str, object]) -> str:
    """Return one row of an insert under names of its own."""

    def named(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in _SHARED:
            return match.group()
        held = getattr(values, name)
        params[f"{prefix}_{name}"] = Jsonb(dict(held)) if isinstance(held, Mapping) else held
        return f"%({prefix}_{name})s"

    return _NAMED.sub(named, row)
