"""Tools of MCP servers for an agent, by LangChain's adapter: with names that no server can take from another.

They are tools like any other: what they answer is no user's word, and nobody's identity goes to a server unless an interceptor
of the application's sends it.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence

from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp

from memwarden.errors import ConfigurationError

try:
    import langchain_mcp_adapters  # noqa: F401
except ModuleNotFoundError as missing:
    raise ConfigurationError(
        "Tools of MCP servers need the package langchain-mcp-adapters; run `pip install 'memwarden[mcp]'`."
    ) from missing

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.interceptors import MCPToolCallRequest, MCPToolCallResult, ToolCallInterceptor
from langchain_mcp_adapters.sessions import Connection
from mcp.types import CallToolResult, TextContent

_SERVER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,31}")


async def mcp_tools(
    connections: Mapping[str, Connection], *, interceptors: Sequence[ToolCallInterceptor] = ()
) -> list[BaseTool]:
    """Return the tools of all servers, each named ``<server>_<tool>``; they can be awaited only.

    ``connections`` says how to reach each server, as `MultiServerMCPClient` takes it; each call of a tool opens a session of its
    own. An answer that is an error, and a server that cannot be reached in mid-run, are told to the model as the
    tool's error. ``interceptors`` see each call, with the run's context in ``request.runtime``. Raises
    `ConfigurationError` when a server cannot be asked now, or two tools have one name.
    """
    for name in connections:
        if not _SERVER.fullmatch(name):
            raise ConfigurationError(
                f"The MCP server's name {name!r} cannot begin the names of tools; use a letter and up to 31 letters,"
                " digits, underscores or hyphens after it."
            )
    client = MultiServerMCPClient(
        dict(connections), tool_interceptors=[_told, *interceptors], tool_name_prefix=True
    )
    tools: list[BaseTool] = []
    # All come to an end before one failure is raised, so that no server is left running that nobody waits for.
    for found in await asyncio.gather(*(_of(client, name) for name in connections), return_exceptions=True):
        if isinstance(found, BaseException):
            raise found
        tools += found
    if twice := sorted(name for name, times in Counter(tool.name for tool in tools).items() if times > 1):
        raise ConfigurationError(
            f"Two tools of MCP servers have the name {', '.join(twice)}; name the servers otherwise."
        )
    return tools


async def _of(client: MultiServerMCPClient, server: str) -> list[BaseTool]:
    try:
        return await client.get_tools(server_name=server)
    except Exception as error:  # noqa: BLE001 - transports raise what they like, in groups
        # Causes name addresses, headers and commands, where applications put keys.
        raise ConfigurationError(
            f"The MCP server {server} cannot be asked for its tools ({_kind(error)}); see that it runs, and that its"
            " connection is right."
        ) from None


async def _told(
    request: MCPToolCallRequest, handler: Callable[[MCPToolCallRequest], Awaitable[MCPToolCallResult]]
) -> MCPToolCallResult:
    """Turn a call that did not get through into the tool's error, so that the run goes on."""
    try:
        return await handler(request)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001 - as above
        said = f"The MCP server {request.server_name} did not answer ({_kind(error)})."
        return CallToolResult(content=[TextContent(type="text", text=said)], isError=True)


def _kind(error: BaseException) -> str:
    """Return the type of what went wrong, of the first in a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
