"""The life of a conversation: begun, listed, come back to, expired, deleted, and gone once no run needs it."""

from __future__ import annotations

from datetime import timedelta

import psycopg
import pytest
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, UserMemory
from memwarden.errors import DatabaseUnavailableError, InvalidInputError, NotFoundError
from memwarden.jobs import work_once
from memwarden.jobs.work import REMOVE, Done, Job
from memwarden.memory.removing import Removal, remove_conversation
from memwarden.model.conversation import DEFAULT_TITLE, ConversationMeta, ConversationState, TitledBy
from memwarden.model.ids import is_id
from tests.conftest import MovableClock
from tests.conversation.talk import graph_of, say

pytestmark = pytest.mark.slow
"""Each test has a database of its own to look after."""

Admin = psycopg.AsyncConnection[DictRow]
GRACE = timedelta(hours=4)
LIFE = timedelta(days=90) - GRACE


async def begun(user: UserMemory, *texts: str) -> str:
    """Return a conversation that is listed."""
    conversation = await user.conversations.begin()
    await say(user, conversation.id, *(texts or ("How much annual leave is left?",)))
    await user.conversations.took_part(conversation.id, ["hr"])
    return conversation.id


async def shown(user: UserMemory) -> list[str]:
    return [one.id for one in (await user.conversations.page()).items]


async def checkpoints(user: UserMemory, conversation_id: str) -> int:
    saver = await user.checkpointer()
    return len([item async for item in saver.alist({"configurable": {"thread_id": conversation_id}})])


async def worked(opened: Memwarden, user: UserMemory) -> list[dict[str, int]]:
    """Do what is due, and return what became of the user's conversations."""
    done: list[dict[str, int]] = []

    def told(job: Job, result: Done) -> None:
        if job.kind == REMOVE and job.scope == user.scope:
            done.append(dict(result.counts))

    await work_once(opened.dependencies, told)
    return done


async def test_one_begins_unlisted_under_a_ulid(asha: UserMemory, clock: MovableClock) -> None:
    conversation = await asha.conversations.begin()
    assert is_id(conversation.id)
    assert (conversation.title, conversation.titled_by) == (DEFAULT_TITLE, TitledBy.DEFAULT)
    assert (conversation.state, conversation.listed) == (ConversationState.ACTIVE, False)
    assert conversation.expires_at == clock.now + LIFE
    assert conversation.delete_after == clock.now + LIFE + GRACE
    assert await asha.conversations.get(conversation.id) == conversation
    assert await shown(asha) == []


async def test_pages_go_on_and_pinned_ones_are_a_list_of_their_own(
    asha: UserMemory, clock: MovableClock
) -> None:
    made = []
    for _ in range(4):
        made.append(await begun(asha))
        clock.advance(timedelta(seconds=1))
    await asha.conversations.pin(made[1])
    first = await asha.conversations.page(limit=2)
    assert ([one.id for one in first.items], first.before) == ([made[3], made[2]], made[2])
    last = await asha.conversations.page(limit=2, before=first.before)
    assert ([one.id for one in last.items], last.before) == ([made[0]], None)
    assert [one.id for one in (await asha.conversations.page(pinned=True)).items] == [made[1]]
    await asha.conversations.pin(made[1], pinned=False)
    assert await shown(asha) == made[::-1]


async def test_a_users_own_title_stays(asha: UserMemory) -> None:
    secret = "sk" + "-proj-" + "a1B2c3D4e5F6g7H8i9J0k1L2"
    conversation = await asha.conversations.begin()
    renamed = await asha.conversations.rename(conversation.id, f"  My\n  leave\u202e {secret}")
    assert (renamed.title, renamed.titled_by, renamed.listed) == ("My leave …", TitledBy.USER, True)
    await say(asha, conversation.id, "How many parcels came in?")
    after = await asha.conversations.took_part(conversation.id, ["post"])
    assert (after.title, after.agents) == ("My leave …", ("post",))
    for nothing in ("", " \n", "\u200b"):
        with pytest.raises(InvalidInputError):
            await asha.conversations.rename(conversation.id, nothing)
    long = await asha.conversations.rename(conversation.id, "x" * 100_000)
    assert len(long.title) == 200


