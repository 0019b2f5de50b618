"""`memwarden checkpoints import`: a process, LangGraph's savers on real servers, and what it says."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypedDict

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.mongodb import MongoDBSaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg.rows import DictRow
from pymongo import MongoClient
from typer.testing import CliRunner

from memwarden import Memwarden, UserMemory
from memwarden.checkpoint.langgraph_savers import opened
from memwarden.cli.app import app
from memwarden.cli.thread_owners import read_owners
from memwarden.db.migrate import create_database
from memwarden.errors import ConfigurationError, InvalidInputError, MemwardenError
from memwarden.model.scope import Scope
from tests.checkpoint.mongodb_server import free_port, running_mongodb
from tests.cli.conftest import Ran, run_memwarden
from tests.conftest import Addresses

Command = Callable[..., Ran]

_names = count(1)
SECRET = "".join(("hunter", "2", "hunter"))


@dataclass(frozen=True)
class Origin:
    """One of LangGraph's savers to write to, and its address to import from."""

    saver: BaseCheckpointSaver[Any]
    address: str


@pytest.fixture(scope="session")
async def postgresql(addresses: Addresses) -> AsyncIterator[Origin]:
    """LangGraph's saver in a database of its own on the test server."""
    create_database(addresses.admin_other, "langgraph_cli")
    address = addresses.other("langgraph_cli")
    async with AsyncPostgresSaver.from_conn_string(address) as saver:
        await saver.setup()
        yield Origin(saver, address)


@pytest.fixture
def command(addresses: Addresses) -> Command:
    """The import, into the test database."""
    return partial(run_memwarden, "checkpoints", "import", MEMWARDEN_DATABASE_URL=addresses.app)


def talking(saver: BaseCheckpointSaver[Any]) -> Any:
    def answer(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"answer {len(state['messages'])}")]}

    return (
        StateGraph(MessagesState)
        .add_node(answer)
        .add_edge(START, "answer")
        .add_edge("answer", END)
        .compile(checkpointer=saver)
    )


def place(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id}}


async def threads(origin: Origin, number: int, turns: int = 1) -> list[str]:
    """Return the ids of new threads at the source."""
    made = [f"cli-thread-{next(_names)}" for _ in range(number)]
    for name in made:
        for turn in range(turns):
            await talking(origin.saver).ainvoke({"messages": [HumanMessage(f"{name} {turn}")]}, place(name))
    return made


async def said(memory: UserMemory, thread_id: str) -> list[str]:
    state = await talking(await memory.checkpointer()).aget_state(place(thread_id))
    return [message.text for message in state.values.get("messages", [])]


def new_user(memwarden: Memwarden) -> tuple[UserMemory, tuple[str, ...]]:
    """Return a user nobody else is, and the options that name them."""
    memory = memwarden.user("imports", f"user-{next(_names)}")
    return memory, ("--tenant", memory.scope.tenant_id, "--user", memory.scope.user_id)


def is_one_sentence(done: Ran, says: str) -> bool:
    return (
        (done.code, done.out) == (1, "")
        and done.err.startswith("memwarden: ")
        and says in done.err
        and done.err.count("\n") == 1
    )


@pytest.mark.slow
async def test_threads_of_one_user(postgresql: Origin, memwarden: Memwarden, command: Command) -> None:
    one, two = await threads(postgresql, 2, turns=2)
    memory, owner = new_user(memwarden)
    given = ("--thread", one, "--thread", two, *owner)
    done = command(*given, "--json", MEMWARDEN_IMPORT_FROM=postgresql.address)
    assert done.code == 0, done.err
    report = done.json()
    assert (report["imported"], report["already_there"], report["failed"]) == (2, 0, [])
    assert (report["checkpoints"], report["not_in_map"]) == (12, 0)
    assert await said(memory, one) == [f"{one} 0", "answer 1", f"{one} 1", "answer 3"]

    again = command(*given, "--from", postgresql.address)
    assert again.code == 0
    assert again.out == (
        "Imported: 0 threads, 0 checkpoints, 0 writes. Already there: 2. Not in the map: 0.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", ["csv", "jsonl"])
async def test_a_map_says_whose_threads_they_are(
    postgresql: Origin, memwarden: Memwarden, command: Command, tmp_path: Path, form: str
) -> None:
    one, two, _ = await threads(postgresql, 3)
    (ann, _), (bob, _) = new_user(memwarden), new_user(memwarden)
    owned = [(one, ann.scope), (two, bob.scope), ("not there", bob.scope)]
    lines = [
        json.dumps({"thread_id": name, "tenant_id": scope.tenant_id, "user_id": scope.user_id})
        if form == "jsonl"
        else f'"{name}",{scope.tenant_id},{scope.user_id}'
        for name, scope in owned
    ]
    head = [] if form == "jsonl" else ["thread_id,tenant_id,user_id"]
    file = tmp_path / "owners"
    file.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    done = command("--map", str(file), "--json", MEMWARDEN_IMPORT_FROM=postgresql.address)
    assert done.code == 1
    report = done.json()
    assert (report["imported"], report["failed"]) == (2, ["not there"])
    assert report["not_in_map"] >= 1
    assert done.err.startswith("not there: ")
    assert await said(ann, one) == [f"{one} 0", "answer 1"]
    assert await said(bob, two) == [f"{two} 0", "answer 1"]
    assert await said(ann, two) == await said(bob, one) == []


