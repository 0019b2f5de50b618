"""Who gets in, and what the server may say about what it holds."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from memwarden.db.embedded import ADMIN_ROLE, Lease, acquire
from memwarden.db.server_account import server_account
from memwarden.db.server_programs import program
from memwarden.errors import ConfigurationError

pytestmark = pytest.mark.slow
"""Each test starts a server of its own."""

if TYPE_CHECKING:
    from tests.embedded.conftest import DataFolder

SECRET = "correct horse battery staple"

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can act as another account")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def psql_as(account: str, lease: Lease, *options: str) -> subprocess.CompletedProcess[str]:
    uri = lease.server.dsn(ADMIN_ROLE, "postgres")
    command = [program("psql"), "--no-psqlrc", "--command=SELECT 1", *options, uri]
    entry = pwd.getpwnam(account)
    return subprocess.run(
        command,
        user=entry.pw_uid,
        group=entry.pw_gid,
        extra_groups=[],
        cwd="/",
        capture_output=True,
        text=True,
    )


@only_root
def test_another_account_is_refused_by_the_folder_and_by_the_server(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        refused = psql_as("nobody", lease)
        assert refused.returncode != 0
        assert "Permission denied" in refused.stderr
        # Were the folder open, the server itself would refuse.
        lease.server.socket_folder.chmod(0o755)
        (lease.server.socket_folder / ".s.PGSQL.5432").chmod(0o777)
        refused = psql_as("nobody", lease)
        assert refused.returncode != 0
        assert f'Peer authentication failed for user "{ADMIN_ROLE}"' in refused.stderr


@only_root
def test_the_account_that_runs_the_server_is_not_let_in_as_a_client(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        assert "Peer authentication failed" in psql_as("pgserver", lease).stderr


@only_root
def test_a_server_of_another_account_on_the_socket_is_not_believed(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres").replace("requirepeer=pgserver", "requirepeer=root")
        with pytest.raises(psycopg.OperationalError, match="requirepeer"):
            psycopg.connect(dsn)


def test_only_the_socket_and_only_peer_authentication(data: DataFolder) -> None:
    with acquire(data.path, ["memwarden_app"]) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        assert data.ask(dsn, "SHOW listen_addresses") == [("",)]
        rules = "SELECT type, database, user_name, address, auth_method, error FROM pg_hba_file_rules"
        assert data.ask(dsn, rules) == [("local", ["all"], ["all"], None, "peer", None)]
        own = pwd.getpwuid(os.geteuid()).pw_name
        mapped = data.ask(dsn, "SELECT sys_name, pg_username, error FROM pg_ident_file_mappings")
        assert mapped == [(own, ADMIN_ROLE, None), (own, "memwarden_app", None)]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_process_of_the_server_listens_on_the_network(data: DataFolder) -> None:
    with acquire(data.path, []):
        held = set()
        for entry in Path(f"/proc/{data.postmaster()}/fd").iterdir():
            with suppress(FileNotFoundError):
                held.add(str(entry.readlink()))
        sockets = {name.removeprefix("socket:[").rstrip("]") for name in held if name.startswith("socket:")}
        assert sockets
        for table in ("tcp", "tcp6", "udp", "udp6"):
            lines = Path(f"/proc/net/{table}").read_text().splitlines()[1:]
            assert not sockets & {line.split()[9] for line in lines}


def test_folders_are_closed_to_others(data: DataFolder) -> None:
    account = server_account()
    with acquire(data.path, []) as lease:
        assert mode(data.path) == (0o711 if account.is_separate else 0o700)
        for path in (data.pgdata, lease.server.socket_folder):
            assert mode(path) == 0o700
            assert path.stat().st_uid == account.uid
        assert mode(lease.server.socket_folder / ".s.PGSQL.5432") == 0o700
        for path in (data.path / "alive.lock", data.path / "startup.log", data.pgdata / "pg_hba.conf"):
            assert mode(path) == 0o600


def test_settings(data: DataFolder) -> None:
    expected = {
        "TimeZone": "UTC",
        "max_connections": "200",
        "fsync": "on",
        "synchronous_commit": "on",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "shared_buffers": "128MB",
        "log_min_error_statement": "panic",
        "unix_socket_permissions": "0700",
    }
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        for name, value in expected.items():
            assert data.ask(dsn, f'SHOW "{name}"') == [(value,)]
        wrong = "SELECT name, error FROM pg_file_settings WHERE error IS NOT NULL"
        assert data.ask(dsn, wrong) == []
        locale = "SELECT datlocprovider, datlocale, datcollate FROM pg_database WHERE datname = 'template1'"
        assert data.ask(dsn, locale) == [("b", "C.UTF-8", "C.UTF-8")]
        with pytest.raises(psycopg.Error, match="ALTER SYSTEM is not allowed"):
            data.ask(dsn, "ALTER SYSTEM SET listen_addresses = '*'")


def test_no_statement_and_no_value_reaches_the_log(data: DataFolder) -> None:
    statements = [
        f"INSERT INTO note VALUES ('{SECRET}')",
        f"INSERT INTO note VALUES (repeat('{SECRET} ', 9))",
        f"SELECT '{SECRET}'::int",
        f"SELECT '{{\"a\": {SECRET}'::json",
        f"SELECT '{SECRET}' FROM nowhere",
        f"DO $$ BEGIN RAISE WARNING '{SECRET}'; RAISE EXCEPTION '{SECRET}'; END $$",
        f'SELECT "{SECRET}"',
    ]
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        data.ask(dsn, f"CREATE TABLE note (text varchar(40) UNIQUE); INSERT INTO note VALUES ('{SECRET}')")
        for statement in statements:
            with pytest.raises(psycopg.Error):
                data.ask(dsn, statement)
        with psycopg.connect(dsn) as connection, pytest.raises(psycopg.Error):
            connection.execute("INSERT INTO note VALUES (%s)", (SECRET,))
        assert "ready to accept connections" in data.logged()
        assert "ERROR" not in data.logged()
        assert SECRET not in data.logged()


def test_the_statement_of_a_process_that_crashed_does_not_reach_the_log(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        connection = psycopg.connect(dsn, autocommit=True)
        backend = connection.info.backend_pid
        timer = threading.Timer(0.3, os.kill, (backend, signal.SIGKILL))
        timer.start()
        with pytest.raises(psycopg.OperationalError):
            connection.execute(f"SELECT pg_sleep(30), '{SECRET}'".encode())
        connection.close()
        timer.join()
        data.wait_until(lambda: "was terminated by signal 9" in data.logged())
        assert SECRET not in data.logged()
        # The server recovers by itself, and a newcomer waits for it.
        with acquire(data.path, []):
            assert data.ask(dsn, "SELECT 1") == [(1,)]


def test_the_callers_pg_variables_lead_nowhere_else(
    data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {
        "PGHOST": "example.invalid",
        "PGHOSTADDR": "192.0.2.1",
        "PGPORT": "1",
        "PGDATA": "/nonexistent",
        "PGDATABASE": "elsewhere",
        "PGUSER": "somebody",
        "PGSSLMODE": "verify-full",
        "PGCHANNELBINDING": "require",
        "PGGSSENCMODE": "require",
        "PGREQUIREPEER": "somebody",
        "LC_ALL": "xx_XX.nonsense",
    }.items():
        monkeypatch.setenv(name, value)
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        assert data.ask(dsn, "SELECT current_user, current_database()") == [(ADMIN_ROLE, "postgres")]
    assert data.is_stopped()


def test_a_database_may_have_any_name(data: DataFolder) -> None:
    with acquire(data.path, []) as lease:
        admin = lease.server.dsn(ADMIN_ROLE, "postgres")
        for name in ("o'brien", "a/b?c=d&e#f", "50 %", "ümlaut"):
            data.ask(admin, f'CREATE DATABASE "{name}"')
            assert data.ask(lease.server.dsn(ADMIN_ROLE, name), "SELECT current_database()") == [(name,)]


@pytest.mark.parametrize("role", ["", 'a"b', "a b", "all\nlocal", "é", "x" * 64, "+group", "/^.*$"])
def test_a_role_that_could_mean_something_else_is_refused(data: DataFolder, role: str) -> None:
    with pytest.raises(ConfigurationError):
        acquire(data.path, [role])
    assert not data.path.exists()


def python_for(account: str, environment: dict[str, str]) -> str:
    """A Python of this version that the account can start; the one under test may lie in a closed folder."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for candidate in (sys.executable, shutil.which(version, path="/usr/bin:/usr/local/bin")):
        with suppress(PermissionError):
            command = [candidate or "", "-c", "import psycopg, memwarden.db.embedded"]
            if (
                candidate
                and not subprocess.run(
                    command, user=account, extra_groups=[], env=environment, cwd="/", capture_output=True
                ).returncode
            ):
                return candidate
    pytest.skip(f"no Python that {account} could run")


@only_root
def test_an_ordinary_account_runs_its_own_server(
    tmp_path: Path, data: DataFolder, environment: dict[str, str]
) -> None:
    entry = pwd.getpwnam("nobody")
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, entry.pw_uid, entry.pw_gid)
    acquire(data.path, []).release()  # opens the way through the folders above
    data.path = home / "data"
    python = python_for("nobody", environment)
    code = """
import sys, psycopg
from memwarden.db.embedded import acquire
with acquire(sys.argv[1], []) as lease:
    with psycopg.connect(lease.server.dsn("memwarden_admin", "postgres")) as connection:
        print(connection.execute("SELECT pg_read_file('pg_hba.conf')").fetchone()[0].splitlines()[-1])
    print(open(lease.server.data_dir / "postgres18" / "postmaster.pid").readline().strip())
"""
    result = subprocess.run(
        [python, "-c", code, str(data.path)],
        user=entry.pw_uid,
        group=entry.pw_gid,
        extra_groups=[],
        env=environment,
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert result.stderr == ""
    assert result.stdout.startswith("local all all peer map=memwarden\n")
    assert data.is_stopped()
    assert mode(data.path) == 0o700
    assert data.pgdata.stat().st_uid == entry.pw_uid
