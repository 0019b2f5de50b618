"""Whatever a state's size, no document of MongoDB has more than 1 MB, and no item of DynamoDB more than 400 KB."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any, TypedDict

import bson
import pytest
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection

from memwarden.checkpoint import ScopedSaver, WideEngine
from memwarden.checkpoint.dynamodb import DynamoRows, create_table
from memwarden.checkpoint.mongodb import MongoRows
from memwarden.model.scope import Scope
from tests.checkpoint.dynamodb_server import dynamodb_client, running_dynamodb
from tests.checkpoint.mongodb_server import running_mongodb

pytestmark = pytest.mark.slow

SCOPE = Scope("acme", "asha")
PLACE: RunnableConfig = {
    "configurable": {"thread_id": "t"},
    "metadata": {f"note-{number}": "x" * 900 for number in range(10)},
}


def wide(channels: int) -> Any:
    """Return the type of a state with so many channels beside its messages."""
    fields: dict[str, Any] = {f"channel_{number:04}": str for number in range(channels)}
    return TypedDict("State", {"messages": Annotated[list[AnyMessage], add_messages], **fields}, total=False)  # type: ignore[operator]


async def filled(saver: ScopedSaver) -> None:
    """Keep messages beyond every limit, and a state of so many channels that its skeleton is, too; then read it."""
    schema = wide(6_000)

    def node(state: Any) -> dict[str, Any]:
        return {f"channel_{number:04}": f"value {number}" for number in range(6_000)}

    builder: Any = StateGraph(schema)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    builder.add_edge("node", END)
    graph = builder.compile(checkpointer=saver)
    long = os.urandom(2_000_000).hex()
    await graph.ainvoke({"messages": [HumanMessage(long, id="1")]}, PLACE)
    kept = (await graph.aget_state(PLACE)).values
    assert kept["messages"] == [HumanMessage(long, id="1")]
    assert kept["channel_5999"] == "value 5999"


async def test_mongodb(tmp_path: Path) -> None:
    client: AsyncMongoClient[dict[str, Any]]
    async with running_mongodb(tmp_path) as url, AsyncMongoClient(url) as client:
        collection: AsyncCollection[dict[str, Any]] = client["sizes"]["checkpoints"]
        rows = MongoRows(collection)
        await rows.prepare()
        saver = ScopedSaver(WideEngine(rows), SCOPE)
        await filled(saver)
        sizes = [len(bson.encode(document)) async for document in collection.find()]
        assert sum(sizes) > 4_000_000
        assert max(sizes) < 1_000_000
        await saver.adelete_thread("t")
        left = [document async for document in collection.find({"thread_id": "t"})]
        assert left == []


def item_bytes(value: Any) -> int:
    """Return the size of a raw attribute by DynamoDB's rules, or more."""
    ((kind, held),) = value.items()
    if kind == "N":
        return 21
    return len(held) if isinstance(held, bytes) else len(held.encode())


async def test_dynamodb() -> None:
    async with running_dynamodb() as url, dynamodb_client(url) as client:
        await create_table(client, "sizes")
        saver = ScopedSaver(WideEngine(DynamoRows(client, "sizes")), SCOPE)
        await filled(saver)

        async def items() -> list[Any]:
            pages = client.get_paginator("scan").paginate(TableName="sizes")
            return [item async for page in pages for item in page["Items"]]

        sizes = [sum(len(name) + item_bytes(value) for name, value in item.items()) for item in await items()]
        assert sum(sizes) > 4_000_000
        assert max(sizes) < 400 * 1024
        await saver.adelete_thread("t")
        assert not [item for item in await items() if ":t" in item["pk"]["S"] or item["sk"]["S"] == "t"]
