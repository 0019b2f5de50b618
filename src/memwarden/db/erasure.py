"""Remove every row about a user or of a conversation, but for the log that says so, and look again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any, LiteralString, cast

from psycopg.types.json import Jsonb

from memwarden.db.database import Database, Row, Transaction
from memwarden.db.statements import statements
from memwarden.model.erasure import Erasure, ErasureState, StoreReport
from memwarden.model.scope import Scope

_SQL = statements("erasure")

ERASED_TABLES = (
    "memory",
    "proposal",
    "checkpoint",
    "checkpoint_part",
    "checkpoint_value",
    "checkpoint_write",
    "archive",
    "thread",
    "conversation",
    "upkeep",
)
"""The tables that hold anything a user said, or what was made of it; exports are files, and go with them."""

_COUNTED = (*ERASED_TABLES, "jobs")

CONVERSATION_TABLES = (
    "memory",
    "proposal",
    "checkpoint",
    "checkpoint_part",
    "checkpoint_value",
    "checkpoint_write",
    "archive",
    "thread",
    "conversation",
)
"""Those of them that hold something of one conversation."""


@dataclass(frozen=True, slots=True)
class Begun:
    """An erasure as it is recorded; ``fingerprints`` are keyed hashes of what was removed, until it is complete."""

    erasure: Erasure
    fingerprints: frozenset[str]


async def erase_user(tx: Transaction) -> dict[str, int]:
    """Delete the user's rows from every table of `ERASED_TABLES`; return how many went from each."""
    removed = {table: len(await tx.fetch(_SQL[table])) for table in ERASED_TABLES}
    await tx.fetch(_SQL["unplace_traces"], {"thread_id": ""})
    return removed | {"jobs": len(await tx.fetch(_SQL["jobs"], {"thread_id": ""}))}


async def erase_conversation(tx: Transaction, conversation_id: str) -> dict[str, int]:
    """Delete what there is of one conversation from every table of `CONVERSATION_TABLES`; return the counts."""
    named = {"thread_id": conversation_id}
    removed = {
        table: len(await tx.fetch(_SQL[f"conversation_{table}"], named)) for table in CONVERSATION_TABLES
    }
    among = Jsonb({"also": [{"conversation_id": conversation_id}]})
    await tx.fetch(_SQL["drop_evidence"], {**named, "among": among})
    await tx.fetch(_SQL["unplace_traces"], named)
    return removed | {"jobs": len(await tx.fetch(_SQL["jobs"], named))}


async def erase_checkpoints(tx: Transaction, thread_id: str) -> None:
    """Delete the checkpoints and the archive of one conversation, and that there was one."""
    for table in (
        "checkpoint",
        "checkpoint_part",
        "checkpoint_value",
        "checkpoint_write",
        "archive",
        "thread",
    ):
        await tx.fetch(_SQL[f"conversation_{table}"], {"thread_id": thread_id})


async def words(tx: Transaction, conversation_id: str | None) -> list[str]:
    """Return the sentences that an erasure is about to remove."""
    if conversation_id is None:
        rows = await tx.fetch(_SQL["words"])
    else:
        rows = await tx.fetch(_SQL["conversation_words"], {"thread_id": conversation_id})
    return [str(row["content"]) for row in rows]


async def begin(
    tx: Transaction,
    erasure_id: str,
    at: datetime,
    removed: Mapping[str, int],
    conversation_id: str | None,
    fingerprints: Sequence[str],
) -> None:
    """Record an erasure in the transaction of its deletions; what began before it is turned away from then on."""
    await tx.fetch(
        _SQL["begin"],
        {
            "id": erasure_id,
            "at": at,
            "removed": Jsonb(dict(removed)),
            "thread_id": conversation_id or "",
            "fingerprints": list(fingerprints),
        },
    )


async def get(db: Database, scope: Scope, erasure_id: str) -> Begun | None:
    """Return one erasure with its fingerprints, or null."""
    rows = await db.fetch(scope, _SQL["get"], {"id": erasure_id})
    if not rows:
        return None
    return Begun(_erasure(rows[0]), frozenset(cast("list[str]", rows[0]["fingerprints"])))


