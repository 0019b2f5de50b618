"""Consent: a user's decisions about purposes, and about being remembered at all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memwarden.db import consent_table, memory_table, proposal_table
from memwarden.db.database import Transaction
from memwarden.errors import InvalidInputError, StateConflictError
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, log
from memwarden.memory.stale import make_stale
from memwarden.model.audit import Action, Actor
from memwarden.model.consent import BETWEEN, MAX_PURPOSE, MEMORY, Consent, Standing
from memwarden.model.ids import new_id
from memwarden.model.outcome import Outcome, Remembered
from memwarden.model.scope import Scope
from memwarden.model.verdict import Origin, Reason

WITHOUT_CONSENT = "You have switched memory off, or not agreed to its purpose, so this is not kept; you can change that at any time."
BY_THE_USER = Cause(Actor.USER, Origin.USER_TURN.value)


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision that was recorded, and the ids of the records that were emptied with it."""

    consent: Consent
    erased: tuple[str, ...] = ()


async def decide_about(
    deps: Dependencies,
    scope: Scope,
    purpose: str,
    *,
    granted: bool,
    notice: str,
    conversation_id: str | None = None,
    erase: bool = False,
) -> Decided:
    """Record a decision; with ``erase``, also empty what was kept and drop what waits for the purpose.

    For memory itself that is everything. From the end of the transaction on, nothing of a withdrawn purpose is
    written or read: writers of this user's memory take turns, and look at the decisions before they write.
    """
    checked = _checked_purpose(purpose)
    now = deps.clock()
    consent = Consent(scope, new_id(now), checked, granted, notice.strip(), now, conversation_id)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        await consent_table.insert(tx, consent)
        await log(tx, scope, now, _action(consent), BY_THE_USER, consent.id)
        erased = await _erase(deps, tx, scope, checked) if erase else []
    return Decided(consent, tuple(erased))


async def _erase(deps: Dependencies, tx: Transaction, scope: Scope, purpose: str) -> list[str]:
    now = deps.clock()
    which = None if purpose == MEMORY else purpose
    for dropped in await proposal_table.decline_purpose(tx, which, now):
        await log(tx, scope, now, Action.DECLINED, BY_THE_USER, dropped)
    await make_stale(tx, (r.evidence for r in await memory_table.of_purpose(tx, scope, which)))
    emptied = await memory_table.forget_purpose(tx, which, now)
    for gone in emptied:
        await log(tx, scope, now, Action.FORGOTTEN, BY_THE_USER, gone)
    return emptied


async def is_allowed(
    deps: Dependencies, tx: Transaction, purpose: str, conversation_id: str | None, began: Standing
) -> bool:
    """Tell whether a record of ``purpose`` may be written, as the transaction that would write it sees the decisions.

    ``began`` is what they came to when the write began; raises `StateConflictError` when everything about the
    user was erased since, because what was said before must not come back.
    """
    standing = await consent_table.standing(tx, conversation_id)
    if standing.erasure_id != began.erasure_id:
        raise StateConflictError(
            "Everything about this user was erased while this was being written; nothing of it was kept."
        )
    return standing.allows(purpose, deps.consent_mode)


async def refuse_without_consent(deps: Dependencies, scope: Scope, cause: Cause) -> Remembered:
    """Refuse in a transaction of its own."""
    async with deps.database.transaction(scope) as tx:
        return await refused_without_consent(deps, tx, scope, cause)


async def refused_without_consent(
    deps: Dependencies, tx: Transaction, scope: Scope, cause: Cause
) -> Remembered:
    """Log that something was not kept because the user does not let it be."""
    await log(tx, scope, deps.clock(), Action.REFUSED, replace(cause, reasons=(Reason.NO_CONSENT,)), None)
    return Remembered(Outcome.REFUSED, (Reason.NO_CONSENT,), WITHOUT_CONSENT)


def _action(consent: Consent) -> Action:
    if consent.purpose == MEMORY:
        return Action.SWITCHED_ON if consent.granted else Action.SWITCHED_OFF
    return Action.CONSENTED if consent.granted else Action.WITHDRAWN


def _checked_purpose(purpose: str) -> str:
    text = purpose.strip()
    if not text or len(text) > MAX_PURPOSE or "\0" in text:
        raise InvalidInputError(f"A purpose has 1 to {MAX_PURPOSE} characters.")
    if BETWEEN in text:
        raise InvalidInputError(f"A purpose must not hold {BETWEEN!r}; decide about one at a time.")
    return text
