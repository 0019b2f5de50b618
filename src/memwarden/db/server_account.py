"""The operating system's side of the embedded server: its account, its folders and who may enter them."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from memwarden.errors import EmbeddedServerError

ROOTS_SERVER_ACCOUNT = "pgserver"
"""PostgreSQL refuses to run as root, so a server started by root runs under this account."""

SOCKET_NAME = ".s.PGSQL.5432"
_SOCKET_PATH_LIMIT = 103  # bytes; macOS allows 103 and Linux 107, one limit keeps behaviour the same
_PLAIN_PATH = re.compile(r"[A-Za-z0-9/._ -]+")  # libpq splits a host at commas and knows no escape for them

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ServerAccount:
    """The account PostgreSQL runs under, and the name of the one this process runs under."""

    name: str
    uid: int
    gid: int
    client_name: str
    """The only account the server lets in."""

    @property
    def is_separate(self) -> bool:
        """Whether the server runs under another account than this process: only when that is root."""
        return self.uid != os.geteuid()

    def run(
        self,
        command: Sequence[str],
        *,
        pgdata: Path | None = None,
        output: IO[bytes] | int = subprocess.PIPE,
        inherited: Sequence[int] = (),
    ) -> subprocess.CompletedProcess[bytes]:
        """Run one of PostgreSQL's programs under this account, away from our terminal and pipes."""
        # PG* variables of the caller (PGPORT, PGDATA, ...) would change what the programs do.
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PG", "LC_", "LANG"))}
        environment["LC_ALL"] = "C"
        if pgdata is not None:
            environment["PGDATA"] = str(pgdata)
        try:
            return subprocess.run(  # noqa: S603 - programs of our own wheel, and no shell
                command,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                pass_fds=inherited,
                env=environment,
                cwd="/",
                umask=0o077,
                start_new_session=True,
                user=self.uid if self.is_separate else None,
                group=self.gid if self.is_separate else None,
                extra_groups=[] if self.is_separate else None,
            )
        except PermissionError as error:
            raise EmbeddedServerError(
                f"{command[0]} may not be run under the account {self.name!r}; allow it, or give the URL of a "
                "PostgreSQL server."
            ) from error


def server_account() -> ServerAccount:
    """Return the account for the server: this process's own, or a separate one when that is root."""
    import pwd  # absent on Windows, where this module must still be importable

    try:
        own = pwd.getpwuid(os.geteuid())
    except KeyError as error:
        raise EmbeddedServerError(
            f"The user id {os.geteuid()} of this process has no name in the account database, which PostgreSQL "
            "needs; add it to /etc/passwd or give the URL of a PostgreSQL server."
        ) from error
    if own.pw_uid != 0:
        return ServerAccount(own.pw_name, own.pw_uid, own.pw_gid, own.pw_name)
    try:
        entry = pwd.getpwnam(ROOTS_SERVER_ACCOUNT)
    except KeyError:
        _create_server_account()
        try:
            entry = pwd.getpwnam(ROOTS_SERVER_ACCOUNT)
        except KeyError as error:
            raise EmbeddedServerError(_NO_ACCOUNT) from error
    return ServerAccount(entry.pw_name, entry.pw_uid, entry.pw_gid, own.pw_name)


_NO_ACCOUNT = (
    f"PostgreSQL cannot run as root and the account {ROOTS_SERVER_ACCOUNT!r} for it could not be created; "
    f"run `useradd --system {ROOTS_SERVER_ACCOUNT}`, or start Memwarden as an ordinary user."
)


def _create_server_account() -> None:
    program = shutil.which(
        "useradd", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin{os.pathsep}/sbin"
    )
    if program is None:
        raise EmbeddedServerError(_NO_ACCOUNT)
    # Its failure is not looked at: another process may have created the account meanwhile, the caller looks.
    subprocess.run(  # noqa: S603 - fixed arguments, and no shell
        [
            program,
            "--system",
            "--user-group",
            "--no-create-home",
            "--shell",
            "/sbin/nologin",
            ROOTS_SERVER_ACCOUNT,
        ],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
    )


