"""Named SQL statements, kept in ``db/sql/*.sql`` where a DBA can read them."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import LiteralString, cast

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def statements(room: str) -> MappingProxyType[str, LiteralString]:
    """Return the statements of ``db/sql/<room>.sql`` by name; each stands under a line ``-- name: <name>``."""
    text = files("memwarden.db").joinpath("sql", f"{room}.sql").read_text(encoding="utf-8")
    parts = _NAME.split(text)[1:]
    named = {name: body.strip() for name, body in zip(parts[::2], parts[1::2], strict=True)}
    # The files are part of the package: their text is as literal as a string in the source.
    return MappingProxyType(cast("dict[str, LiteralString]", named))
