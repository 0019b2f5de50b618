"""An HTTP server in front of a DynamoDB that does to calls what DynamoDB does under load: puts off, throttles, breaks off."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientSession, ClientTimeout, web

Body = dict[str, Any]
JSON = "application/x-amz-json-1.0"


@dataclass(frozen=True)
class Refusal:
    """An error to answer with, in place of passing the call on."""

    code: str = "ThrottlingException"
    status: int = 400
    message: str = ""


@dataclass(frozen=True)
class PutOff:
    """Of the items of a batch, so many are passed on; the others are answered as not processed."""

    done: int


@dataclass(frozen=True)
class BreakOff:
    """The call is passed on, and the connection closed without an answer."""


@dataclass(frozen=True)
class Call:
    """A call as it came in."""

    operation: str
    body: Body
    size: int


async def nothing_wrong(_: Call) -> Refusal | PutOff | BreakOff | None:
    """Pass the call on."""
    return None


@dataclass
class Proxy:
    """What came in, in order, and what to do to the next call."""

    target: str
    address: str = ""
    fault: Callable[[Call], Awaitable[Refusal | PutOff | BreakOff | None]] = nothing_wrong
    calls: list[Call] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Sort keys of the items that batches wrote, in the order in which DynamoDB had them."""
    under_way: int = 0
    most_under_way: int = 0

    def forget(self) -> None:
        """Let calls through, and forget those that were."""
        self.fault = nothing_wrong
        self.calls, self.kept, self.most_under_way = [], [], 0

    def operations(self) -> list[str]:
        return [call.operation for call in self.calls]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            return await self._answer(request)
        finally:
            self.under_way -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        raw = await request.read()
        call = Call(request.headers["X-Amz-Target"].rpartition(".")[2], json.loads(raw), len(raw))
        self.calls.append(call)
        fault = await self.fault(call)
        if isinstance(fault, Refusal):
            error = {"__type": f"com.amazonaws.dynamodb.v20120810#{fault.code}", "message": fault.message}
            return web.json_response(error, status=fault.status, content_type=JSON)
        body, rest = call.body, None
        if isinstance(fault, PutOff):
            body, rest = _split(call, fault.done)
        status, answer = await self._passed_on(request, body)
        if isinstance(fault, BreakOff):
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        if rest is not None:
            name = "UnprocessedItems" if call.operation == "BatchWriteItem" else "UnprocessedKeys"
            answer[name] = rest
        return web.json_response(answer, status=status, content_type=JSON)

    async def _passed_on(self, request: web.Request, body: Body) -> tuple[int, Body]:
        if body.get("RequestItems") == {}:
            return 200, {"Responses": {}}
        headers = {name: request.headers[name] for name in ("X-Amz-Target", "Authorization", "Content-Type")}
        async with (
            ClientSession(timeout=ClientTimeout(60)) as session,
            session.post(self.target, data=json.dumps(body), headers=headers) as answer,
        ):
            for some in body.get("RequestItems", {}).values():
                if isinstance(some, list):
                    self.kept += [one["PutRequest"]["Item"]["sk"]["S"] for one in some if "PutRequest" in one]
            return answer.status, await answer.json(content_type=None)


def _split(call: Call, done: int) -> tuple[Body, Body]:
    """Return a batch of the first so many, and the rest as DynamoDB gives it back."""
    ((table, some),) = call.body["RequestItems"].items()
    if call.operation == "BatchWriteItem":
        first, rest = some[:done], some[done:]
        return {"RequestItems": {table: first} if first else {}}, {table: rest} if rest else {}
    first, rest = {**some, "Keys": some["Keys"][:done]}, {**some, "Keys": some["Keys"][done:]}
    return (
        {"RequestItems": {table: first} if first["Keys"] else {}},
        {table: rest} if rest["Keys"] else {},
    )


@asynccontextmanager
async def running_proxy(target: str) -> AsyncIterator[Proxy]:
    """Start a proxy in front of an address, and stop it."""
    proxy = Proxy(target)
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/", proxy.answer)
    runner = web.AppRunner(app, shutdown_timeout=1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    host, port = runner.addresses[0][:2]
    proxy.address = f"http://{host}:{port}"
    try:
        yield proxy
    finally:
        await runner.cleanup()
