"""Who is asking is settled before anything else of a request is looked at: its body, its address, its method."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

from memwarden.errors import AuthenticationError, InvalidInputError, IssuerUnavailableError
from memwarden.server.caller import Caller
from memwarden.server.failures import problem_of
from memwarden.server.problems import INTERNAL, Problem, ProblemError, forbidden, unauthenticated
from memwarden.server.request_id import request_id
from memwarden.server.tokens import TokenVerifier, user_name

OPEN_PATHS = frozenset({"/livez"})
"""What answers without a token."""
ACTING_FOR = "Memwarden-User"
"""The header in which a service names the user it acts for, percent-encoded."""


class Authentication:
    """Lets nothing through without a token that verifies; what it says is the request's `caller_of`."""

    def __init__(self, app: ASGIApp, verifier: TokenVerifier) -> None:
        self._app, self._verifier = app, verifier

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan" or (scope["type"] == "http" and scope["path"] in OPEN_PATHS):
            await self._app(scope, receive, send)
            return
        try:
            scope.setdefault("state", {})["caller"] = await self._caller(scope)
        except ProblemError as error:
            await _refuse(error.problem, scope, receive, send)
            return
        except (AuthenticationError, IssuerUnavailableError) as error:
            await _refuse(problem_of(error) or INTERNAL, scope, receive, send)
            return
        await self._app(scope, receive, send)

    async def _caller(self, scope: Scope) -> Caller:
        caller = await self._verifier.verify(_bearer_token(scope))
        acting_for = _acting_for(scope)
        if acting_for is None:
            return caller
        if not caller.may_act_for(acting_for):
            raise ProblemError(forbidden("The token does not grant acting for this user."))
        return replace(caller, acting_for=acting_for)


def caller_of(scope: Scope) -> Caller | None:
    """Return who was verified to be asking; null where nobody was."""
    found = scope.get("state", {}).get("caller")
    return found if isinstance(found, Caller) else None


def _bearer_token(scope: Scope) -> str:
    values = _header(scope, "authorization")
    if not values:
        raise ProblemError(unauthenticated("This needs a bearer token.", invalid=False))
    scheme, _, token = values[0].partition(" ")
    if len(values) > 1 or scheme.lower() != "bearer" or not token.strip():
        raise AuthenticationError("The header Authorization must hold one bearer token.")
    return token.strip()


def _acting_for(scope: Scope) -> str | None:
    values = _header(scope, ACTING_FOR)
    if not values:
        return None
    try:
        if len(values) > 1 or not values[0].isascii():
            raise InvalidInputError("That is not one user, percent-encoded.")
        return user_name(unquote(values[0], errors="strict"))
    except (InvalidInputError, UnicodeDecodeError) as error:
        detail = f"The header {ACTING_FOR} must name one user, percent-encoded in UTF-8."
        raise ProblemError(Problem(400, "bad-request", detail)) from error


def _header(scope: Scope, name: str) -> list[str]:
    wanted = name.lower().encode()
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == wanted]


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    await problem.response(request_id(scope))(scope, receive, send)
