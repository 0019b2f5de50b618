"""A request must call the server by one of its names, so that no page elsewhere can pass for it (DNS rebinding)."""

from __future__ import annotations

from starlette.types import ASGIApp, Receive, Scope, Send

from memwarden.server.authentication import OPEN_PATHS
from memwarden.server.problems import Problem
from memwarden.server.request_id import request_id

_UNKNOWN = Problem(400, "unknown-host", "This server does not go by the name it was called.")


class KnownHosts:
    """Refuses a header Host that is none of ``hosts``; whether the process lives may be asked by any name."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app, self._hosts = app, frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http" or scope["path"] in OPEN_PATHS or self._is_known(scope):
            await self._app(scope, receive, send)
        else:
            await _UNKNOWN.response(request_id(scope))(scope, receive, send)

    def _is_known(self, scope: Scope) -> bool:
        named = [value.decode("latin-1").lower() for key, value in scope["headers"] if key == b"host"]
        return len(named) == 1 and _without_port(named[0]) in self._hosts


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[: host.find("]") + 1]
    return host.partition(":")[0]
