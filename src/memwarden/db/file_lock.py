"""Advisory locks on files (flock): the kernel gives them back when a process dies, however it dies."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_POLL_SECONDS = 0.02


def open_lock_file(path: Path) -> int:
    """Open, or create for this account alone, the file of a lock and return its descriptor."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def try_lock(descriptor: int, *, exclusive: bool) -> bool:
    """Take the lock if nobody holds one in the way, and tell whether it was taken; never waits."""
    import fcntl  # absent on Windows, where this module must still be importable

    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def hold_shared(path: Path, timeout: float) -> int:
    """Take a share of the lock of this file and return the descriptor that holds it while it is open."""
    deadline = time.monotonic() + timeout
    descriptor = open_lock_file(path)
    while not try_lock(descriptor, exclusive=False):
        if time.monotonic() > deadline:
            os.close(descriptor)
            raise TimeoutError(path)
        time.sleep(_POLL_SECONDS)
    return descriptor


def unlock(descriptor: int) -> None:
    """Give the lock back for every process that inherited this descriptor, and close it here."""
    import fcntl

    # Without LOCK_UN a child forked by another thread meanwhile would hold the lock for its whole life.
    with suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    os.close(descriptor)


def is_free(path: Path) -> bool:
    """Tell whether no process holds the lock of this file."""
    descriptor = open_lock_file(path)
    try:
        return try_lock(descriptor, exclusive=True)
    finally:
        os.close(descriptor)


@contextmanager
def exclusive_lock(path: Path, timeout: float) -> Iterator[None]:
    """Hold the only lock of this file; raises TimeoutError when others keep it for `timeout` seconds."""
    deadline = time.monotonic() + timeout
    descriptor = _lock_current_file(path, deadline)
    while descriptor is None:
        if time.monotonic() >= deadline:
            raise TimeoutError(path)
        time.sleep(_POLL_SECONDS)
        descriptor = _lock_current_file(path, deadline)
    try:
        yield
    finally:
        unlock(descriptor)


def _lock_current_file(path: Path, deadline: float) -> int | None:
    """Lock the file that carries the name now, or return None when it is held or was replaced."""
    descriptor = open_lock_file(path)
    locked = False
    try:
        while not (locked := try_lock(descriptor, exclusive=True)) and time.monotonic() < deadline:
            time.sleep(_POLL_SECONDS)
        # A holder that failed may have removed the file: a lock on a nameless file excludes nobody.
        locked = locked and _is_named(descriptor, path)
    finally:
        if not locked:
            os.close(descriptor)
    return descriptor if locked else None


def _is_named(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat(follow_symlinks=False))
    except FileNotFoundError:
        return False
