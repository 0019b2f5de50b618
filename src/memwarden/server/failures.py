"""Which problem each exception is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from memwarden.errors import (
    AuthenticationError,
    ConsentError,
    DatabaseUnavailableError,
    EmbeddingMismatchError,
    InvalidInputError,
    IssuerUnavailableError,
    MemwardenError,
    NotFoundError,
    StateConflictError,
    StorageFullError,
    ThreadBusyError,
)
from memwarden.server.problems import (
    Fault,
    Problem,
    ProblemError,
    retry,
    unauthenticated,
)
from memwarden.server.request_id import request_id

_SPOKEN = frozenset({"value_error", "assertion_error", "union_tag_invalid", "json_invalid"})
"""Kinds of fault whose message may quote what was sent."""
_CLIENT_NAMED = frozenset({"extra_forbidden", "invalid_key"})
"""Kinds of fault whose place was named by whoever sent it."""
_BY_STATUS: Mapping[int, tuple[str, str]] = {
    400: ("bad-request", "The request cannot be read."),
    404: ("not-found", "There is nothing at this address."),
    405: ("method-not-allowed", "This address does not know that method."),
    413: ("content-too-large", "The body of the request is longer than is accepted here."),
}


def problem_of(error: MemwardenError) -> Problem | None:
    """Return the problem that one of our exceptions is to a client; null for one that is our own trouble."""
    match error:
        case AuthenticationError():
            return unauthenticated(str(error), invalid=True)
        case ThreadBusyError():
            return retry(409, "thread-busy", str(error), 5)
        case StateConflictError():
            return Problem(409, "conflict", str(error))
        case NotFoundError():
            return Problem(404, "not-found", str(error))
        case InvalidInputError():
            return Problem(422, "invalid-input", str(error))
        case ConsentError():
            return Problem(403, "consent-needed", str(error))
        case EmbeddingMismatchError():
            return retry(503, "unavailable", "This memory is being put in order; try again later.", 60)
        case DatabaseUnavailableError() | StorageFullError():
            return retry(503, "unavailable", "The memory cannot be reached now; try again.", 2)
        case IssuerUnavailableError():
            return retry(503, "unavailable", "Tokens cannot be verified now; try again.", 10)
    return None


async def answer_ours(request: Request, error: Exception) -> Response:
    """Answer one of our exceptions; one that is our own trouble goes on to where it is logged."""
    problem = problem_of(cast("MemwardenError", error))
    if problem is None:
        raise error
    return problem.response(request_id(request.scope))


async def answer_problem(request: Request, error: Exception) -> Response:
    """Answer a problem."""
    return cast("ProblemError", error).problem.response(request_id(request.scope))


async def answer_http(request: Request, error: Exception) -> Response:
    """Answer what the framework found: no such address, no such method."""
    found = cast("HTTPException", error)
    kind, detail = _BY_STATUS.get(found.status_code, ("refused", "The request was refused."))
    problem = Problem(found.status_code, kind, detail, headers=dict(found.headers or {}))
    return problem.response(request_id(request.scope))


async def answer_invalid(request: Request, error: Exception) -> Response:
    """Answer a request that does not have the form it should; nothing of it is repeated."""
    faults = _faults(cast("RequestValidationError", error).errors())
    problem = Problem(422, "invalid-input", "The request does not have the form it should.", faults)
    return problem.response(request_id(request.scope))


def _faults(errors: Sequence[Any]) -> tuple[Fault, ...]:
    return tuple(_fault(str(found["type"]), found["loc"], str(found["msg"])) for found in errors[:20])


def _fault(code: str, place: Sequence[object], message: str) -> Fault:
    parts = [str(part) for part in place]
    if code in _CLIENT_NAMED:
        parts, message = parts[:-1], "There is something here that is not known."
    elif code in _SPOKEN:
        parts, message = parts[:1] if code == "json_invalid" else parts, "This cannot be read."
    return Fault("/".join(parts), code, message)
