"""The middleware for `langchain.agents.create_agent`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse, hook_config
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime

from memwarden.agent.context import conversation_of, scope_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.tools import propose_memory_tool
from memwarden.agent.turn import MemoryNote, events_section, follow, last_user_message, with_sections
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.commands import FollowedAction
from memwarden.memory.recall import DEFAULT_LIMIT
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden


class MemwardenState(AgentState[Any]):
    """The agent's state, with what memory did in this turn."""

    memory_notes: NotRequired[Annotated[list[MemoryNote], PrivateStateAttr]]


class MemwardenMiddleware(AgentMiddleware[MemwardenState, Any, Any]):
    """Gives an agent the memory of the user its run is for.

    Before the agent starts, an explicit command of the user's message ("Remember that ...", "Forget
    that ...", "Call me ...") is carried out. Before each model call, what bears on the message is recalled
    into a delimited section behind the system prompt. The model gets one tool, ``propose_memory``, which
    stores nothing: the user has to confirm.

    Identity comes from the run's ``context`` (`MemoryContext`), never from ``configurable``, which LangGraph
    copies into checkpoints. What is recalled is not written to the graph's state.
    """

    state_schema = MemwardenState

    def __init__(self, memwarden: Memwarden | SyncMemwarden, *, limit: int = DEFAULT_LIMIT) -> None:
        super().__init__()
        self._memwarden = asynchronous(memwarden)
        self._limit = limit
        self.tools = [propose_memory_tool(memwarden)]

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: MemwardenState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Carry out the user's explicit memory command."""
        user = self._user(runtime)
        notes = await across(self._memwarden, lambda: follow(user, state["messages"], runtime.context))
        return _update(state, notes)

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: MemwardenState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Carry out the user's explicit memory command."""
        user = self._user(runtime)
        notes = blocking(self._memwarden, lambda: follow(user, state["messages"], runtime.context))
        return _update(state, notes)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Call the model with the memory section behind its system prompt."""
        user = self._user(request.runtime)
        section = await across(self._memwarden, lambda: self._section(user, request))
        return await handler(_with_memory(request, section))

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with the memory section behind its system prompt."""
        user = self._user(request.runtime)
        section = blocking(self._memwarden, lambda: self._section(user, request))
        return handler(_with_memory(request, section))

    def _user(self, runtime: Runtime[Any]) -> UserMemory:
        return self._memwarden.scoped(scope_of(runtime.context))

    async def _section(self, user: UserMemory, request: ModelRequest[Any]) -> str:
        message = last_user_message(request.messages)
        recalled = await user.recall(
            None if message is None else message.text,
            limit=self._limit,
            conversation_id=conversation_of(request.runtime.context),
        )
        return recalled.render()


def _update(state: MemwardenState, notes: list[MemoryNote]) -> dict[str, Any]:
    """Put the notes in the state; after an erasure, also end the run and drop the history it was given."""
    update: dict[str, Any] = {"memory_notes": notes}
    erased = next((note for note in notes if note["action"] == FollowedAction.ERASED), None)
    if erased is not None:
        answer = AIMessage(erased["explanation"])
        update |= {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), answer], "jump_to": "end"}
    return update


def _with_memory(request: ModelRequest[Any], section: str) -> ModelRequest[Any]:
    notes = cast("MemwardenState", request.state).get("memory_notes") or []
    return request.override(
        system_message=with_sections(request.system_message, [section, events_section(notes)])
    )
