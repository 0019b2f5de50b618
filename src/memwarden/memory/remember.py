"""Remember: judge what was said, then store it, propose it, or refuse it; never silently."""

from __future__ import annotations

from memwarden.db import consent_table, memory_table
from memwarden.errors import InvalidInputError, StateConflictError
from memwarden.memory.consent import is_allowed, refuse_without_consent, refused_without_consent
from memwarden.memory.decide import decide
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, new_record, vector_of
from memwarden.memory.propose import ask_which, put_forward, refuse
from memwarden.memory.settle import contradicted, neighbours, settle
from memwarden.memory.text import checked_text
from memwarden.model.audit import Actor
from memwarden.model.consent import Standing
from memwarden.model.outcome import Outcome, Remembered
from memwarden.model.record import Evidence, Source
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Decision, Origin, Verdict


async def remember(
    deps: Dependencies,
    scope: Scope,
    text: str,
    origin: Origin,
    evidence: Evidence,
    replaces: str | None = None,
) -> Remembered:
    """Decide about ``text`` and act on the decision.

    ``origin`` says whose words they are: only the user's own turn and the application's deterministic code
    can be stored; everything else is refused. ``replaces`` is the id of a record it corrects.
    """
    if origin not in set(Origin):
        raise InvalidInputError(f"The origin must be one of {', '.join(Origin)}.")
    candidate = Candidate(checked_text(text, "text to remember"), origin)
    standing = await consent_table.standing_of(deps.database, scope, evidence.conversation_id)
    if standing.off:
        return await refuse_without_consent(deps, scope, Cause(_actor(origin), origin.value))
    verdict = await decide(deps, candidate, standing)
    cause = Cause(_actor(origin), origin.value, verdict.reasons)
    match verdict.decision:
        case Decision.STORE | Decision.REDACT:
            source = Source.SYSTEM if origin is Origin.SYSTEM else Source.USER_STATED
            return await _store(deps, scope, candidate, verdict, source, evidence, cause, replaces, standing)
        case Decision.ASK:
            return await put_forward(deps, scope, verdict, evidence, cause, replaces, standing)
        case Decision.REFUSE:
            return await refuse(deps, scope, candidate, verdict, cause)


def _actor(origin: Origin) -> Actor:
    return Actor.SYSTEM if origin is Origin.SYSTEM else Actor.USER


async def _store(
    deps: Dependencies,
    scope: Scope,
    candidate: Candidate,
    verdict: Verdict,
    source: Source,
    evidence: Evidence,
    cause: Cause,
    replaces: str | None,
    standing: Standing,
) -> Remembered:
    statement = verdict.stored
    if statement is None:  # the guard promises a form with these decisions; without one, nothing may be kept
        return await refuse(deps, scope, candidate, verdict, cause)
    record = new_record(deps, scope, statement, source, evidence)
    vector = await vector_of(deps, record)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if not await is_allowed(deps, tx, record.purpose, evidence.conversation_id, standing):
            return await refused_without_consent(deps, tx, scope, cause)
        if replaces is not None and await memory_table.get(tx, scope, replaces, deps.clock()) is None:
            raise StateConflictError(
                "This memory was changed or forgotten while it was being corrected; look at what is there now."
            )
        near = await neighbours(deps, tx, record, vector)
        rival = contradicted(near, record, replaces)
        if rival is not None:
            return await ask_which(deps, tx, record, rival, cause)
        kept = await settle(tx, record, vector, cause, near, replaces=replaces)
    return Remembered(
        Outcome.STORED,
        verdict.reasons,
        verdict.explanation,
        record=kept.record,
        renewed=kept.renewed,
        superseded=kept.superseded,
    )
