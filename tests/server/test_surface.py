"""The surface as a whole: every address needs a token, every failure has one shape, nothing leaks into the log."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from openapi_spec_validator import validate

from memwarden import Memwarden
from memwarden.errors import DatabaseError, DatabaseUnavailableError, ThreadBusyError
from memwarden.server.openapi import document
from tests.server.conftest import HOST, Clients, Issuer, Served, limited, problem, serving

SECRET = "Marker-7f3a"
ID = "01K0Z9V7Y2M4Q8R6T5W3X1A0BC"


def addresses(app: FastAPI) -> list[tuple[str, str]]:
    """Return every method and address of the application, with an id in each place of one."""
    paths = document(app.routes)["paths"]
    found = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    assert len(found) > 30
    return [(method, path) for method, path in found] + [("GET", "/openapi.json")]


def filled(path: str) -> str:
    for name in ("record_id", "proposal_id", "erasure_id", "export_id", "hold_id", "answer_id", "user_id"):
        path = path.replace("{" + name + "}", ID)
    assert "{" not in path
    return path


async def test_every_address_but_one_needs_a_token(served: Served) -> None:
    async with served.client(None) as client:
        for method, path in addresses(served.app):
            response = await client.request(method, filled(path))
            if path == "/livez":
                assert response.status_code == 200
            else:
                problem(response, 401, "unauthenticated")
        for method, path in (
            ("GET", "/"),
            ("GET", "/nothing"),
            ("GET", "/docs"),
            ("GET", "/livez/"),
            ("GET", "//livez"),
            ("GET", "/LIVEZ"),
            ("GET", "/livez/../v1/memories"),
            ("GET", "/livez%2f..%2fv1/memories"),
            ("OPTIONS", "/v1/memories"),
            ("TRACE", "/v1/memories"),
        ):
            problem(await client.request(method, path), 401, "unauthenticated")


async def test_the_routes_themselves_refuse_whoever_was_not_verified(served: Served) -> None:
    # Fails when a route trusts that the layer in front of it is there.
    bare = FastAPI()
    bare.router = served.app.router
    bare.state = served.app.state
    bare.exception_handlers = served.app.exception_handlers
    async with httpx.AsyncClient(transport=httpx.ASGITransport(bare), base_url=HOST) as client:
        for method, path in addresses(served.app):
            body: dict[str, str] | None = {} if method in ("POST", "PUT") else None
            response = await client.request(method, filled(path), json=body)
            assert response.status_code in ({200} if path == "/livez" else {401, 422}), (method, path)
            if response.status_code == 422:
                assert response.json()["type"].endswith("invalid-input")


async def test_unknown_addresses_and_methods(mine: httpx.AsyncClient) -> None:
    problem(await mine.get("/nothing"), 404, "not-found")
    problem(await mine.get("/v1/memories/"), 404, "not-found")
    response = await mine.patch("/v1/memories")
    problem(response, 405, "method-not-allowed")
    assert "GET" in response.headers["allow"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/memories/%00",
        "/v1/memories/..%2f..%2fetc%2fpasswd",
        "/v1/memories/" + "x" * 200,
        "/v1/memories/%F0%9F%98%80/history",
        "/v1/erasures/%27%20OR%201%3D1/receipt",
        "/v1/exports/..%2f..%2fkeys.json",
        "/v1/exports/%2e%2e",
        "/v1/answers/%27%3B--/why",
        f"/v1/memories/{ID}",
        f"/v1/memories/{ID}/history",
        f"/v1/erasures/{ID}",
        f"/v1/exports/{ID}",
    ],
)
async def test_addresses_that_lead_nowhere(mine: httpx.AsyncClient, path: str) -> None:
    problem(await mine.get(path), 404, "not-found")


@pytest.mark.parametrize("path", ["/v1/answers/%00/why", "/v1/memories/" + "x" * 300])
async def test_names_that_cannot_be(mine: httpx.AsyncClient, path: str) -> None:
    problem(await mine.get(path), 422, "invalid-input")


BODIES: list[Any] = [
    {},
    [],
    SECRET,
    {"text": 7},
    {"text": ""},
    {"text": None},
    {"text": [SECRET]},
    {"text": "I live in Pune", "origin": SECRET},
    {"text": "I live in Pune", "user_id": SECRET},
    {"text": "I live in Pune", SECRET: 1},
    {"text": "I live in Pune", "evidence": {SECRET: SECRET}},
    {"text": "I live in Pune", "evidence": SECRET},
    {"text": "I live in Pune", "evidence": {"conversation_id": "\0" + SECRET}},
    {"text": SECRET + "\0"},
    {"text": SECRET + "x" * 100_001},
]


@pytest.mark.parametrize("body", BODIES)
async def test_what_is_wrong_with_a_body_is_said_without_repeating_it(
    mine: httpx.AsyncClient, body: object
) -> None:
    response = await mine.post("/v1/memories", json=body)
    problem(response, 422, "invalid-input")
    assert SECRET not in response.text


@pytest.mark.parametrize(
    "content",
    [b"{" + SECRET.encode(), b"\xff\xfe", b'{"text": "\\ud800"}', b"[" * 100_000, b'{"text": NaN}', b""],
)
async def test_what_is_no_json(mine: httpx.AsyncClient, content: bytes) -> None:
    response = await mine.post("/v1/memories", content=content, headers={"Content-Type": "application/json"})
    assert response.status_code in (400, 422)
    problem(response, response.status_code, "invalid-input" if response.status_code == 422 else "bad-request")
    assert SECRET not in response.text


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=x",
        "cursor=x",
        "cursor=%00",
        "as_of=never",
        "type=secret",
        "as_of=2999-01-01T00:00:00Z",
        "as_of=2020-01-01T00:00:00",
    ],
)
async def test_what_is_wrong_with_a_query(mine: httpx.AsyncClient, query: str) -> None:
    problem(await mine.get(f"/v1/memories?{query}"), 422, "invalid-input")


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "", "text/json"]
)
async def test_a_body_of_another_kind(mine: httpx.AsyncClient, kind: str) -> None:
    response = await mine.post(
        "/v1/memories", content=b'{"text": "I live in Pune"}', headers={"Content-Type": kind}
    )
    problem(response, 415, "unsupported-media-type")


async def test_a_body_that_is_too_long(mine: httpx.AsyncClient) -> None:
    async def endless() -> AsyncIterator[bytes]:
        yield b'{"text": "'
        for _ in range(200):
            yield b"x" * 10_000

    headers = {"Content-Type": "application/json"}
    for content in (b'{"text": "' + b"x" * 1_000_001, endless()):
        problem(await mine.post("/v1/memories", content=content, headers=headers), 413, "content-too-large")
    for wrong in ("-1", "1e3", "9" * 40):
        response = await mine.post("/v1/memories", content=b"{}", headers=headers | {"Content-Length": wrong})
        assert response.status_code in (400, 413)


async def test_a_host_that_is_not_ours(served: Served) -> None:
    async with served.client(served.issuer.token()) as client:
        for host in ("evil.example", "localhost.evil.example", "evil.example:80", "", "[::2]:80"):
            problem(await client.get("/v1/memories", headers={"Host": host}), 400, "unknown-host")
        for host in ("localhost:8420", "LOCALHOST", "127.0.0.1:1", "[::1]:8420"):
            assert (await client.get("/v1/memories", headers={"Host": host})).status_code == 200


async def test_pages_elsewhere_may_do_nothing(served: Served) -> None:
    async with served.client(served.issuer.token(), Origin="https://evil.example") as client:
        response = await client.get("/v1/memories")
    assert not [name for name in response.headers if name.startswith("access-control")]


async def test_a_page_that_is_allowed(memwarden: Memwarden, issuer: Issuer, second_key: Issuer) -> None:
    served = serving(memwarden, issuer, second_key, limited(origins=("https://app.example",)))
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "Authorization"}
    for origin, allowed in (("https://app.example", True), ("https://evil.example", False), ("null", False)):
        async with served.client(None, Origin=origin, **ask) as client:
            response = await client.options("/v1/memories")
        assert (response.headers.get("access-control-allow-origin") == origin) is allowed
        assert "access-control-allow-credentials" not in response.headers


async def test_who_asks_too_often_waits(memwarden: Memwarden, issuer: Issuer, second_key: Issuer) -> None:
    served = serving(memwarden, issuer, second_key, limited(requests_per_minute=3))
    token = issuer.token(sub="often")
    async with served.client(token) as client:
        for _ in range(3):
            assert (await client.get("/v1/memories")).status_code == 200
        response = await client.get("/v1/memories")
        problem(response, 429, "too-many-requests")
        assert 1 <= int(response.headers["retry-after"]) <= 20
        # Naming somebody to act for, without a grant, is no way round it.
        problem(await client.get("/v1/memories", headers={"Memwarden-User": "x"}), 403, "forbidden")
    async with served.client(issuer.token(sub="seldom")) as client:
        assert (await client.get("/v1/memories")).status_code == 200


def with_route(served: Served, error: Exception | None, seconds: float = 0) -> None:
    """Add a route that fails."""
    router = APIRouter()

    @router.get("/failing")
    async def failing() -> dict[str, str]:
        await asyncio.sleep(seconds)
        if error is not None:
            raise error
        return {}

    served.app.include_router(router)


@pytest.mark.parametrize(
    ("error", "status", "kind", "waits"),
    [
        (RuntimeError(SECRET), 500, "internal-error", False),
        (DatabaseError(SECRET), 500, "internal-error", False),
        (ExceptionGroup(SECRET, [ValueError(SECRET)]), 500, "internal-error", False),
        (DatabaseUnavailableError(SECRET), 503, "unavailable", True),
        (ThreadBusyError("This thread is busy."), 409, "thread-busy", True),
    ],
)
async def test_what_goes_wrong_inside_is_not_told(
    served: Served, error: Exception, status: int, kind: str, waits: bool
) -> None:
    with_route(served, error)
    async with served.client(served.issuer.token()) as client:
        response = await client.get("/failing")
    body = problem(response, status, kind)
    assert SECRET not in response.text
    assert ("retry-after" in response.headers) is waits
    logged = served.log.getvalue()
    assert SECRET not in logged
    assert body["request_id"] in logged
    if status == 500:
        assert type(error).__name__ in logged


async def test_what_takes_too_long_is_stopped(
    memwarden: Memwarden, issuer: Issuer, second_key: Issuer
) -> None:
    served = serving(memwarden, issuer, second_key, limited(request_timeout_s=0.05))
    with_route(served, None, seconds=30)
    async with served.client(issuer.token()) as client:
        problem(await client.get("/failing"), 503, "too-slow")


async def test_the_log_holds_no_content_and_nobody(served: Served, caplog: pytest.LogCaptureFixture) -> None:
    who, what = "marker-user-51", "Marker-Town-93"
    token = served.issuer.token(sub=who, tenant_id="marker-tenant-77")
    async with served.client(token) as client:
        made = await client.post("/v1/memories", json={"text": f"I live in {what}"})
        await client.get(
            f"/v1/memories/{made.json()['record']['id'] if made.json()['record'] else ID}?as_of={what}"
        )
        await client.post("/v1/recall", json={"query": what})
        await client.post("/v1/guard/judgement", json={"text": f"password: {what}"})
        await client.get(f"/v1/{what}?q={who}", headers={"X-Request-Id": what, "User-Agent": what})
        await client.post("/v1/memories", json={"text": 1, what: what})
    logged = served.log.getvalue()
    lines = [json.loads(line) for line in logged.splitlines()]
    assert len(lines) == 6
    assert {line["event"] for line in lines} == {"request"}
    assert {line["route"] for line in lines} >= {"/v1/memories", "unmatched"}
    for marker in (who, what, "marker-tenant", token, token.split(".")[1], token.split(".")[2]):
        assert marker not in logged
        assert marker not in caplog.text


async def test_metrics_count_routes_and_name_nobody(clients: Clients, somebody: str) -> None:
    await clients(sub=somebody).get(f"/v1/memories/{ID}")
    await clients(sub=somebody).get(f"/{SECRET}")
    text = (await clients(sub=somebody, roles=["operator"]).get("/metrics")).text
    assert 'memwarden_requests_total{method="GET",route="/v1/memories/{record_id}",status="404"} 1.0' in text
    assert 'route="unmatched",status="404"' in text
    for marker in (somebody, "acme", ID, SECRET):
        assert marker not in text


async def test_it_is_ready_while_the_database_answers(
    mine: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await mine.get("/readyz")).json() == {"status": "ok"}

    async def unreachable(db: object) -> None:
        raise DatabaseUnavailableError("down")

    monkeypatch.setattr("memwarden.server.routes.health.require_reachable", unreachable)
    problem(await mine.get("/readyz"), 503, "unavailable")


async def test_the_openapi_document_is_valid_and_complete(mine: httpx.AsyncClient) -> None:
    found = (await mine.get("/openapi.json")).json()
    validate(found)
    assert "HTTPValidationError" not in found["components"]["schemas"]
    for path, methods in found["paths"].items():
        for operation in methods.values():
            assert operation["description"] or operation["summary"]
            if path != "/livez":
                described = operation["responses"]["401"]["content"]
                assert list(described) == ["application/problem+json"]
