"""LangGraph's own conformance suite, every capability, on every engine."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from langgraph.checkpoint.conformance import checkpointer_test, validate

from memwarden.checkpoint import ScopedSaver
from tests.checkpoint.conftest import NewSaver


async def test_langgraphs_conformance_suite(new_saver: NewSaver) -> None:
    @checkpointer_test("memwarden")
    async def saver() -> AsyncGenerator[ScopedSaver, None]:
        yield new_saver()

    report = await validate(saver)
    failed = {name: result.failures for name, result in report.results.items() if result.failures}
    assert failed == {}
    assert report.passed_all()