async def test_an_expired_one_is_hidden_at_once_and_removed_later(
    listed: Memwarden, asha: UserMemory, clock: MovableClock
) -> None:
    gone = await begun(asha)
    await asha.keep_tool_result(gone, "look", "call", "a long result")
    clock.advance(LIFE)
    assert await shown(asha) == []
    assert (await asha.conversations.get(gone)).id == gone
    assert await worked(listed, asha) == []
    assert await checkpoints(asha, gone) > 0
    clock.advance(GRACE)
    with pytest.raises(NotFoundError):
        await asha.conversations.get(gone)
    assert {"conversations": 1, "running": 0} in await worked(listed, asha)
    assert await checkpoints(asha, gone) == 0
    assert await asha.archived(gone) == []
    assert await listed.dependencies.conversations.everything(asha.scope, 10) == []
    assert await worked(listed, asha) == []


async def test_a_deleted_one_goes_the_same_way_and_leaves_what_was_remembered(
    listed: Memwarden, asha: UserMemory, clock: MovableClock
) -> None:
    gone, stays = await begun(asha), await begun(asha)
    await asha.remember("I live in Pune", origin=Origin.USER_TURN)
    deleted = await asha.conversations.delete(gone)
    assert deleted.state is ConversationState.DELETED
    assert deleted.delete_after == clock.now + GRACE
    assert await shown(asha) == [stays]
    clock.advance(timedelta(hours=1))
    assert await asha.conversations.delete(gone) == deleted, "to delete it again puts nothing off"
    await say(asha, gone, "A run on it goes on undisturbed")
    clock.advance(timedelta(hours=3))
    assert {"conversations": 1, "running": 0} in await worked(listed, asha)
    assert await checkpoints(asha, gone) == 0
    assert await checkpoints(asha, stays) > 0
    assert len(await asha.memories()) == 1
    assert await shown(asha) == [stays]


@pytest.mark.parametrize("by_hand", [True, False])
async def test_whoever_comes_back_in_time_keeps_it(
    listed: Memwarden, asha: UserMemory, clock: MovableClock, by_hand: bool
) -> None:
    kept = await begun(asha)
    if by_hand:
        await asha.conversations.delete(kept)
    else:
        clock.advance(LIFE)
    clock.advance(GRACE - timedelta(seconds=1))
    assert await shown(asha) == []
    renewed = await asha.conversations.renew(kept)
    assert (renewed.state, renewed.last_active_at) == (ConversationState.ACTIVE, clock.now)
    assert renewed.expires_at == clock.now + LIFE
    assert await shown(asha) == [kept]
    clock.advance(timedelta(days=1))
    assert await worked(listed, asha) == []
    assert await checkpoints(asha, kept) > 0


async def test_whoever_comes_back_too_late_does_not(asha: UserMemory, clock: MovableClock) -> None:
    gone = await begun(asha)
    await asha.conversations.delete(gone)
    clock.advance(GRACE)
    conversations = asha.conversations
    for verb in (conversations.renew, conversations.pin, conversations.title, conversations.transcript):
        with pytest.raises(NotFoundError):
            await verb(gone)


async def test_the_removal_waits_for_a_run(listed: Memwarden, asha: UserMemory, clock: MovableClock) -> None:
    busy = await begun(asha)
    await asha.conversations.delete(busy)
    clock.advance(GRACE)
    graph = await graph_of(asha)
    async with asha.running(busy):
        assert {"conversations": 1, "running": 0} not in await worked(listed, asha)
        state = await graph.aget_state({"configurable": {"thread_id": busy}})
        assert len(state.values["messages"]) == 2
        await say(asha, busy, "The run comes to its end")
    assert await checkpoints(asha, busy) > 0
    assert {"conversations": 1, "running": 0} in await worked(listed, asha)
    assert await checkpoints(asha, busy) == 0


