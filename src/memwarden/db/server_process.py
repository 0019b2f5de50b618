"""One PostgreSQL cluster on disk and its process: made, started, looked at, stopped."""

from __future__ import annotations

import errno
import logging
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import LiteralString

from memwarden.db import server_config
from memwarden.db.file_lock import hold_shared, is_free
from memwarden.db.server_account import (
    SOCKET_NAME,
    ServerAccount,
    make_readable,
    private_folder,
    socket_folder,
)
from memwarden.db.server_programs import POSTGRES_MAJOR, installation, program
from memwarden.errors import EmbeddedServerError

LAYOUT = "1"
"""The arrangement of files in the data folder; a change that older versions cannot read counts it up."""

ADMIN_ROLE = "memwarden_admin"
"""The superuser of the embedded server."""

START_SECONDS = 120.0
"""How long a start may take; crash recovery after much writing takes its time."""

STOP_SECONDS = 60

LINGER_SECONDS = 30.0
"""How long processes may live on after their server has ended."""

_POLL_SECONDS = 0.02
_PING_SECONDS = 3
_LOG_BYTES = 8 << 20
_LOG_SECONDS = 6 * 86400

_log = logging.getLogger(__name__)


class ServerState(Enum):
    """What can be said of the server from outside."""

    READY = "accepts connections"
    BUSY = "answers, but accepts no connection now"
    SILENT = "some process of it lives, but none answers"
    GONE = "no process of it lives"


