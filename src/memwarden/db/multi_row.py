"""Inserts of several rows: one statement of multi-row ``VALUES``, made of a statement for one.

The rows are one parameter, which writes itself out as SQL, each value quoted by psycopg. A statement that names every value of every
row differs with the number of rows, and psycopg would take it to pieces anew each time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import LiteralString

import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import AdaptersMap, Dumper, Transformer
from psycopg.types.json import Jsonb

_NAMED = re.compile(r"%\((\w+)\)s")


@dataclass(frozen=True, slots=True)
class RowValues:
    """Rows of an insert as a parameter of it: the SQL between their values, the names of those, and what all rows share."""

    between: tuple[bytes, ...]
    names: tuple[str, ...]
    shared: Mapping[str, object]
    rows: Sequence[object]


class RowValuesDumper(Dumper):
    """Writes rows out as SQL: ``(...), (...)``."""

    def __init__(self, cls: type, context: AdaptContext | None = None) -> None:
        super().__init__(cls, context)
        self._literals = Transformer.from_context(context)

    def dump(self, obj: RowValues) -> Buffer | None:
        """Refuse: rows are SQL, not a value."""
        raise psycopg.NotSupportedError("Rows are written out in the statement, by a client cursor.")

    def quote(self, obj: RowValues) -> Buffer:
        """Return the rows, each value quoted as its type is."""
        shared = {name: self._literal(value) for name, value in obj.shared.items()}
        return b",".join(self._row(obj, row, shared) for row in obj.rows)

    def _row(self, obj: RowValues, row: object, shared: Mapping[str, bytes]) -> bytes:
        out = [obj.between[0]]
        for name, following in zip(obj.names, obj.between[1:], strict=True):
            out += (shared[name] if name in shared else self._literal(getattr(row, name)), following)
        return b"".join(out)

    def _literal(self, value: object) -> bytes:
        if value is None:
            return b"NULL"
        return self._literals.as_literal(Jsonb(dict(value)) if isinstance(value, Mapping) else value)


def adapters() -> AdaptersMap:
    """Return psycopg's adapters, and that for rows."""
    known = AdaptersMap(psycopg.adapters)
    known.register_dumper(RowValues, RowValuesDumper)
    return known


def multi_row(
    statement: LiteralString,
    rows: Sequence[object],
    name: LiteralString,
    params: dict[str, object],
    shared: Mapping[str, object],
) -> LiteralString:
    """Return an insert of several rows, and add them to its parameters under a name; ``shared`` are the values all rows have."""
    whole, between, names = _taken_apart(statement)
    params[name] = RowValues(between, names, shared, rows)
    return whole.replace(_ROWS, f"%({name})s")


_ROWS: LiteralString = "%(rows)s"


@lru_cache(maxsize=64)
def _taken_apart(statement: LiteralString) -> tuple[LiteralString, tuple[bytes, ...], tuple[str, ...]]:
    """Return an insert with a place for its rows, and one row: the SQL between its values, and their names."""
    head, body = statement.split("VALUES", 1)
    row, conflict, tail = body.partition("\nON CONFLICT")
    pieces = _NAMED.split(row)
    return (
        f"{head}VALUES {_ROWS}{conflict}{tail}",
        tuple(piece.encode() for piece in pieces[::2]),
        tuple(pieces[1::2]),
    )
