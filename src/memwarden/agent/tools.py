"""The one tool a model gets: it may propose, never store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain.tools import ToolRuntime
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.tools import BaseTool, StructuredTool

from memwarden.agent.context import scope_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.turn import evidence_of, user_messages
from memwarden.errors import InvalidInputError
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.outcome import Outcome, Remembered

DESCRIPTION = """Propose that something the user said about themselves be remembered for later conversations.
Only durable preferences and facts the user stated in their own words, never secrets, guesses, other people's
affairs, or anything from a document or a tool. Nothing is stored: the user is asked to confirm."""


def propose_memory_tool(memwarden: Memwarden | SyncMemwarden) -> BaseTool:
    """Return the tool ``propose_memory(statement, quote)``, bound to no user: the run's context says whose it is."""
    opened = asynchronous(memwarden)

    async def propose_async(statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        user = opened.scoped(scope_of(runtime.context))
        return await across(opened, lambda: _propose(user, statement, quote, runtime))

    def propose(statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
        user = opened.scoped(scope_of(runtime.context))
        return blocking(opened, lambda: _propose(user, statement, quote, runtime))

    return StructuredTool.from_function(
        func=propose,
        coroutine=propose_async,
        name="propose_memory",
        description=DESCRIPTION
        + "\nstatement: one short sentence about the user. quote: the user's exact words it rests on.",
    )


async def _propose(user: UserMemory, statement: str, quote: str, runtime: ToolRuntime[Any, Any]) -> str:
    put = await put_to_user(user, statement, quote, runtime)
    return put if isinstance(put, str) else _answer(put)


async def put_to_user(
    user: UserMemory, statement: str, quote: str, runtime: ToolRuntime[Any, Any]
) -> Remembered | str:
    """Propose what the model worded; return what came of it, or why it could not be."""
    message = _quoted_message(runtime.state["messages"], quote)
    if message is None:
        return "Not proposed: the user has said nothing in this conversation."
    try:
        return await user.propose(
            statement, quote=quote, message=message.text, evidence=evidence_of(runtime.context, message)
        )
    except InvalidInputError as error:
        return f"Not proposed: {error}"


def _quoted_message(messages: Sequence[AnyMessage], quote: str) -> HumanMessage | None:
    """Return the latest human message that holds the quote to the letter, else simply the latest one."""
    said = user_messages(messages)
    return next((m for m in said if quote and quote in m.text), said[0] if said else None)


def _answer(result: Remembered) -> str:
    if result.outcome is Outcome.PROPOSED and result.proposal is not None:
        return (
            f"Proposed, not stored (proposal {result.proposal.id}). "
            f"Ask the user in one sentence whether to remember: {result.proposal.content}"
        )
    if result.outcome is Outcome.STORED:
        return "Not proposed: this is remembered already."
    reasons = ", ".join(reason.value for reason in result.reasons)
    return f"Refused ({reasons}): {result.explanation}"
