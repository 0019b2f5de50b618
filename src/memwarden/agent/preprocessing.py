"""Preprocessing for LangGraph: before a run, nothing of the last one is left that should not be, and no secret comes in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, get_type_hints

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AnyMessage, HumanMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.channels import UntrackedValue
from langgraph.runtime import Runtime, get_runtime

from memwarden.agent.context import scope_of, thread_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.letting_go import let_go
from memwarden.agent.postprocessing import heard
from memwarden.agent.turn import asked_about, evidence_of
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.erasure import Fence
from memwarden.session.incoming import SAID_AT, arrived
from memwarden.session.roles import own_words
from memwarden.session.state import SessionState, Turn, is_reset, resets


class PreprocessingState(AgentState[Any]):
    """The agent's state, with the turn that is answered and what the user's next yes would answer."""

    turn: NotRequired[Turn]
    pending_proposals: NotRequired[list[str]]
    memory_fence: NotRequired[Annotated[Fence, UntrackedValue, PrivateStateAttr]]
    """What was erased last when this run began."""
    let_go: NotRequired[Annotated[list[str], PrivateStateAttr]]
    """Messages that left because what they said was forgotten, until nothing else holds them either."""
    forgetting: NotRequired[Annotated[bool, UntrackedValue, PrivateStateAttr]]
    """That this was seen to in this run, and need not be by `MemwardenMiddleware`."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How a run is prepared: the fields of the state that begin at their defaults."""

    transient_of: type[Any] = PreprocessingState

    async def __call__(
        self, memwarden: Memwarden, state: Mapping[str, Any], runtime: Runtime[Any]
    ) -> dict[str, Any]:
        """Return the update of the state with which a run begins."""
        return await begun(memwarden, resets(self.transient_of), state, runtime) | {"forgetting": True}


class PreprocessingMiddleware(AgentMiddleware[PreprocessingState, Any, Any]):
    """Prepares each run of an agent; put it first.

    Fields of ``transient_of``, the ``state_schema`` that `create_agent` is given, go back to their defaults where they are
    marked `Transient`. Secrets and identity numbers leave the user's words, which get the time they came at. ``turn`` says
    which message is answered, and ``pending_proposals`` holds what the user's "yes" would answer now; what was proposed
    before is not in it any more. What the user had forgotten leaves the transcript, the summary and the ledger.
    """

    state_schema = PreprocessingState

    def __init__(
        self, memwarden: Memwarden | SyncMemwarden, *, transient_of: type[Any] = PreprocessingState
    ) -> None:
        super().__init__()
        self._memwarden = asynchronous(memwarden)
        self._preparation = Preparation(transient_of)

    async def abefore_agent(self, state: PreprocessingState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Prepare the state for this run."""
        return await across(self._memwarden, lambda: self._preparation(self._memwarden, state, runtime))

    def before_agent(self, state: PreprocessingState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Prepare the state for this run."""
        return blocking(self._memwarden, lambda: self._preparation(self._memwarden, state, runtime))


def preprocess_node(
    memwarden: Memwarden | SyncMemwarden, *, transient_of: type[Any] = SessionState
) -> Runnable[Any, dict[str, Any]]:
    """Return the first node of a graph: it prepares the state for a run as `PreprocessingMiddleware` does."""
    opened, reset = asynchronous(memwarden), resets(transient_of)
    two_histories = "transcript" in get_type_hints(transient_of)

    async def prepared(state: dict[str, Any], runtime: Runtime[Any]) -> dict[str, Any]:
        update = await begun(opened, reset, state, runtime)
        if not two_histories:
            return update
        new = [message for message in update.get("messages", ()) if isinstance(message, HumanMessage)]
        messages = _with(state.get("messages") or (), new)
        said = heard(state, messages)
        forgotten = update.get("transcript", [])
        return (
            update | said | ({"transcript": [*forgotten, *said.get("transcript", ())]} if forgotten else {})
        )

    async def prepare_async(state: dict[str, Any]) -> dict[str, Any]:
        runtime = get_runtime()
        return await across(opened, lambda: prepared(state, runtime))

    def prepare_sync(state: dict[str, Any]) -> dict[str, Any]:
        runtime = get_runtime()
        return blocking(opened, lambda: prepared(state, runtime))

    return RunnableLambda(prepare_sync, afunc=prepare_async, name="preprocess")


async def begun(
    memwarden: Memwarden, reset: Mapping[str, Any], state: Mapping[str, Any], runtime: Runtime[Any]
) -> dict[str, Any]:
    """Return the update of the state with which a run begins."""
    user, messages = memwarden.scoped(scope_of(runtime.context)), list(state.get("messages") or ())
    thread = thread_of(runtime)
    fence, gone, pending = await asyncio.gather(
        _fence(user, thread), let_go(user, thread, state), _pending(user, messages, runtime.context)
    )
    update = {name: value for name, value in reset.items() if not is_reset(state.get(name), value)}
    update |= fence | gone
    new = arrived(messages, memwarden.dependencies.clock())
    if new:
        update["messages"] = [*update.get("messages", ()), *new]
    if said := own_words(_with(messages, new)):
        latest = said[-1]
        update["turn"] = Turn(id=latest.id or "", at=str(latest.additional_kwargs.get(SAID_AT, "")))
    if pending != (state.get("pending_proposals") or []):
        update["pending_proposals"] = pending
    return update


async def _fence(user: UserMemory, thread: str | None) -> dict[str, Any]:
    return {} if thread is None else {"memory_fence": await user.fence(thread)}


async def _pending(user: UserMemory, messages: Sequence[AnyMessage], context: object) -> list[str]:
    """Return what the user's latest message would answer by a yes."""
    question = asked_about(messages)
    if question is None:
        return []
    return [proposal.id for proposal in await user.proposals(about=evidence_of(context, question))]


def _with(messages: Sequence[AnyMessage], new: Sequence[HumanMessage]) -> list[AnyMessage]:
    by_id = {message.id: message for message in new if message.id}
    return [by_id.get(message.id or "", message) for message in messages]
