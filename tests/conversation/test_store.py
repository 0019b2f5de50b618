"""What every engine promises about conversations."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memwarden.conversation.store import ConversationStore
from memwarden.db.sweep import Due
from memwarden.model.conversation import ConversationMeta, ConversationState, TitledBy
from memwarden.model.ids import new_id
from memwarden.model.scope import Scope

NOW = datetime(2026, 3, 1, 9, 0, 0, 123456, tzinfo=UTC)
HOUR = timedelta(hours=1)


def somebody() -> Scope:
    return Scope(f"tenant-{uuid4().hex[:8]}", f"user-{uuid4().hex[:8]}")


def conversation(scope: Scope, at: datetime = NOW, **fields: object) -> ConversationMeta:
    made = ConversationMeta(scope, new_id(at), at, at, listed=True)
    return replace(made, **fields)  # type: ignore[arg-type]


async def kept(
    store: ConversationStore, scope: Scope, at: datetime = NOW, **fields: object
) -> ConversationMeta:
    made = conversation(scope, at, **fields)
    await store.create(made)
    return made


async def ids(
    store: ConversationStore, scope: Scope, now: datetime = NOW, *, pinned: bool = False
) -> list[str]:
    found = await store.page(scope, now, pinned=pinned, before=None, limit=100)
    return [one.id for one in found]


async def test_what_is_kept_is_found_as_it_was(store: ConversationStore) -> None:
    scope = somebody()
    plain = await kept(store, scope, listed=False)
    full = await kept(
        store, scope, NOW + HOUR, title="Größe 尺寸 🙂", titled_by=TitledBy.USER, agents=("hr", "it"),
        state=ConversationState.ENDED, pinned=True, expires_at=NOW + 2 * HOUR, delete_after=NOW + 6 * HOUR,
        title_attempts=2, title_after=NOW + HOUR, version=7,
    )  # fmt: skip
    assert await store.get(scope, plain.id) == plain
    assert await store.get(scope, full.id) == full
    assert await store.everything(scope, 10) == [full, plain]
    assert await store.everything(scope, 1) == [full]
    assert await store.get(scope, new_id(NOW)) is None


@pytest.mark.parametrize(
    "names", [("t", "u"), ("1:t", "u"), ("o'b", "%"), ("a/b", "c"), ("𐀀" * 255, "é" * 254), ("\x01", " ")]
)
async def test_nobody_sees_what_is_another_users(store: ConversationStore, names: tuple[str, str]) -> None:
    mark = uuid4().hex[:6]
    scope = Scope(names[0][:240] + mark, names[1])
    mine = await kept(store, scope)
    for other in (Scope(scope.tenant_id, scope.user_id + "x"), Scope(scope.tenant_id + "x", scope.user_id)):
        assert await store.get(other, mine.id) is None
        assert await store.everything(other, 10) == []
        assert await ids(store, other) == []
        stolen = replace(mine, scope=other, title="stolen")
        assert await store.update(stolen, stolen) is None
        assert not await store.remove(stolen)
    assert await store.get(scope, mine.id) == mine


async def test_a_page_is_the_newest_first_and_goes_on(store: ConversationStore) -> None:
    scope = somebody()
    made = [await kept(store, scope, NOW + n * HOUR) for n in range(7)]
    newest = [one.id for one in reversed(made)]
    seen: list[str] = []
    before: str | None = None
    while page := await store.page(scope, NOW, pinned=False, before=before, limit=3):
        seen += [one.id for one in page]
        before = page[-1].id
    assert seen == newest
    assert [len(seen), len(set(seen))] == [7, 7]


async def test_a_page_shows_what_is_listed_and_neither_deleted_nor_expired(store: ConversationStore) -> None:
    scope = somebody()
    shown = await kept(store, scope)
    pinned = await kept(store, scope, pinned=True)
    await kept(store, scope, listed=False)
    await kept(store, scope, state=ConversationState.DELETED)
    await kept(store, scope, expires_at=NOW)
    late = await kept(store, scope, NOW - HOUR, expires_at=NOW + timedelta(microseconds=1))
    ended = await kept(store, scope, NOW - 2 * HOUR, state=ConversationState.ENDED)
    assert await ids(store, scope) == [shown.id, late.id, ended.id]
    assert await ids(store, scope, pinned=True) == [pinned.id]
    assert await ids(store, scope, NOW + HOUR) == [shown.id, ended.id]


async def test_only_who_saw_the_latest_change_writes(store: ConversationStore) -> None:
    scope = somebody()
    first = await kept(store, scope)
    second = await store.update(first, replace(first, title="one"))
    assert second == replace(first, title="one", version=2)
    assert await store.update(first, replace(first, title="two")) is None
    assert await store.get(scope, first.id) == second
    assert not await store.remove(first)
    assert second is not None
    assert await store.remove(second)
    assert await store.update(second, replace(second, title="three")) is None
    assert await store.get(scope, first.id) is None
    assert not await store.remove(second)


async def test_of_many_at_once_one_writes(store: ConversationStore) -> None:
    first = await kept(store, somebody())
    written = await asyncio.gather(
        *(store.update(first, replace(first, title=f"title {n}")) for n in range(8))
    )
    (one,) = [found for found in written if found is not None]
    assert await store.get(first.scope, first.id) == one


async def due(store: ConversationStore, scope: Scope, now: datetime) -> list[str]:
    return [one.about for one in await store.to_remove(now, 10_000) if _of(one) == scope]


async def untitled(store: ConversationStore, scope: Scope, now: datetime) -> list[str]:
    return [one.about for one in await store.to_title(now, 10_000) if _of(one) == scope]


def _of(found: Due) -> Scope:
    return Scope(found.tenant_id, found.user_id)


async def test_what_is_due_is_found_across_users(store: ConversationStore) -> None:
    one, two = somebody(), somebody()
    soon = await kept(store, one, delete_after=NOW + 2 * HOUR)
    others = await kept(store, two, delete_after=NOW + timedelta(minutes=90))
    await kept(store, one)
    for now, found in (
        (NOW, []),
        (NOW + 2 * HOUR - timedelta(microseconds=1), []),
        (NOW + 2 * HOUR, [soon.id]),
    ):
        assert await due(store, one, now) == found
    assert await due(store, two, NOW + 2 * HOUR) == [others.id]
    renewed = await store.update(soon, replace(soon, delete_after=NOW + 50 * HOUR))
    assert renewed is not None
    assert await due(store, one, NOW + 40 * HOUR) == []
    sooner = await store.update(renewed, replace(renewed, delete_after=NOW + 3 * HOUR))
    assert sooner is not None
    assert await due(store, one, NOW + 3 * HOUR) == [soon.id]
    assert await store.remove(sooner)
    assert await due(store, one, NOW + 100 * HOUR) == []
    assert len(await store.to_remove(NOW + 2 * HOUR, 1)) == 1


async def test_what_awaits_a_title_is_found_across_users(store: ConversationStore) -> None:
    scope = somebody()
    waiting = await kept(store, scope, title_after=NOW + HOUR)
    await kept(store, scope, titled_by=TitledBy.USER)
    await kept(store, scope, listed=False)
    await kept(store, scope, state=ConversationState.DELETED)
    assert await untitled(store, scope, NOW) == []
    assert await untitled(store, scope, NOW + HOUR) == [waiting.id]
    titled = await store.update(waiting, replace(waiting, titled_by=TitledBy.GENERATED))
    assert titled is not None
    assert await untitled(store, scope, NOW + HOUR) == []
