"""Erase: everything about a user, or of one conversation, from every store, with a signed receipt.

The rows of this database go in one transaction, which also records the erasure; whatever began before it is turned
away from then on. Stores elsewhere, files, and the second look follow, and can be finished later by anybody: each
step may be repeated.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable
from dataclasses import replace

from memwarden.db import erasure as erasures
from memwarden.db import hold_table, memory_table
from memwarden.db.erasure import Begun
from memwarden.errors import NotFoundError
from memwarden.guard.shingles import shingles_in, shingles_of
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.exports import remove_exports
from memwarden.memory.keep import Cause, log
from memwarden.memory.receipt import Receipt, scope_of_subject, signed, subject_hash
from memwarden.model.audit import Action, Actor
from memwarden.model.erasure import Eraser, Erasure, ErasureState, StoreReport, Subject
from memwarden.model.ids import is_id, new_id
from memwarden.model.scope import Scope, checked_name
from memwarden.model.verdict import Origin

ROWS, WORDS, EXPORTS = "postgresql", "words", "exports"
OWN_STORES = (ROWS, WORDS, EXPORTS)
"""The stores of ours that a receipt names: the rows, what of their words is found elsewhere, and files."""

PATIENCE_S = 60.0
"""Seconds a store of the application's may take for its part."""

BY_THE_USER = Cause(Actor.USER, Origin.USER_TURN.value)
_log = logging.getLogger(__name__)


async def erase_user(deps: Dependencies, scope: Scope, cause: Cause = BY_THE_USER) -> Erasure:
    """Remove everything about a user, but for the content-free log of it and their decisions about purposes."""
    deps.last_use.drop(scope)
    deps.embedder.forget()
    return await finish(deps, scope, await _begin(deps, scope, None, cause))


async def erase_conversation(deps: Dependencies, scope: Scope, conversation_id: str) -> Erasure:
    """Remove what there is of one conversation: its checkpoints and archive, what was noted of it, and what waits from it.

    What the user asked in it to have remembered stays, and no longer says where that was.
    """
    checked_name(conversation_id, "conversation id")
    return await finish(deps, scope, await _begin(deps, scope, conversation_id, BY_THE_USER))


async def finish(deps: Dependencies, scope: Scope, erasure_id: str) -> Erasure:
    """Take an erasure to every store, look again, and sign what came of it; one that is complete is returned as it is.

    Raises `NotFoundError` for an unknown one. A store that fails leaves the erasure incomplete, to be finished
    later.
    """
    begun = await erasures.get(deps.database, scope, erasure_id) if is_id(erasure_id) else None
    if begun is None:
        raise NotFoundError("No such erasure; list them to see their ids.")
    if begun.erasure.state is ErasureState.COMPLETE:
        return begun.erasure
    subject = Subject(scope.tenant_id, scope.user_id, begun.erasure.conversation_id)
    known = {report.name: report for report in begun.erasure.stores}
    stores = (
        await _rows(deps, scope, begun),
        await _words(deps, scope, begun),
        await _exports(deps, scope, begun),
        *await reach(deps.erasers, subject, known),
    )
    async with deps.database.transaction(scope) as tx:
        # No hold can be placed or released between the look at it and the state that is recorded.
        await memory_table.lock_user(tx)
        held = await hold_table.stands(tx)
        withheld = await erasures.withheld(deps.database, scope) if held else 0
        done = _closed(deps, replace(begun.erasure, stores=stores, withheld=withheld), subject)
        if await erasures.finish(tx, done) and done.state is ErasureState.COMPLETE:
            await log(tx, scope, deps.clock(), Action.COMPLETED, BY_THE_SYSTEM, erasure_id)
    return done


BY_THE_SYSTEM = Cause(Actor.SYSTEM, Origin.SYSTEM.value)