@pytest.mark.slow
async def test_threads_in_mongodb(memwarden: Memwarden, command: Command, tmp_path: Path) -> None:
    async with running_mongodb(tmp_path) as url:
        with MongoClient[dict[str, Any]](url) as client:
            origin = Origin(MongoDBSaver(client, "chats"), url)
            (one,) = await threads(origin, 1, turns=2)
            memory, owner = new_user(memwarden)
            given = ("--thread", one, *owner, "--from", url)
            elsewhere = command(*given)
            assert is_one_sentence(elsewhere, "nothing of LangGraph's saver")
            assert client["checkpointing_db"].list_collection_names() == []
            done = command(*given, "--mongodb-database", "chats", "--json")
            assert (done.code, done.json()["imported"]) == (0, 1)
    assert await said(memory, one) == [f"{one} 0", "answer 1", f"{one} 1", "answer 3"]
    unreachable = command(
        *given[:-1], f"{url.replace('://', f'://u:{SECRET}@')}/?serverSelectionTimeoutMS=300"
    )
    assert is_one_sentence(unreachable, "cannot be reached")
    assert SECRET not in unreachable.err


ANYBODY = ("--thread", "t", "--tenant", "a", "--user", "b")


@pytest.mark.parametrize(
    "address",
    [
        f"postgresql://u:{SECRET}@127.0.0.1:no-port/",
        f"postgresql://u:{SECRET}%zz@h/",
        f"mongodb://u:{SECRET}@h:no-port",
        f"mongodb://u:{SECRET}@x@h",
        f"mysql://u:{SECRET}@h",
    ],
)
def test_an_address_that_is_none_is_not_said(address: str) -> None:
    done = CliRunner().invoke(
        app, ["checkpoints", "import", *ANYBODY], env={"MEMWARDEN_IMPORT_FROM": address}
    )
    assert isinstance(done.exception, MemwardenError)
    assert "MEMWARDEN_IMPORT_FROM" in str(done.exception)
    assert SECRET not in str(done.exception) + done.output


@pytest.mark.slow
def test_an_address_where_nobody_is_is_not_said(command: Command) -> None:
    address = f"postgresql://u:{SECRET}@127.0.0.1:{free_port()}/db"
    done = command(*ANYBODY, MEMWARDEN_IMPORT_FROM=address)
    assert is_one_sentence(done, "cannot be reached")
    assert SECRET not in done.err
    assert SECRET not in command("--help", MEMWARDEN_IMPORT_FROM=address).out


@pytest.mark.slow
def test_a_database_without_threads(addresses: Addresses, command: Command) -> None:
    done = command(*ANYBODY, MEMWARDEN_IMPORT_FROM=addresses.admin_other)
    assert done.code == 1
    assert done.err.startswith(
        "memwarden: At the address to import from there is nothing of LangGraph's saver"
    )
    assert done.out.startswith("Imported: 0 threads")


@pytest.mark.slow
async def test_an_erased_user_gets_nothing_back(
    postgresql: Origin, memwarden: Memwarden, command: Command
) -> None:
    before, later = await threads(postgresql, 2)
    memory, owner = new_user(memwarden)
    given = ("--thread", before, *owner, "--from", postgresql.address)
    assert command(*given).code == 0
    await memory.forget_everything()
    done = command(*given)
    assert done.code == 1
    assert f"{before}: This thread began before" in done.err
    assert done.out.endswith(f"Failed: {before}\n")
    assert await said(memory, before) == []
    (after,) = await threads(postgresql, 1)
    assert command("--thread", after, *owner, "--from", postgresql.address).code == 0
    other, its_owner = new_user(memwarden)
    await other.forget_conversation(later)
    assert command("--thread", later, *its_owner, "--from", postgresql.address).code == 1
    assert command("--thread", before, *its_owner, "--from", postgresql.address).code == 0


class Dated(TypedDict, total=False):
    holder: Any


@pytest.mark.slow
async def test_types_of_an_application(postgresql: Origin, memwarden: Memwarden, command: Command) -> None:
    builder: Any = StateGraph(Dated)
    builder.add_node("hold", lambda state: {"holder": Scope("a", "b")})
    builder.add_edge(START, "hold")
    builder.add_edge("hold", END)
    name = f"cli-thread-{next(_names)}"
    await builder.compile(checkpointer=postgresql.saver).ainvoke({"holder": None}, place(name))
    memory, owner = new_user(memwarden)
    given = ("--thread", name, *owner, "--from", postgresql.address)
    refused = command(*given)
    assert refused.code == 1
    assert "--allow-type memwarden.model.scope:Scope" in refused.err
    assert is_one_sentence(command(*given, "--allow-type", "no.such.module:Class"), "cannot be imported here")
    assert command(*given, "--allow-type", "Class").code == 2
    done = command(*given, "--allow-type", "memwarden.model.scope:Scope")
    assert done.code == 0, done.err
    saver = (await memory.checkpointer()).with_allowlist([("memwarden.model.scope", "Scope")])
    found = await saver.aget_tuple(place(name))
    assert found is not None
    assert found.checkpoint["channel_values"]["holder"] == Scope("a", "b")


