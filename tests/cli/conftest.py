"""Running the command line as a person does: a process, its output, its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import pytest

from tests.conftest import Addresses


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        """Return the output as JSON."""
        return json.loads(self.out)


Run = Callable[..., Ran]


def run_memwarden(*arguments: str, stdin: str = "", **environment: str) -> Ran:
    """Run `memwarden` with these arguments and extra environment variables."""
    ours = {name for name in os.environ if name.startswith("MEMWARDEN_") and name != "MEMWARDEN_KEYS_FILE"}
    clean = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "-m", "memwarden.cli", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        env=clean | environment,
        timeout=120,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


_users = count(1)


@pytest.fixture
def run(addresses: Addresses) -> Run:
    """Run a command on the test database, as a user of its own."""
    user = f"cli-{next(_users)}"

    def command(name: str, *arguments: str, stdin: str = "") -> Ran:
        scope = ("--tenant", "acme", "--user", user)
        return run_memwarden(name, *arguments, *scope, stdin=stdin, MEMWARDEN_DATABASE_URL=addresses.app)

    return command
