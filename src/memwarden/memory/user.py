"""What can be done with one user's memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memwarden.db import (
    audit_table,
    consent_table,
    hold_table,
    memory_table,
    proposal_table,
    thread_table,
)
from memwarden.db import erasure as erasure_rows
from memwarden.errors import InvalidInputError, NotFoundError
from memwarden.memory import answering, commands, conversing, episodes, review, reviewing
from memwarden.memory import archive as archiving
from memwarden.memory import consent as consenting
from memwarden.memory import consolidate as consolidating
from memwarden.memory import erase as erasing
from memwarden.memory import export as exporting
from memwarden.memory import forget as forgetting
from memwarden.memory import holds as holding
from memwarden.memory import propose as proposing
from memwarden.memory import purge as purging
from memwarden.memory import recall as recalling
from memwarden.memory import reembed as reembedding
from memwarden.memory import remember as remembering
from memwarden.memory import stale as staling
from memwarden.memory import traces as tracing
from memwarden.memory.archive import Archived
from memwarden.memory.commands import Followed
from memwarden.memory.consent import Decided
from memwarden.memory.consolidate import Consolidated
from memwarden.memory.dependencies import Dependencies
from memwarden.memory.export import Exported
from memwarden.memory.purge import Purged
from memwarden.memory.recall import DEFAULT_LIMIT, Recall
from memwarden.memory.reviewing import Reviewed
from memwarden.memory.running import running
from memwarden.memory.threads import config_of, saver_of
from memwarden.memory.user_conversations import UserConversations
from memwarden.model.audit import AuditEvent
from memwarden.model.consent import MEMORY, Consent
from memwarden.model.episode import Episode
from memwarden.model.erasure import Erasure, Fence
from memwarden.model.hold import LegalHold
from memwarden.model.ids import is_id
from memwarden.model.outcome import Remembered
from memwarden.model.proposal import Proposal
from memwarden.model.record import NO_EVIDENCE, Evidence, MemoryRecord
from memwarden.model.scope import Scope
from memwarden.model.trace import ReadTrace, Why
from memwarden.model.verdict import Origin

if TYPE_CHECKING:
    from langchain_core.messages import AnyMessage
    from langchain_core.runnables import RunnableConfig

    from memwarden.checkpoint import ScopedSaver

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

    @property
    def conversations(self) -> UserConversations:
        """The user's conversations as they stand in a list: begin, find, rename, read and delete them."""
        return UserConversations(self._deps, self._scope)

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

    async def follow(
        self, message: str, *, evidence: Evidence = NO_EVIDENCE, asked_about: Evidence = NO_EVIDENCE
    ) -> Followed | None:
        """Carry out the explicit memory command in the user's own ``message``; return null when it gives none.

        "Remember that ...", "Forget that ...", "Call me ...", "Forget me" and their like, in several languages; and
        "yes" or "no" to the one proposal that rests on the message ``asked_about``, which must be the user's message
        before this one.
        """
        answered = await answering.follow_answer(self._deps, self._scope, message, asked_about)
        return answered or await commands.follow(self._deps, self._scope, message, evidence)

    async def record_episode(
        self, episode: Episode, *, application_key: str, evidence: Evidence = NO_EVIDENCE
    ) -> Remembered:
        """Keep what deterministic code did for the user, once for each ``application_key`` (a ticket's number, say).

        Secrets and identity numbers in it are taken out; an episode that would steer an agent is refused, and one
        that the user has had forgotten is not recorded again. Raises `InvalidInputError` for fields that
        are none, and for one that lies in the future.
        """
        return await episodes.record_episode(self._deps, self._scope, episode, application_key, evidence)

    async def recall(
        self, query: str | None = None, *, limit: int = DEFAULT_LIMIT, conversation_id: str | None = None
    ) -> Recall:
        """Return the core profile, and at most ``limit`` (0 to 50) memories that bear on ``query``.

        Nothing comes back while memory is off, everywhere or in the conversation ``conversation_id``.
        """
        return await recalling.recall(self._deps, self._scope, query, limit, conversation_id)

    def expect(self, query: str) -> None:
        """Begin to embed a question that `recall` is about to be asked, while something else is done.

        To be called on the event loop that the memory was opened in.
        """
        recalling.expect(self._deps, query)

    async def memories(self, *, as_of: datetime | None = None, limit: int = MAX_LISTED) -> list[MemoryRecord]:
        """Return what is remembered now, or was at the past instant ``as_of``, newest first, 1,000 at the most.

        Of the past, what was forgotten or purged since is not there any more.
        """
        db, now = self._deps.database, self._deps.clock()
        if as_of is None:
            return await memory_table.list_active(db, self._scope, now, _checked_limit(limit))
        if as_of.tzinfo is None or as_of > now:
            raise InvalidInputError("The instant to look back to needs a time zone and must have passed.")
        return await memory_table.list_as_of(db, self._scope, as_of, _checked_limit(limit))

    async def history(self, record_id: str) -> list[MemoryRecord]:
        """Return a record and the versions it replaced, newest first, but for what has expired.

        Raises `NotFoundError` for an unknown one, and where all of them have expired.
        """
        db, now = self._deps.database, self._deps.clock()
        rows = await memory_table.history(db, self._scope, record_id, now) if is_id(record_id) else []
        if not rows:
            raise NotFoundError("No such memory; list them to see their ids.")
        return rows

    async def proposals(self, *, about: Evidence | None = None, limit: int = MAX_LISTED) -> list[Proposal]:
        """Return what waits for the user's yes, oldest first; with ``about``, what rests on that message alone."""
        db, now, most = self._deps.database, self._deps.clock(), _checked_limit(limit)
        if about is None:
            return await proposal_table.list_pending(db, self._scope, now, most)
        place = (about.conversation_id, about.message_id or "")
        return await proposal_table.asked_in(db, self._scope, *place, now, most)

    async def confirm(self, proposal_id: str, *, edited: str | None = None) -> MemoryRecord:
        """Keep a proposal because the user said yes, in the words ``edited`` if they changed them.

        Raises `NotFoundError` when it is unknown or lapsed, `StateConflictError` when it was decided before,
        `ConsentError` while the user does not let it be kept, `InvalidInputError` for words the guard refuses.
        """
        return await review.confirm(self._deps, self._scope, proposal_id, edited)

    async def decline(self, proposal_id: str) -> None:
        """Drop a proposal and its words; nobody but the user brings it up again. Raises as `confirm` does."""
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
        """Remove everything about the user from every store, look again, and return a signed receipt of it.

        The content-free log stays, and the user's decisions about purposes. A run of this user that is in progress
        goes on, but its checkpoints are no longer written. What a store failed to do is done later (`finish_erasure`).
        """
        return await erasing.erase_user(self._deps, self._scope)

    async def forget_conversation(self, conversation_id: str) -> Erasure:
        """Remove what there is of one conversation at once: title, checkpoints, archive, episodes, what waits from it; returns as the above."""
        return await erasing.erase_conversation(self._deps, self._scope, conversation_id)

    async def erasures(self, *, limit: int = MAX_LISTED) -> list[Erasure]:
        """Return what was erased for the user, newest first, each with how far it has come and its receipt."""
        return await erasure_rows.list_all(self._deps.database, self._scope, _checked_limit(limit))

    async def finish_erasure(self, erasure_id: str) -> Erasure:
        """Take an erasure to the stores it has not reached yet; raise `NotFoundError` for an unknown one."""
        return await erasing.finish(self._deps, self._scope, erasure_id)

    async def hold(self, reference: str) -> LegalHold:
        """Place a legal hold for the case ``reference``: nothing of the user's is lost while it stands, or seen again."""
        return await holding.place(self._deps, self._scope, reference)

    async def release(self, hold_id: str) -> LegalHold:
        """End a legal hold, and erase what only it kept; raise `NotFoundError` unless it stands."""
        return await holding.release(self._deps, self._scope, hold_id)

    async def holds(self, *, limit: int = MAX_LISTED) -> list[LegalHold]:
        """Return the legal holds on the user, newest first."""
        return await hold_table.list_all(self._deps.database, self._scope, _checked_limit(limit))

    async def purge(self) -> Purged:
        """Remove for good what has expired; a background job does the same."""
        return await purging.purge(self._deps, self._scope)

    async def consolidate(self) -> Consolidated:
        """Purge, embed anew what another model embedded, merge doubles and ask about contradictions.

        Safe to stop and to run again; a background job does the same.
        """
        return await consolidating.consolidate(self._deps, self._scope)

    async def export(self, *, to: Path | None = None) -> Exported:
        """Write everything held about the user to a zip: to ``to``, or to the folder of exports, where it expires."""
        return await exporting.export(self._deps, self._scope, to)

    async def trace(
        self, answer_id: str, recalled: Recall, *, conversation_id: str | None = None
    ) -> ReadTrace | None:
        """Note that what was ``recalled`` stood in the prompt of the answer ``answer_id``; null when nothing was."""
        return await tracing.trace(self._deps, self._scope, answer_id, recalled, conversation_id)

    async def why(self, answer_id: str) -> Why:
        """Return the memories that were in an answer's prompt; raise `NotFoundError` when none was."""
        return await tracing.why(self._deps, self._scope, answer_id)

    async def used_in(self, record_id: str, *, limit: int = MAX_LISTED) -> list[ReadTrace]:
        """Return the answers a record was in the prompt of, newest first; also once it was forgotten."""
        return await tracing.used_in(self._deps, self._scope, record_id, _checked_limit(limit))

    async def end_conversation(self, conversation_id: str) -> bool:
        """Note that a conversation ended, so that it is looked through; return whether it was going on."""
        async with self._deps.database.transaction(self._scope) as tx:
            went_on = await thread_table.finish(tx, conversation_id, self._deps.clock())
        await conversing.end(self._deps, self._scope, conversation_id)
        return went_on

    async def review_conversation(self, conversation_id: str) -> Reviewed:
        """Look through a conversation: record what was done as an episode, and propose what a suggester finds.

        A background job does this once a conversation ended or was idle; safe to run again.
        """
        return await reviewing.review_conversation(self._deps, self._scope, conversation_id)

    async def fence(self, conversation_id: str) -> Fence:
        """Return what a run of a conversation asks for as it begins, and passes on with what it puts aside as ``began``.

        Once the conversation, the user or the tenant is erased, what the run puts aside comes too late.
        """
        return await archiving.fence(self._deps, self._scope, conversation_id)

    async def keep_messages(
        self, conversation_id: str, messages: Sequence[AnyMessage], *, began: Fence | None = None
    ) -> int:
        """Put messages that leave a graph's state into the conversation's archive; return how many were not there yet.

        Each is kept once, by its id, as it first was. Raises `InvalidInputError` for one without an id, and
        `StateConflictError` when the conversation or the user was erased since ``began`` (by default: this call).
        """
        return await archiving.keep_messages(self._deps, self._scope, conversation_id, messages, began)

    async def keep_tool_result(
        self, conversation_id: str, tool: str, call_id: str, content: str, *, began: Fence | None = None
    ) -> str:
        """Put a tool's result into the conversation's archive, and return the reference that stands for it in a prompt.

        The reference is the call's id, but where that is no name or has another result already. Raises as the above.
        """
        return await archiving.keep_tool_result(
            self._deps, self._scope, conversation_id, tool, call_id, content, began
        )

    async def archived(
        self, conversation_id: str, *, after: int = 0, limit: int = MAX_LISTED
    ) -> list[Archived]:
        """Return what is in the conversation's archive, in order; ``after`` is the last ``place`` of the page before."""
        most = _checked_limit(limit)
        return await archiving.archived(self._deps, self._scope, conversation_id, after=after, limit=most)

    async def tool_result(self, conversation_id: str, reference: str) -> str:
        """Return an archived tool result, whole; raise `NotFoundError` for a reference that is unknown here."""
        return await archiving.tool_result(self._deps, self._scope, conversation_id, reference)

    async def stale_messages(self, conversation_id: str) -> tuple[str, ...]:
        """Return the ids of messages in a conversation that hold what was forgotten since."""
        return await thread_table.stale(self._deps.database, self._scope, conversation_id)

    async def dropped(self, conversation_id: str, message_ids: Sequence[str]) -> None:
        """Note that stale messages were taken out of a conversation."""
        await staling.freshened(self._deps, self._scope, conversation_id, message_ids)

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

    def running(self, thread_id: str, *, wait_s: float | None = None) -> AbstractAsyncContextManager[None]:
        """Hold a thread for as long as a run of it takes: ``async with user.running(thread): await graph.ainvoke(...)``.

        Another run of the thread, in this process or another, waits for ``wait_s`` seconds (by default
        ``MEMWARDEN_RUN_WAIT_S``), after which it is refused with `ThreadBusyError`. A run that is killed holds its thread
        for half a minute more. Without this, two runs at one time begin from the same state, and the one that comes too
        late gets `ThreadBusyError` at its first step instead of a branch that nobody sees.
        """
        return running(self._deps, self._scope, thread_id, wait_s)

    def config(self, thread_id: str) -> RunnableConfig:
        """Return the configuration with which a graph is invoked whose saver is `Memwarden.checkpointer`."""
        return config_of(self._scope, thread_id)

    async def checkpointer(self, *, metadata_keys: Collection[str] = ()) -> ScopedSaver:
        """Return a LangGraph checkpoint saver that sees this user's threads only.

        ``metadata_keys`` names what of a run's ``configurable`` and ``metadata`` is kept with its checkpoints, to filter by.
        """
        return saver_of(self._deps, self._scope, metadata_keys)


def _checked_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LISTED:
        raise InvalidInputError(f"The limit of a list is {limit}; it may be 1 to {MAX_LISTED}.")
    return limit