async def reach(
    erasers: tuple[Eraser, ...], subject: Subject, known: dict[str, StoreReport]
) -> list[StoreReport]:
    """Let every store of the application's do its part, all at once; what was removed before is counted on."""
    return await asyncio.gather(*(_reach_one(eraser, subject, known.get(eraser.name)) for eraser in erasers))


def state_of(stores: tuple[StoreReport, ...], withheld: int) -> ErasureState:
    """Return what the reports of its stores make of an erasure."""
    if any(report.failure is not None or report.residue for report in stores):
        return ErasureState.INCOMPLETE
    return ErasureState.HELD if withheld else ErasureState.COMPLETE


async def _begin(deps: Dependencies, scope: Scope, conversation_id: str | None, cause: Cause) -> str:
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        now = deps.clock()
        erasure_id = new_id(now)
        said = shingles_of(await erasures.words(tx, conversation_id), deps.keys.fingerprint)
        removed = (
            await erasures.erase_user(tx)
            if conversation_id is None
            else await erasures.erase_conversation(tx, conversation_id)
        )
        await erasures.begin(tx, erasure_id, now, removed, conversation_id, sorted(said))
        await log(tx, scope, now, Action.ERASED, cause, erasure_id)
    return erasure_id


async def _rows(deps: Dependencies, scope: Scope, begun: Begun) -> StoreReport:
    found = await erasures.residue(deps.database, scope, begun.erasure.at, begun.erasure.conversation_id)
    return StoreReport(ROWS, sum(begun.erasure.removed.values()), sum(found.values()))


async def _words(deps: Dependencies, scope: Scope, begun: Begun) -> StoreReport:
    """Look through what an erasure leaves for runs of words of what it removed."""
    if not begun.fingerprints:
        return StoreReport(WORDS, 0, 0)
    left = await erasures.survivors(deps.database, scope)
    found = sum(
        not begun.fingerprints.isdisjoint(shingles_in(text, deps.keys.fingerprint)) for _, text in left
    )
    return StoreReport(WORDS, 0, found)


async def _exports(deps: Dependencies, scope: Scope, begun: Begun) -> StoreReport:
    if begun.erasure.conversation_id is not None:
        return StoreReport(EXPORTS, 0, 0)
    before = next((report.removed for report in begun.erasure.stores if report.name == EXPORTS), 0)
    return await _attempted(EXPORTS, before, remove_exports(deps, scope, begun.erasure.at))


async def _reach_one(eraser: Eraser, subject: Subject, before: StoreReport | None) -> StoreReport:
    return await _attempted(eraser.name, before.removed if before else 0, _both(eraser, subject))


async def _both(eraser: Eraser, subject: Subject) -> tuple[int, int]:
    async with asyncio.timeout(PATIENCE_S):
        removed = await eraser.erase(subject)
        return removed, await eraser.residue(subject)


async def _attempted(name: str, before: int, attempt: Awaitable[tuple[int, int]]) -> StoreReport:
    try:
        removed, residue = await attempt
    except Exception as error:  # noqa: BLE001 - a foreign store may raise anything, and must then be shown as failed
        _log.warning(
            "The store %s failed its part of an erasure (%s); it is tried again.", name, type(error).__name__
        )
        return StoreReport(name, before, 0, type(error).__name__)
    return StoreReport(name, before + removed, residue)


def _closed(deps: Dependencies, erasure: Erasure, subject: Subject) -> Erasure:
    """Return the erasure with its state and its signed receipt."""
    now = deps.clock()
    state = state_of(erasure.stores, erasure.withheld)
    receipt = Receipt(
        id=erasure.id,
        scope=scope_of_subject(subject),
        subject=subject_hash(erasure.id, subject),
        ordered_at=erasure.at,
        signed_at=now,
        state=state,
        removed=erasure.removed,
        stores=erasure.stores,
        withheld=erasure.withheld,
    )
    return replace(
        erasure,
        state=state,
        residue=receipt.residue,
        receipt=signed(receipt, deps.keys.receipt),
        completed_at=now if state is ErasureState.COMPLETE else None,
    )
