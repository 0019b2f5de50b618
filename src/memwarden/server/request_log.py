"""Each request gets an id, a line in the log and its place in the metrics; what went wrong unforeseen ends here.

The line has the method, the route's template, the status and the time it took: no address, no content, no identity.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.typing import FilteringBoundLogger

from memwarden.model.ids import new_id
from memwarden.server.metrics import Metrics
from memwarden.server.problems import INTERNAL
from memwarden.server.request_id import note_request_id

_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
UNMATCHED = "unmatched"


class RequestLog:
    """Stands around everything that may fail."""

    def __init__(self, app: ASGIApp, log: FilteringBoundLogger, metrics: Metrics) -> None:
        self._app, self._log, self._metrics = app, log, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identifier = new_id(datetime.now(UTC))
        note_request_id(scope, identifier)
        began = time.perf_counter()
        status = 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = int(message["status"])
                message["headers"] = [*message.get("headers", ()), (b"x-request-id", identifier.encode())]
            await send(message)

        try:
            await self._app(scope, receive, answer)
        except Exception as error:  # noqa: BLE001 - the boundary of the process: log what kind it was, and answer
            self._log.error("request_failed", request_id=identifier, error=type(error).__name__)
            if status == 0:
                await INTERNAL.response(identifier)(scope, receive, answer)
        finally:
            self._note(scope, identifier, status, time.perf_counter() - began)

    def _note(self, scope: Scope, identifier: str, status: int, seconds: float) -> None:
        method = scope["method"] if scope["method"] in _METHODS else "other"
        route = getattr(scope.get("route"), "path", UNMATCHED)
        self._metrics.note(method, route, status, seconds)
        self._log.info(
            "request",
            request_id=identifier,
            method=method,
            route=route,
            status=status,
            ms=round(seconds * 1000, 1),
        )
