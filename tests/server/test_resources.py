"""What a user does with their memory over HTTP, and that nobody else's can be reached that way."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import httpx
import pytest

from memwarden import Memwarden
from memwarden.memory.receipt import verified
from memwarden.model.audit import Action
from tests.conftest import MovableClock
from tests.server.conftest import Clients, Issuer, problem, serving


async def remembered(client: httpx.AsyncClient, text: str) -> dict[str, Any]:
    response = await client.post("/v1/memories", json={"text": text})
    assert response.status_code in (200, 201), response.text
    found: dict[str, Any] = response.json()["record"]
    return found


async def proposed(client: httpx.AsyncClient) -> str:
    asked = {
        "statement": "I have two cats",
        "quote": "my two cats",
        "message": "I must feed my two cats at six.",
        "conversation_id": "c1",
        "message_id": "m1",
    }
    response = await client.post("/v1/proposals", json=asked)
    assert response.status_code == 202, response.text
    return str(response.json()["proposal"]["id"])


async def test_a_memory_from_its_beginning_to_its_end(mine: httpx.AsyncClient) -> None:
    record = await remembered(mine, "I prefer replies in Telugu")
    address = f"/v1/memories/{record['id']}"
    one = await mine.get(address)
    assert one.json() == record
    again = await mine.post("/v1/memories", json={"text": "I prefer replies in Telugu"})
    assert (again.status_code, again.json()["renewed"]) == (200, True)
    assert [row["id"] for row in (await mine.get("/v1/profile")).json()["items"]] == [record["id"]]

    corrected = await mine.post(f"{address}/corrections", json={"text": "Hindi"})
    assert corrected.status_code == 201
    newer = corrected.json()["record"]
    assert corrected.json()["superseded"] == [record["id"]]
    versions = (await mine.get(f"/v1/memories/{newer['id']}/history")).json()["items"]
    assert [row["id"] for row in versions] == [newer["id"], record["id"]]

    gone = await mine.delete(f"/v1/memories/{newer['id']}")
    assert set(gone.json()["forgotten"]) == {newer["id"], record["id"]}
    for method in ("GET", "DELETE"):
        problem(await mine.request(method, f"/v1/memories/{newer['id']}"), 404, "not-found")
    assert (await mine.get("/v1/memories")).json() == {"items": [], "next_cursor": None}


async def test_what_is_refused_is_said_and_not_kept(mine: httpx.AsyncClient) -> None:
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    for body in ({"text": f"My token is {secret}"}, {"text": "I live in Pune", "origin": "document"}):
        response = await mine.post("/v1/memories", json=body)
        assert response.status_code == 200
        assert response.json()["outcome"] == "refused"
        assert response.json()["reasons"]
        assert secret not in response.text
    assert (await mine.get("/v1/memories")).json()["items"] == []


async def test_only_a_service_speaks_for_the_application(clients: Clients, somebody: str) -> None:
    body = {"text": "I prefer replies in Telugu", "origin": "system"}
    problem(await clients(sub=somebody).post("/v1/memories", json=body), 403, "forbidden")
    itself = clients(sub=somebody, roles=["user", "service"], act_for=["*"])
    problem(await itself.post("/v1/memories", json=body), 403, "forbidden")
    service = clients(
        sub="robot", roles=["service"], act_for=[somebody], headers={"Memwarden-User": somebody}
    )
    response = await service.post("/v1/memories", json=body)
    assert response.json()["record"]["source"] == "system"


async def test_a_version_that_somebody_else_changed_is_not_changed_blindly(mine: httpx.AsyncClient) -> None:
    record = await remembered(mine, "I prefer replies in Telugu")
    address = f"/v1/memories/{record['id']}"
    seen = (await mine.get(address)).headers["etag"]
    await mine.post("/v1/recall", json={})  # being used is no change
    newer = (
        await mine.post(f"{address}/corrections", json={"text": "Hindi"}, headers={"If-Match": seen})
    ).json()
    for method, at, body in (("POST", "/corrections", {"text": "Tamil"}), ("DELETE", "", None)):
        for tag in (seen, '"x"', "W/" + seen):
            response = await mine.request(method, address + at, json=body, headers={"If-Match": tag})
            problem(response, 412, "changed-meanwhile")
    current = f"/v1/memories/{newer['record']['id']}"
    tag = (await mine.get(current)).headers["etag"]
    assert (await mine.delete(current, headers={"If-Match": f'"other", {tag}'})).status_code == 200


async def test_lists_come_in_pages(mine: httpx.AsyncClient) -> None:
    for town in ("Pune", "Delhi", "Agra", "Surat", "Indore"):
        await remembered(mine, f"I live in {town}")
    seen: list[str] = []
    cursor: str | None = None
    for _ in range(10):
        page = (
            await mine.get("/v1/audit", params={"limit": 2} | ({"cursor": cursor} if cursor else {}))
        ).json()
        assert len(page["items"]) <= 2
        seen += [event["id"] for event in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    whole = [event["id"] for event in (await mine.get("/v1/audit", params={"limit": 200})).json()["items"]]
    assert seen == whole
    assert len(seen) == len(set(seen)) >= 5


async def test_proposals_wait_for_a_yes(mine: httpx.AsyncClient) -> None:
    first = await proposed(mine)
    assert [row["id"] for row in (await mine.get("/v1/proposals")).json()["items"]] == [first]
    kept = await mine.post(f"/v1/proposals/{first}/confirmation")
    assert kept.json()["source"] == "user_confirmed"
    problem(await mine.post(f"/v1/proposals/{first}/confirmation", json={}), 409, "conflict")
    problem(await mine.delete(f"/v1/proposals/{first}"), 409, "conflict")


async def test_a_declined_proposal_is_gone(mine: httpx.AsyncClient) -> None:
    assert (await mine.delete(f"/v1/proposals/{await proposed(mine)}")).status_code == 204
    assert (await mine.get("/v1/proposals")).json()["items"] == []


async def test_recall_and_the_guard(mine: httpx.AsyncClient) -> None:
    await remembered(mine, "I prefer replies in Telugu")
    await remembered(mine, "I have two cats")
    found = (await mine.post("/v1/recall", json={"query": "which animals do I have?"})).json()
    assert [record["key"] for record in found["profile"]] == ["language"]
    assert len(found["memories"]) == 1
    assert found["memories"][0]["content"] in found["section"]
    secret = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    judged = (await mine.post("/v1/guard/judgement", json={"text": f"My token is {secret}"})).json()
    assert judged["decision"] == "refuse"
    assert secret not in judged["redacted"]
    events = len((await mine.get("/v1/audit")).json()["items"])
    await mine.post("/v1/guard/judgement", json={"text": "I live in Pune"})
    assert len((await mine.get("/v1/audit")).json()["items"]) == events


async def test_consent_is_recorded_and_obeyed(mine: httpx.AsyncClient) -> None:
    purpose = (await remembered(mine, "I prefer replies in Telugu"))["purpose"]
    assert (await mine.post("/v1/consents", json={"purpose": purpose, "notice": "v1"})).status_code == 201
    withdrawn = await mine.post("/v1/consents/withdrawals", json={"purpose": purpose, "erase": True})
    assert len(withdrawn.json()["erased"]) == 1
    off = await mine.put("/v1/memory-switch", json={"on": False})
    assert off.json()["consent"]["granted"] is False
    refused = await mine.post("/v1/memories", json={"text": "I live in Pune"})
    assert refused.json()["reasons"] == ["no_consent"]
    assert (await mine.put("/v1/memory-switch", json={"on": True})).json()["consent"]["granted"] is True
    assert len((await mine.get("/v1/consents")).json()["items"]) == 4


async def test_a_proposal_cannot_be_confirmed_while_memory_is_off(mine: httpx.AsyncClient) -> None:
    waiting = await proposed(mine)
    await mine.put("/v1/memory-switch", json={"on": False})
    problem(await mine.post(f"/v1/proposals/{waiting}/confirmation"), 403, "consent-needed")


async def test_everything_is_taken_along_and_forgotten(mine: httpx.AsyncClient) -> None:
    await remembered(mine, "I live in Pune")
    export = (await mine.post("/v1/exports")).json()
    archive = await mine.get(f"/v1/exports/{export['id']}")
    assert archive.headers["content-type"] == "application/zip"
    assert archive.headers["cache-control"] == "no-store"
    assert b"Pune" in zipfile.ZipFile(io.BytesIO(archive.content)).read("memories.jsonl")
    assert [row["id"] for row in (await mine.get("/v1/exports")).json()["items"]] == [export["id"]]

    for wrong in (
        {},
        {"what": "conversation"},
        {"what": "everything", "conversation_id": "c1"},
        {"what": "all"},
    ):
        problem(await mine.post("/v1/erasures", json=wrong), 422, "invalid-input")
    part = await mine.post("/v1/erasures", json={"what": "conversation", "conversation_id": "c1"})
    assert part.json()["conversation_id"] == "c1"
    erased = (await mine.post("/v1/erasures", json={"what": "everything"})).json()
    assert (erased["state"], erased["residue"]) == ("complete", 0)
    assert erased["removed"]["memory"] == 1
    problem(await mine.get(f"/v1/exports/{export['id']}"), 404, "not-found")
    receipt = await mine.get(f"/v1/erasures/{erased['id']}/receipt")
    assert verified(receipt.text, (await mine.get("/v1/receipt-key")).json()).id == erased["id"]
    assert (await mine.get(f"/v1/erasures/{erased['id']}")).json() == erased
    assert (await mine.post(f"/v1/erasures/{erased['id']}/attempts")).json()["state"] == "complete"
    assert len((await mine.get("/v1/erasures")).json()["items"]) == 2


async def test_an_answer_is_explained(mine: httpx.AsyncClient, memwarden: Memwarden, somebody: str) -> None:
    record = await remembered(mine, "I prefer replies in Telugu")
    user = memwarden.user("acme", somebody)
    await user.trace("answer 1/2", await user.recall())
    why = (await mine.get(f"/v1/memories/{record['id']}/answers")).json()
    assert [trace["answer_id"] for trace in why["items"]] == ["answer 1/2"]
    await user.trace("answer-2", await user.recall())
    assert [row["id"] for row in (await mine.get("/v1/answers/answer-2/why")).json()["records"]] == [
        record["id"]
    ]


async def test_a_tenant_is_audited_held_and_erased(clients: Clients, somebody: str) -> None:
    tenant = f"tenant-of-{somebody}"
    mine = clients(sub=somebody, tenant_id=tenant)
    await remembered(mine, "I live in Pune")
    auditor = clients(roles=["auditor"], tenant_id=tenant)
    admin = clients(roles=["tenant_admin"], tenant_id=tenant)
    events = (await auditor.get(f"/v1/tenant/users/{somebody}/audit")).json()["items"]
    assert [event["action"] for event in events] == [Action.STORED]
    holds = f"/v1/tenant/users/{somebody}/holds"
    hold = (await admin.post(holds, json={"reference": "case 7"})).json()
    released = await admin.delete(f"{holds}/{hold['id']}")
    assert released.json()["released_at"]
    problem(await admin.delete(f"{holds}/{hold['id']}"), 404, "not-found")
    assert len((await admin.get(holds)).json()["items"]) == 1
    problem(await admin.post("/v1/tenant/erasures", json={"tenant_id": "acme"}), 422, "invalid-input")
    erased = await admin.post("/v1/tenant/erasures", json={"tenant_id": tenant})
    assert erased.json()["users"] >= 1
    assert (await mine.get("/v1/memories")).json()["items"] == []
    assert (await auditor.get("/v1/tenant/audit")).json()["items"][0]["action"] in (
        Action.ERASED,
        Action.COMPLETED,
    )
    problem(await auditor.get("/v1/tenant/users/memwarden:tenant/audit"), 404, "not-found")


async def elsewhere(clients: Clients, somebody: str, which: str) -> httpx.AsyncClient:
    """Return a client of somebody who has nothing to do with the user of the test."""
    if which == "tenant":
        return clients(sub=somebody, tenant_id="globex")
    if which == "user":
        return clients(sub=somebody + "-neighbour")
    return clients(
        sub="robot",
        tenant_id="globex",
        roles=["service"],
        act_for=["*"],
        headers={"Memwarden-User": somebody},
    )


@pytest.mark.parametrize("which", ["tenant", "user", "service"])
async def test_an_id_of_somebody_else_is_an_unknown_one(clients: Clients, somebody: str, which: str) -> None:
    mine = clients(sub=somebody)
    record = await remembered(mine, "I live in Pune")
    waiting = await proposed(mine)
    export = (await mine.post("/v1/exports")).json()["id"]
    erasure = (
        await mine.post("/v1/erasures", json={"what": "conversation", "conversation_id": "none"})
    ).json()["id"]
    stranger = await elsewhere(clients, somebody, which)
    unknown = "01K0Z9V7Y2M4Q8R6T5W3X1A0BC"
    attempts: list[tuple[str, str, str, Any]] = [
        ("GET", "/v1/memories/{}", record["id"], None),
        ("GET", "/v1/memories/{}/history", record["id"], None),
        ("POST", "/v1/memories/{}/corrections", record["id"], {"text": "I live in Delhi"}),
        ("DELETE", "/v1/memories/{}", record["id"], None),
        ("POST", "/v1/proposals/{}/confirmation", waiting, {}),
        ("POST", "/v1/proposals/{}/confirmation", waiting, {"edited": "I have three cats"}),
        ("DELETE", "/v1/proposals/{}", waiting, None),
        ("GET", "/v1/exports/{}", export, None),
        ("GET", "/v1/erasures/{}", erasure, None),
        ("GET", "/v1/erasures/{}/receipt", erasure, None),
        ("POST", "/v1/erasures/{}/attempts", erasure, None),
    ]
    for method, address, theirs, body in attempts:
        answers = [
            await stranger.request(method, address.format(each), json=body) for each in (theirs, unknown)
        ]
        for answer in answers:
            problem(answer, 404, "not-found")
        first, second = ({k: v for k, v in answer.json().items() if k != "request_id"} for answer in answers)
        assert first == second
    used = (await stranger.get(f"/v1/memories/{record['id']}/answers")).json()
    assert used["items"] == []
    for address in ("memories", "proposals", "profile", "episodes", "consents", "exports"):
        assert (await stranger.get(f"/v1/{address}")).json()["items"] == []
    assert (await stranger.post("/v1/recall", json={"query": "where do I live?"})).json()["section"] == ""
    # Nothing of what was tried did anything.
    assert (await mine.get(f"/v1/memories/{record['id']}")).json()["content"] == record["content"]
    assert [row["id"] for row in (await mine.get("/v1/proposals")).json()["items"]] == [waiting]


@pytest.mark.parametrize("name", ["tenant_id", "user_id", "tenant", "user", "sub", "scope"])
async def test_whose_memory_it_is_cannot_be_said_in_a_request(
    clients: Clients, somebody: str, name: str
) -> None:
    await remembered(clients(sub=somebody), "I live in Pune")
    stranger = clients(sub=somebody + "-neighbour")
    assert (await stranger.get("/v1/memories", params={name: somebody})).json()["items"] == []
    assert (await stranger.get("/v1/memories", headers={name: somebody, "X-User": somebody})).json()[
        "items"
    ] == []
    body = {"text": "I live in Agra", name: somebody}
    problem(await stranger.post("/v1/memories", json=body), 422, "invalid-input")


async def test_an_auditor_and_an_administrator_stay_in_their_tenant(clients: Clients, somebody: str) -> None:
    await remembered(clients(sub=somebody), "I live in Pune")
    auditor = clients(roles=["auditor"], tenant_id="globex")
    assert (await auditor.get(f"/v1/tenant/users/{somebody}/audit")).json()["items"] == []
    admin = clients(roles=["tenant_admin"], tenant_id="globex")
    assert (await admin.get(f"/v1/tenant/users/{somebody}/holds")).json()["items"] == []
    problem(await admin.post("/v1/tenant/erasures", json={"tenant_id": "acme"}), 422, "invalid-input")
    assert len((await clients(sub=somebody).get("/v1/memories")).json()["items"]) == 1


async def test_what_has_expired_is_not_there(
    timed: Memwarden, clock: MovableClock, issuer: Issuer, second_key: Issuer, somebody: str
) -> None:
    served = serving(timed, issuer, second_key)
    async with served.client(issuer.token(sub=somebody)) as client:
        address = f"/v1/memories/{(await remembered(client, 'I live in Pune'))['id']}"
        assert (await client.get(address)).status_code == 200
        clock.advance(timedelta(days=400))
        for path in (address, address + "/history"):
            problem(await client.get(path), 404, "not-found")
        assert (await client.get("/v1/memories")).json()["items"] == []
