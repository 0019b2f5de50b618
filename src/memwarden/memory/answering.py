"""Answers: the user's yes or no to what they were just asked in a conversation."""

from __future__ import annotations

from memwarden.db import proposal_table
from memwarden.errors import ConsentError, InvalidInputError, NotFoundError, StateConflictError
from memwarden.guard.answers import Answer, answer
from memwarden.memory.commands import Followed, FollowedAction
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.review import confirm, decline
from memwarden.model.proposal import Proposal
from memwarden.model.record import Evidence
from memwarden.model.scope import Scope

DECLINED = "It is not remembered, and you are not asked again."
CONFIRMED = "It is remembered."


async def follow_answer(
    deps: Dependencies, scope: Scope, message: str, asked_about: Evidence
) -> Followed | None:
    """Confirm or decline the one proposal that rests on the message ``asked_about``, or return null.

    ``asked_about`` must be the user's message right before ``message``, so that only the very next thing they say is
    an answer. Only a whole message that is a yes or a no is one, and only where one question was open: with
    two, nobody can tell which was meant.
    """
    given = answer(message)
    if given is None or asked_about.message_id is None:
        return None
    asked = await proposal_table.asked_in(
        deps.database, scope, asked_about.conversation_id, asked_about.message_id, deps.clock(), 2
    )
    if len(asked) != 1:
        return None
    try:
        return await _decided(deps, scope, asked[0], given)
    except (ConsentError, InvalidInputError) as error:
        return Followed(FollowedAction.REFUSED, str(error), ids=(asked[0].id,))
    except (NotFoundError, StateConflictError):
        return None  # decided or lapsed in this very moment, so that it was no longer open


async def _decided(deps: Dependencies, scope: Scope, proposal: Proposal, given: Answer) -> Followed:
    if given is Answer.NO:
        await decline(deps, scope, proposal.id)
        return Followed(FollowedAction.DECLINED, DECLINED, ids=(proposal.id,))
    record = await confirm(deps, scope, proposal.id)
    return Followed(FollowedAction.CONFIRMED, CONFIRMED, ids=(record.id,))
