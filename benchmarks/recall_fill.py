"""Fill the table ``memory`` as the application role, under row-level security, the way memories arrive.

Users take turns. In each round every user, in a fresh random order, has one conversation that leaves
``ROWS_PER_VISIT`` memories, written by one multi-row ``VALUES`` statement in that user's scope; the next round
begins when all have had theirs. So a user's rows are spread over the whole table, a few to a page, and
never lie together as a load sorted by user would leave them.

Several processes fill at once, each with its own share of the users.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import psycopg
from numpy.typing import NDArray
from ulid import ULID

from benchmarks.recall_sentences import SLOTS
from memwarden.db.search_text import passage_trigrams
from memwarden.model.scope import Scope

if TYPE_CHECKING:
    from multiprocessing.queues import SimpleQueue

ROWS_PER_VISIT = 4
USERS_PER_TENANT = 1_000
VISITS_PER_TRANSACTION = 50
NOISE = 0.2
"""Length of the noise added to a sentence's unit vector; two users' copies of it are at cosine 0.96 or so."""

SPAN = timedelta(days=300)
"""The memories of the benchmark arrived over this long, until now."""

_PURPOSE = "Fit answers to what the user asked to have remembered."
_INSERT = (
    "INSERT INTO memwarden.memory (tenant_id, user_id, id, type, key, content, source, status, purpose, evidence,"
    " created_at, updated_at, expires_at, embedding, embedding_model, search) VALUES "
)


@dataclass(frozen=True)
class Bank:
    """Distinct sentences with their vectors, shape (sentences, dims); the slots' sentences stand last."""

    sentences: list[str]
    vectors: NDArray[np.float32]
    slots: dict[str, range]
    model: str

    @property
    def free(self) -> int:
        """How many sentences, from the first on, belong to no slot."""
        return len(self.sentences) - sum(len(places) for places in self.slots.values())