@pytest.mark.slow
async def test_killed_it_goes_on_where_it_was(
    postgresql: Origin,
    memwarden: Memwarden,
    addresses: Addresses,
    command: Command,
    admin: psycopg.AsyncConnection[DictRow],
) -> None:
    (name,) = await threads(postgresql, 1, turns=60)
    memory, owner = new_user(memwarden)
    given = ("--thread", name, *owner)
    environment = os.environ | {
        "MEMWARDEN_IMPORT_FROM": postgresql.address,
        "MEMWARDEN_DATABASE_URL": addresses.app,
    }

    async def there() -> int:
        cursor = await admin.execute(
            "SELECT count(*) AS n FROM memwarden.checkpoint WHERE tenant_id = %s AND user_id = %s",
            (memory.scope.tenant_id, memory.scope.user_id),
        )
        row = await cursor.fetchone()
        return row["n"] if row else 0

    killed_at = []
    for least in (1, 60, 120):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "memwarden.cli", "checkpoints", "import", *given,
            env=environment, stdout=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        while await there() < least and process.returncode is None:
            await asyncio.sleep(0.005)
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()
        killed_at.append(await there())
    assert 0 < killed_at[0] < 180
    done = command(*given, "--json", MEMWARDEN_IMPORT_FROM=postgresql.address)
    assert done.code == 0, done.err
    assert await there() == 180
    here, origin = talking(await memory.checkpointer()), talking(postgresql.saver)
    history = [
        [(state.values, state.config, state.next) async for state in graph.aget_state_history(place(name))]
        for graph in (here, origin)
    ]
    assert history[0] == history[1]


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("--thread", "t"),
        ("--thread", "t", "--tenant", "a"),
        ("--tenant", "a", "--user", "b"),
        ("--map", "m", "--tenant", "a", "--user", "b"),
        ("--map", "m", "--thread", "t"),
    ],
)
def test_an_owner_has_to_be_said(given: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, ["checkpoints", "import", "--from", "postgresql://h", *given])
    assert done.exit_code == 2
    assert "--map" in done.output or "map says" in done.output


def test_an_address_has_to_be_given() -> None:
    done = CliRunner().invoke(app, ["checkpoints", "import", "--thread", "t", "--tenant", "a", "--user", "b"])
    assert done.exit_code == 2
    assert "MEMWARDEN_IMPORT_FROM" in done.output


HEAD = "thread_id,tenant_id,user_id\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        (HEAD, None),
        ("t,a,b\n", 1),
        ("thread_id,tenant_id\nt,a\n", 1),
        (HEAD + "t,a\n", 2),
        (HEAD + "t,a,b\n,a,b\n", 3),
        (HEAD + "t,a,b\nt,a,c\n", 3),
        (HEAD + 't,a,"b\n', 2),
        (HEAD + "t,a," + "b" * 256 + "\n", 2),
        ('{"thread_id": "t", "tenant_id": "a"}', 1),
        ('{"thread_id": 1, "tenant_id": "a", "user_id": "b"}', 1),
        ('{"thread_id": "t", "tenant_id": "a", "user_id": "b"}\n[]', 2),
        ('{"thread_id": "t", "tenant_id": "a", "user_id": "b"}\n\n{', 3),
        ('{"thread_id": "t", "tenant_id": "a", "user_id": "b\\u0000"}', 1),
    ],
)
def test_a_map_that_leaves_a_doubt_is_refused(tmp_path: Path, text: str, line: int | None) -> None:
    file = tmp_path / "owners"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="names no thread" if line is None else f"Line {line} of"):
        read_owners(file)


def test_a_map_in_any_order_of_columns(tmp_path: Path) -> None:
    file = tmp_path / "owners"
    file.write_text("\ufeffuser_id,note,thread_id,tenant_id\nb,x,t 1,a\nb,x,t 1,a\n", encoding="utf-8")
    assert read_owners(file) == {"t 1": Scope("a", "b")}
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_owners(tmp_path / "absent")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_owners(file)


@pytest.mark.parametrize(
    ("address", "module", "package"),
    [
        ("postgresql://h", "langgraph.checkpoint.postgres.aio", "langgraph-checkpoint-postgres"),
        ("mongodb://h", "langgraph.checkpoint.mongodb", "langgraph-checkpoint-mongodb"),
        ("mongodb+srv://h", "pymongo", "langgraph-checkpoint-mongodb"),
    ],
)
async def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, address: str, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ConfigurationError, match=f"pip install {package}`"):
        async with opened(address):
            pass
