"""How long an answer may take to begin."""

from __future__ import annotations

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memwarden.server.problems import retry
from memwarden.server.request_id import request_id

_TOO_LATE = retry(503, "too-slow", "This took too long and was stopped; try again.", 5)


class Deadline:
    """Stops a request that has not begun to answer in time; what has begun goes on."""

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app, self._seconds = app, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._seconds) as limit:

                async def answer(message: Message) -> None:
                    limit.reschedule(None)
                    await send(message)

                await self._app(scope, receive, answer)
        except TimeoutError:
            if not limit.expired():
                raise
            await _TOO_LATE.response(request_id(scope))(scope, receive, send)
