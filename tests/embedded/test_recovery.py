"""What was killed half-way is put right by the next start."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from memwarden.db.embedded import ADMIN_ROLE, acquire
from memwarden.db.server_account import server_account

pytestmark = pytest.mark.slow
"""Each test starts a server of its own."""

if TYPE_CHECKING:
    from tests.embedded.conftest import DataFolder


@contextmanager
def sleeper_of_the_servers_account() -> Iterator[subprocess.Popen[bytes]]:
    account = server_account()
    user = account.uid if account.is_separate else None
    with subprocess.Popen(["sleep", "60"], user=user, cwd="/") as process:
        try:
            yield process
        finally:
            process.kill()


def give_number_to(pid: int, data: DataFolder) -> None:
    old = str(data.postmaster())
    for path in (data.pgdata / "postmaster.pid", *data.path.glob("socket/*.lock")):
        path.write_text(path.read_text().replace(old, str(pid), 1))


def test_committed_rows_survive_a_killed_server(data: DataFolder) -> None:
    client = data.join()
    with closing(psycopg.connect(client.dsn(), autocommit=True)) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        for n in range(100):
            connection.execute("INSERT INTO kept VALUES (%s)", (n,))
        connection.execute("BEGIN")
        connection.execute("INSERT INTO kept VALUES (1000)")
        data.kill_server()
    with acquire(data.path, []) as lease:
        rows = data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT count(*), max(n) FROM kept")
        assert rows == [(100, 99)]
        client.leave()
    assert data.is_stopped()


def test_the_number_of_a_killed_server_given_to_another_process_does_no_harm(data: DataFolder) -> None:
    with acquire(data.path, []):
        data.kill_server()
        data.wait_until(data.nobody_lives)
        with sleeper_of_the_servers_account() as other:
            give_number_to(other.pid, data)
            with acquire(data.path, []) as lease:
                assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT 1") == [(1,)]
                assert data.postmaster() != other.pid
            data.kill_server()
            data.wait_until(data.nobody_lives)
            give_number_to(other.pid, data)
            acquire(data.path, []).release()
            assert other.poll() is None


def test_the_last_to_leave_signals_nobody_when_the_server_is_dead(data: DataFolder) -> None:
    lease = acquire(data.path, [])
    data.kill_server()
    data.wait_until(data.nobody_lives)
    with sleeper_of_the_servers_account() as other:
        give_number_to(other.pid, data)
        lease.release()
        assert other.poll() is None


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.05, 0.2, 0.35])
def test_a_set_up_whose_program_was_killed_is_begun_anew(data: DataFolder, delay: float) -> None:
    client = data.join()
    data.wait_until((data.path / "postgres18.new").exists)
    threading.Event().wait(delay)
    client.kill()
    with acquire(data.path, []) as lease:
        assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT 1") == [(1,)]
        assert not (data.path / "postgres18.new").exists()


@pytest.mark.slow
def test_a_start_whose_program_was_killed_is_joined(data: DataFolder) -> None:
    acquire(data.path, []).release()
    for _ in range(3):
        client = data.join()
        data.wait_until(lambda: data.postmaster() is not None)
        client.kill()
        with acquire(data.path, []) as lease:
            assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT 1") == [(1,)]
        assert data.is_stopped()


def test_leftovers_of_a_set_up_are_removed(data: DataFolder) -> None:
    (data.path / "postgres18.new" / "base").mkdir(parents=True)
    (data.path / "postgres18.new" / "PG_VERSION").write_text("18\n")
    with acquire(data.path, []):
        assert not (data.path / "postgres18.new").exists()


def test_a_copy_of_a_living_folder_gets_its_own_server(data: DataFolder, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with acquire(data.path, []) as lease:
        original = lease.server.dsn(ADMIN_ROLE, "postgres")
        data.ask(original, "CREATE TABLE here (n int); CHECKPOINT")
        subprocess.run(["cp", "-a", str(data.path), str(copy)], check=False, capture_output=True)
        with acquire(copy, []) as other:
            dsn = other.server.dsn(ADMIN_ROLE, "postgres")
            data.ask(dsn, "DROP TABLE here")
            assert data.ask(dsn, "SHOW data_directory") == [(str(copy / "postgres18"),)]
        assert data.ask(original, "SELECT * FROM here") == []
    shutil.rmtree(copy)


def test_a_folder_that_was_moved_goes_on(data: DataFolder, tmp_path: Path) -> None:
    with acquire(data.path, []) as lease:
        data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "CREATE TABLE moved (n int)")
    data.path = data.path.rename(tmp_path / "elsewhere")
    with acquire(data.path, []) as lease:
        assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT * FROM moved") == []


@pytest.mark.slow
def test_a_recovery_longer_than_ten_seconds_is_waited_for(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "CREATE TABLE kept AS SELECT 7 AS n")
    # An archive that answers slowly makes the recovery at the next start slow.
    with (data.pgdata / "postgresql.conf").open("a") as file:
        file.write("restore_command = 'sleep 6; exit 1'\n")
    (data.pgdata / "recovery.signal").touch()
    account = server_account()
    os.chown(data.pgdata / "recovery.signal", account.uid, account.gid)
    with acquire(data.path, []) as lease:
        assert data.ask(lease.server.dsn(ADMIN_ROLE, "postgres"), "SELECT n FROM kept") == [(7,)]


def test_logs_do_not_add_up(data: DataFolder) -> None:
    acquire(data.path, []).release()
    logs = data.pgdata / "log"
    (logs / "server-old.log").write_text("old")
    os.utime(logs / "server-old.log", (0, 0))
    (logs / "server-big.log").write_bytes(bytes(9 << 20))
    (logs / "server-new.log").write_text("new")
    acquire(data.path, []).release()
    left = {path.name for path in logs.iterdir()}
    assert "server-new.log" in left
    assert not {"server-old.log", "server-big.log"} & left


@pytest.mark.slow
def test_a_server_that_hangs_is_waited_for_and_not_started_twice(data: DataFolder) -> None:
    client = data.join()
    client.dsn()
    server = data.postmaster()
    data.kill_server(signal.SIGSTOP)
    wake = threading.Timer(6, lambda: data.kill_server(signal.SIGCONT))
    wake.start()
    with acquire(data.path, []):
        assert data.postmaster() == server
    wake.join()
