"""The embedded PostgreSQL: a real server from a Python wheel, shared by all processes of one account.

Every user of the server holds a lease, a shared lock on a file, which the kernel takes back when the process
dies. Whoever leaves last stops the server. Starts and stops wait for one another on a second file.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from memwarden.db.file_lock import exclusive_lock, hold_shared, is_free
from memwarden.db.server_account import make_reachable, server_account
from memwarden.db.server_config import socket_uri
from memwarden.db.server_process import (
    ADMIN_ROLE,
    LAYOUT,
    LINGER_SECONDS,
    START_SECONDS,
    Cluster,
    ServerState,
)
from memwarden.db.server_programs import POSTGRES_MAJOR
from memwarden.errors import ConfigurationError, EmbeddedServerError

__all__ = ["ADMIN_ROLE", "EmbeddedServer", "Lease", "acquire", "embedded_server"]

_START_LOCK = "start.lock"
_LEASES = "leases.lock"
_LOCK_SECONDS = START_SECONDS + 30
_POLL_SECONDS = 0.02
_IGNORED = frozenset({"keys.json", "development-key.json", ".DS_Store", "lost+found"})
_ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """A running embedded PostgreSQL; usable as long as the lease it came with is held."""

    data_dir: Path
    socket_folder: Path
    account: str
    """The name of the operating system's account the server runs under."""

    def dsn(self, role: str, dbname: str) -> str:
        """Return the URI with which this account connects to a database as one of the agreed roles."""
        return socket_uri(self.socket_folder, self.account, role, dbname)