@dataclass(frozen=True, slots=True)
class Cluster:
    """The PostgreSQL cluster of a data folder; its callers hold the folder's start lock."""

    data_dir: Path
    account: ServerAccount

    @property
    def pgdata(self) -> Path:
        """The folder PostgreSQL knows as its data directory."""
        return self.data_dir / f"postgres{POSTGRES_MAJOR}"

    @property
    def alive_lock(self) -> Path:
        """The file whose lock every process of the server inherits and so holds until the last has ended."""
        return self.data_dir / "alive.lock"

    @property
    def startup_log(self) -> Path:
        """What the server said before its own log files were open."""
        return self.data_dir / "startup.log"

    def create(self) -> None:
        """Make the cluster under another name and give it its own only when it is complete."""
        unfinished = self.data_dir / f"{self.pgdata.name}.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        make_readable(installation(), self.account)
        private_folder(unfinished, self.account)
        try:
            self._initdb(unfinished)
            self._write(unfinished / "memwarden.layout", f"{LAYOUT}\n")
            main = unfinished / "postgresql.conf"
            self._write(main, f"{main.read_text(encoding='utf-8')}\ninclude = 'memwarden.conf'\n")
            unfinished.rename(self.pgdata)
        except BaseException:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise
        _sync_folder(self.data_dir)

    def _initdb(self, target: Path) -> None:
        command = [
            program("initdb"),
            f"--pgdata={target}",
            f"--username={ADMIN_ROLE}",
            "--encoding=UTF8",
            "--locale-provider=builtin",
            "--locale=C.UTF-8",
            "--data-checksums",
            "--no-instructions",
            "--auth=peer",
        ]
        descriptor = hold_shared(self.alive_lock, _PING_SECONDS)
        try:
            result = self.account.run(command, inherited=[descriptor])
        finally:
            os.close(descriptor)
        if result.returncode != 0:
            text = result.stdout.decode(errors="replace")
            raise self._failure("could not be set up", text) from subprocess.CalledProcessError(
                result.returncode, "initdb", text
            )

    def start(self, roles: Iterable[str]) -> None:
        """Start the server that is known to be gone, and wait until it accepts connections."""
        make_readable(installation(), self.account)
        sockets = socket_folder(self.data_dir, self.account)
        self._write(self.pgdata / "memwarden.conf", server_config.settings(sockets))
        self._write(self.pgdata / "pg_hba.conf", server_config.AUTHENTICATION)
        self._write(self.pgdata / "pg_ident.conf", server_config.ident_map(self.account.client_name, roles))
        # PostgreSQL itself would take a process that has the number in these files today for a living server.
        for stale in (self.pgdata / "postmaster.pid", sockets / f"{SOCKET_NAME}.lock", sockets / SOCKET_NAME):
            stale.unlink(missing_ok=True)
        self._drop_old_logs()
        already_logged = {path: path.stat().st_size for path in self._logs()}
        command = [program("pg_ctl"), "start", "--no-wait", "--silent"]
        descriptor = hold_shared(self.alive_lock, _PING_SECONDS)
        try:
            self.startup_log.touch(mode=0o600)
            with self.startup_log.open("wb") as log:
                # Not as an argument: pg_ctl would hand the path to a shell, which reads more into a $ or a quote.
                self.account.run(command, pgdata=self.pgdata, output=log, inherited=[descriptor])
        finally:
            os.close(descriptor)
        self._wait_until_ready(already_logged)

    def _wait_until_ready(self, already_logged: Mapping[Path, int]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while (state := self.state()) is not ServerState.READY:
            if state is ServerState.GONE:
                raise self._failure("did not start", self._logged_since(already_logged))
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"The embedded PostgreSQL in {self.data_dir} was started but is not ready after "
                    f"{START_SECONDS:.0f} seconds, perhaps still recovering; try again later."
                )
            time.sleep(_POLL_SECONDS)

    def state(self) -> ServerState:
        """Look at the server by connecting to it, and at the lock its processes hold."""
        from psycopg.pq import PGconn, Ping

        folder = self.running_socket_folder()
        answer = Ping.NO_ATTEMPT if folder is None else PGconn.ping(self._admin_uri(folder).encode())
        if answer == Ping.OK:
            return ServerState.READY
        if answer == Ping.REJECT:  # starting, recovering or stopping
            return ServerState.BUSY
        return ServerState.GONE if is_free(self.alive_lock) else ServerState.SILENT

    def running_socket_folder(self) -> Path | None:
        """Return the folder of the socket that the server of this folder opened, if it left word of it."""
        try:
            lines = os.fsdecode((self.pgdata / "postmaster.pid").read_bytes()).splitlines()
        except FileNotFoundError:
            return None
        # Line 2 names the data directory: in a copied folder it is that of another server.
        if len(lines) < 5 or lines[1] != str(self.pgdata) or not lines[4]:
            return None
        return Path(lines[4])

    def allow(self, roles: frozenset[str]) -> None:
        """Let further roles in on the running server."""
        path = self.pgdata / "pg_ident.conf"
        present = server_config.mapped_roles(path.read_text(encoding="utf-8"))
        if roles <= present:
            return
        self._write(path, server_config.ident_map(self.account.client_name, present | roles))
        self._reload()

    def _reload(self) -> None:
        import psycopg

        folder = self.running_socket_folder()
        if folder is None:
            raise EmbeddedServerError(
                f"The embedded PostgreSQL in {self.data_dir} has just stopped; try again."
            )
        uri = self._admin_uri(folder)
        deadline = time.monotonic() + _PING_SECONDS
        try:
            loaded = _ask(uri, "SELECT pg_conf_load_time() FROM pg_reload_conf()")
            # A connection shows the configuration that was loaded when it was made.
            while _ask(uri, "SELECT pg_conf_load_time()") == loaded:
                if time.monotonic() > deadline:
                    raise TimeoutError(errno.ETIMEDOUT, "configuration not loaded")
                time.sleep(_POLL_SECONDS)
        except (psycopg.Error, TimeoutError) as error:
            raise EmbeddedServerError(
                f"The embedded PostgreSQL in {self.data_dir} could not take up its changed configuration; "
                "stop the programs that use it and try again."
            ) from error

    def stop(self) -> None:
        """Stop the server if it lives, and wait until the last of its processes has ended."""
        deadline = time.monotonic() + LINGER_SECONDS
        while (state := self.state()) is not ServerState.GONE:
            folder = self.running_socket_folder()
            if folder is not None and state is not ServerState.SILENT:
                # pg_ctl signals the process whose number a file names: it must be the one that answers.
                if not self._is_numbered_here(folder):
                    _log.warning(
                        "the PostgreSQL of %s runs in another container: left running", self.data_dir
                    )
                    return
                self._pg_ctl_stop()
                if folder.parent != self.data_dir:
                    with suppress(OSError):
                        folder.rmdir()
            if time.monotonic() > deadline:
                raise EmbeddedServerError(
                    f"The embedded PostgreSQL in {self.data_dir} did not end; end the processes that still use "
                    f"{self.pgdata}."
                )
            time.sleep(_POLL_SECONDS)

    def _pg_ctl_stop(self) -> None:
        command = [
            program("pg_ctl"),
            "stop",
            "--mode=fast",
            "--wait",
            f"--timeout={STOP_SECONDS}",
            "--silent",
        ]
        result = self.account.run(command, pgdata=self.pgdata)
        if result.returncode != 0 and self.state() in (ServerState.READY, ServerState.BUSY):
            text = result.stdout.decode(errors="replace")
            raise self._failure("did not stop", text) from subprocess.CalledProcessError(
                result.returncode, "pg_ctl stop", text
            )

    def _is_numbered_here(self, folder: Path) -> bool:
        """Tell whether the server that answers has, for this process, the number in its file."""
        if sys.platform != "linux":
            return True
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(_PING_SECONDS)
            connection.connect(str(folder / SOCKET_NAME))
            credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        number, _, _ = struct.unpack("3i", credentials)
        return str(number).encode() == (self.pgdata / "postmaster.pid").read_bytes().split(b"\n", 1)[0]

    def wait_until_gone(self, seconds: float) -> bool:
        """Wait for the last process of the server, or of an interrupted set-up, and tell whether it ended."""
        deadline = time.monotonic() + seconds
        while not (gone := is_free(self.alive_lock)) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        return gone

    def _admin_uri(self, folder: Path) -> str:
        uri = server_config.socket_uri(folder, self.account.name, ADMIN_ROLE, "postgres")
        return f"{uri}&connect_timeout={_PING_SECONDS}"

    def _write(self, path: Path, text: str) -> None:
        """Replace a file of the cluster in one step, owned by the server's account."""
        # Exclusively created and renamed: a link that the server's account left here is never followed.
        temporary = path.with_name(f"{path.name}.tmp")
        temporary.unlink(missing_ok=True)
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            if self.account.is_separate:
                os.fchown(descriptor, self.account.uid, self.account.gid)
            os.fsync(descriptor)
        temporary.rename(path)

    def _logs(self) -> list[Path]:
        return [*(self.pgdata / "log").glob("*.log")]

    def _drop_old_logs(self) -> None:
        # The server empties a log only when it runs at midnight; many short runs would add up for ever.
        for path in self._logs():
            status = path.stat()
            if status.st_size > _LOG_BYTES or status.st_mtime < time.time() - _LOG_SECONDS:
                path.unlink()

    def _logged_since(self, already_logged: Mapping[Path, int]) -> str:
        """Return what a start that failed has written; it holds no remembered content."""
        texts = [_read_from(path, already_logged.get(path, 0)) for path in self._logs()]
        return "\n".join([_read_from(self.startup_log, 0), *texts])

    def _failure(self, what: str, text: str) -> EmbeddedServerError:
        start = f"The embedded PostgreSQL in {self.data_dir} {what}: "
        if "No space left on device" in text or shutil.disk_usage(self.data_dir).free < 1 << 20:
            return EmbeddedServerError(f"{start}the disk is full; free some space and try again.")
        if "pre-existing shared memory block" in text or "lock file" in text:
            return EmbeddedServerError(
                f"{start}processes of an earlier server are still at work there; end them and try again."
            )
        reasons = re.findall(r"(?:FATAL|PANIC|error|initdb|pg_ctl): +(.+)", text)
        reason = reasons[-1].rstrip(".") if reasons else "it gave no reason"
        return EmbeddedServerError(f"{start}{reason}; see {self.startup_log} and {self.pgdata / 'log'}.")


def _ask(uri: str, query: LiteralString) -> object:
    import psycopg

    with psycopg.connect(uri, autocommit=True) as connection:
        return connection.execute(query).fetchone()


def _read_from(path: Path, position: int) -> str:
    with path.open("rb") as file:
        file.seek(position)
        return file.read(1 << 16).decode(errors="replace")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
