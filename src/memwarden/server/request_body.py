"""How long a body may be, and that it is JSON, before anybody reads it."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memwarden.server.problems import Problem
from memwarden.server.request_id import request_id

_TOO_LARGE = Problem(413, "content-too-large", "The body of the request is longer than is accepted here.")
_NOT_JSON = Problem(415, "unsupported-media-type", "The body of a request must be application/json.")
_NO_LENGTH = Problem(400, "bad-request", "The header Content-Length is no length.")


class RequestBody:
    """Counts what comes in, whatever the request says about it."""

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        problem = self._problem(scope) if scope["type"] == "http" else None
        if problem is not None:
            await problem.response(request_id(scope))(scope, receive, send)
            return
        left = self._most

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(_TOO_LARGE.status)
            return message

        await self._app(scope, counted if scope["type"] == "http" else receive, send)

    def _problem(self, scope: Scope) -> Problem | None:
        headers = {key.lower(): value for key, value in scope["headers"]}
        length = headers.get(b"content-length", b"0")
        if not length.isdigit():
            return _NO_LENGTH
        if int(length[:20]) > self._most:
            return _TOO_LARGE
        if (length.strip(b"0") or b"transfer-encoding" in headers) and not _is_json(headers):
            return _NOT_JSON
        return None


def _is_json(headers: dict[bytes, bytes]) -> bool:
    kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
    return kind == b"application/json"
