"""Pages of a list, each with an opaque cursor to the next."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends, Query
from pydantic import BaseModel, ConfigDict, Field

from memwarden.errors import InvalidInputError
from memwarden.model.ids import is_id

MOST = 1_000
"""Entries of a list that can be paged through; the library lists no more."""

Item = TypeVar("Item")
Row = TypeVar("Row")


class Page(BaseModel, Generic[Item]):
    """One page of a list; ``next_cursor`` is null on the last one."""

    model_config = ConfigDict(frozen=True)

    items: list[Item]
    next_cursor: Annotated[str | None, Field(description="Give it as `cursor` to get the next page.")] = None


@dataclass(frozen=True, slots=True)
class Paging:
    """Which page is wanted: what comes after the entry ``after``, ``limit`` entries at the most."""

    limit: int
    after: str | None

    def page(
        self, rows: Sequence[Row], identifier: Callable[[Row], str], shown: Callable[[Row], Item]
    ) -> Page[Item]:
        """Return the page of ``rows``, which stand in the order of their ids, the newest or the oldest first."""
        left = [row for row in rows if self.after is None or self._comes_after(rows, identifier, row)]
        items = left[: self.limit]
        more = len(left) > len(items)
        return Page(
            items=[shown(row) for row in items], next_cursor=_cursor(identifier(items[-1])) if more else None
        )

    def _comes_after(self, rows: Sequence[Row], identifier: Callable[[Row], str], row: Row) -> bool:
        newest_first = identifier(rows[0]) >= identifier(rows[-1])
        mine, last = identifier(row), self.after or ""
        return mine < last if newest_first else mine > last


def paging(
    limit: Annotated[int, Query(ge=1, le=200, description="Entries of a page at the most.")] = 50,
    cursor: Annotated[
        str | None, Query(max_length=64, description="The `next_cursor` of the page before.")
    ] = None,
) -> Paging:
    """Return which page a request asks for; raise `InvalidInputError` for a cursor that is none of ours."""
    return Paging(limit, None if cursor is None else _identifier(cursor))


Paged = Annotated[Paging, Depends(paging)]


def _cursor(identifier: str) -> str:
    return base64.urlsafe_b64encode(identifier.encode()).decode().rstrip("=")


def _identifier(cursor: str) -> str:
    try:
        found = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        found = ""
    if not is_id(found):
        raise InvalidInputError("The cursor is none that a page of this list gave.")
    return found
