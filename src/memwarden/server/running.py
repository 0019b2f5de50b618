"""Running the server: a socket, uvicorn, and the log."""

from __future__ import annotations

import logging
import socket
import sys
from typing import TYPE_CHECKING, TextIO

import structlog
from structlog.typing import FilteringBoundLogger

from memwarden.errors import ConfigurationError

if TYPE_CHECKING:
    from fastapi import FastAPI

DRAIN_S = 30
"""Seconds that requests in progress have once the server is asked to stop."""
MOST_CONNECTIONS = 1_000
_IDLE_S = 30


def server_log(stream: TextIO = sys.stderr) -> FilteringBoundLogger:
    """Return a log that writes JSON lines to ``stream``; nothing is configured for anybody else."""
    log: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    return log


def bound_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raise `ConfigurationError` where that cannot be."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ConfigurationError(
            f"The server cannot listen on {host} port {port}: {error.strerror or 'no such address'}; choose another."
        ) from error


def address_of(listening: socket.socket) -> str:
    """Return the URL under which a socket is reached."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


async def serve(app: FastAPI, listening: socket.socket) -> None:
    """Serve until SIGTERM or SIGINT; then no connection is taken any more, and requests in progress have time to end.

    uvicorn's own lines, which have addresses in them, are not written.
    """
    import uvicorn

    for name in ("uvicorn.error", "uvicorn.access", "uvicorn.asgi"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="off",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=_IDLE_S,
        timeout_graceful_shutdown=DRAIN_S,
    )
    await uvicorn.Server(config).serve(sockets=[listening])
