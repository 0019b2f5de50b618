"""What can be done with one user's memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memwarden.db import audit_table, consent_table, memory_table, proposal_table
from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory import commands, review
from memwarden.memory import consent as consenting
from memwarden.memory import forget as forgetting
from memwarden.memory import propose as proposing
from memwarden.memory import recall as recalling
from memwarden.memory import reembed as reembedding
from memwarden.memory import remember as remembering
from memwarden.memory.commands import Followed
from memwarden.memory.consent import Decided
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.recall import DEFAULT_LIMIT, Recall
from memwarden.model.audit import AuditEvent
from memwarden.model.consent import MEMORY, Consent
from memwarden.model.ids import is_id
from memwarden.model.outcome import Erasure, Remembered
from memwarden.model.proposal import Proposal
from memwarden.model.record import NO_EVIDENCE, Evidence, MemoryRecord
from memwarden.model.scope import Scope
from memwarden.model.verdict import Origin

if TYPE_CHECKING:
    from memwarden.checkpoint import ScopedPostgresSaver

MAX_LISTED = 1_000


class UserMemory:
    """The memory of one user in one tenant; get it from `Memwarden.user`.

    Every method runs inside that scope, which PostgreSQL enforces: an id of somebody else's record is
    answered exactly like an unknown one.
    """

    def __init__(self, dependencies: Dependencies, scope: Scope) -> None:
        self._deps = dependencies
        self._scope = scope

    @property
    def scope(self) -> Scope:
        """The tenant and the user."""
        return self._scope

    async def remember(self, text: str, *, origin: Origin, evidence: Evidence = NO_EVIDENCE) -> Remembered:
        """Store, propose or refuse ``text``, and say which and why.

        ``origin`` is where the words come from; anything but ``Origin.USER_TURN`` and ``Origin.SYSTEM`` is
        refused. A new value for a profile slot supersedes the old one; a known statement is renewed.
        Raises `InvalidInputError` for text that is none (blank, NUL, over 100,000 characters).
        """
        return await remembering.remember(self._deps, self._scope, text, origin, evidence)

    async def propose(
        self, statement: str, *, quote: str, message: str, evidence: Evidence = NO_EVIDENCE
    ) -> Remembered:
        """Put a statement somebody else worded to the user; it is stored only once they `confirm` it.

        ``quote`` are the words of the user's ``message`` that bear it out.
        """
        return await proposing.propose(self._deps, self._scope, statement, quote, message, evidence)

    async def follow(self, message: str, *, evidence: Evidence = NO_EVIDENCE) -> Followed | None:
        """Carry out the explicit memory command in the user's own ``message``; return null when it gives none.

        "Remember that ...", "Forget that ...", "Call me ...", "Forget me" and their like, in several languages.
        """
        return await commands.follow(self._deps, self._scope, message, evidence)

    async def recall(
        self, query: str | None = None, *, limit: int = DEFAULT_LIMIT, conversation_id: str | None = None
    ) -> Recall:
        """Return the core profile, and at most ``limit`` (0 to 50) memories that bear on ``query``.

        Nothing comes back while memory is off, everywhere or in the conversation ``conversation_id``.
        """
        return await recalling.recall(self._deps, self._scope, query, limit, conversation_id)

    async def memories(self, *, limit: int = MAX_LISTED) -> list[MemoryRecord]:
        """Return what is remembered now, newest first, 1,000 at the most."""
        return await memory_table.list_active(
            self._deps.database, self._scope, self._deps.clock(), _checked_limit(limit)
        )

    async def history(self, record_id: str) -> list[MemoryRecord]:
        """Return a record and the versions it replaced, newest first; raise `NotFoundError` for an unknown one."""
        rows = (
            await memory_table.history(self._deps.database, self._scope, record_id)
            if is_id(record_id)
            else []
        )
        if not rows:
            raise NotFoundError("No such memory; list them to see their ids.")
        return rows

    async def proposals(self, *, limit: int = MAX_LISTED) -> list[Proposal]:
        """Return what waits for the user's yes, oldest first."""
        return await proposal_table.list_pending(
            self._deps.database, self._scope, self._deps.clock(), _checked_limit(limit)
        )

    async def confirm(self, proposal_id: str) -> MemoryRecord:
        """Keep a proposal because the user said yes.

        Raises `NotFoundError` when it is unknown or lapsed, `StateConflictError` when it was decided before.
        """
        return await review.confirm(self._deps, self._scope, proposal_id)

    async def decline(self, proposal_id: str) -> None:
        """Drop a proposal and its words; raises as `confirm` does."""
        await review.decline(self._deps, self._scope, proposal_id)

    async def correct(self, record_id: str, text: str) -> Remembered:
        """Supersede a record by the user's new wording, or, for a slot, by its bare new value.

        Raises `NotFoundError` for an unknown record; the old one stays when the new wording is not stored.
        """
        return await review.correct(self._deps, self._scope, record_id, text)

    async def forget(self, record_id: str) -> tuple[str, ...]:
        """Empty a record and its older versions, and return their ids; raise `NotFoundError` for an unknown one."""
        return await forgetting.forget(self._deps, self._scope, record_id)

    async def forget_everything(self) -> Erasure:
        """Remove the user's memories, proposals and checkpoints; the content-free log stays.

        A run of this user that is in progress goes on, but its checkpoints are no longer written.
        """
        return await forgetting.forget_everything(self._deps, self._scope)

    async def grant(self, purpose: str, *, notice: str) -> Consent:
        """Record that the user agreed to ``purpose``, having been shown the version ``notice`` of the notice."""
        decided = await consenting.decide_about(self._deps, self._scope, purpose, granted=True, notice=notice)
        return decided.consent

    async def withdraw(self, purpose: str, *, erase: bool = False) -> Decided:
        """Record that the user no longer agrees to ``purpose``: from now on nothing of it is written or read.

        What was kept for it stays, unseen by recall, unless ``erase``.
        """
        return await consenting.decide_about(
            self._deps, self._scope, purpose, granted=False, notice="", erase=erase
        )

    async def switch_off(self, *, conversation_id: str | None = None, erase: bool = False) -> Decided:
        """Stop remembering and recalling, everywhere or in one conversation; ``erase`` also empties every record."""
        return await consenting.decide_about(
            self._deps,
            self._scope,
            MEMORY,
            granted=False,
            notice="",
            conversation_id=conversation_id,
            erase=erase,
        )

    async def switch_on(self, *, conversation_id: str | None = None) -> Consent:
        """Remember and recall again; memory that is off everywhere stays off in every conversation."""
        decided = await consenting.decide_about(
            self._deps, self._scope, MEMORY, granted=True, notice="", conversation_id=conversation_id
        )
        return decided.consent

    async def consents(self, *, limit: int = MAX_LISTED) -> list[Consent]:
        """Return the user's decisions about purposes, newest first: what they agreed to, when, on which notice."""
        return await consent_table.list_all(self._deps.database, self._scope, _checked_limit(limit))

    async def audit(self, *, limit: int = 100) -> list[AuditEvent]:
        """Return the latest events of the log about this user, newest first."""
        return await audit_table.list_recent(self._deps.database, self._scope, _checked_limit(limit))

    async def reembed(self) -> int:
        """Give every record a vector of the embedding model configured now; return how many lacked one."""
        return await reembedding.reembed(self._deps, self._scope)

    async def checkpointer(self) -> ScopedPostgresSaver:
        """Return a LangGraph checkpoint saver that sees this user's threads only."""
        from memwarden.checkpoint import ScopedPostgresSaver

        return ScopedPostgresSaver(self._deps.database, self._scope)


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LISTED:
        raise InvalidInputError(f"The limit of a list is {limit}; it may be 1 to {MAX_LISTED}.")
    return limit
