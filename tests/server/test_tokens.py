"""Who gets in: only who shows a token that verifies in every respect."""

from __future__ import annotations

import base64
import hmac
import json
import time
import warnings
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from joserfc.jwk import OKPKey, RSAKey

from memwarden.errors import AuthenticationError, ConfigurationError, IssuerUnavailableError
from memwarden.server.fetched_keys import FRESH_S, PAUSE_S, STALE_S, FetchedKeys
from memwarden.server.key_set import MAX_BYTES, public_keys
from memwarden.server.running import server_log
from memwarden.server.token_rules import TokenRules
from tests.server.conftest import Clients, Issuer, Served, problem

HOUR = 3600


async def asked(served: Served, token: str | None) -> httpx.Response:
    async with served.client(token) as client:
        return await client.get("/v1/memories")


def encoded(part: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


def parts(token: str) -> tuple[dict[str, Any], dict[str, Any], str]:
    header, payload, signature = token.split(".")
    return (
        json.loads(base64.urlsafe_b64decode(header + "==")),
        json.loads(base64.urlsafe_b64decode(payload + "==")),
        signature,
    )


async def test_a_good_token_lets_in(served: Served, second_key: Issuer) -> None:
    assert (await asked(served, served.issuer.token())).status_code == 200
    assert (await asked(served, second_key.token())).status_code == 200
    several = served.issuer.token(aud=["elsewhere", "memwarden-test"])
    assert (await asked(served, several)).status_code == 200


async def test_no_token(served: Served) -> None:
    response = await asked(served, None)
    problem(response, 401, "unauthenticated")
    assert response.headers["www-authenticate"] == 'Bearer realm="memwarden"'


NOW = int(time.time())


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": NOW - HOUR},
        {"exp": None},
        {"exp": "tomorrow"},
        {"exp": float("1e400")},
        {"nbf": NOW + HOUR},
        {"iat": NOW + HOUR},
        {"iat": None},
        {"aud": "somebody-else"},
        {"aud": ["somebody-else"]},
        {"aud": None},
        {"aud": {"memwarden-test": 1}},
        {"iss": "https://elsewhere.example"},
        {"iss": ["https://issuer.example"]},
        {"iss": None},
        {"tenant_id": None},
        {"tenant_id": ""},
        {"tenant_id": 7},
        {"tenant_id": ["acme"]},
        {"tenant_id": "a\0b"},
        {"sub": None},
        {"sub": ""},
        {"sub": {"a": 1}},
        {"sub": "memwarden:tenant"},
        {"sub": "x" * 256},
    ],
)
async def test_a_claim_that_does_not_hold(served: Served, claims: dict[str, Any]) -> None:
    response = await asked(served, served.issuer.token(**claims))
    problem(response, 401, "unauthenticated")
    assert 'error="invalid_token"' in response.headers["www-authenticate"]


async def test_alg_none(served: Served) -> None:
    header, payload, signature = parts(served.issuer.token())
    for spelled in ("none", "None", "NONE"):
        head = encoded(header | {"alg": spelled})
        for end in ("", signature):
            problem(await asked(served, f"{head}.{encoded(payload)}.{end}"), 401, "unauthenticated")


async def test_an_hmac_with_the_public_key_as_its_secret(served: Served, second_key: Issuer) -> None:
    for issuer in (served.issuer, second_key):
        public = issuer.public()
        payload = parts(issuer.token())[1]
        secrets = [
            issuer.pem(),
            issuer.pem().strip(),
            json.dumps(public).encode(),
            base64.urlsafe_b64decode(public["x"] + "=="),
        ]
        for secret in secrets:
            signed = f"{encoded({'alg': 'HS256', 'kid': issuer.key_id})}.{encoded(payload)}"
            digest = hmac.digest(secret, signed.encode(), "sha256")
            forged = f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"
            problem(await asked(served, forged), 401, "unauthenticated")


async def test_another_kind_of_key_under_a_known_name(served: Served, second_key: Issuer) -> None:
    # The key named is a curve's and the algorithm another's: each is allowed, and not together.
    crossed = served.issuer.token(header={"kid": second_key.key_id})
    problem(await asked(served, crossed), 401, "unauthenticated")


@pytest.mark.parametrize(
    "key_id",
    [
        "unknown",
        "",
        "../../first",
        "/etc/passwd",
        "first\0",
        "' OR 1=1 --",
        "x" * 300,
        "http://evil.example/k",
        None,
        7,
    ],
)
async def test_a_key_id_that_is_not_published(served: Served, key_id: object) -> None:
    header, payload, signature = parts(served.issuer.token())
    head = {name: value for name, value in (header | {"kid": key_id}).items() if value is not None}
    problem(await asked(served, f"{encoded(head)}.{encoded(payload)}.{signature}"), 401, "unauthenticated")