async def list_all(db: Database, scope: Scope, limit: int) -> list[Erasure]:
    """Return the user's erasures, newest first."""
    return [_erasure(row) for row in await db.fetch(scope, _SQL["list_all"], {"limit": limit})]


async def finish(tx: Transaction, erasure: Erasure) -> bool:
    """Record how far an erasure has come; return whether it was not complete before."""
    rows = await tx.fetch(
        _SQL["finish"],
        {
            "id": erasure.id,
            "state": erasure.state.value,
            "stores": stores_json(erasure.stores),
            "receipt": erasure.receipt,
            "completed_at": erasure.completed_at,
        },
    )
    return bool(rows)


async def latest(db: Database, scope: Scope, thread_id: str) -> str | None:
    """Return the id of the latest erasure that a thread's writers have to heed, or null."""
    rows = await db.fetch(scope, _SQL["latest"], {"thread_id": thread_id})
    return cast("str | None", rows[0]["id"])


async def still_latest(tx: Transaction, erasure_id: str | None, thread_id: str) -> bool:
    """Tell whether no erasure came after ``erasure_id``, and keep the next one out until the transaction ends."""
    return await latest_for(tx, thread_id) == erasure_id


async def latest_for(tx: Transaction, thread_id: str) -> str | None:
    """Return the same as `latest`, and keep the next erasure out until the transaction ends."""
    # One trip: a statement sees what was committed before it began, and so after the locks were got.
    both = _SQL["stay_out"] + ";\n" + _SQL["latest"]
    rows = await tx.fetch(both, {"thread_id": thread_id})
    return cast("str | None", rows[0]["id"])


def keeping_out() -> LiteralString:
    """Return the statement that keeps the next erasure waiting, to stand before others of one transaction."""
    return _SQL["stay_out"] + ";\n"


async def stay_out(tx: Transaction) -> None:
    """Keep the next erasure waiting until the transaction ends."""
    await tx.fetch(_SQL["stay_out"])


async def residue(db: Database, scope: Scope, at: datetime, conversation_id: str | None) -> dict[str, int]:
    """Count, by table, the rows that an erasure at ``at`` should have removed."""
    rows = await db.fetch(scope, _SQL["residue"], {"at": at, "thread_id": conversation_id or ""})
    counted: dict[str, int] = {}
    for row in rows:
        store = str(row["store"])
        counted[store] = counted.get(store, 0) + cast("int", row["rows"])
    return counted


async def survivors(db: Database, scope: Scope) -> list[tuple[str, str]]:
    """Return (table, row as text) of everything about a user that an erasure leaves."""
    return [(str(row["store"]), str(row["text"])) for row in await db.fetch(scope, _SQL["survivors"])]


async def withheld(db: Database, scope: Scope) -> int:
    """Count the rows a legal hold keeps of a user."""
    return cast("int", (await db.fetch(scope, _SQL["withheld"]))[0]["rows"])


def stores_json(stores: Sequence[StoreReport]) -> Jsonb:
    """Return reports as the columns called ``stores`` hold them."""
    return Jsonb([asdict(report) for report in stores])


def stores_from(held: Sequence[Mapping[str, Any]]) -> tuple[StoreReport, ...]:
    """Build the reports that such a column holds."""
    return tuple(StoreReport(**report) for report in held)


def _erasure(row: Row) -> Erasure:
    r = cast("Mapping[str, Any]", row)
    stores = stores_from(r["stores"])
    return Erasure(
        id=r["id"],
        at=r["at"].astimezone(UTC),
        # JSON in the database keeps no order.
        removed={table: r["removed"][table] for table in _COUNTED if table in r["removed"]},
        residue=sum(report.residue for report in stores),
        state=ErasureState(r["state"]),
        stores=stores,
        receipt=r["receipt"],
        conversation_id=r["thread_id"] or None,
        completed_at=r["completed_at"] and r["completed_at"].astimezone(UTC),
    )
