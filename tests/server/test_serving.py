"""The server as a process: started by the command, called over a socket, stopped by a signal."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.cli.conftest import run_memwarden
from tests.conftest import Addresses
from tests.server.conftest import ISSUER, Issuer, problem


@contextmanager
def served(*arguments: str, **environment: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run `memwarden serve` on a free port; yield the process and its address."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MEMWARDEN_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "memwarden.cli", "serve", "--port", "0", "--json", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=clean | environment,
    )
    try:
        assert process.stdout is not None
        yield process, json.loads(process.stdout.readline())["url"]
    finally:
        process.terminate()
        process.communicate(timeout=60)


def token(folder: Path, *arguments: str) -> str:
    done = run_memwarden(
        "token",
        "--tenant",
        "acme",
        "--user",
        "asha",
        *arguments,
        MEMWARDEN_KEYS_FILE=str(folder / "keys.json"),
    )
    assert done.code == 0, done.err
    return done.out.strip()


@pytest.mark.slow
def test_a_server_is_started_asked_and_stopped(addresses: Addresses, tmp_path: Path) -> None:
    keys = {"MEMWARDEN_KEYS_FILE": str(tmp_path / "keys.json")}
    shown = {"Authorization": f"Bearer {token(tmp_path)}"}
    with served("--url", addresses.app, **keys) as (process, url):
        assert url.startswith("http://127.0.0.1:")
        with httpx.Client(base_url=url) as client:
            assert client.get("/livez").status_code == 200
            problem(client.get("/readyz"), 401, "unauthenticated")
            assert client.get("/readyz", headers=shown).status_code == 200
            made = client.post("/v1/memories", json={"text": "I live in Pune"}, headers=shown)
            assert made.status_code in (200, 201)
            long = client.post("/v1/memories", content=b"x" * 2_000_000, headers=shown)
            problem(long, 413, "content-too-large")
            assert "server" not in made.headers
            # Another deployment's key is a stranger's.
            other = {"Authorization": f"Bearer {token(tmp_path / 'other')}"}
            problem(client.get("/v1/memories", headers=other), 401, "unauthenticated")
        host, port = url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port))) as raw:  # no HTTP at all
            raw.sendall(b"\x00\xff nonsense\r\n\r\n")
            assert b"400" in raw.recv(1000)
        with socket.create_connection((host, int(port))) as raw:  # a WebSocket, without a token
            raw.sendall(
                f"GET /v1/events HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            assert b"401" in raw.recv(1000)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert "Traceback" not in out + err
    for marker in ("Pune", "asha", "acme", shown["Authorization"].split(".")[2]):
        assert marker not in out + err
    lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert {"/livez", "/readyz", "/v1/memories", "unmatched"} <= {line["route"] for line in lines}


@pytest.mark.slow
def test_an_issuer_of_one_s_own_shuts_development_tokens_out(addresses: Addresses, tmp_path: Path) -> None:
    issuer = Issuer()
    published = tmp_path / "jwks.json"
    published.write_text(json.dumps({"keys": [issuer.public()]}))
    environment = {
        "MEMWARDEN_KEYS_FILE": str(tmp_path / "keys.json"),
        "MEMWARDEN_SERVER_ISSUER": ISSUER,
        "MEMWARDEN_SERVER_AUDIENCE": "memwarden-test",
        "MEMWARDEN_SERVER_JWKS_FILE": str(published),
        "MEMWARDEN_SERVER_TENANT_CLAIM": "https://example.org/tenant",
    }
    with served("--url", addresses.app, **environment) as (_, url), httpx.Client(base_url=url) as client:
        claims: dict[str, Any] = {"https://example.org/tenant": "acme"}
        good = issuer.token(None, **claims)
        assert client.get("/v1/memories", headers={"Authorization": f"Bearer {good}"}).status_code == 200
        for wrong in (token(tmp_path), issuer.token()):
            problem(
                client.get("/v1/memories", headers={"Authorization": f"Bearer {wrong}"}),
                401,
                "unauthenticated",
            )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "environment", "says"),
    [
        (["--host", "0.0.0.0"], {}, "127.0.0.1 alone"),
        (["--host", "192.0.2.1"], {}, "127.0.0.1 alone"),
        ([], {"MEMWARDEN_SERVER_ISSUER": "x"}, "MEMWARDEN_SERVER_AUDIENCE"),
        ([], {"MEMWARDEN_SERVER_AUDIENCE": "x"}, "MEMWARDEN_SERVER_ISSUER"),
        ([], {"MEMWARDEN_SERVER_ISSUER": "x", "MEMWARDEN_SERVER_AUDIENCE": "y"}, "MEMWARDEN_SERVER_JWKS_URL"),
        (
            [],
            {
                "MEMWARDEN_SERVER_ISSUER": "x",
                "MEMWARDEN_SERVER_AUDIENCE": "y",
                "MEMWARDEN_SERVER_JWKS_URL": "http://issuer.example/keys",
            },
            "https only",
        ),
        (
            [],
            {
                "MEMWARDEN_SERVER_ISSUER": "x",
                "MEMWARDEN_SERVER_AUDIENCE": "y",
                "MEMWARDEN_SERVER_JWKS_FILE": "/nowhere",
            },
            "cannot be read",
        ),
        (
            [],
            {
                "MEMWARDEN_SERVER_ISSUER": "x",
                "MEMWARDEN_SERVER_AUDIENCE": "y",
                "MEMWARDEN_SERVER_JWKS_FILE": "/nowhere",
                "MEMWARDEN_SERVER_ALGORITHMS": "RS256,HS256",
            },
            "MEMWARDEN_SERVER_ALGORITHMS",
        ),
        ([], {"MEMWARDEN_SERVER_ORIGINS": "*"}, "MEMWARDEN_SERVER_ORIGINS"),
        (
            ["--host", "0.0.0.0"],
            {
                "MEMWARDEN_SERVER_ISSUER": "x",
                "MEMWARDEN_SERVER_AUDIENCE": "y",
                "MEMWARDEN_SERVER_JWKS_FILE": "/n",
            },
            "MEMWARDEN_SERVER_HOSTS",
        ),
        ([], {"MEMWARDEN_SERVER_PORT": "many"}, "MEMWARDEN_SERVER_PORT"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    tmp_path: Path, arguments: list[str], environment: dict[str, str], says: str
) -> None:
    port = [] if "MEMWARDEN_SERVER_PORT" in environment else ["--port", "0"]
    done = run_memwarden("serve", "--data-dir", str(tmp_path / "data"), *port, *arguments, **environment)
    assert (done.code, done.out) == (1, ""), done.err
    assert says in done.err
    assert done.err.startswith("memwarden: ")
    assert done.err.count("\n") == 1


@pytest.mark.slow
def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run_memwarden("serve", "--data-dir", str(tmp_path / "data"), "--port", port)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "choose another" in done.err


@pytest.mark.slow
def test_the_development_key_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    first, second = (
        token(tmp_path),
        token(tmp_path, "--role", "auditor", "--role", "service", "--act-for", "x"),
    )
    assert first.split(".")[0] == second.split(".")[0]
    kept = tmp_path / "development-key.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    keys = {"MEMWARDEN_KEYS_FILE": str(tmp_path / "keys.json")}
    kept.chmod(0o644)
    for damage, says in (
        (None, "read by others"),
        ("{}", "damaged"),
        ('{"kty": "oct", "k": "AAAA"}', "damaged"),
    ):
        if damage is not None:
            kept.write_text(damage)
            kept.chmod(0o600)
        done = run_memwarden("token", "--tenant", "acme", "--user", "asha", **keys)
        assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
        assert says in done.err
    kept.unlink()
    for arguments in (["--role", "root"], ["--minutes", "1441"], ["--minutes", "0"]):
        assert run_memwarden("token", "--tenant", "a", "--user", "b", *arguments, **keys).code == 2
    reserved = run_memwarden(
        "token", "--tenant", "a", "--user", "memwarden:tenant", MEMWARDEN_KEYS_FILE=str(tmp_path / "n" / "k")
    )
    assert reserved.code == 1


@pytest.mark.slow
def test_a_token_may_be_issued_before_the_embedded_server_has_its_folder(tmp_path: Path) -> None:
    # Fails when the embedded PostgreSQL takes the key in its folder for somebody else's file.
    folder = tmp_path / "data"
    done = run_memwarden(
        "token",
        "--tenant",
        "acme",
        "--user",
        "asha",
        "--data-dir",
        str(folder),
        MEMWARDEN_KEYS_FILE=str(folder / "keys.json"),
    )
    assert done.code == 0
    with (
        served("--data-dir", str(folder)) as (_, url),
        httpx.Client(base_url=url, headers={"Authorization": f"Bearer {done.out.strip()}"}) as client,
    ):
        assert client.get("/v1/memories").status_code == 200
