"""One server for all processes of an account: who starts it, who joins it, who stops it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import psycopg
import pytest

from memwarden.db.embedded import ADMIN_ROLE, acquire, embedded_server

pytestmark = pytest.mark.slow
"""Each test starts a server of its own."""

if TYPE_CHECKING:
    from tests.embedded.conftest import DataFolder


def test_two_processes_share_one_server_and_the_last_stops_it(data: DataFolder) -> None:
    first = data.join()
    data.ask(first.dsn(), "CREATE TABLE shared AS SELECT 42 AS answer")
    server = data.postmaster()
    second = data.join()
    assert data.ask(second.dsn(), "SELECT answer FROM shared") == [(42,)]
    assert data.postmaster() == server
    first.leave()
    assert data.postmaster() == server
    second.leave()
    assert data.is_stopped()


def test_handles_of_one_process_count_and_leaving_twice_does_nothing(data: DataFolder) -> None:
    first, second = acquire(data.path, []), acquire(data.path, [])
    second.release()
    second.release()
    assert data.ask(first.server.dsn(ADMIN_ROLE, "postgres"), "SELECT 1") == [(1,)]
    with first:
        pass
    assert data.is_stopped()


def test_a_killed_process_gives_its_lease_back(data: DataFolder) -> None:
    killed, stays = data.join(), data.join()
    killed.dsn()
    dsn = stays.dsn()
    killed.kill()
    assert data.ask(dsn, "SELECT 1") == [(1,)]
    stays.leave()
    assert data.is_stopped()


def test_a_server_left_by_killed_processes_is_joined_and_then_stopped(data: DataFolder) -> None:
    killed = data.join()
    killed.dsn()
    server = data.postmaster()
    killed.kill()
    with acquire(data.path, []) as lease:
        assert data.postmaster() == server
        assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT 1") == [(1,)]
    assert data.is_stopped()


@pytest.mark.slow
def test_four_first_starts_at_once_set_up_one_cluster(data: DataFolder) -> None:
    clients = [data.join() for _ in range(4)]
    seen = [data.ask(client.dsn(), "SELECT system_identifier FROM pg_control_system()") for client in clients]
    assert len({row for rows in seen for row in rows}) == 1
    # A second set-up or start would have written its own line.
    assert data.logged().count("starting PostgreSQL") == 1
    assert not (data.path / "postgres18.new").exists()
    for client in clients:
        client.leave()
    assert data.is_stopped()


@pytest.mark.slow
def test_processes_that_come_and_go_at_once_never_meet_a_stopped_server(
    data: DataFolder, environment: dict[str, str]
) -> None:
    code = """
import sys, psycopg
from memwarden.db.embedded import acquire
for _ in range(8):
    with acquire(sys.argv[1], []) as lease, psycopg.connect(lease.server.dsn("memwarden_admin", "postgres")) as c:
        assert c.execute("SELECT 1").fetchone() == (1,)
"""
    joined = data.join()
    joined.dsn()
    joined.leave()
    processes = [
        subprocess.Popen([sys.executable, "-c", code, str(data.path)], env=environment) for _ in range(3)
    ]
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    assert data.is_stopped()


def test_a_role_that_comes_later_is_let_in_without_a_restart(data: DataFolder) -> None:
    with acquire(data.path, ["memwarden_app"]) as first:
        admin = first.server.dsn(ADMIN_ROLE, "postgres")
        data.ask(admin, "CREATE ROLE memwarden_app LOGIN; CREATE ROLE memwarden_later LOGIN")
        server = data.postmaster()
        assert data.ask(first.server.dsn("memwarden_app", "postgres"), "SELECT 1") == [(1,)]
        with pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
            data.ask(first.server.dsn("memwarden_later", "postgres"), "SELECT 1")
        with acquire(data.path, ["memwarden_later"]) as second:
            for role in ("memwarden_app", "memwarden_later"):
                assert data.ask(second.server.dsn(role, "postgres"), "SELECT 1") == [(1,)]
        assert data.postmaster() == server


def test_the_server_outlives_ctrl_c_and_keeps_no_pipe_of_its_first_client(
    data: DataFolder, environment: dict[str, str]
) -> None:
    code = "import sys; from memwarden.db.embedded import acquire; acquire(sys.argv[1], []); print('in')"
    # The reader waits for the end of the pipe: it would hang if the server, which lives on, had it open.
    result = subprocess.run(
        [sys.executable, "-c", code, str(data.path)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (result.returncode, result.stdout) == (0, "in\n")
    client = data.join()
    client.dsn()
    server = data.postmaster()
    assert server is not None
    assert os.getsid(server) != os.getsid(client.process.pid)
    assert os.getpgid(server) != os.getpgid(client.process.pid)
    client.process.send_signal(signal.SIGINT)
    client.process.communicate(timeout=20)
    with acquire(data.path, []):
        assert data.postmaster() == server


async def test_the_async_form_joins_and_leaves(data: DataFolder) -> None:
    async with embedded_server(data.path, []) as server, embedded_server(data.path, []) as same:
        assert same == server
        async with await psycopg.AsyncConnection.connect(server.dsn(ADMIN_ROLE, "postgres")) as connection:
            cursor = await connection.execute("SHOW server_encoding")
            assert await cursor.fetchone() == ("UTF8",)
    assert data.is_stopped()


async def test_a_start_that_is_cancelled_leaves_no_server(data: DataFolder) -> None:
    async def use() -> None:
        async with embedded_server(data.path, []):
            raise AssertionError

    task = asyncio.create_task(use())
    await asyncio.sleep(0.1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert data.is_stopped()


async def test_leaving_is_seen_through_when_cancelled(data: DataFolder) -> None:
    joined = asyncio.Event()

    async def use() -> None:
        async with embedded_server(data.path, []):
            joined.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(use())
    await joined.wait()
    task.cancel()
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert data.is_stopped()