async def test_a_stranger_s_key_that_the_token_brings_along(served: Served) -> None:
    stranger = Issuer(key_id="first")
    for brought in (
        {"jwk": stranger.public()},
        {"jku": "https://evil.example/keys"},
        {"x5u": "https://evil.example/c"},
    ):
        problem(await asked(served, stranger.token(header=brought)), 401, "unauthenticated")
    problem(await asked(served, stranger.token()), 401, "unauthenticated")


async def test_a_tampered_token(served: Served) -> None:
    token = served.issuer.token()
    header, payload, signature = parts(token)
    forged = f"{encoded(header)}.{encoded(payload | {'sub': 'somebody-else'})}.{signature}"
    for wrong in (
        forged,
        token[:-8] + "AAAAAAAA",
        token + ".",
        token.rsplit(".", 1)[0],
        token.rsplit(".", 1)[0] + ".",
        "a.b.c",
        "...",
        "nothing",
        token + "x" * 9000,
    ):
        problem(await asked(served, wrong), 401, "unauthenticated")


async def test_headers_that_change_what_is_signed(served: Served) -> None:
    header, payload, signature = parts(served.issuer.token())
    for extra in (
        {"crit": ["exp"]},
        {"b64": False, "crit": ["b64"]},
        {"typ": "memwarden-receipt+jws"},
        {"typ": ["JWT"]},
    ):
        wrong = f"{encoded(header | extra)}.{encoded(payload)}.{signature}"
        problem(await asked(served, wrong), 401, "unauthenticated")


async def test_the_token_stands_in_one_header_and_nowhere_else(served: Served) -> None:
    token = served.issuer.token()
    async with served.client(None) as client:
        places: list[dict[str, Any]] = [
            {"params": {"access_token": token}},
            {"headers": {"Authorization": f"Basic {token}"}},
            {"headers": {"Authorization": token}},
            {"headers": {"Cookie": f"token={token}"}},
            {"headers": [("Authorization", f"Bearer {token}"), ("Authorization", f"Bearer {token}")]},
            {"headers": {"Authorization": f"Bearer {token} {token}"}},
        ]
        for place in places:
            problem(await client.get("/v1/memories", **place), 401, "unauthenticated")


async def test_a_role_does_what_it_says_and_no_more(clients: Clients) -> None:
    for roles in (
        None,
        [],
        ["root"],
        {"user": True},
        7,
        ["service"],
        ["auditor"],
        ["tenant_admin"],
        ["operator"],
    ):
        problem(await clients(roles=roles).get("/v1/memories"), 403, "forbidden")
    for role, address in (
        ("auditor", "/v1/tenant/audit"),
        ("tenant_admin", "/v1/tenant/erasures"),
        ("operator", "/v1/jobs"),
        ("operator", "/metrics"),
    ):
        assert (await clients(roles=role).get(address)).status_code == 200
        others = [
            other for other in ("user", "service", "auditor", "tenant_admin", "operator") if other != role
        ]
        problem(await clients(roles=others).get(address), 403, "forbidden")


async def test_a_service_acts_for_whom_it_was_granted(clients: Clients, somebody: str) -> None:
    own = clients(sub=somebody)
    await own.post("/v1/memories", json={"text": "I live in Pune"})

    async def seen(user: str, **claims: Any) -> httpx.Response:
        return await clients(headers={"Memwarden-User": user}, sub="robot", **claims).get("/v1/memories")

    for grant in ([somebody], ["*"], ["other", somebody]):
        response = await seen(somebody, roles=["service"], act_for=grant)
        assert [row["content"] for row in response.json()["items"]] == ["Is based in Pune"]
    refused: list[dict[str, Any]] = [
        {"roles": ["service"]},
        {"roles": ["service"], "act_for": []},
        {"roles": ["service"], "act_for": ["other"]},
        {"roles": ["service"], "act_for": "*"},
        {"roles": ["service"], "act_for": {"*": 1}},
        {"roles": ["service"], "act_for": [somebody + "*", "serv*"]},
        {"roles": ["user"], "act_for": ["*"]},
        {"roles": ["user", "tenant_admin", "auditor"], "act_for": [somebody]},
    ]
    for claims in refused:
        problem(await seen(somebody, **claims), 403, "forbidden")
    elsewhere = await seen(somebody, roles=["service"], act_for=["*"], tenant_id="globex")
    assert elsewhere.json()["items"] == []
    for wrong in ("", "%E9", "%00", "%ff", "memwarden:tenant"):
        problem(await seen(wrong, roles=["service"], act_for=["*"]), 400, "bad-request")


