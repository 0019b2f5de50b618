"""A small MCP server for the tests of its tools: over stdio, or over HTTP on a port."""

from __future__ import annotations

import os
import sys
from typing import Any

from mcp.server.fastmcp import Context, FastMCP

server = FastMCP("leave", log_level="ERROR")


@server.tool()
def days_left(employee: str) -> str:
    """Return the days of leave that are left."""
    return f"{employee} has twelve days left."


@server.tool()
def what_came(context: Context[Any, Any, Any]) -> str:
    """Return everything the server was told about who asks."""
    meta = context.request_context.meta
    return f"{sorted(os.environ.items())} {sys.argv} {None if meta is None else meta.model_dump()}"


@server.tool()
def headers(context: Context[Any, Any, Any]) -> str:
    """Return the headers a request came with."""
    request = context.request_context.request
    return str(sorted(request.headers.items()) if request else None)


@server.tool()
def fail() -> str:
    """Fail as tools do."""
    raise ValueError("There is no such employee.")


@server.tool()
def die() -> None:
    """Take the server down in mid-call."""
    os._exit(1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.settings.port = int(sys.argv[1])
        server.run("streamable-http")
    server.run()
