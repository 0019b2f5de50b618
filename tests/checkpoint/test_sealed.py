"""Sealed checkpoints: nothing to read in the store, nothing that opens elsewhere, and everything else as without."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from hypothesis import given, settings
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.graph import END, START, MessagesState, StateGraph
from psycopg.rows import DictRow
from pydantic import SecretStr

from memwarden import Memwarden
from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.engine import Engine
from memwarden.checkpoint.key_ring import DerivedKeys
from memwarden.checkpoint.sealing import AesGcmSealer
from memwarden.checkpoint.wide_rows import WideRows
from memwarden.errors import SealError
from memwarden.model.scope import Scope
from memwarden.settings import Settings
from tests.checkpoint.test_equal import Delta, Plain, sees_no_difference, steps
from tests.conftest import Addresses

Admin = psycopg.AsyncConnection[DictRow]
PLACE: RunnableConfig = {"configurable": {"thread_id": "t"}}
WORDS = "the aubergine under the piano"


def keys(*ids: str) -> DerivedKeys:
    """Return keys that are told from their ids."""
    return DerivedKeys({name: (name.encode() * 32)[:32] for name in ids})


def sealed(engine: Engine, scope: Scope, *ids: str) -> ScopedSaver:
    return ScopedSaver(engine, scope, sealer=AesGcmSealer(keys(*(ids or ("one",)))))


def somebody() -> Scope:
    return Scope("sealed", f"user-{uuid4().hex[:12]}")


def talking(saver: ScopedSaver) -> Any:
    def node(state: MessagesState) -> dict[str, Any]:
        return {"messages": [AIMessage(f"{WORDS} {len(state['messages'])} " + "y" * 2_000)]}

    builder = StateGraph(MessagesState).add_node(node).add_edge(START, "node").add_edge("node", END)
    return builder.compile(checkpointer=saver)


async def everything(admin: Admin, scope: Scope) -> bytes:
    """Return all bytes that the database holds of a user's checkpoints."""
    held = []
    for table in ("checkpoint", "checkpoint_part", "checkpoint_value", "checkpoint_write"):
        cursor = await admin.execute(
            f"SELECT * FROM memwarden.{table} WHERE tenant_id = %s AND user_id = %s",
            (scope.tenant_id, scope.user_id),
        )
        held += [value for row in await cursor.fetchall() for value in row.values()]
    return b"|".join(value if isinstance(value, bytes) else repr(value).encode() for value in held)


@pytest.mark.slow
@pytest.mark.parametrize("kept_in", ["postgresql", "mongodb"], indirect=True)
async def test_langgraphs_conformance_suite(kept_in: Engine) -> None:
    @checkpointer_test("memwarden, sealed")
    async def saver() -> Any:
        yield sealed(kept_in, somebody())

    report = await validate(saver)
    assert {name: result.failures for name, result in report.results.items() if result.failures} == {}
    assert report.passed_all()


@pytest.mark.slow
@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
@pytest.mark.parametrize("schema", [Plain, Delta])
@given(moves=steps)
@settings(max_examples=10)
async def test_a_graph_sees_no_difference(kept_in: Engine, schema: type, moves: Sequence[Any]) -> None:
    await sees_no_difference(sealed(kept_in, somebody()), schema, list(moves))


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
async def test_nothing_of_what_was_said_can_be_read(kept_in: Engine, admin: Admin) -> None:
    scope = somebody()
    config: RunnableConfig = {**PLACE, "metadata": {"run_id": "run-1"}}
    plain = ScopedSaver(kept_in, scope)
    for saver, is_there in ((sealed(kept_in, scope), False), (plain, True)):
        graph = talking(saver)
        for number in range(2):
            await graph.ainvoke({"messages": [HumanMessage(f"{WORDS}? {number}")]}, config)
        held = await everything(admin, scope)
        assert (b"aubergine" in held) is is_there
        assert (b'"source"' in held or b"'source'" in held) is is_there
        await saver.adelete_thread("t")


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
async def test_metadata_can_be_asked_for_all_the_same(kept_in: Engine) -> None:
    saver = sealed(kept_in, somebody())
    graph = talking(saver)
    for number in range(15):
        await graph.ainvoke({"messages": [HumanMessage(str(number))]}, PLACE)
    inputs = [found async for found in saver.alist(PLACE, filter={"source": "input"}, limit=12)]
    assert [found.metadata["source"] for found in inputs] == ["input"] * 12