def make_reachable(path: Path, account: ServerAccount) -> None:
    """Let the server's account pass through the folders above `path`; changes only folders of root."""
    if not account.is_separate:
        return
    for folder in reversed(path.parents):
        status = folder.stat()
        if _may(status, account, read=False):
            continue
        if status.st_uid != 0:
            raise EmbeddedServerError(
                f"The account {account.name!r} that runs PostgreSQL cannot pass through {folder}; allow it with "
                f"`chmod o+x {folder}`, or choose another data folder."
            )
        folder.chmod(stat.S_IMODE(status.st_mode) | stat.S_IXOTH)
        _log.warning(
            "allowed all accounts to pass through %s (o+x), as PostgreSQL runs as %s", folder, account.name
        )


def make_readable(tree: Path, account: ServerAccount) -> None:
    """Let the server's account read the files of the PostgreSQL installation; changes only files of root."""
    make_reachable(tree, account)
    if not account.is_separate:
        return
    changed = 0
    for path in _walk(tree):
        status = path.stat()
        if _may(status, account, read=True):
            continue
        if status.st_uid != 0:
            raise EmbeddedServerError(
                f"The account {account.name!r} that runs PostgreSQL cannot read {path}; allow it with "
                f"`chmod -R o+rX {tree}`."
            )
        executable = stat.S_IXOTH if status.st_mode & stat.S_IXUSR else 0
        path.chmod(stat.S_IMODE(status.st_mode) | stat.S_IROTH | executable)
        changed += 1
    if changed:
        _log.warning("allowed all accounts to read %d files of PostgreSQL in %s (o+rX)", changed, tree)


def _walk(tree: Path) -> Iterator[Path]:
    yield tree
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            path = Path(folder, name)
            if not path.is_symlink():
                yield path


def _may(status: os.stat_result, account: ServerAccount, *, read: bool) -> bool:
    """Tell whether the account may pass a folder or, with `read`, read a file or folder wholly."""
    needed = stat.S_IROTH if read else 0
    if stat.S_ISDIR(status.st_mode) or status.st_mode & stat.S_IXUSR:
        needed |= stat.S_IXOTH
    if status.st_uid == account.uid:
        needed <<= 6
    elif status.st_gid == account.gid:
        needed <<= 3
    return status.st_mode & needed == needed


def private_folder(path: Path, account: ServerAccount) -> None:
    """Make a folder only the server's account may enter, or accept one that is already exactly that."""
    with suppress(FileExistsError):
        path.mkdir(mode=0o700)
    try:
        # Through a descriptor, so that nobody can swap the folder between the look and the change.
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise EmbeddedServerError(_not_ours(path)) from error
    try:
        owner = os.fstat(descriptor).st_uid
        if owner not in (account.uid, os.geteuid()):
            raise EmbeddedServerError(_not_ours(path))
        if owner != account.uid:
            os.fchown(descriptor, account.uid, account.gid)
        os.fchmod(descriptor, 0o700)
    finally:
        os.close(descriptor)


def _not_ours(path: Path) -> str:
    return f"{path} exists and is not a folder of this account; remove it or choose another data folder."


def socket_folder(data_dir: Path, account: ServerAccount) -> Path:
    """Create and return the private folder of the server's socket, short enough for the operating system."""
    inside = data_dir / "socket"
    if _fits(inside):
        private_folder(inside, account)
        return inside
    name = f"memwarden-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"
    # The runtime folder of root is closed to the server's account, so root uses the temporary folder.
    runtime = None if account.is_separate else os.environ.get("XDG_RUNTIME_DIR")
    for base in (runtime, tempfile.gettempdir(), "/tmp"):  # noqa: S108 - checked by _is_safe_base
        if base is None:
            continue
        folder = Path(os.path.realpath(base)) / name
        if _fits(folder) and _is_safe_base(folder.parent):
            make_reachable(folder, account)
            private_folder(folder, account)
            return folder
    raise EmbeddedServerError(
        f"No folder is short and safe enough for the socket of PostgreSQL: the path of {data_dir} is too long or "
        "unusual, and so is that of the temporary folder; choose a shorter data folder or set TMPDIR."
    )


def _fits(folder: Path) -> bool:
    path = str(folder / SOCKET_NAME)
    return _PLAIN_PATH.fullmatch(path) is not None and len(path) <= _SOCKET_PATH_LIMIT


def _is_safe_base(base: Path) -> bool:
    """Tell whether no other account could replace a folder of ours in this folder."""
    try:
        status = base.stat()
    except OSError:
        return False
    shared = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return status.st_uid in (0, os.geteuid()) and (not shared or bool(status.st_mode & stat.S_ISVTX))
