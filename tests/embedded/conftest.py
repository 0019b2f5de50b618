"""Real servers in temporary folders, and client processes that can be killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

import memwarden.errors
from memwarden.db.file_lock import is_free

_CLIENT = """
import sys
from memwarden.db.embedded import acquire
lease = acquire(sys.argv[1], sys.argv[2:])
print(lease.server.dsn("memwarden_admin", "postgres"), flush=True)
if sys.stdin.readline():
    lease.release()
    print("left", flush=True)
"""


@dataclass
class Client:
    """Another process that holds a lease until it is told to leave, or is killed."""

    process: subprocess.Popen[str]

    def dsn(self) -> str:
        """Wait until the client has joined and return the URI it connects with."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline().strip()
        assert line.startswith("postgresql://"), line
        return line

    def leave(self) -> None:
        out, _ = self.process.communicate("leave\n", timeout=60)
        assert out.endswith("left\n")
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=60)


@dataclass
class DataFolder:
    """A data folder that does not exist yet, and the client processes that use it."""

    path: Path
    clients: list[Client] = field(default_factory=list)

    @property
    def pgdata(self) -> Path:
        return self.path / "postgres18"

    def join(self, *roles: str) -> Client:
        """Start a client process; it is in when its `dsn` is there."""
        command = [sys.executable, "-c", _CLIENT, str(self.path), *roles]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=client_environment()
        )
        self.clients.append(Client(process))
        return self.clients[-1]

    def postmaster(self) -> int | None:
        """The process id in the file of the server, which is gone when it was stopped properly.

        The server makes the file before it writes into it.
        """
        try:
            first = (self.pgdata / "postmaster.pid").read_text().split("\n", 1)[0]
        except FileNotFoundError:
            return None
        return int(first) if first else None

    def kill_server(self, number: signal.Signals = signal.SIGKILL) -> None:
        pid = self.postmaster()
        assert pid is not None
        os.kill(pid, number)

    def nobody_lives(self) -> bool:
        return is_free(self.path / "alive.lock")

    def is_stopped(self) -> bool:
        return self.postmaster() is None and self.nobody_lives()

    def logged(self) -> str:
        logs = [*(self.pgdata / "log").iterdir(), self.path / "startup.log"]
        return "\n".join(path.read_text() for path in logs)

    @staticmethod
    def ask(dsn: str, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(dsn, autocommit=True) as connection:
            cursor = connection.execute(query.encode())
            return cursor.fetchall() if cursor.description else []

    @staticmethod
    def wait_until(condition: Callable[[], bool], seconds: float = 20) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, "did not happen in time"
            time.sleep(0.01)


def client_environment() -> dict[str, str]:
    source = Path(memwarden.errors.__file__).parents[1]
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(source), *sys.path])}


@pytest.fixture
def environment() -> dict[str, str]:
    """Environment variables with which a new Python finds what this one has."""
    return client_environment()


@pytest.fixture
def data(tmp_path: Path) -> Iterator[DataFolder]:
    folder = DataFolder(tmp_path / "data")
    yield folder
    for client in folder.clients:
        if client.process.returncode is None:
            client.kill()
    if folder.pgdata.exists() and not folder.nobody_lives():
        folder.kill_server(signal.SIGQUIT)
        folder.wait_until(folder.nobody_lives)
    shutil.rmtree(tmp_path, ignore_errors=True)  # pytest would keep 40 MB for each test


@pytest.fixture
def roots_mount(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Mounts a small memory file system with the given options; skips where that is not allowed."""
    mounted: list[Path] = []

    def mount(options: str) -> Path:
        target = tmp_path / "mounted"
        target.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", options, "memwarden-test", str(target)]
        if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
            pytest.skip("mounting is not allowed here")
        mounted.append(target)
        return target

    yield mount
    for target in mounted:
        subprocess.run(["umount", "-l", str(target)], check=True)
