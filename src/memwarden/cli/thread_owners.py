"""Whose a thread is that comes from a saver without owners: a file says so, line by line."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from memwarden.errors import InvalidInputError
from memwarden.model.scope import Scope, checked_name

COLUMNS = ("thread_id", "tenant_id", "user_id")


def read_owners(file: Path) -> dict[str, Scope]:
    """Return the owner of each thread that a file names, in its order; ``-`` is standard input.

    The file is JSON Lines, or CSV whose first line names the columns: ``thread_id``, ``tenant_id``, ``user_id``. Raises
    `InvalidInputError` with the number of the line for anything else, and for a thread with two owners.
    """
    owners: dict[str, Scope] = {}
    for number, named in _rows(_text(file)):
        thread_id, owner = _owned(number, named)
        if owners.setdefault(thread_id, owner) != owner:
            raise _wrong(number, "names a second owner for a thread; a thread has one")
    if not owners:
        raise InvalidInputError("The map names no thread, so there is nothing to import.")
    return owners


def _text(file: Path) -> str:
    if str(file) == "-":
        return sys.stdin.read()
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(
            f"The map {file} cannot be read; give a text file in UTF-8, or - for standard input."
        ) from error


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    """Yield what each line says, with its number."""
    return _json_lines(text) if text.lstrip().startswith("{") else _csv(text)


def _json_lines(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError as error:
            raise _wrong(number, "is no JSON") from error
        if not isinstance(found, dict):
            raise _wrong(number, "is no JSON object")
        yield number, found


def _csv(text: str) -> Iterator[tuple[int, Mapping[str, object]]]:
    rows = csv.DictReader(text.splitlines(), strict=True)
    try:
        if not set(COLUMNS) <= set(rows.fieldnames or ()):
            raise _wrong(1, f"does not name the columns {', '.join(COLUMNS)}")
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise _wrong(rows.reader.line_num, "is no CSV") from error


def _owned(number: int, named: Mapping[str, object]) -> tuple[str, Scope]:
    given = [named.get(column) for column in COLUMNS]
    if not all(isinstance(value, str) for value in given):
        raise _wrong(number, f"does not give {', '.join(COLUMNS)} as text")
    thread_id, tenant_id, user_id = map(str, given)
    try:
        return checked_name(thread_id, "thread id"), Scope(tenant_id, user_id)
    except InvalidInputError as error:
        raise _wrong(number, "gives a name that cannot be one") from error


def _wrong(number: int, what: str) -> InvalidInputError:
    return InvalidInputError(f"Line {number} of the map {what}; nothing was imported.")
