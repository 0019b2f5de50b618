"""Tools of a real MCP server, used by an agent of a supervisor."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_mcp_adapters.interceptors import MCPToolCallRequest
from langchain_mcp_adapters.sessions import Connection

from memwarden import Memwarden, UserMemory
from memwarden.agent import DownstreamAgent, build_supervisor
from memwarden.agent.mcp_tools import mcp_tools
from memwarden.errors import ConfigurationError
from tests.agent.test_middleware import OK, RecordingModel, say
from tests.agent.test_supervisor import asks, calls

pytestmark = pytest.mark.slow

COMMAND = [sys.executable, str(Path(__file__).with_name("mcp_server.py"))]
SERVER: Connection = {"transport": "stdio", "command": COMMAND[0], "args": COMMAND[1:]}


async def told(
    memwarden: Memwarden,
    user: UserMemory,
    call: AIMessage,
    server: Connection = SERVER,
    thread: str = "t",
    **options: Any,
) -> list[BaseMessage]:
    """Return what an agent behind a supervisor was told by its tool."""
    inner = RecordingModel(answers=[call, AIMessage("Twelve.")])
    agent = create_agent(inner, await mcp_tools({"hr": server}, **options))
    graph = build_supervisor(
        memwarden,
        [DownstreamAgent("leave", "Knows about leave.", agent)],
        model=RecordingModel(answers=[asks("leave"), OK]),
        checkpointer=await user.checkpointer(),
    )
    messages = await say(graph, user, "How much leave do I have?", thread)
    assert [m.text for m in messages if isinstance(m, ToolMessage)] == ["Twelve."]
    return [m for m in inner.prompts[-1] if isinstance(m, ToolMessage)]


async def test_an_agent_uses_the_tools_of_a_server(memwarden: Memwarden, user: UserMemory) -> None:
    (answer,) = await told(memwarden, user, calls(("hr_days_left", {"employee": "Asha"})))
    assert answer.text == "Asha has twelve days left."


async def test_a_tool_that_fails_is_told_to_the_model(memwarden: Memwarden, user: UserMemory) -> None:
    answers = await told(memwarden, user, calls(("hr_fail", {}), ("hr_die", {})))
    failed, died = (m for m in answers if isinstance(m, ToolMessage))
    assert (failed.status, died.status) == ("error", "error")
    assert "no such employee" in failed.text
    assert died.text.startswith("The MCP server hr did not answer (")


async def test_a_server_learns_of_nobody_unless_asked_to(
    memwarden: Memwarden, user: UserMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMWARDEN_URL", "postgresql://secret")
    (answer,) = await told(memwarden, user, calls(("hr_what_came", {})))
    assert "PATH" in answer.text
    for private in (user.scope.user_id, "acme", "MEMWARDEN", "secret", "thread_id"):
        assert private not in answer.text


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        port: int = bound.getsockname()[1]
        return port


@pytest.fixture
async def over_http() -> AsyncIterator[Connection]:
    """The server, listening on a port."""
    port = free_port()
    with subprocess.Popen([*COMMAND, str(port)]) as process:
        try:
            while True:
                assert process.poll() is None
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
                await asyncio.sleep(0.05)
            yield {"transport": "streamable_http", "url": f"http://127.0.0.1:{port}/mcp"}
        finally:
            process.kill()


async def test_an_interceptor_says_who_asks(
    memwarden: Memwarden, user: UserMemory, over_http: Connection
) -> None:
    async def introducing(request: MCPToolCallRequest, handler: Any) -> Any:
        runtime: Any = request.runtime
        token = f"Bearer for-{runtime.context.scope.user_id}"
        return await handler(request.override(headers={"Authorization": token}))

    call = calls(("hr_headers", {}))
    (answer,) = await told(memwarden, user, call, over_http)
    assert "authorization" not in answer.text
    assert user.scope.user_id not in answer.text
    (answer,) = await told(memwarden, user, call, over_http, "other", interceptors=[introducing])
    assert f"Bearer for-{user.scope.user_id}" in answer.text


async def test_tools_of_two_servers_keep_their_names_apart() -> None:
    names = [tool.name for tool in await mcp_tools({"hr": SERVER, "it": SERVER})]
    assert names[:1] == ["hr_days_left"]
    assert {"it_days_left", "hr_fail", "it_fail"} <= set(names)
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "broken",
    [
        {"transport": "stdio", "command": "/no/such/key-4711", "args": []},
        {"transport": "stdio", "command": sys.executable, "args": ["-c", "'key-4711'"]},
        {
            "transport": "streamable_http",
            "url": "http://127.0.0.1:9/mcp?key-4711",
            "headers": {"Authorization": "key-4711"},
        },
        {"transport": "key-4711"},
    ],
    ids=["no command", "ends", "nobody listens", "no transport"],
)
async def test_a_server_that_cannot_be_asked_is_named_and_nothing_else(broken: Any) -> None:
    with pytest.raises(ConfigurationError, match="The MCP server broken cannot be asked") as raised:
        await mcp_tools({"hr": SERVER, "broken": broken})
    assert "key-4711" not in str(raised.value)
    assert raised.value.__cause__ is None


@pytest.mark.parametrize("name", ["", "my server", "a.b", "x" * 33])
async def test_a_server_whose_name_no_tool_can_have_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot begin the names of tools"):
        await mcp_tools({name: SERVER})


async def test_no_servers_have_no_tools() -> None:
    assert await mcp_tools({}) == []
