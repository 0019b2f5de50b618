"""LangGraph's own conformance suite, every capability."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from itertools import count

from langgraph.checkpoint.conformance import checkpointer_test, validate

from memwarden import Memwarden
from memwarden.checkpoint import ScopedSaver

_users = count(1)


async def test_langgraphs_conformance_suite(memwarden: Memwarden) -> None:
    @checkpointer_test("memwarden")
    async def saver() -> AsyncGenerator[ScopedSaver, None]:
        yield await memwarden.user("conformance", f"conform-{next(_users)}").checkpointer()

    report = await validate(saver)
    failed = {name: result.failures for name, result in report.results.items() if result.failures}
    assert failed == {}
    assert report.passed_all()
