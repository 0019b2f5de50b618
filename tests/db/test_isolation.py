"""No row is read or written outside its tenant and user: PostgreSQL itself holds that, not our statements."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint
from psycopg.rows import DictRow

from memwarden import Memwarden, Origin, Scope, UserMemory
from memwarden.errors import NotFoundError

Raw = psycopg.AsyncConnection[DictRow]

TABLES = (
    "memory",
    "proposal",
    "audit_event",
    "checkpoint",
    "checkpoint_part",
    "checkpoint_value",
    "checkpoint_write",
    "archive",
    "conversation",
    "consent",
    "erasure",
    "thread",
    "read_trace",
    "legal_hold",
    "withheld",
    "export",
    "upkeep",
)

TENANT_TABLES = ("tenant_erasure",)
"""Tables of what concerns a tenant as a whole: each of its users may see that, and nobody else."""

names = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=40
)
awkward = st.sampled_from(
    [
        "a.b",
        "o'brien",
        "%",
        "_",
        "a%",
        "ümlaut",
        "../../etc",
        "a/b",
        "a\\b",
        'a"b',
        "A",
        " a",
        "a ",
        "$1",
        "%(x)s",
        "a;b",
        "--",
    ]
)


async def fill(memwarden: Memwarden, scope: Scope) -> None:
    """Put at least one row of the scope in every table."""
    user = memwarden.scoped(scope)
    for hold in await user.holds():
        if hold.released_at is None:
            await user.release(hold.id)
    await user.forget_everything()
    kept = await user.remember("I live in Pune", origin=Origin.USER_TURN)
    await user.hold("case 1")
    assert kept.record is not None
    await user.forget(kept.record.id)
    await user.remember("I live in Delhi", origin=Origin.USER_TURN)
    await user.trace("answer", await user.recall())
    await user.export()
    await user.consolidate()
    await user.grant("Fit answers", notice="1")
    await user.propose("Works night shifts", quote="I work night shifts", message="I work night shifts")
    saver = await user.checkpointer()
    config: RunnableConfig = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"] = {"messages": [HumanMessage("hello")]}
    checkpoint["channel_versions"] = {"messages": "1"}
    saved = await saver.aput(config, checkpoint, {"source": "input", "step": -1}, {"messages": "1"})
    await saver.aput_writes(saved, [("messages", [HumanMessage("again")])], "task")
    await user.keep_messages("t", [HumanMessage("long ago", id="m")])
    await user.conversations.begin()


async def counts(raw: Raw, tenant: str | None, user: str | None) -> dict[str, int]:
    """Count what the bare connection sees in each table under a scope that may be half or wholly unset."""
    seen = {}
    async with raw.transaction():
        if tenant is not None:
            await raw.execute("SELECT set_config('memwarden.tenant_id', %s, true)", (tenant,))
        if user is not None:
            await raw.execute("SELECT set_config('memwarden.user_id', %s, true)", (user,))
        for table in TABLES:
            cursor = await raw.execute(f"SELECT count(*) AS n FROM memwarden.{table}")
            row = await cursor.fetchone()
            seen[table] = row["n"] if row else -1
    return seen


NOTHING = dict.fromkeys(TABLES, 0)


async def test_the_owner_sees_rows_in_every_table(memwarden: Memwarden, raw: Raw) -> None:
    await fill(memwarden, Scope("tenant-own", "user-own"))
    seen = await counts(raw, "tenant-own", "user-own")
    assert min(seen.values()) >= 1, seen


@pytest.mark.parametrize(
    ("tenant", "user"),
    [
        ("tenant-a", "other"),
        ("other", "user-a"),
        ("user-a", "tenant-a"),
        ("tenant-a", None),
        (None, "user-a"),
        (None, None),
        ("", ""),
        ("%", "%"),
        ("tenant-_", "user-_"),
        ("TENANT-A", "USER-A"),
        ("tenant-a ", "user-a"),
    ],
)
async def test_nobody_else_sees_a_row_in_any_table(
    memwarden: Memwarden, raw: Raw, tenant: str | None, user: str | None
) -> None:
    await fill(memwarden, Scope("tenant-a", "user-a"))
    assert await counts(raw, tenant, user) == NOTHING


async def test_a_connection_that_served_somebody_keeps_no_scope(memwarden: Memwarden, raw: Raw) -> None:
    await fill(memwarden, Scope("tenant-b", "user-b"))
    assert (await counts(raw, "tenant-b", "user-b"))["memory"] >= 1
    assert await counts(raw, None, None) == NOTHING


@given(one=names | awkward, two=names | awkward)
async def test_no_name_reaches_into_another_scope(memwarden: Memwarden, one: str, two: str) -> None:
    mine, other = memwarden.user("t" + one, one), memwarden.user("t" + two, two)
    await mine.remember("I live in Pune", origin=Origin.USER_TURN)
    if one == two:
        assert [r.content for r in await other.memories()] != []
    else:
        await other.forget_everything()
        assert await other.memories() == []
        assert len(await mine.memories()) == 1
    await mine.forget_everything()


@pytest.mark.parametrize("table", [*TABLES, *TENANT_TABLES])
async def test_a_row_cannot_be_written_for_somebody_else(raw: Raw, table: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        async with raw.transaction():
            await raw.execute("SELECT set_config('memwarden.tenant_id', 'mine', true)")
            await raw.execute("SELECT set_config('memwarden.user_id', 'mine', true)")
            await raw.execute(INSERTS[table])


async def test_every_table_of_the_schema_is_one_of_these(admin: Raw) -> None:
    cursor = await admin.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'memwarden'")
    known = {*TABLES, *TENANT_TABLES, "schema_version", "audit_head"}
    assert {row["tablename"] for row in await cursor.fetchall()} == known


async def test_the_erasure_of_a_tenant_is_seen_by_nobody_outside_it(memwarden: Memwarden, raw: Raw) -> None:
    await memwarden.erase_tenant("tenant-erased")
    for tenant, seen in (("tenant-erased", 1), ("tenant-a", 0), ("", 0)):
        async with raw.transaction():
            await raw.execute("SELECT set_config('memwarden.tenant_id', %s, true)", (tenant,))
            cursor = await raw.execute("SELECT count(*) AS n FROM memwarden.tenant_erasure")
            row = await cursor.fetchone()
            assert row is not None
            assert row["n"] == seen


async def test_what_a_hold_keeps_can_be_counted_and_not_read(memwarden: Memwarden, raw: Raw) -> None:
    await fill(memwarden, Scope("tenant-h", "user-h"))
    async with raw.transaction():
        await raw.execute("SELECT set_config('memwarden.tenant_id', 'tenant-h', true)")
        await raw.execute("SELECT set_config('memwarden.user_id', 'user-h', true)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await raw.execute("SELECT content FROM memwarden.withheld")


async def test_a_sweep_gives_away_ids_and_nothing_else(raw: Raw) -> None:
    cursor = await raw.execute(
        "SELECT p.proname, p.proargnames FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
        " WHERE n.nspname = 'memwarden' AND p.prosecdef AND has_function_privilege(p.oid, 'execute')"
    )
    named = {
        name
        for row in await cursor.fetchall()
        for name in row["proargnames"]
        if not name.startswith(("the_", "most", "idle_before", "before"))
    }
    assert named == {"tenant_id", "user_id", "thread_id", "id", "state", "erasures"}


INSERTS = {
    "memory": "INSERT INTO memwarden.memory (tenant_id, user_id, id, type, content, source, status, purpose, created_at,"
    " updated_at, expires_at, search) VALUES ('theirs', 'theirs', repeat('0', 26), 'fact', 'x', 'system', 'active', 'p',"
    " now(), now(), now(), '')",
    "proposal": "INSERT INTO memwarden.proposal (tenant_id, user_id, id, type, content, purpose, reasons, status,"
    " created_at, expires_at) VALUES ('theirs', 'theirs', repeat('0', 26), 'fact', 'x', 'p', '{}', 'pending', now(), now())",
    "consent": "INSERT INTO memwarden.consent (tenant_id, user_id, id, purpose, granted, notice, at)"
    " VALUES ('theirs', 'theirs', repeat('0', 26), 'p', true, '1', now())",
    "erasure": "INSERT INTO memwarden.erasure (tenant_id, user_id, id, at, removed)"
    " VALUES ('theirs', 'theirs', repeat('0', 26), now(), '{}')",
    "tenant_erasure": "INSERT INTO memwarden.tenant_erasure (tenant_id, id, at, state)"
    " VALUES ('theirs', repeat('0', 26), now(), 'unfinished')",
    "thread": "INSERT INTO memwarden.thread (tenant_id, user_id, thread_id, started_at, last_active_at)"
    " VALUES ('theirs', 'theirs', 't', now(), now())",
    "read_trace": "INSERT INTO memwarden.read_trace (tenant_id, user_id, id, answer_id, at, record_ids)"
    " VALUES ('theirs', 'theirs', repeat('0', 26), 'a', now(), '{}')",
    "legal_hold": "INSERT INTO memwarden.legal_hold (tenant_id, user_id, id, reference, placed_at)"
    " VALUES ('theirs', 'theirs', repeat('0', 26), 'c', now())",
    "withheld": "INSERT INTO memwarden.withheld (tenant_id, user_id, source, content)"
    " VALUES ('theirs', 'theirs', 'memory', '{}')",
    "export": "INSERT INTO memwarden.export (tenant_id, user_id, id, path, created_at, expires_at)"
    " VALUES ('theirs', 'theirs', repeat('0', 26), '/x', now(), now())",
    "upkeep": "INSERT INTO memwarden.upkeep (tenant_id, user_id, consolidated_at, embedding_model)"
    " VALUES ('theirs', 'theirs', now(), 'm')",
    "audit_event": "INSERT INTO memwarden.audit_event VALUES"
    " ('theirs', 'theirs', repeat('0', 26), now(), 'user', 'stored', 'user_turn', '{}', null)",
    "checkpoint": "INSERT INTO memwarden.checkpoint (tenant_id, user_id, thread_id, ns, id, facts, skeleton)"
    " VALUES ('theirs', 'theirs', 't', '', 'c', '{}', '')",
    "checkpoint_part": "INSERT INTO memwarden.checkpoint_part (tenant_id, user_id, thread_id, number, hash, content)"
    " VALUES ('theirs', 'theirs', 't', 1, '', '')",
    "checkpoint_value": "INSERT INTO memwarden.checkpoint_value"
    " VALUES ('theirs', 'theirs', 't', '', 'c', '1', 1, '')",
    "checkpoint_write": "INSERT INTO memwarden.checkpoint_write"
    " VALUES ('theirs', 'theirs', 't', '', 'c', '', 't', 0, 'c', 1, '')",
    "archive": "INSERT INTO memwarden.archive (tenant_id, user_id, thread_id, kind, id, content, kept_at, place)"
    " VALUES ('theirs', 'theirs', 't', 'message', 'm', '', now(), 1)",
    "conversation": "INSERT INTO memwarden.conversation VALUES ('theirs', 'theirs', repeat('0', 26), 't', 'user', 0, null, '{}',"
    " now(), now(), 'active', false, true, null, null, 1)",
}


@pytest.mark.parametrize("table", [*TABLES, *TENANT_TABLES])
async def test_an_unset_scope_cannot_write(raw: Raw, table: str) -> None:
    with pytest.raises(psycopg.Error):
        await raw.execute(INSERTS[table].replace("'theirs'", "''"))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memwarden.audit_event SET reasons = '{}'",
        "DELETE FROM memwarden.audit_event",
        "UPDATE memwarden.consent SET granted = true",
        "DELETE FROM memwarden.consent",
        "DELETE FROM memwarden.erasure",
        "UPDATE memwarden.erasure SET removed = '{}'",
        "DELETE FROM memwarden.tenant_erasure",
        "DELETE FROM memwarden.read_trace",
        "UPDATE memwarden.read_trace SET record_ids = '{}'",
        "DELETE FROM memwarden.legal_hold",
        "UPDATE memwarden.legal_hold SET placed_at = now()",
        "DELETE FROM memwarden.withheld",
        "INSERT INTO memwarden.withheld (tenant_id, user_id, source, content) VALUES ('a', 'b', 'c', '{}')",
        "SELECT memwarden.withhold()",
        "SELECT memwarden.let_go()",
        "TRUNCATE memwarden.memory",
        "ALTER TABLE memwarden.memory DISABLE ROW LEVEL SECURITY",
        "ALTER TABLE memwarden.memory NO FORCE ROW LEVEL SECURITY",
        "DROP POLICY scope ON memwarden.memory",
        "DROP TABLE memwarden.memory",
        "CREATE TABLE memwarden.mine (x int)",
        "SET ROLE memwarden_admin",
        "SET SESSION AUTHORIZATION memwarden_admin",
        "ALTER ROLE memwarden_app BYPASSRLS",
        "UPDATE memwarden.schema_version SET version_num = '9'",
        "COPY memwarden.memory TO PROGRAM 'cat'",
    ],
)
async def test_the_application_role_cannot_undo_the_protection(raw: Raw, statement: str) -> None:
    with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.FeatureNotSupported)):
        await raw.execute(statement)


async def test_turning_row_security_off_is_an_error_and_no_way_round_it(raw: Raw) -> None:
    async with raw.transaction():
        await raw.execute("SET LOCAL row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            await raw.execute("SELECT * FROM memwarden.memory")


async def test_an_id_of_somebody_else_is_answered_like_an_unknown_one(
    memwarden: Memwarden, user: UserMemory
) -> None:
    stored = await user.remember("I live in Pune", origin=Origin.USER_TURN)
    proposed = await user.propose(
        "Works night shifts", quote="I work night shifts", message="I work night shifts"
    )
    assert stored.record is not None
    assert proposed.proposal is not None
    stranger = memwarden.user(user.scope.tenant_id, user.scope.user_id + "x")
    unknown = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

    async def correct(record_id: str) -> object:
        return await stranger.correct(record_id, "I live in Delhi")

    verbs: list[tuple[Callable[[str], Awaitable[object]], str]] = [
        (stranger.forget, stored.record.id),
        (stranger.history, stored.record.id),
        (correct, stored.record.id),
        (stranger.confirm, proposed.proposal.id),
        (stranger.decline, proposed.proposal.id),
    ]
    for verb, theirs in verbs:
        answers = []
        for identifier in (theirs, unknown):
            with pytest.raises(NotFoundError) as caught:
                await verb(identifier)
            answers.append(str(caught.value))
        assert answers[0] == answers[1]
    assert len(await user.memories()) == 1
    assert len(await user.proposals()) == 1


async def test_the_same_thread_id_of_two_users_is_two_threads(memwarden: Memwarden) -> None:
    one, two = Scope("tenant-c", "one"), Scope("tenant-c", "two")
    await fill(memwarden, one)
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    stranger = await memwarden.scoped(two).checkpointer()
    assert await stranger.aget_tuple(config) is None
    assert [item async for item in stranger.alist(None)] == []
    await stranger.adelete_thread("t")
    await fill(memwarden, two)
    await stranger.adelete_thread("t")
    assert await stranger.aget_tuple(config) is None
    assert await (await memwarden.scoped(one).checkpointer()).aget_tuple(config) is not None