async def test_a_removal_that_is_cut_short_is_finished(
    listed: Memwarden, asha: UserMemory, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = await begun(asha)
    await asha.conversations.delete(gone)
    clock.advance(GRACE)

    async def dies(conversation: ConversationMeta) -> bool:
        raise DatabaseUnavailableError("the power went")

    with monkeypatch.context() as patched, pytest.raises(DatabaseUnavailableError):
        patched.setattr(listed.dependencies.conversations, "remove", dies)
        await remove_conversation(listed.dependencies, asha.scope, gone)
    assert await checkpoints(asha, gone) == 0
    for became in (Removal.REMOVED, Removal.RENEWED):
        assert await remove_conversation(listed.dependencies, asha.scope, gone) is became
    assert await listed.dependencies.conversations.everything(asha.scope, 10) == []


async def test_one_that_went_on_without_a_word_to_us_lives_on(
    listed: Memwarden, asha: UserMemory, clock: MovableClock
) -> None:
    kept = await begun(asha)
    clock.advance(timedelta(days=60))
    await say(asha, kept, "Nobody called renew for this one")
    clock.advance(timedelta(days=30))
    assert await shown(asha) == []
    assert await worked(listed, asha) == [{"conversations": 0, "running": 0}]
    assert await checkpoints(asha, kept) > 0
    assert await shown(asha) == [kept]


async def test_one_that_never_had_a_run_is_removed(
    listed: Memwarden, asha: UserMemory, clock: MovableClock
) -> None:
    empty = await asha.conversations.begin(lifetime=timedelta(minutes=1))
    clock.advance(timedelta(minutes=1) + GRACE)
    assert await worked(listed, asha) == [{"conversations": 1, "running": 0}]
    with pytest.raises(NotFoundError):
        await asha.conversations.get(empty.id)


async def test_a_short_life_stays_short(asha: UserMemory, clock: MovableClock) -> None:
    for wrong in (timedelta(), timedelta(seconds=-1), LIFE + timedelta(seconds=1)):
        with pytest.raises(InvalidInputError):
            await asha.conversations.begin(lifetime=wrong)
    brief = await asha.conversations.begin(lifetime=timedelta(hours=1))
    await asha.conversations.delete(brief.id)
    clock.advance(timedelta(hours=3))
    renewed = await asha.conversations.renew(brief.id)
    assert renewed.expires_at == clock.now + timedelta(hours=1)


async def test_a_hold_keeps_it_out_of_sight(listed: Memwarden, asha: UserMemory, clock: MovableClock) -> None:
    held = await begun(asha)
    hold = await asha.hold("case 7")
    await asha.conversations.delete(held)
    clock.advance(GRACE)
    assert {"conversations": 1, "running": 0} not in await worked(listed, asha)
    assert await checkpoints(asha, held) > 0
    assert await shown(asha) == []
    await asha.release(hold.id)
    assert {"conversations": 1, "running": 0} in await worked(listed, asha)
    assert await checkpoints(asha, held) == 0


async def test_with_its_checkpoints_a_conversation_leaves_the_list(
    asha: UserMemory, clock: MovableClock, listed: Memwarden
) -> None:
    await begun(asha)
    clock.advance(timedelta(days=90))
    assert (await asha.purge()).conversations == 1
    assert await listed.dependencies.conversations.everything(asha.scope, 10) == []


async def test_it_ends_and_goes_on(asha: UserMemory) -> None:
    over = await begun(asha)
    assert await asha.end_conversation(over)
    assert (await asha.conversations.get(over)).state is ConversationState.ENDED
    assert await shown(asha) == [over]
    assert (await asha.conversations.renew(over)).state is ConversationState.ACTIVE
    assert not await asha.end_conversation("unknown")


async def test_an_id_of_somebody_else_is_answered_like_an_unknown_one(
    listed: Memwarden, asha: UserMemory
) -> None:
    theirs = await begun(asha)
    stranger = listed.user(asha.scope.tenant_id, asha.scope.user_id + "-x").conversations
    for verb in (
        stranger.get,
        stranger.renew,
        stranger.delete,
        stranger.pin,
        stranger.transcript,
        stranger.title,
    ):
        said = []
        for identifier in (theirs, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "no-ulid", ""):
            with pytest.raises(NotFoundError) as caught:
                await verb(identifier)
            said.append(str(caught.value))
        assert len(set(said)) == 1
    assert await shown(asha) == [theirs]


@pytest.mark.parametrize("limit", [0, -1, 201])
async def test_limits_are_limited(asha: UserMemory, limit: int) -> None:
    with pytest.raises(InvalidInputError):
        await asha.conversations.page(limit=limit)
    with pytest.raises(InvalidInputError):
        await asha.conversations.page(before="no place")
