"""A DynamoDB for tests: moto's engine in a process of its own, spoken to over HTTP."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from aiobotocore.config import AioConfig  # type: ignore[import-untyped]
from aiobotocore.session import get_session  # type: ignore[import-untyped]

REGION = "eu-central-1"
_SECONDS_TO_START = 60
_SECONDS_TO_STOP = 10


@asynccontextmanager
async def running_dynamodb() -> AsyncIterator[str]:
    """Start a DynamoDB that is empty, yield its address, and stop it."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, __file__, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        line = await asyncio.wait_for(server.stdout.readline(), _SECONDS_TO_START)
        assert line, "moto did not start; run this file to see why"
        yield line.decode().strip()
    finally:
        if server.returncode is None:
            server.terminate()
        try:
            await asyncio.wait_for(server.wait(), _SECONDS_TO_STOP)
        except TimeoutError:
            server.kill()
            await server.wait()


def dynamodb_client(endpoint_url: str | None, **config: object) -> AbstractAsyncContextManager[Any]:
    """Return an aiobotocore client for an address with credentials that open nothing; null: for AWS, with real ones."""
    once = AioConfig(**{"retries": {"total_max_attempts": 1}, **config})
    if endpoint_url is None:
        client = get_session().create_client("dynamodb", config=once)
    else:
        client = get_session().create_client(
            "dynamodb",
            endpoint_url=endpoint_url,
            region_name=REGION,
            aws_access_key_id="nobody",
            aws_secret_access_key="nothing",
            config=once,
        )
    opened: AbstractAsyncContextManager[Any] = client
    return opened


def _serve() -> None:
    from moto.moto_server.werkzeug_app import create_backend_app
    from werkzeug.serving import make_server

    # One request at a time: moto reads an item, compares and writes it without a lock.
    server = make_server("127.0.0.1", 0, create_backend_app("dynamodb"), threaded=False)
    print(f"http://127.0.0.1:{server.port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    _serve()
