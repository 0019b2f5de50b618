"""Recall's searches: exact by vector, tolerant by word and trigram, and never outside the user's rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from psycopg.rows import DictRow

from memwarden import Memwarden, Scope, UserMemory
from memwarden.db import memory_table
from memwarden.db.database import Database
from memwarden.db.memory_table import Found, Reading, vector_literal
from memwarden.db.search_text import (
    MAX_TRIGRAMS,
    MAX_WORDS,
    passage_trigrams,
    query_terms,
    query_trigrams,
    telling_words,
    words,
)
from memwarden.model.ids import new_id
from memwarden.model.record import Evidence, MemoryRecord, MemoryType, Source

Raw = psycopg.AsyncConnection[DictRow]
Vectors = NDArray[np.float32]

NOW = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
MODEL = "toy"
DIMS = 24

anything = st.text(st.characters(), max_size=200)
"""Any code points at all: NUL, unpaired surrogates, quotes, backslashes, marks, unassigned ones."""


def unit_vectors(count: int, seed: int) -> Vectors:
    """Return random unit vectors, shape (count, DIMS)."""
    vectors = np.random.default_rng(seed).standard_normal((count, DIMS)).astype(np.float32)
    normal: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return normal


@pytest.fixture
def database(memwarden: Memwarden) -> Database:
    """The pool of the application role."""
    return memwarden._deps.database


async def put(
    database: Database,
    scope: Scope,
    contents: Sequence[str],
    vectors: Vectors | None = None,
    *,
    keys: Sequence[str | None] = (),
    model: str = MODEL,
    expires_at: datetime = NOW + timedelta(days=9),
) -> list[str]:
    """Write records, and return their ids in the same order."""
    if vectors is None:
        vectors = unit_vectors(len(contents), 0)
    ids = []
    async with database.transaction(scope) as tx:
        for place, content in enumerate(contents):
            record = MemoryRecord(
                scope=scope,
                id=new_id(NOW - timedelta(minutes=len(contents) - place)),
                type=MemoryType.FACT,
                key=keys[place] if keys else None,
                content=content,
                source=Source.USER_STATED,
                purpose="a test",
                evidence=Evidence("conversation", f"message-{place}"),
                created_at=NOW,
                updated_at=NOW,
                expires_at=expires_at,
                embedding_model=model,
            )
            ids.append((await memory_table.insert(tx, record, vectors[place])).id)
    return ids


async def find(
    database: Database, scope: Scope, query: str, vector: Vectors | None = None, depth: int = 10
) -> Found:
    """Search as recall does."""
    asked = unit_vectors(1, 99)[0] if vector is None else vector
    reading = Reading(NOW, None, consent_required=False)
    return await memory_table.search(database, scope, query, asked, MODEL, reading=reading, depth=depth)


def best(found: Found, strength: str) -> list[str]:
    """Return the contents that a search gave anything for, the strongest first."""
    hits = [hit for hit in found.hits if getattr(hit, strength) > 0]
    return [hit.record.content for hit in sorted(hits, key=lambda hit: getattr(hit, strength), reverse=True)]


# Words and trigrams


@given(anything)
@example("'")
@example("\\")
@example("a'b\\c:* | & ! <-> ( )")
@example("\0\ud800")
@example("\u0130\u1e9e\ufb03\u0345")
@example("x" * 2_000)
@example("\U0001f468\u200d\U0001f469" * 500)
@example("क्षि" * 500)
async def test_any_question_is_a_tsquery(raw: Raw, question: str) -> None:
    cursor = await raw.execute(
        "SELECT cardinality(%s::tsquery[]) AS terms, numnode(%s::tsquery) AS nodes",
        (query_terms(question), query_trigrams(question)),
    )
    row = await cursor.fetchone()
    assert row is not None
    assert row["terms"] == min(len(telling_words(question)), MAX_WORDS)
    assert row["nodes"] <= 2 * MAX_TRIGRAMS


@given(anything)
@example("O'Brien \\ Ångström")
@example("क्षत्रिय హైదరాబాద్ señor")
async def test_a_sentence_has_every_trigram_of_itself_asked(raw: Raw, sentence: str) -> None:
    asked = query_trigrams(sentence)
    cursor = await raw.execute(
        "SELECT array_to_tsvector(%s::text[]) @@ %s::tsquery AS found",
        (passage_trigrams(sentence), asked.replace("' | '", "' & '")),
    )
    row = await cursor.fetchone()
    assert row == {"found": bool(asked)}


@given(anything)
def test_trigrams_are_marked_and_short(sentence: str) -> None:
    assert all(gram[0] == "~" and len(gram) in {3, 4} for gram in passage_trigrams(sentence))


@given(anything)
def test_a_question_with_words_is_about_some_of_them(question: str) -> None:
    found = words(question)
    telling = telling_words(question)
    assert bool(telling) == bool(found)
    assert len(telling) <= MAX_WORDS
    assert all(any(whole.startswith(word) for whole in found) for word in telling)


def test_function_words_count_only_when_there_are_no_others() -> None:
    assert telling_words("What did I say about the budget?") == ["budget"]
    assert sorted(telling_words("Who are you?")) == ["are", "who", "you"]


def test_a_short_name_is_asked_for_beside_long_words() -> None:
    asked = query_trigrams("Internationalisation documentation requirements of Ravi's organisation")
    assert "'~ ra'" in asked
    assert "'~avi'" in asked


# Exactness


def as_stored(vector: Vectors) -> NDArray[np.float64]:
    """Return a vector as PostgreSQL has it: written out, then read in half precision."""
    written = np.array(vector_literal(vector)[1:-1].split(","), dtype=np.float64)
    return written.astype(np.float16).astype(np.float64)


def true_distances(stored: Vectors, asked: Vectors) -> NDArray[np.float64]:
    """Return the cosine distance of every stored vector, by brute force."""
    left, right = np.array([as_stored(vector) for vector in stored]), as_stored(asked)
    distances: NDArray[np.float64] = 1 - left @ right / (np.linalg.norm(left, axis=1) * np.linalg.norm(right))
    return distances


@pytest.mark.parametrize("rows", [1, 7, 60])
async def test_nearest_rows_are_those_of_brute_force(database: Database, user: UserMemory, rows: int) -> None:
    stored = unit_vectors(rows, 1)
    ids = await put(database, user.scope, [f"sentence {place}" for place in range(rows)], stored)
    for seed in range(20):
        asked = unit_vectors(1, 1000 + seed)[0]
        found = await find(database, user.scope, "nothing of that kind", asked)
        got = sorted((hit.distance, hit.record.id) for hit in found.hits if hit.distance is not None)
        distances = true_distances(stored, asked)
        order = np.argsort(distances)[:10]
        assert [record_id for _, record_id in got[:10]] == [ids[place] for place in order]
        assert [distance for distance, _ in got[:10]] == pytest.approx(distances[order], abs=1e-6)


async def test_depth_bounds_each_search(database: Database, user: UserMemory) -> None:
    contents = [f"the budget of {place}" for place in range(40)]
    await put(database, user.scope, contents)
    found = await find(database, user.scope, "budget", depth=5)
    assert 5 <= len(found.hits) <= 15


def test_a_vector_is_written_more_finely_than_it_is_stored() -> None:
    vector = unit_vectors(1, 3)[0]
    written = np.array(vector_literal(vector)[1:-1].split(","), dtype=np.float64)
    assert written == pytest.approx(vector, rel=1e-4)


# Words, beginnings, misspellings


async def test_rare_words_count_for_more_than_frequent_ones(database: Database, user: UserMemory) -> None:
    await put(
        database,
        user.scope,
        [*(f"The meeting number {place}" for place in range(20)), "The audit is in March"],
    )
    found = await find(database, user.scope, "audit meeting", depth=3)
    assert best(found, "words")[0] == "The audit is in March"


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Lives in Hyderabad", "anything in hyder"),
        ("Files invoices on Friday", "Which INVOICE is due?"),
        ("मैं हैदराबाद में रहता हूँ", "हैदराबाद"),
        ("నేను హైదరాబాద్‌లో ఉంటాను", "హైదరాబాద్"),
        ("Soy alérgico al cacahuete", "¿cacahuete?"),
        ("Reports to Ms O'Brien", "o'brien"),
    ],
)
async def test_words_and_beginnings_are_found(
    database: Database, user: UserMemory, content: str, query: str
) -> None:
    await put(database, user.scope, ["Drinks tea at noon", content, "Rides a blue bicycle"])
    found = await find(database, user.scope, query, depth=1)
    assert best(found, "words") == [content]


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Reports to Srinivas", "What does Shrinivas do?"),
        ("Reports to Shrinivas", "Who is Srinivas?"),
        ("Lakshmi approves the leave", "laxmi approval"),
        ("Chutti ke liye Ramesh se poochhna hai", "chhutti"),
        ("Lives near Vijayawada", "vijaywada"),
        ("Works with Kubernetes", "kubernets"),
    ],
)
async def test_misspelt_words_are_found(
    database: Database, user: UserMemory, content: str, query: str
) -> None:
    await put(database, user.scope, ["Drinks tea at noon", content, "Rides a blue bicycle"])
    found = await find(database, user.scope, query, depth=1)
    assert best(found, "trigrams")[0] == content


@pytest.mark.parametrize("query", ["", "?!", "🙂", "\ufeff", "a"])
async def test_a_question_without_words_is_searched_by_vector_alone(
    database: Database, user: UserMemory, query: str
) -> None:
    await put(database, user.scope, ["Lives in Pune", "Works at night"])
    found = await find(database, user.scope, query)
    assert len(found.hits) == 2
    assert not best(found, "words")


# Which rows


async def test_slots_always_come_along(database: Database, user: UserMemory) -> None:
    contents = [*(f"Budget line {place}" for place in range(12)), "Prefers replies in Telugu"]
    await put(database, user.scope, contents, keys=[*[None] * 12, "language"])
    found = await find(database, user.scope, "budget", depth=1)
    assert "Prefers replies in Telugu" in {hit.record.content for hit in found.hits}


async def test_hits_carry_the_whole_record(database: Database, user: UserMemory) -> None:
    ids = await put(database, user.scope, ["Lives in Pune"])
    record = (await find(database, user.scope, "Pune")).hits[0].record
    async with database.transaction(user.scope) as tx:
        assert record == await memory_table.get(tx, user.scope, ids[0], NOW)
    assert record.evidence == Evidence("conversation", "message-0")


async def test_nobody_elses_rows_are_searched(database: Database, user: UserMemory) -> None:
    mine = user.scope
    others = [Scope(mine.tenant_id, mine.user_id + "x"), Scope(mine.tenant_id + "x", mine.user_id)]
    for other in others:
        await put(database, other, ["The secret of Srinivas"], keys=["language"])
    assert (await find(database, mine, "secret Srinivas")).hits == ()
    await put(database, mine, ["My own secret of Srinivas"])
    found = await find(database, mine, "secret Srinivas")
    assert [hit.record.content for hit in found.hits] == ["My own secret of Srinivas"]


async def test_expired_and_retired_rows_are_not_searched(database: Database, user: UserMemory) -> None:
    await put(database, user.scope, ["The budget is 4"], expires_at=NOW)
    old, new = await put(database, user.scope, ["The budget is 5", "The budget is 6"])
    async with database.transaction(user.scope) as tx:
        await memory_table.supersede_record(tx, old, by=new, now=NOW)
    found = await find(database, user.scope, "budget")
    assert [hit.record.id for hit in found.hits] == [new]


async def test_vectors_of_another_model_are_counted_and_not_compared(
    database: Database, user: UserMemory
) -> None:
    other = np.ones((2, 5), dtype=np.float32)
    await put(database, user.scope, ["Lives in Pune", "Works at night"], other, model="another")
    await put(database, user.scope, ["Drinks tea"])
    found = await find(database, user.scope, "Pune")
    assert found.other_models == 2
    assert [hit.record.content for hit in found.hits if hit.distance is not None] == ["Drinks tea"]
    assert best(found, "words") == ["Lives in Pune"]
