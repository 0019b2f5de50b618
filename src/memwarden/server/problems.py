"""Problem details (RFC 9457): the one shape in which the server says that something did not work."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a request: where, by a JSON pointer or a name, and what; never what was sent."""

    where: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a request did not do what it asked: ``kind`` is the last part of the problem's type, ``detail`` one sentence."""

    status: int
    kind: str
    detail: str
    faults: tuple[Fault, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    def response(self, request_id: str) -> Response:
        """Return the problem as an answer to the request of this id."""
        body: dict[str, object] = {
            "type": f"urn:memwarden:problem:{self.kind}",
            "title": self.kind.replace("-", " ").capitalize(),
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id,
        }
        if self.faults:
            body["faults"] = [asdict(fault) for fault in self.faults]
        text = json.dumps(body, ensure_ascii=False)
        return Response(text, self.status, headers=dict(self.headers), media_type=MEDIA_TYPE)


class ProblemError(Exception):
    """A request ends with a problem, wherever in the server that is found out."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.kind)
        self.problem = problem


def unauthenticated(detail: str, *, invalid: bool) -> Problem:
    """Return the answer to whoever did not show who they are; ``invalid`` says that they tried."""
    challenge = 'Bearer realm="memwarden"' + (', error="invalid_token"' if invalid else "")
    return Problem(401, "unauthenticated", detail, headers={"WWW-Authenticate": challenge})


def forbidden(detail: str) -> Problem:
    """Return the answer to whoever is known and may not."""
    return Problem(403, "forbidden", detail)


def retry(status: int, kind: str, detail: str, seconds: int) -> Problem:
    """Return a problem that goes away by waiting."""
    return Problem(status, kind, detail, headers={"Retry-After": str(seconds)})


INTERNAL = Problem(500, "internal-error", "Something went wrong here; the log has it under the request's id.")