class Lease:
    """The right to use the embedded server; give it back with `release`, or use it in a `with`."""

    __slots__ = ("_cluster", "_descriptor", "server")

    def __init__(self, server: EmbeddedServer, cluster: Cluster, descriptor: int) -> None:
        self.server = server
        self._cluster = cluster
        self._descriptor: int | None = descriptor

    def release(self) -> None:
        """Give the lease back and stop the server if nobody else holds one; further calls do nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is None:
            return
        folder = self._cluster.data_dir
        # Closed, not unlocked: a forked child that still uses the server keeps the lease.
        os.close(descriptor)
        with _explained(folder), exclusive_lock(folder / _START_LOCK, _LOCK_SECONDS):
            if is_free(folder / _LEASES):
                self._cluster.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def acquire(data_dir: str | Path, roles: Sequence[str]) -> Lease:
    """Join the embedded server of this folder, setting it up and starting it as needed; blocks meanwhile.

    `roles` are the database roles that the account of this process may connect as, besides ADMIN_ROLE. The
    server knows no other way in: no password, no network, no other account.
    """
    if sys.platform == "win32":
        raise EmbeddedServerError(
            "The embedded PostgreSQL needs Linux or macOS; give the URL of a PostgreSQL server instead."
        )
    wanted = frozenset((ADMIN_ROLE, *roles))
    for role in wanted:
        if not _ROLE.fullmatch(role):
            raise ConfigurationError(
                f"{role!r} cannot be a database role here: use a-z, 0-9 and _, at most 63."
            )
    if not str(data_dir).isprintable():
        raise EmbeddedServerError("The path of the data folder holds control characters; choose another.")
    folder = Path(os.path.realpath(os.path.expanduser(data_dir)))  # noqa: PTH111 - Path.expanduser raises
    with _explained(folder):
        cluster = Cluster(folder, server_account())
        with _prepared(cluster), exclusive_lock(folder / _START_LOCK, _LOCK_SECONDS), _tidied(cluster):
            _ensure_running(cluster, wanted)
            return _lease(cluster)


def _lease(cluster: Cluster) -> Lease:
    socket = cluster.running_socket_folder()
    if socket is None:
        raise EmbeddedServerError(
            f"The embedded PostgreSQL in {cluster.data_dir} has just stopped; try again."
        )
    descriptor = hold_shared(cluster.data_dir / _LEASES, LINGER_SECONDS)
    return Lease(EmbeddedServer(cluster.data_dir, socket, cluster.account.name), cluster, descriptor)


def _ensure_running(cluster: Cluster, roles: frozenset[str]) -> None:
    if not cluster.pgdata.exists():
        # A set-up whose program was killed goes on by itself for a moment.
        if not cluster.wait_until_gone(LINGER_SECONDS):
            raise EmbeddedServerError(
                f"Another set-up of {cluster.data_dir} does not end; end the processes named initdb or postgres "
                "that use it."
            )
        cluster.create()
    deadline = time.monotonic() + START_SECONDS
    while (state := cluster.state()) in (ServerState.BUSY, ServerState.SILENT):
        if time.monotonic() > deadline:
            raise EmbeddedServerError(
                f"The embedded PostgreSQL in {cluster.data_dir} is at work but accepted no connection for "
                f"{START_SECONDS:.0f} seconds; try again later, or end the processes that use {cluster.pgdata}."
            )
        time.sleep(_POLL_SECONDS)
    if state is ServerState.READY:
        cluster.allow(roles)
    else:
        cluster.start(roles)


@contextmanager
def _prepared(cluster: Cluster) -> Iterator[None]:
    """Make the data folder if need be, and take it away again if what follows fails before it holds data."""
    folder = cluster.data_dir
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    if not missing:
        _check(cluster)
    try:
        if missing:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_reachable(folder, cluster.account)
        present = folder.stat().st_mode & 0o7777
        # Closed to others, but a folder its owner made read-only is left so.
        mode = (present & 0o700) | (0o011 if cluster.account.is_separate else 0)
        if present != mode:
            folder.chmod(mode)
        yield
    except BaseException:
        for path in missing:
            with suppress(OSError):  # not empty: it holds data, or another process came in
                path.rmdir()
        raise


@contextmanager
def _tidied(cluster: Cluster) -> Iterator[None]:
    """Check the folder again now that it is ours alone, and leave nothing in it when the set-up fails."""
    try:
        _check(cluster)
        yield
    except BaseException:
        if not cluster.pgdata.exists():
            for path in (cluster.alive_lock, cluster.startup_log, cluster.data_dir / _START_LOCK):
                with suppress(OSError):
                    path.unlink()
        raise


def _check(cluster: Cluster) -> None:
    """Refuse a data folder that is somebody else's, another version's, or holds other things."""
    folder = cluster.data_dir
    if folder.stat().st_uid != os.geteuid():
        raise EmbeddedServerError(
            f"{folder} belongs to another account; choose another data folder, such as a new one inside it."
        )
    names = {path.name for path in folder.iterdir()}
    if cluster.pgdata.name in names:
        _check_version(cluster)
        return
    for name in sorted(names):
        if re.fullmatch(r"postgres[0-9]+", name):
            raise EmbeddedServerError(
                f"{folder} was made with PostgreSQL {name[8:]} and this Memwarden runs {POSTGRES_MAJOR}; use the "
                "version of Memwarden that made it, or choose another data folder."
            )
    known = {path.name for path in (cluster.alive_lock, cluster.startup_log)}
    known |= {_START_LOCK, _LEASES, "socket", f"{cluster.pgdata.name}.new"}
    if foreign := names - known - _IGNORED:
        raise EmbeddedServerError(
            f"{folder} holds other files, such as {min(foreign)!r}; choose an empty or a new data folder."
        )


def _check_version(cluster: Cluster) -> None:
    try:
        layout = (cluster.pgdata / "memwarden.layout").read_text(encoding="ascii").strip()
        version = (cluster.pgdata / "PG_VERSION").read_text(encoding="ascii").strip()
    except (FileNotFoundError, NotADirectoryError, UnicodeDecodeError) as error:
        raise EmbeddedServerError(
            f"{cluster.pgdata} was not made by Memwarden or is damaged; restore it from a backup, or choose "
            "another data folder."
        ) from error
    if (layout, version) != (LAYOUT, str(POSTGRES_MAJOR)):
        raise EmbeddedServerError(
            f"{cluster.data_dir} was made by another version (PostgreSQL {version}, layout {layout}; this one has "
            f"{POSTGRES_MAJOR}, {LAYOUT}); use that version of Memwarden, or choose another data folder."
        )


_REASONS = {
    errno.ENOSPC: "the disk is full; free some space and try again",
    errno.EDQUOT: "the disk quota is used up; free some space and try again",
    errno.EROFS: "the file system is read-only; choose a data folder that can be written",
    errno.EACCES: "permission is missing; choose a data folder that this account may write",
    errno.EPERM: "permission is missing; choose a data folder that this account may write",
    errno.ENOTDIR: "a file stands where a folder is needed; remove it or choose another data folder",
    errno.EEXIST: "a file stands where a folder is needed; remove it or choose another data folder",
    errno.ENAMETOOLONG: "the path is too long; choose a shorter one",
    errno.ENOENT: "the folder has vanished; was it removed while in use? Try again",
    errno.ELOOP: "a symbolic link leads nowhere; choose a real folder",
}


@contextmanager
def _explained(folder: Path) -> Iterator[None]:
    """Turn what the operating system says into an error that says what to do next."""
    try:
        yield
    except TimeoutError as error:
        raise EmbeddedServerError(
            f"Another process has been starting or stopping the embedded PostgreSQL in {folder} for "
            f"{_LOCK_SECONDS:.0f} seconds; end it if it hangs, and try again."
        ) from error
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, f"{error.strerror or error}; check the folder and try again")
        raise EmbeddedServerError(f"The data folder {folder} cannot be used: {reason}.") from error


@asynccontextmanager
async def embedded_server(data_dir: str | Path, roles: Sequence[str]) -> AsyncIterator[EmbeddedServer]:
    """Use the embedded server of this folder for the length of an `async with`; see `acquire`."""
    joining = asyncio.ensure_future(asyncio.to_thread(acquire, data_dir, roles))
    try:
        lease = await asyncio.shield(joining)
    except asyncio.CancelledError:
        # A thread cannot be cancelled: it is seen through, and what it took is given back.
        await asyncio.wait([joining])
        if joining.exception() is None:
            await asyncio.to_thread(joining.result().release)
        raise
    try:
        yield lease.server
    finally:
        leaving = asyncio.ensure_future(asyncio.to_thread(lease.release))
        try:
            await asyncio.shield(leaving)
        except asyncio.CancelledError:
            await asyncio.wait([leaving])
            raise
