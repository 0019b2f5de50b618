"""The middleware for `langchain.agents.create_agent`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse, hook_config
from langchain.agents.middleware.types import PrivateStateAttr
from langchain_core.messages import AIMessage, RemoveMessage
from langchain_core.tools import BaseTool
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.runtime import Runtime

from memwarden.agent.context import conversation_of, scope_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.preprocessing import Preparation, PreprocessingState
from memwarden.agent.tools import propose_memory_tool
from memwarden.agent.turn import (
    MemoryNote,
    events_section,
    follow,
    last_user_message,
    stale_exchanges,
    with_sections,
)
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.commands import FollowedAction
from memwarden.memory.recall import DEFAULT_LIMIT, Recall
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden


class MemwardenState(AgentState[Any]):
    """The agent's state, with what memory did in this turn."""

    memory_notes: NotRequired[Annotated[list[MemoryNote], PrivateStateAttr]]


class PreparedState(MemwardenState, PreprocessingState):
    """The same, where a run is prepared in the same step."""


class MemwardenMiddleware(AgentMiddleware[MemwardenState, Any, Any]):
    """Gives an agent the memory of the user its run is for.

    Before the agent starts, an explicit command of the user's message ("Remember that ...", "Forget
    that ...", "Call me ...") is carried out. Before each model call, what bears on the message is recalled
    into a delimited section behind the system prompt. The model gets one tool, ``propose_memory``, which
    stores nothing: the user has to confirm, by a "yes" right after they were asked or with `UserMemory.confirm`; give
    ``tool=ask_memory_tool(memwarden)`` for one that stops the graph until they have. Each answer leaves a trace of the
    memories that were in its prompt.

    ``preparation`` is done first as a run begins, in the same step (`Preparation`).

    Identity comes from the run's ``context`` (`MemoryContext`), never from ``configurable``, which LangGraph
    copies into checkpoints. What is recalled is not written to the graph's state.
    """

    state_schema = MemwardenState

    def __init__(
        self,
        memwarden: Memwarden | SyncMemwarden,
        *,
        limit: int = DEFAULT_LIMIT,
        tool: BaseTool | None = None,
        preparation: Preparation | None = None,
    ) -> None:
        super().__init__()
        self._memwarden = asynchronous(memwarden)
        self._limit = limit
        self._preparation = preparation
        if preparation is not None:
            self.state_schema = PreparedState
        self.tools = [tool or propose_memory_tool(memwarden)]

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: MemwardenState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Carry out the user's explicit memory command."""
        return await across(self._memwarden, lambda: self._begun(state, runtime))

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: MemwardenState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Carry out the user's explicit memory command."""
        return blocking(self._memwarden, lambda: self._begun(state, runtime))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Call the model with the memory section behind its system prompt."""
        user = self._user(request.runtime)
        recalled = await across(self._memwarden, lambda: self._recall(user, request))
        response = await handler(_with_memory(request, recalled.render()))
        await across(self._memwarden, lambda: _trace(user, request, response, recalled))
        return response

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model with the memory section behind its system prompt."""
        user = self._user(request.runtime)
        recalled = blocking(self._memwarden, lambda: self._recall(user, request))
        response = handler(_with_memory(request, recalled.render()))
        blocking(self._memwarden, lambda: _trace(user, request, response, recalled))
        return response

    async def _begun(self, state: MemwardenState, runtime: Runtime[Any]) -> dict[str, Any]:
        user, message = self._user(runtime), last_user_message(state["messages"])
        if message is not None:
            user.expect(message.text)
        if self._preparation is None:
            return await _begun(user, state, runtime.context)
        prepared = await self._preparation(self._memwarden, state, runtime)
        done = await _begun(user, _with(state, prepared), runtime.context)
        return prepared | done | _messages(prepared, done)

    def _user(self, runtime: Runtime[Any]) -> UserMemory:
        return self._memwarden.scoped(scope_of(runtime.context))

    async def _recall(self, user: UserMemory, request: ModelRequest[Any]) -> Recall:
        message = last_user_message(request.messages)
        return await user.recall(
            None if message is None else message.text,
            limit=self._limit,
            conversation_id=conversation_of(request.runtime.context),
        )


def _with(state: MemwardenState, prepared: Mapping[str, Any]) -> MemwardenState:
    """Return a state as its preparation leaves it."""
    messages = add_messages(cast("Any", state["messages"]), prepared.get("messages") or [])
    return cast("MemwardenState", {**state, **prepared, "messages": messages})


def _messages(prepared: Mapping[str, Any], done: Mapping[str, Any]) -> dict[str, Any]:
    """Return what preparation and memory make of the history, as one update."""
    both = [*prepared.get("messages", ()), *done.get("messages", ())]
    return {"messages": both} if both else {}


async def _begun(user: UserMemory, state: MemwardenState, context: object) -> dict[str, Any]:
    """Carry out what the user's message asks of memory, and return what that makes of the state.

    After an erasure the run ends and drops the history it was given; what was forgotten since the last run is
    dropped from the history with the answers to it.
    """
    notes = await follow(user, state["messages"], context)
    update: dict[str, Any] = {"memory_notes": notes}
    erased = next((note for note in notes if note["action"] == FollowedAction.ERASED), None)
    if erased is not None:
        answer = AIMessage(erased["explanation"])
        return update | {"messages": [RemoveMessage(id=REMOVE_ALL_MESSAGES), answer], "jump_to": "end"}
    seen_to = cast("dict[str, Any]", state).get("forgetting")
    gone = [] if seen_to else await _forgotten(user, state, context)
    return update | ({"messages": [RemoveMessage(id=message_id) for message_id in gone]} if gone else {})


async def _forgotten(user: UserMemory, state: MemwardenState, context: object) -> list[str]:
    """Return the messages of earlier turns that hold what was forgotten, and note those that are dropped already."""
    conversation_id = conversation_of(context)
    now = last_user_message(state["messages"])
    # A sub-agent that was sent a request has none of the user's messages: that they are absent there says nothing.
    if now is None or conversation_id is None:
        return []
    stale = await user.stale_messages(conversation_id)
    present = {message.id for message in state["messages"]}
    if dropped := [message_id for message_id in stale if message_id not in present]:
        await user.dropped(conversation_id, dropped)
    # The message that is being answered stays: without it the run has nothing to answer.
    return stale_exchanges(state["messages"], set(stale) - {now.id})


async def _trace(
    user: UserMemory, request: ModelRequest[Any], response: ModelResponse[Any], recalled: Recall
) -> None:
    """Note which memories stood in the prompt of each answer."""
    for message in response.result:
        if isinstance(message, AIMessage) and message.id:
            await user.trace(message.id, recalled, conversation_id=conversation_of(request.runtime.context))


def _with_memory(request: ModelRequest[Any], section: str) -> ModelRequest[Any]:
    notes = cast("MemwardenState", request.state).get("memory_notes") or []
    return request.override(
        system_message=with_sections(request.system_message, [section, events_section(notes)])
    )
