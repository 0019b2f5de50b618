"""Propose: put something to the user that only their yes may turn into a memory."""

from __future__ import annotations

from dataclasses import replace

from memwarden.db import consent_table, memory_table, proposal_table
from memwarden.db.database import Transaction
from memwarden.guard.fingerprint import fingerprints
from memwarden.guard.shingles import said
from memwarden.memory.consent import is_allowed, refuse_without_consent, refused_without_consent
from memwarden.memory.decide import decide
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, log, new_record, vector_of
from memwarden.memory.settle import contradicted, neighbours
from memwarden.memory.text import checked_text
from memwarden.model.audit import Action, Actor
from memwarden.model.consent import Standing
from memwarden.model.ids import new_id
from memwarden.model.outcome import Outcome, Remembered
from memwarden.model.proposal import Proposal
from memwarden.model.record import Evidence, MemoryRecord, Source
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Decision, Origin, Reason, Verdict

DECLINED_BEFORE = "The user declined to have this remembered, so they are not asked again; they can still ask for it themselves."
KNOWN = "This is remembered already, so there is nothing to ask."
KEPT_ONCE_CONFIRMED = "This is kept only if you confirm it."


async def propose(
    deps: Dependencies, scope: Scope, statement: str, quote: str, message: str, evidence: Evidence
) -> Remembered:
    """Put ``statement`` to the user, who alone can make it a memory.

    ``message`` is the user's own message it was drawn from and ``quote`` the words of it that say so; a
    statement they do not bear out is refused, like anything else the guard refuses. Nothing is stored here,
    whatever the verdict; what is remembered already is not asked.
    """
    candidate = Candidate(
        checked_text(statement, "statement"),
        Origin.USER_TURN,
        message=checked_text(message, "user's message"),
        quote=checked_text(quote, "quote"),
    )
    standing = await consent_table.standing_of(deps.database, scope, evidence.conversation_id)
    if standing.off:
        return await refuse_without_consent(deps, scope, Cause(Actor.AGENT, Origin.ASSISTANT.value))
    verdict = await decide(deps, candidate, standing)
    reasons = verdict.reasons if verdict.reasons else (Reason.PROPOSED,)
    cause = Cause(Actor.AGENT, Origin.ASSISTANT.value, reasons)
    if verdict.decision is Decision.REFUSE or verdict.stored is None:
        return await refuse(deps, scope, candidate, verdict, cause)
    return await put_forward(deps, scope, verdict, evidence, cause, None, standing)


async def refuse(
    deps: Dependencies, scope: Scope, candidate: Candidate, verdict: Verdict, cause: Cause
) -> Remembered:
    """Keep nothing but the fact, and the reason, that something was refused; of a secret its kind and keyed hash."""
    named = replace(
        cause, fingerprints=fingerprints(candidate.text, verdict.findings, scope, deps.keys.fingerprint)
    )
    async with deps.database.transaction(scope) as tx:
        await log(tx, scope, deps.clock(), Action.REFUSED, named, None)
    return Remembered(Outcome.REFUSED, cause.reasons, verdict.explanation)


async def put_forward(
    deps: Dependencies,
    scope: Scope,
    verdict: Verdict,
    evidence: Evidence,
    cause: Cause,
    replaces: str | None,
    standing: Standing,
) -> Remembered:
    """Write the proposal of a verdict that asks; one that already waits is returned instead."""
    statement = verdict.stored
    if statement is None:
        raise ValueError("A verdict that asks must say what would be stored.")
    record = new_record(deps, scope, statement, Source.USER_CONFIRMED, evidence)
    vector = await vector_of(deps, record)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if not await is_allowed(deps, tx, record.purpose, evidence.conversation_id, standing):
            return await refused_without_consent(deps, tx, scope, cause)
        known = await memory_table.same(tx, record)
        if known is not None and replaces in (None, known.id):
            return Remembered(Outcome.STORED, (), KNOWN, record=known, renewed=True)
        rival = contradicted(await neighbours(deps, tx, record, vector), record, replaces)
        if rival is not None:
            return await ask_which(deps, tx, record, rival, cause)
        explanation = verdict.explanation if verdict.decision is Decision.ASK else KEPT_ONCE_CONFIRMED
        return await _ask(deps, tx, record, replaces, cause, explanation)


async def ask_which(
    deps: Dependencies, tx: Transaction, record: MemoryRecord, rival: MemoryRecord, cause: Cause
) -> Remembered:
    """Put a statement forward that cannot be true beside ``rival``, which steps aside once it is confirmed."""
    known = replace(cause, reasons=(Reason.CONTRADICTS, *cause.reasons))
    explanation = f"This does not go with what is remembered: {rival.content!r}. Confirm it, and it takes the place of that."
    return await _ask(deps, tx, record, rival.id, known, explanation)


async def _ask(
    deps: Dependencies,
    tx: Transaction,
    record: MemoryRecord,
    replaces: str | None,
    cause: Cause,
    explanation: str,
) -> Remembered:
    """Write the proposal that would become ``record``, unless the user has declined it before and does not ask for it."""
    now = deps.clock()
    owner = (record.scope.tenant_id, record.scope.user_id)
    proposal = Proposal(
        scope=record.scope,
        id=new_id(now),
        type=record.type,
        key=record.key,
        content=record.content,
        purpose=record.purpose,
        reasons=tuple(reason.value for reason in cause.reasons),
        evidence=record.evidence,
        replaces=replaces,
        created_at=now,
        expires_at=now + deps.retention.proposal,
        fingerprint=said(record.content, owner, deps.keys.fingerprint),
    )
    if cause.actor is not Actor.USER and await proposal_table.was_declined(tx, proposal.fingerprint, now):
        declined = replace(cause, reasons=(Reason.DECLINED,))
        await log(tx, record.scope, now, Action.REFUSED, declined, None)
        return Remembered(Outcome.REFUSED, declined.reasons, DECLINED_BEFORE)
    waiting = await proposal_table.insert(tx, proposal)
    await log(tx, record.scope, now, Action.PROPOSED, cause, waiting.id)
    return Remembered(Outcome.PROPOSED, cause.reasons, explanation, proposal=waiting)
