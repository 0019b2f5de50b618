"""An application on the real database, an issuer with keys of its own, and clients that call it."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from joserfc import jwt
from joserfc.jwk import ECKey, Key, OctKey, OKPKey

from memwarden import Memwarden
from memwarden.server.app import create_app
from memwarden.server.key_set import FixedKeys
from memwarden.server.options import ServerOptions
from memwarden.server.running import server_log
from memwarden.server.token_rules import TokenRules
from memwarden.server.tokens import TokenVerifier

ISSUER, AUDIENCE = "https://issuer.example", "memwarden-test"
RULES = TokenRules(ISSUER, AUDIENCE, ("ES256", "Ed25519"))
HOST = "http://localhost"


@dataclass(frozen=True)
class Issuer:
    """Issues tokens; ``key`` signs them, and is published under ``key_id``."""

    key: Key = field(default_factory=lambda: OKPKey.generate_key("Ed25519"))
    key_id: str = "first"
    algorithm: str = "Ed25519"

    def public(self) -> dict[str, Any]:
        """Return the public key as it is published."""
        return {**self.key.as_dict(private=False), "kid": self.key_id}

    def verifying(self) -> Key:
        """Return the public key alone."""
        return type(self.key).import_key(self.public())

    def pem(self) -> bytes:
        """Return the public key as text, as many applications keep it."""
        key = self.verifying()
        assert not isinstance(key, OctKey)
        return key.as_pem(private=False)

    def token(self, header: Mapping[str, Any] | None = None, **claims: Any) -> str:
        """Return a token that is good for five minutes, but for what ``claims`` and ``header`` say otherwise."""
        now = int(datetime.now(UTC).timestamp())
        said = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "iat": now,
            "exp": now + 300,
            "tenant_id": "acme",
            "sub": "asha",
            "roles": ["user"],
        }
        said |= claims
        for name in [name for name, value in said.items() if value is None]:
            del said[name]
        head = {"alg": self.algorithm, "kid": self.key_id} | dict(header or {})
        return jwt.encode(head, said, self.key, algorithms=[head["alg"]])


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    """The issuer that the application believes."""
    return Issuer()


@pytest.fixture(scope="session")
def second_key() -> Issuer:
    """Another key of the same issuer, on a curve."""
    return Issuer(ECKey.generate_key("P-256"), "second", "ES256")


@dataclass
class Served:
    """An application, what it logs, and how to make another like it."""

    app: FastAPI
    log: io.StringIO
    issuer: Issuer

    def client(self, token: str | None, **headers: str) -> httpx.AsyncClient:
        """Return a client that shows ``token``."""
        shown = {} if token is None else {"Authorization": f"Bearer {token}"}
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=True)
        return httpx.AsyncClient(transport=transport, base_url=HOST, headers=shown | headers)


@pytest.fixture
def served(memwarden: Memwarden, issuer: Issuer, second_key: Issuer) -> Served:
    """The application with its defaults."""
    return serving(memwarden, issuer, second_key)


def serving(
    memwarden: Memwarden, issuer: Issuer, second_key: Issuer, options: ServerOptions | None = None
) -> Served:
    log = io.StringIO()
    keys = FixedKeys({one.key_id: one.verifying() for one in (issuer, second_key)})
    verifier = TokenVerifier(keys, RULES, lambda: datetime.now(UTC))
    return Served(create_app(memwarden, verifier, options or ServerOptions(), server_log(log)), log, issuer)


Clients = Callable[..., httpx.AsyncClient]
_numbers = count(1)


@pytest.fixture
async def clients(served: Served) -> AsyncIterator[Clients]:
    """Make clients for verified callers: `clients(sub="asha", roles=["user"])`."""
    async with AsyncExitStack() as stack:
        opened = []

        def client(*, headers: Mapping[str, str] | None = None, **claims: Any) -> httpx.AsyncClient:
            made = served.client(served.issuer.token(**claims), **(headers or {}))
            opened.append(made)
            stack.push_async_callback(made.aclose)
            return made

        yield client


@pytest.fixture
def somebody() -> str:
    """A user nobody else has used."""
    return f"served-{next(_numbers)}"


@pytest.fixture
def mine(clients: Clients, somebody: str) -> httpx.AsyncClient:
    """A client of a user of the test's own."""
    return clients(sub=somebody)


def problem(response: httpx.Response, status: int, kind: str) -> dict[str, Any]:
    """Return the problem that a response is, having looked whether it has the shape of one."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    body: dict[str, Any] = response.json()
    assert body["type"] == f"urn:memwarden:problem:{kind}"
    assert body["status"] == status
    assert body["title"]
    assert body["detail"]
    assert body["request_id"] == response.headers["x-request-id"]
    assert response.headers["content-security-policy"].startswith("default-src 'none'")
    return body


def limited(options: ServerOptions | None = None, **changes: Any) -> ServerOptions:
    return replace(options or ServerOptions(), **changes)
