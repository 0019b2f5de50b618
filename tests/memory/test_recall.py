"""Recall: the profile by key, then what bears on the question, in any language, never what is past."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest

from memwarden import Memwarden, Origin, TextKind, UserMemory
from memwarden.embed import Vectors
from memwarden.errors import EmbeddingError, EmbeddingMismatchError, InvalidInputError
from tests.conftest import Addresses, MovableClock

FACTS = (
    "I play the violin in an orchestra",
    "I am allergic to nothing but the gym",
    "I ride my bicycle to work",
    "I grow tomatoes on my balcony",
    "I studied mathematics in Lyon",
    "I have two cats",
    "I read detective novels",
    "I run marathons",
    "I use Vim on Debian",
    "I work with Srinivas Rao on payroll",
)


async def told(user: UserMemory, *facts: str) -> None:
    """Say facts and confirm those the guard asks about."""
    for fact in facts:
        result = await user.remember(fact, origin=Origin.USER_TURN)
        if result.proposal is not None:
            await user.confirm(result.proposal.id)


@pytest.fixture(scope="module")
async def talkative(memwarden: Memwarden) -> UserMemory:
    """A user who has said a good deal."""
    user = memwarden.user("acme", "talkative")
    await told(user, "I live in Pune", "I prefer replies in Telugu", *FACTS)
    return user


async def test_the_profile_comes_first_and_by_key_whatever_the_question(talkative: UserMemory) -> None:
    recall = await talkative.recall("Tell me about tomatoes")
    assert [record.key for record in recall.profile] == ["language", "location"]
    assert all(ranked.record.key is None for ranked in recall.memories)
    assert [r.key for r in (await talkative.recall()).records] == ["language", "location"]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Do I play an instrument?", "violin"),
        ("¿Qué instrumento toco?", "violin"),
        ("मैं कौन सा वाद्य यंत्र बजाता हूँ?", "violin"),
        ("నేను ఏ సంగీత వాయిద్యం వాయిస్తాను?", "violin"),
        ("How do I get to the office?", "bicycle"),
        ("Comment est-ce que je vais au travail ?", "bicycle"),
        ("क्या मेरे पास पालतू जानवर हैं?", "cats"),
        ("Which editor do I use?", "Vim"),
        ("tomato", "tomatoes"),
        ("Shrinivas", "Srinivas"),
    ],
)
async def test_a_question_in_another_language_or_spelling_finds_the_memory(
    talkative: UserMemory, question: str, found: str
) -> None:
    memories = (await talkative.recall(question, limit=3)).memories
    assert any(found in ranked.record.content for ranked in memories), [m.record.content for m in memories]


@pytest.mark.parametrize(
    ("memory", "question"),
    [
        ("मैं साइकिल से दफ़्तर जाता हूँ", "How do I commute?"),
        ("నేను రోజూ సైకిల్ మీద ఆఫీసుకు వెళ్తాను", "How do I get to the office?"),
        ("Toco el violín en una orquesta", "Which instrument do I play?"),
    ],
)
async def test_an_english_question_finds_what_was_said_in_another_language(
    memwarden: Memwarden, memory: str, question: str
) -> None:
    user = memwarden.user("acme", "speaks " + memory[:10])
    await told(user, *FACTS[3:8], memory)
    memories = (await user.recall(question, limit=3)).memories
    assert any(ranked.record.content == memory for ranked in memories)


async def test_the_limit_is_kept(talkative: UserMemory) -> None:
    assert len((await talkative.recall("What do you know about me?", limit=4)).memories) == 4
    assert (await talkative.recall("What do you know about me?", limit=0)).memories == ()
    for limit in (-1, 51):
        with pytest.raises(InvalidInputError):
            await talkative.recall("What?", limit=limit)


async def test_what_was_superseded_or_forgotten_never_comes_back(user: UserMemory) -> None:
    await told(user, "I live in Pune", "I live in Mumbai", "I have two cats")
    cats = next(r for r in await user.memories() if "cats" in r.content)
    await user.forget(cats.id)
    for question in ("Pune", "Where do I live?", "I live in Pune", "I have two cats", "cats"):
        contents = [record.content for record in (await user.recall(question, limit=50)).records]
        assert len(contents) == 1, contents
        assert "Mumbai" in contents[0]


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "\0",
        "'",
        "\\",
        "a & b | !c",
        "%s %(x)s",
        ":*",
        "('",
        "\ud800",
        "\u202e\u200b",
        "😀" * 50,
        "á" + "\u0301" * 1000,
    ],
)
async def test_any_question_is_answered(talkative: UserMemory, question: str) -> None:
    assert [record.key for record in (await talkative.recall(question)).profile] == ["language", "location"]


async def test_a_very_long_question_is_answered(talkative: UserMemory) -> None:
    question = "lorem ipsum " * 80_000 + "Do I play an instrument?"
    memories = (await talkative.recall(question, limit=5)).memories
    assert len(memories) == 5


async def test_last_use_is_noted_after_the_answer(timed: Memwarden, clock: MovableClock) -> None:
    user = timed.user("acme", "last-use")
    await told(user, "I live in Pune")
    clock.advance(timedelta(days=3))
    (record,) = (await user.recall()).records
    assert record.last_used_at is None
    await timed.flush()
    (record,) = await user.memories()
    assert record.last_used_at == clock.now


class ToyEmbedder:
    """Another model: four dimensions, by the letters of the text."""

    def __init__(self, model: str = "toy", *, dims: int = 4, broken: bool = False) -> None:
        self.model = model
        self._dims = dims
        self._broken = broken

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Count letters."""
        rows = [[1.0 + text.count(letter) for letter in "aeio"[: self._dims]] for text in texts]
        return np.asarray(rows[:-1] if self._broken else rows, dtype=np.float32)


async def test_memories_of_another_embedding_model_are_an_error_that_says_what_to_do(
    memwarden: Memwarden, addresses: Addresses
) -> None:
    await told(memwarden.user("acme", "moved"), "I live in Pune", "I have two cats")
    async with Memwarden.open(addresses.app, embedder=ToyEmbedder()) as other:
        user = other.user("acme", "moved")
        with pytest.raises(EmbeddingMismatchError, match="memwarden reembed"):
            await user.recall("Where do I live?")
        assert len((await user.recall()).profile) == 1
        assert await user.reembed() == 2
        assert await user.reembed() == 0
        assert len((await user.recall("Where do I live?")).records) == 2
        await user.remember("I read detective novels", origin=Origin.USER_TURN)


async def test_models_of_different_dimensions_live_in_one_table(addresses: Addresses) -> None:
    for dims in (2, 3):
        async with Memwarden.open(addresses.app, embedder=ToyEmbedder(f"toy/{dims}", dims=dims)) as other:
            user = other.user("acme", f"dims-{dims}")
            await told(user, "I have two cats", "I run marathons")
            assert len((await user.recall("cats")).records) == 2


async def test_a_model_that_answers_nonsense_writes_nothing(addresses: Addresses) -> None:
    async with Memwarden.open(addresses.app, embedder=ToyEmbedder("broken", broken=True)) as other:
        user = other.user("acme", "broken")
        with pytest.raises(EmbeddingError):
            await user.remember("I live in Pune", origin=Origin.USER_TURN)
        assert await user.memories() == []
        assert await user.audit() == []