async def test_a_user_with_any_name_can_be_acted_for(clients: Clients) -> None:
    mine = clients(sub="আশা/..%2F *", roles=["user"])
    await mine.post("/v1/memories", json={"text": "I live in Pune"})
    service = clients(
        headers={"Memwarden-User": quote("আশা/..%2F *", safe="")}, roles=["service"], act_for=["*"]
    )
    assert len((await service.get("/v1/memories")).json()["items"]) == 1


def test_only_public_key_algorithms_can_be_configured() -> None:
    for algorithms in ((), ("none",), ("HS256",), ("RS256", "HS256"), ("rs256",)):
        with pytest.raises(ConfigurationError):
            TokenRules("issuer", "audience", algorithms)


def test_a_key_set_is_read_with_distrust(issuer: Issuer) -> None:
    good = issuer.public()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        weak = RSAKey.generate_key(1024).as_dict(private=False)
    bad: list[dict[str, Any]] = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "hmac"},
        {**good, "kid": "encrypting", "use": "enc"},
        {**good, "kid": ""},
        {name: value for name, value in good.items() if name != "kid"},
        {**OKPKey.generate_key("Ed25519").as_dict(private=True), "kid": "private"},
        {**weak, "kid": "weak"},
        {"kty": "OKP", "crv": "Ed25519", "x": "!", "kid": "broken"},
        {"kty": "EC", "kid": "empty"},
        {**good, "kid": "twice"},
        {**OKPKey.generate_key("Ed25519").as_dict(private=False), "kid": "twice"},
    ]
    assert set(public_keys(json.dumps({"keys": [*bad, "text", None, good]}).encode())) == {"first"}
    for document in (b"", b"[]", b"{}", b'{"keys": 7}', b"\xff", b"[" * 200_000, b" " * (MAX_BYTES + 1)):
        assert public_keys(document) == {}


class Publisher:
    """An issuer's address: what it answers, and how often it was asked."""

    def __init__(self, *issuers: Issuer) -> None:
        self.issuers, self.status, self.asked = list(issuers), 200, 0
        self.padding = b""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if self.status == 302:
            return httpx.Response(302, headers={"Location": "https://evil.example/keys"})
        if self.status == 0:
            raise httpx.ConnectError("down")
        keys = json.dumps({"keys": [issuer.public() for issuer in self.issuers]}).encode()
        return httpx.Response(self.status, content=pieces(keys + self.padding))


async def pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 1000):
        yield content[start : start + 1000]


async def test_keys_are_fetched_once_and_again_when_they_rotate(issuer: Issuer, second_key: Issuer) -> None:
    publisher, now = Publisher(issuer), [0.0]
    async with httpx.AsyncClient(transport=httpx.MockTransport(publisher)) as client:
        keys = FetchedKeys("https://issuer.example/keys", client, server_log(), lambda: now[0])
        for _ in range(5):
            assert (await keys.key("first")).kid == "first"
        assert publisher.asked == 1
        publisher.issuers = [second_key]
        for _ in range(5):  # unknown ids make it ask again, but not as often as strangers please
            with pytest.raises(AuthenticationError):
                await keys.key("second")
        assert publisher.asked == 1
        now[0] += PAUSE_S
        assert (await keys.key("second")).kid == "second"
        with pytest.raises(AuthenticationError):
            await keys.key("first")
        assert publisher.asked == 2


async def test_an_issuer_that_is_down_is_believed_for_an_hour_and_no_longer(issuer: Issuer) -> None:
    publisher, now = Publisher(issuer), [0.0]
    async with httpx.AsyncClient(transport=httpx.MockTransport(publisher)) as client:
        keys = FetchedKeys("https://issuer.example/keys", client, server_log(), lambda: now[0])
        assert (await keys.key("first")).kid == "first"
        publisher.status = 0
        now[0] += FRESH_S + 1
        assert (await keys.key("first")).kid == "first"
        now[0] = STALE_S + 1
        with pytest.raises(IssuerUnavailableError):
            await keys.key("first")


@pytest.mark.parametrize("what", ["down", "error", "redirect", "too long"])
async def test_what_is_no_key_set_lets_nobody_in(issuer: Issuer, what: str) -> None:
    publisher = Publisher(issuer)
    publisher.status = {"down": 0, "error": 500, "redirect": 302, "too long": 200}[what]
    publisher.padding = b" " * (MAX_BYTES if what == "too long" else 0)
    async with httpx.AsyncClient(transport=httpx.MockTransport(publisher)) as client:
        keys = FetchedKeys("https://issuer.example/keys", client, server_log())
        with pytest.raises(IssuerUnavailableError):
            await keys.key("first")
    assert publisher.asked == 1


async def test_keys_are_fetched_over_https_only() -> None:
    async with httpx.AsyncClient() as client:
        with pytest.raises(ConfigurationError):
            FetchedKeys("http://issuer.example/keys", client, server_log())
