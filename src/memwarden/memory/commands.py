"""Follow the explicit commands of a user's own message: remember this, forget that, forget me."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memwarden.db import memory_table
from memwarden.errors import InvalidInputError
from memwarden.guard import Command, CommandKind, command
from memwarden.memory.consent import decide_about
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.erase import erase_user
from memwarden.memory.forget import forget
from memwarden.memory.matching import named
from memwarden.memory.remember import remember
from memwarden.model.consent import MEMORY
from memwarden.model.erasure import Erasure
from memwarden.model.outcome import Remembered
from memwarden.model.record import Evidence, MemoryRecord
from memwarden.model.scope import Scope
from memwarden.model.verdict import Origin, Reason

LOOKED_AT = 1_000
"""Records a "forget that ..." is compared with."""


class FollowedAction(StrEnum):
    """What came of a command."""

    STORED = "stored"
    PROPOSED = "proposed"
    REFUSED = "refused"
    CONFIRMED = "confirmed"
    """The user said yes to what they were asked just before."""
    DECLINED = "declined"
    FORGOTTEN = "forgotten"
    NOT_FOUND = "not_found"
    """Nothing, or more than one thing, fits what was to be forgotten; nothing was."""
    ERASED = "erased"
    SWITCHED_OFF = "switched_off"
    SWITCHED_ON = "switched_on"


@dataclass(frozen=True, slots=True)
class Followed:
    """What was done for a command.

    ``ids`` are the records or the proposal it touched; ``explanation`` is one sentence for the user, and
    may quote the form that is kept. ``remembered``,
    ``erasure`` and ``candidates`` hold the full answer of the verb; candidates are what a "forget that ..."
    could have meant.
    """

    action: FollowedAction
    explanation: str
    ids: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    remembered: Remembered | None = None
    erasure: Erasure | None = None
    candidates: tuple[MemoryRecord, ...] = ()


async def follow(deps: Dependencies, scope: Scope, message: str, evidence: Evidence) -> Followed | None:
    """Carry out the command in the user's own ``message``, or return null when it holds none."""
    given = command(message)
    if given is None:
        return None
    match given.kind:
        case CommandKind.REMEMBER:
            return await _remember(deps, scope, given.text, evidence)
        case CommandKind.FORGET:
            return await _forget(deps, scope, given.text, evidence)
        case CommandKind.SWITCH_OFF | CommandKind.SWITCH_ON:
            return await _switch(deps, scope, given, evidence.conversation_id)
        case CommandKind.FORGET_EVERYTHING:
            erasure = await erase_user(deps, scope)
            total = sum(erasure.removed.values())
            return Followed(
                FollowedAction.ERASED,
                f"Everything kept about you was removed ({total} rows; {erasure.residue} left).",
                erasure=erasure,
            )


async def _switch(deps: Dependencies, scope: Scope, given: Command, conversation_id: str | None) -> Followed:
    """Switch memory off or on; a conversation that has no name cannot be meant alone, so everywhere is."""
    on = given.kind is CommandKind.SWITCH_ON
    here = conversation_id if given.this_conversation else None
    decided = await decide_about(deps, scope, MEMORY, granted=on, notice="", conversation_id=here)
    where = "in this conversation" if here else "everywhere"
    explanation = (
        f"Memory is on again {where}."
        if on
        else f"Memory is off {where}: nothing is remembered or recalled. What was kept before stays until you forget it."
    )
    action = FollowedAction.SWITCHED_ON if on else FollowedAction.SWITCHED_OFF
    return Followed(action, explanation, ids=(decided.consent.id,))


async def _remember(deps: Dependencies, scope: Scope, text: str, evidence: Evidence) -> Followed:
    try:
        result = await remember(deps, scope, text, Origin.USER_TURN, evidence)
    except InvalidInputError as error:
        return Followed(FollowedAction.REFUSED, str(error))
    kept = result.record or result.proposal
    return Followed(
        FollowedAction(result.outcome.value),
        result.explanation,
        ids=() if kept is None else (kept.id,),
        reasons=result.reasons,
        remembered=result,
    )


async def _forget(deps: Dependencies, scope: Scope, text: str, evidence: Evidence) -> Followed:
    records = await memory_table.list_active(deps.database, scope, deps.clock(), LOOKED_AT)
    matches = named(text, records, deps.slots)
    if len(matches) == 1:
        ids = await forget(deps, scope, matches[0].id, evidence)
        return Followed(FollowedAction.FORGOTTEN, "It was forgotten, with its older versions.", ids=ids)
    explanation = (
        "Nothing like that is remembered."
        if not matches
        else f"{len(matches)} memories could be meant; forget one by its id, or say it more fully."
    )
    return Followed(FollowedAction.NOT_FOUND, explanation, candidates=tuple(matches))