async def test_the_key_can_be_changed_and_the_old_one_goes_last(kept_in: Engine) -> None:
    scope = somebody()
    await talking(sealed(kept_in, scope, "one")).ainvoke({"messages": [HumanMessage("first")]}, PLACE)
    both = sealed(kept_in, scope, "two", "one")
    await talking(both).ainvoke({"messages": [HumanMessage("second")]}, PLACE)
    assert len((await talking(both).aget_state(PLACE)).values["messages"]) == 4
    assert len([found async for found in both.alist(PLACE)]) == 6
    # Whatever the conversation goes on with was sealed again; what came before was not.
    only = sealed(kept_in, scope, "two")
    assert len((await talking(only).aget_state(PLACE)).values["messages"]) == 4
    with pytest.raises(SealError):
        [found async for found in only.alist(PLACE)]
    await both.aprune(["t"])
    assert len([found async for found in only.alist(PLACE)]) == 1


async def test_without_the_key_nothing_is_taken_for_plain(kept_in: Engine) -> None:
    scope = somebody()
    await talking(sealed(kept_in, scope)).ainvoke({"messages": [HumanMessage("first")]}, PLACE)
    with pytest.raises(SealError, match="MEMWARDEN_CHECKPOINT_KEYS"):
        await ScopedSaver(kept_in, scope).aget_tuple(PLACE)
    other = somebody()
    await talking(ScopedSaver(kept_in, other)).ainvoke({"messages": [HumanMessage("first")]}, PLACE)
    with pytest.raises(SealError):
        await sealed(kept_in, other).aget_tuple(PLACE)


@pytest.mark.parametrize("kept_in", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    "forged",
    [
        "checkpoint_part SET content = (SELECT content FROM mine ORDER BY number LIMIT 1)",
        "checkpoint_value SET refs = (SELECT refs FROM mine ORDER BY channel, version LIMIT 1)",
        "checkpoint SET skeleton = (SELECT skeleton FROM mine ORDER BY id LIMIT 1)",
        "checkpoint_part SET content = '\\x00'::bytea || 'plain'",
    ],
    ids=["part for part", "value for value", "checkpoint for checkpoint", "plain for sealed"],
)
async def test_what_was_put_in_anothers_place_is_refused(kept_in: Engine, admin: Admin, forged: str) -> None:
    scope = somebody()
    await talking(sealed(kept_in, scope)).ainvoke({"messages": [HumanMessage("hello")]}, PLACE)
    where = "WHERE tenant_id = %(t)s AND user_id = %(u)s"
    table = f"(SELECT * FROM memwarden.{forged.split()[0]} {where}) AS mine"
    await admin.execute(
        f"UPDATE memwarden.{forged.replace('mine', table)} {where}",
        {"t": scope.tenant_id, "u": scope.user_id},
    )
    with pytest.raises(SealError):
        await sealed(kept_in, scope).aget_tuple(PLACE)


@pytest.mark.slow
async def test_a_large_item_has_room_for_its_seal(mongodb_rows: WideRows, dynamodb_rows: WideRows) -> None:
    for rows in (mongodb_rows, dynamodb_rows):
        saver = sealed(WideEngine(rows), somebody())
        text = os.urandom(1_500_000).hex()
        await talking(saver).ainvoke({"messages": [HumanMessage(text)]}, PLACE)
        assert (await talking(saver).aget_state(PLACE)).values["messages"][0].text == text


async def test_the_setting_seals_what_a_user_keeps(addresses: Addresses, admin: Admin) -> None:
    secret = SecretStr("k1:" + "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE=")
    chosen = Settings(checkpoint_keys=secret, database_url=SecretStr(addresses.app))
    scope = somebody()
    async with Memwarden.open(settings=chosen, opinions=()) as memwarden:
        user = memwarden.scoped(scope)
        await talking(await user.checkpointer()).ainvoke({"messages": [HumanMessage(WORDS)]}, PLACE)
        assert b"aubergine" not in await everything(admin, scope)
        erased = await user.forget_everything()
        assert all(store.residue == 0 for store in erased.stores)
    assert replace(scope) == scope
