"""Review: the user's own decisions about what waits and what is kept."""

from __future__ import annotations

from memwarden.db import consent_table, memory_table, proposal_table
from memwarden.db.database import Transaction
from memwarden.errors import ConsentError, InvalidInputError, NotFoundError, StateConflictError
from memwarden.memory.consent import is_allowed
from memwarden.memory.decide import decide
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, log, new_record, vector_of
from memwarden.memory.remember import remember
from memwarden.memory.settle import neighbours, settle
from memwarden.memory.text import checked_text
from memwarden.model.audit import Action, Actor
from memwarden.model.consent import Standing
from memwarden.model.ids import is_id
from memwarden.model.outcome import Remembered
from memwarden.model.proposal import Proposal, ProposalStatus
from memwarden.model.record import MemoryRecord, Source
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Decision, Origin, Statement

NOTHING_GRANTED: frozenset[str] = frozenset()
CONFIRMATION = Cause(Actor.USER, Origin.USER_TURN.value)


async def confirm(
    deps: Dependencies, scope: Scope, proposal_id: str, edited: str | None = None
) -> MemoryRecord:
    """Turn a waiting proposal into a memory, because the user said yes, in the words of ``edited`` if they changed them.

    Raises `NotFoundError` for an unknown or lapsed one, `StateConflictError` for one already decided,
    `ConsentError` while the user does not let it be kept, and `InvalidInputError` when the guard refuses it: the
    edited words, or what it has come to refuse since it was proposed. It then goes on waiting.
    """
    proposal = await _peek(deps, scope, proposal_id)
    standing = await consent_table.standing_of(deps.database, scope, proposal.evidence.conversation_id)
    statement = (
        _as_proposed(deps, proposal, standing) if edited is None else await _as_edited(deps, edited, standing)
    )
    purpose = proposal.purpose if edited is None else None
    record = new_record(deps, scope, statement, Source.USER_CONFIRMED, proposal.evidence, purpose)
    vector = await vector_of(deps, record)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        await _pending(deps, tx, scope, proposal_id)
        if not await is_allowed(deps, tx, record.purpose, record.evidence.conversation_id, standing):
            raise ConsentError(
                "Memory is switched off or its purpose not agreed to; switch it on or grant the purpose, then confirm."
            )
        near = await neighbours(deps, tx, record, vector)
        kept = await settle(tx, record, vector, CONFIRMATION, near, replaces=proposal.replaces)
        await proposal_table.decide(
            tx,
            proposal_id,
            ProposalStatus.CONFIRMED,
            now=record.created_at,
            remembered_until=proposal.expires_at,
            memory_id=kept.record.id,
        )
        await log(tx, scope, record.created_at, Action.CONFIRMED, CONFIRMATION, proposal_id)
    return kept.record


async def decline(deps: Dependencies, scope: Scope, proposal_id: str) -> None:
    """Close a waiting proposal, keeping only a keyed hash of it, so that it is not asked again; raises as `confirm` does."""
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        await _pending(deps, tx, scope, proposal_id)
        now = deps.clock()
        until = now + deps.retention.declined
        await proposal_table.decide(tx, proposal_id, ProposalStatus.DECLINED, now=now, remembered_until=until)
        await log(tx, scope, now, Action.DECLINED, CONFIRMATION, proposal_id)


async def correct(deps: Dependencies, scope: Scope, record_id: str, text: str) -> Remembered:
    """Put the user's new wording in the place of a record; the old one is superseded, not rewritten.

    For a profile slot the bare new value will do ("Mumbai"). The new wording is judged like any other: it
    may be stored, proposed (the old record stays until the user confirms) or refused (it stays as it is).
    """
    wording = checked_text(text, "correction")
    async with deps.database.transaction(scope) as tx:
        old = await memory_table.get(tx, scope, _known_form(record_id), deps.clock())
    if old is None:
        raise NotFoundError("No such memory.")
    return await remember(
        deps, scope, _slot_wording(deps, old, wording), Origin.USER_TURN, old.evidence, replaces=old.id
    )


def _as_proposed(deps: Dependencies, proposal: Proposal, standing: Standing) -> Statement:
    verdict = deps.judge(Candidate(proposal.content, Origin.USER_TURN), standing.granted)
    if verdict.decision is Decision.REFUSE:
        raise InvalidInputError("This proposal may no longer be kept; decline it.")
    return Statement(proposal.type, proposal.content, proposal.key)


async def _as_edited(deps: Dependencies, edited: str, standing: Standing) -> Statement:
    """Return the form in which the user's own words are kept; they typed them, so there is nothing left to ask."""
    candidate = Candidate(checked_text(edited, "edited wording"), Origin.USER_TURN)
    verdict = await decide(deps, candidate, standing)
    if verdict.decision is Decision.REFUSE or verdict.stored is None:
        raise InvalidInputError(f"These words cannot be kept: {verdict.explanation}")
    return verdict.stored


def _slot_wording(deps: Dependencies, old: MemoryRecord, wording: str) -> str:
    """Return ``wording`` as it is, or as the sentence of the old record's slot when it is only a new value for it."""
    if old.key is None or (slot := deps.slots.get(old.key)) is None:
        return wording
    spoken = deps.judge(Candidate(wording, Origin.USER_TURN), NOTHING_GRANTED).stored
    if spoken is not None and spoken.key is not None:
        return wording
    sentence = slot.render(wording)
    rendered = deps.judge(Candidate(sentence, Origin.USER_TURN), NOTHING_GRANTED).stored
    return sentence if rendered is not None and rendered.key == old.key else wording


async def _peek(deps: Dependencies, scope: Scope, proposal_id: str) -> Proposal:
    async with deps.database.transaction(scope) as tx:
        return await _pending(deps, tx, scope, proposal_id)


async def _pending(deps: Dependencies, tx: Transaction, scope: Scope, proposal_id: str) -> Proposal:
    proposal = await proposal_table.get_any(tx, scope, _known_form(proposal_id))
    if proposal is None or (
        proposal.status is ProposalStatus.PENDING and proposal.expires_at <= deps.clock()
    ):
        raise NotFoundError("No such proposal, or it waited too long and lapsed.")
    if proposal.status is not ProposalStatus.PENDING:
        raise StateConflictError(f"This proposal was already {proposal.status.value}.")
    return proposal


def _known_form(identifier: str) -> str:
    """Return an id unchanged, or raise the same error as for an unknown one when it is none."""
    if not is_id(identifier):
        raise NotFoundError("No such memory or proposal; list them to see their ids.")
    return identifier
