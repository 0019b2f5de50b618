"""Ctrl-C and SIGTERM end a chat at once and in order: the embedded server does not stay behind."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest


def as_in_a_terminal() -> None:
    """Take SIGINT as a terminal's foreground process does, whatever the test runner was started with."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def postgres_of(folder: Path) -> list[int]:
    """Return the processes that work in a data folder."""
    found = []
    for process in psutil.process_iter(["name", "cwd"]):
        if process.info["name"] == "postgres" and str(process.info["cwd"] or "").startswith(str(folder)):
            found.append(process.pid)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_chat_that_waits_for_input(tmp_path: Path, number: signal.Signals) -> None:
    folder = tmp_path / "data"
    master, terminal = pty.openpty()
    command = [sys.executable, "-m", "memwarden.cli", "chat", "--tenant", "acme", "--user", "asha"]
    with subprocess.Popen(
        [*command, "--data-dir", str(folder)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        start_new_session=True,
        preexec_fn=as_in_a_terminal,
    ) as chat:
        seen = b""
        while b"you: " not in seen:
            seen += os.read(master, 1024)
        assert postgres_of(folder)
        # A signal that falls between the interpreter printing the prompt and its waiting for the answer is noticed
        # with the next one only; a person is slower than that.
        time.sleep(0.5)
        before = time.monotonic()
        os.kill(chat.pid, number)
        try:
            chat.wait(timeout=20)
        finally:
            chat.kill()
        assert time.monotonic() - before < 10
    os.close(terminal)
    os.close(master)
    assert chat.returncode in (1, 130, 143)
    assert postgres_of(folder) == []