@dataclass(frozen=True)
class Filling:
    """What is filled: ``users`` with ``per_user`` rows each, the same for the same seed."""

    users: int
    per_user: int
    seed: int = 7

    @property
    def visits(self) -> int:
        """Conversations of one user."""
        return -(-self.per_user // ROWS_PER_VISIT)


def scope_of(user: int) -> Scope:
    """Return the scope of a user of the benchmark."""
    return Scope(f"tenant-{user // USERS_PER_TENANT}", f"user-{user}")


def slot_places(first: int) -> dict[str, range]:
    """Return where each slot's sentences stand in a bank whose free sentences end before ``first``."""
    places: dict[str, range] = {}
    for key, options in SLOTS.items():
        places[key] = range(first, first + len(options))
        first += len(options)
    return places


def fill(dsn: str, bank: Bank, filling: Filling, processes: int, progress: Callable[[int], None]) -> float:
    """Write all rows with several processes, and return the seconds it took; ``progress`` hears of rows written."""
    started = time.perf_counter()
    context = multiprocessing.get_context("spawn")
    written: SimpleQueue[int] = context.SimpleQueue()
    workers = [
        context.Process(target=_fill_share, args=(dsn, bank, filling, share, processes, written), daemon=True)
        for share in range(processes)
    ]
    for worker in workers:
        worker.start()
    while any(worker.is_alive() for worker in workers) or not written.empty():
        if written.empty():
            time.sleep(0.1)
        else:
            progress(written.get())
    if any(worker.exitcode for worker in workers):
        raise SystemExit("a process that fills the table failed; its error stands above")
    return time.perf_counter() - started


def _fill_share(
    dsn: str, bank: Bank, filling: Filling, share: int, shares: int, written: SimpleQueue[int]
) -> None:
    """Write the rows of every ``shares``-th user."""
    writer = _Writer(bank, filling, share, shares)
    with psycopg.connect(dsn, autocommit=True) as connection:
        batch: list[str] = []
        rows = 0
        for statement, count in writer.statements():
            batch.append(statement)
            rows += count
            if len(batch) == VISITS_PER_TRANSACTION:
                _commit(connection, batch)
                written.put(rows)
                batch, rows = [], 0
        _commit(connection, batch)
        written.put(rows)


def _commit(connection: psycopg.Connection, batch: list[str]) -> None:
    connection.execute(f"BEGIN; {'; '.join(batch)}; COMMIT".encode())


class _Writer:
    """Makes the statements of one process."""

    def __init__(self, bank: Bank, filling: Filling, share: int, shares: int) -> None:
        self._bank = bank
        self._filling = filling
        self._rng = np.random.default_rng([filling.seed, share])
        self._users = np.arange(share, filling.users, shares)
        self._sentences = [_sentence_sql(text) for text in bank.sentences]
        self._keys = {place: key for key, places in bank.slots.items() for place in places}
        self._half = [format(x, ".6g") for x in np.arange(1 << 16, dtype=np.uint16).view(np.float16).tolist()]
        self._until = datetime.now(UTC)

    def statements(self) -> Iterator[tuple[str, int]]:
        """Yield one statement a conversation, with its number of rows, in the order of time."""
        plans = [self._plan() for _ in self._users]
        total = self._filling.visits * len(plans)
        for turn in range(self._filling.visits):
            for place, index in enumerate(self._rng.permutation(len(plans))):
                past = 1 - (turn * len(plans) + place) / total
                sentences = plans[index][turn * ROWS_PER_VISIT : (turn + 1) * ROWS_PER_VISIT]
                at = self._until - SPAN * past
                yield self._visit(scope_of(int(self._users[index])), sentences, at), len(sentences)

    def _plan(self) -> NDArray[np.int64]:
        """Return which sentences a user's rows hold: one for each slot, the others different free ones, shuffled."""
        slots = [self._rng.choice(places) for places in self._bank.slots.values()][: self._filling.per_user]
        free = self._rng.choice(self._bank.free, self._filling.per_user - len(slots), replace=False)
        return self._rng.permutation(np.concatenate([np.array(slots, dtype=np.int64), free]))

    def _visit(self, scope: Scope, sentences: NDArray[np.int64], at: datetime) -> str:
        dims = self._bank.vectors.shape[1]
        noise = self._rng.standard_normal((len(sentences), dims), dtype=np.float32) * (NOISE / dims**0.5)
        vectors = self._bank.vectors[sentences] + noise
        halves = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
        rows = ",".join(self._row(scope, *each, at) for each in zip(sentences.tolist(), halves, strict=True))
        return (
            f"SET LOCAL memwarden.tenant_id = '{scope.tenant_id}'; "
            f"SET LOCAL memwarden.user_id = '{scope.user_id}'; {_INSERT}{rows}"
        )

    def _row(self, scope: Scope, sentence: int, vector: NDArray[np.float16], at: datetime) -> str:
        content, search = self._sentences[sentence]
        key = self._keys.get(sentence)
        slot = f"'preference','{key}'" if key else "'fact',NULL"
        embedding = ",".join([self._half[bits] for bits in vector.view(np.uint16).tolist()])
        return (
            f"('{scope.tenant_id}','{scope.user_id}','{ULID.from_datetime(at)}',{slot},{content},'user_stated',"
            f"'active','{_PURPOSE}','{{\"conversation_id\":\"{at:%Y%m%d%H%M%S}\"}}',"
            f"'{at}','{at}','{at + timedelta(days=365)}','[{embedding}]','{self._bank.model}',{search})"
        )


def _sentence_sql(text: str) -> tuple[str, str]:
    """Return a sentence as an SQL literal, and the expression that makes its search text, as the insert does."""
    content = _quoted(text)
    grams = "{" + ",".join(f'"{gram}"' for gram in passage_trigrams(text)) + "}"
    return content, f"to_tsvector('simple',{content})||array_to_tsvector({_quoted(grams)}::text[])"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
