"""Something that speaks MongoDB's protocol, for tests: a server on SQLite, which is not MongoDB in everything.

What an adapter relies on has to hold on MongoDB itself, too: tests take its URL from MONGODB_URL where that is set.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

START_SECONDS = 60


def free_port() -> int:
    """Return a port of this machine that nothing listened to just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@asynccontextmanager
async def running_mongodb(folder: Path) -> AsyncIterator[str]:
    """Start a server that keeps its databases in ``folder``, yield its URL, and stop it at the end."""
    port = free_port()
    folder.mkdir(parents=True, exist_ok=True)
    program = str(Path(sys.executable).with_name("nx-27017"))
    places = ["--data-dir", f"{folder}/data", "--pid-file", f"{folder}/pid", "--log-file", f"{folder}/log"]
    with Path(folder, "output").open("wb") as output:
        server = await asyncio.create_subprocess_exec(
            program, *places, "-p", str(port), stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output
        )
    try:
        await _answering(port, server, Path(folder, "output"))
        yield f"mongodb://127.0.0.1:{port}"
    finally:
        # Asked politely, it waits for threads that have nothing to do; what it keeps is thrown away.
        if server.returncode is None:
            server.kill()
        await server.wait()


async def _answering(port: int, server: asyncio.subprocess.Process, output: Path) -> None:
    async with asyncio.timeout(START_SECONDS):
        while True:
            if server.returncode is not None:
                raise RuntimeError(
                    f"The server ended with {server.returncode}:\n{output.read_text()[-2000:]}"
                )
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                await writer.wait_closed()
                return
