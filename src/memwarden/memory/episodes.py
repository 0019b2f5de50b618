"""Episodes: what was done for a user and how it ended, written by deterministic code and never by a model."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from datetime import timedelta

from memwarden.db import consent_table, memory_table
from memwarden.errors import InvalidInputError
from memwarden.guard.redact import redact
from memwarden.memory.consent import is_allowed, refuse_without_consent, refused_without_consent
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.keep import Cause, keep, log, new_record, vector_of
from memwarden.memory.text import checked_text
from memwarden.model.audit import Action, Actor
from memwarden.model.consent import Standing
from memwarden.model.episode import Episode
from memwarden.model.outcome import Outcome, Remembered
from memwarden.model.record import Evidence, MemoryRecord, MemoryType, Source
from memwarden.model.scope import Scope
from memwarden.model.verdict import Candidate, Origin, Reason, Statement

EPISODE_PURPOSE = "Know what was done for the user before, and what is still open."
MAX_ACTIONS = 50
MAX_FIELD = 300
MAX_KEY = 500
"""Characters of an application's key."""

_TASK_TYPE = re.compile(r"[^\W_][\w .:/-]{0,63}")
_CLOCK_SKEW = timedelta(minutes=10)
_BY_CODE = Cause(Actor.SYSTEM, Origin.SYSTEM.value)
_NO_MATTER = frozenset({Reason.TRANSIENT, Reason.TRANSCRIPT})
"""An episode has an end of its own, and is no statement that has to be a short one."""

REFUSED = "This episode holds what may not be remembered ({reasons}); record it without that, or not at all."
FORGOTTEN = "The user has had this episode forgotten, so it is not recorded again."
WRITTEN = "The episode is recorded."
KNOWN = "An episode is recorded under this key already; nothing was changed."


async def record_episode(
    deps: Dependencies, scope: Scope, episode: Episode, application_key: str, evidence: Evidence
) -> Remembered:
    """Keep what was done, once for each ``application_key`` of this user, whatever it says the second time.

    Secrets and identity numbers are taken out; what would steer an agent, or is sensitive without a purpose and
    consent, is refused, since tools' answers may have led to the wording.
    """
    key = hashlib.sha256(_checked_key(application_key).encode()).hexdigest()
    told = _checked(deps, episode)
    standing = await consent_table.standing_of(deps.database, scope, evidence.conversation_id)
    if standing.off:
        return await refuse_without_consent(deps, scope, _BY_CODE)
    against = _objections(deps, told, standing)
    if against:
        async with deps.database.transaction(scope) as tx:
            await log(tx, scope, deps.clock(), Action.REFUSED, replace(_BY_CODE, reasons=against), None)
        said = ", ".join(reason.value for reason in against)
        return Remembered(Outcome.REFUSED, against, REFUSED.format(reasons=said))
    record = _record(deps, scope, told, evidence)
    vector = await vector_of(deps, record)
    async with deps.database.transaction(scope) as tx:
        await memory_table.lock_user(tx)
        if not await is_allowed(deps, tx, record.purpose, evidence.conversation_id, standing):
            return await refused_without_consent(deps, tx, scope, _BY_CODE)
        known = await memory_table.by_application_key(tx, scope, key)
        if known is not None:
            return _known(known)
        kept = await keep(tx, record, vector, _BY_CODE, application_key=key)
    return Remembered(Outcome.STORED, (), WRITTEN, record=kept.record)


def rendered(episode: Episode) -> str:
    """Return an episode as one line: the task, how it ended, what is still open."""
    task = episode.task_type.replace("_", " ")
    line = f"{task[:1].upper()}{task[1:]} on {episode.occurred_at:%Y-%m-%d}: {episode.result}"
    return f"{line}. Still open: {episode.follow_up}" if episode.follow_up else line


def _known(record: MemoryRecord) -> Remembered:
    if not record.content:
        return Remembered(Outcome.REFUSED, (Reason.FORGOTTEN,), FORGOTTEN)
    return Remembered(Outcome.STORED, (), KNOWN, record=record, renewed=True)


def _record(deps: Dependencies, scope: Scope, episode: Episode, evidence: Evidence) -> MemoryRecord:
    statement = Statement(MemoryType.EPISODE, rendered(episode))
    record = new_record(deps, scope, statement, Source.SYSTEM, evidence, EPISODE_PURPOSE)
    expires_at = deps.retention.once_stated(MemoryType.EPISODE, record.purpose, episode.occurred_at)
    return replace(record, details=episode.as_details(), expires_at=expires_at)


def _checked(deps: Dependencies, episode: Episode) -> Episode:
    """Return the episode in fields that can be kept, without secrets and identity numbers."""
    if not _TASK_TYPE.fullmatch(episode.task_type):
        raise InvalidInputError(
            "A task type is one short name, such as leave_request: at most 64 letters, digits and _ . : / -."
        )
    if len(episode.actions) > MAX_ACTIONS:
        raise InvalidInputError(f"An episode has at most {MAX_ACTIONS} actions; record what mattered.")
    at = episode.occurred_at
    if at.tzinfo is None:
        raise InvalidInputError("The instant of an episode needs a time zone.")
    if at > deps.clock() + _CLOCK_SKEW:
        raise InvalidInputError("An episode has taken place; this one lies in the future.")
    if deps.retention.once_stated(MemoryType.EPISODE, EPISODE_PURPOSE, at) <= deps.clock():
        raise InvalidInputError("This took place longer ago than episodes are kept.")
    return Episode(
        redact(episode.task_type),
        tuple(_field(action, "action") for action in episode.actions),
        _field(episode.result, "result"),
        at,
        None if episode.follow_up is None else _field(episode.follow_up, "follow-up"),
    )


def _field(text: str, what: str) -> str:
    checked = " ".join(checked_text(text, what).split())
    if len(checked) > MAX_FIELD:
        raise InvalidInputError(f"The {what} of an episode has at most {MAX_FIELD} characters.")
    return redact(checked)


def _objections(deps: Dependencies, episode: Episode, standing: Standing) -> tuple[Reason, ...]:
    fields = (
        episode.task_type.replace("_", " "),
        *episode.actions,
        episode.result,
        *filter(None, (episode.follow_up,)),
    )
    found = (
        reason
        for text in fields
        for reason in deps.judge(Candidate(text, Origin.SYSTEM), standing.granted).reasons
    )
    return tuple(dict.fromkeys(reason for reason in found if reason not in _NO_MATTER))


def _checked_key(key: str) -> str:
    if not 0 < len(key) <= MAX_KEY:
        raise InvalidInputError(f"An application's key for an episode has 1 to {MAX_KEY} characters.")
    return checked_text(key, "application's key")
