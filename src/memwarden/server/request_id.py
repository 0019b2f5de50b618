"""The id of a request: in its answer, in its problem and in the log."""

from __future__ import annotations

from starlette.types import Scope


def note_request_id(scope: Scope, identifier: str) -> None:
    """Give a request its id."""
    scope.setdefault("state", {})["request_id"] = identifier


def request_id(scope: Scope) -> str:
    """Return the id of a request; empty before it has one."""
    return str(scope.get("state", {}).get("request_id", ""))
