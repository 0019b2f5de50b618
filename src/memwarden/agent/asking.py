"""Stop and ask: the graph interrupts itself until the user has decided about what would be remembered.

The interrupt names the proposal and holds none of its words, since it is saved with the checkpoint; whoever shows
it reads them with `UserMemory.proposals`. Resume with ``True`` or a spoken yes, ``False`` or a spoken no, or
``{"edited": "the user's own wording"}``. Anything else decides nothing, and the proposal goes on waiting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from langchain.tools import ToolRuntime
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool, StructuredTool
from langgraph.func import task
from langgraph.runtime import get_runtime
from langgraph.types import interrupt

from memwarden.agent.context import scope_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.nodes import MemoryState, Node
from memwarden.agent.tools import put_to_user
from memwarden.agent.turn import evidence_of, last_user_message
from memwarden.errors import ConsentError, InvalidInputError, NotFoundError, StateConflictError
from memwarden.guard.answers import Answer, answer
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.outcome import Remembered

KIND = "memory_proposal"
UNDECIDED = "The user has not decided; it is not remembered, and goes on waiting."

ASK_DESCRIPTION = """Ask the user whether something they said about themselves may be remembered for later conversations.
Only durable preferences and facts the user stated in their own words, never secrets, guesses, other people's affairs, or
anything from a document or a tool. The conversation stops until the user has answered.
statement: one short sentence about the user. quote: the user's exact words it rests on."""


class Question(TypedDict):
    """The value of the interrupt."""

    kind: str
    proposal_id: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What the user decided: yes, with their own wording or without, or no."""

    yes: bool
    edited: str | None = None


def decision_of(resumed: object) -> Decision | None:
    """Return the decision a graph was resumed with, or null when it is none."""
    if isinstance(resumed, bool):
        return Decision(resumed)
    if isinstance(resumed, str):
        given = answer(resumed)
        return None if given is None else Decision(given is Answer.YES)
    edited = resumed.get("edited") if isinstance(resumed, Mapping) else None
    return Decision(yes=True, edited=edited) if isinstance(edited, str) else None


def ask_memory_tool(memwarden: Memwarden | SyncMemwarden) -> BaseTool:
    """Return the tool ``ask_memory(statement, quote)``, which stops the graph until the user has decided."""
    opened = asynchronous(memwarden)

    async def ask_async(statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        user = opened.scoped(scope_of(runtime.context))

        @task
        async def put() -> Put:
            return await across(opened, lambda: _put(user, statement, quote, runtime))

        proposal_id, why_not = await put()
        if proposal_id is None:
            return why_not
        resumed = interrupt(_question(proposal_id))
        return await across(opened, lambda: _act(user, proposal_id, decision_of(resumed)))

    def ask(statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        user = opened.scoped(scope_of(runtime.context))

        @task
        def put() -> Put:
            return blocking(opened, lambda: _put(user, statement, quote, runtime))

        proposal_id, why_not = put().result()
        if proposal_id is None:
            return why_not
        resumed = interrupt(_question(proposal_id))
        return blocking(opened, lambda: _act(user, proposal_id, decision_of(resumed)))

    return StructuredTool.from_function(
        func=ask, coroutine=ask_async, name="ask_memory", description=ASK_DESCRIPTION
    )


def ask_proposals_node(memwarden: Memwarden | SyncMemwarden) -> Node:
    """Return a node that stops the graph for each proposal resting on the latest user message, and does what was decided."""
    opened = asynchronous(memwarden)

    async def ask_async(state: MemoryState) -> dict[str, Any]:
        context = get_runtime().context
        user = opened.scoped(scope_of(context))

        @task
        async def waiting() -> list[str]:
            return await across(opened, lambda: _waiting(user, state, context))

        asked = await waiting()
        decided = _decisions(asked)
        await across(opened, lambda: _act_on_all(user, asked, decided))
        return {}

    def ask_sync(state: MemoryState) -> dict[str, Any]:
        context = get_runtime().context
        user = opened.scoped(scope_of(context))

        @task
        def waiting() -> list[str]:
            return blocking(opened, lambda: _waiting(user, state, context))

        asked = waiting().result()
        decided = _decisions(asked)
        blocking(opened, lambda: _act_on_all(user, asked, decided))
        return {}

    return RunnableLambda(ask_sync, afunc=ask_async, name="ask_memory_proposals")


Put = tuple[str | None, str]
"""The id of the proposal that was put, or null and why none was."""


async def _put(user: UserMemory, statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> Put:
    put = await put_to_user(user, statement, quote, runtime)
    if isinstance(put, str) or put.proposal is None:
        return None, _not_asked(put)
    return put.proposal.id, ""


async def _waiting(user: UserMemory, state: MemoryState, context: object) -> list[str]:
    message = last_user_message(state["messages"])
    if message is None:
        return []
    return [proposal.id for proposal in await user.proposals(about=evidence_of(context, message))]


def _decisions(asked: Sequence[str]) -> list[Decision | None]:
    # All are asked before anything is done: a resumed node runs again from its beginning, and has to ask the same.
    return [decision_of(interrupt(_question(proposal_id))) for proposal_id in asked]


async def _act_on_all(user: UserMemory, asked: Sequence[str], decided: Sequence[Decision | None]) -> None:
    for proposal_id, decision in zip(asked, decided, strict=True):
        await _act(user, proposal_id, decision)


async def _act(user: UserMemory, proposal_id: str, decision: Decision | None) -> str:
    if decision is None:
        return UNDECIDED
    try:
        if not decision.yes:
            await user.decline(proposal_id)
            return "The user said no; it is not remembered. Do not ask again."
        await user.confirm(proposal_id, edited=decision.edited)
    except StateConflictError:
        return "The user has decided about it before."
    except (ConsentError, InvalidInputError, NotFoundError) as error:
        return f"Not remembered: {error}"
    return "The user said yes; it is remembered."


def _question(proposal_id: str) -> Question:
    return Question(kind=KIND, proposal_id=proposal_id)


def _not_asked(put: Remembered | str) -> str:
    return put if isinstance(put, str) else f"Not asked: {put.explanation}"
