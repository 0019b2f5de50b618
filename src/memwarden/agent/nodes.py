"""The same memory as nodes for a hand-made `StateGraph`."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langgraph.channels import UntrackedValue
from langgraph.graph.message import add_messages
from langgraph.runtime import get_runtime

from memwarden.agent.context import conversation_of, scope_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.turn import MemoryNote, events_section, follow, last_user_message
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.recall import DEFAULT_LIMIT, Recall
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.erasure import Fence


class MemoryState(TypedDict, total=False):
    """The channels the nodes use; build the graph's state on it.

    ``memory_section`` is what to put behind the system prompt, ``memory_recalled`` what it holds, and
    ``memory_fence`` what was erased last when the run began. None of them is checkpointed, so a run that is
    resumed after an interrupt passes `recall_node` again before its next model call.
    """

    messages: Annotated[list[AnyMessage], add_messages]
    memory_notes: list[MemoryNote]
    memory_section: Annotated[str, UntrackedValue]
    memory_recalled: Annotated[Recall, UntrackedValue]
    memory_fence: Annotated[Fence, UntrackedValue]


Node = Runnable[MemoryState, dict[str, Any]]


def follow_commands_node(memwarden: Memwarden | SyncMemwarden) -> Node:
    """Return a node that carries out the explicit memory command of the latest user message."""
    opened = asynchronous(memwarden)

    async def follow_async(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        return {"memory_notes": await across(opened, lambda: follow(user, state["messages"], context))}

    def follow_sync(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        return {"memory_notes": blocking(opened, lambda: follow(user, state["messages"], context))}

    return RunnableLambda(follow_sync, afunc=follow_async, name="follow_memory_commands")


def recall_node(memwarden: Memwarden | SyncMemwarden, *, limit: int = DEFAULT_LIMIT) -> Node:
    """Return a node that recalls what bears on the latest user message into ``memory_section``."""
    opened = asynchronous(memwarden)

    async def recall_async(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        return await across(opened, lambda: _recalled(user, state, limit, context))

    def recall_sync(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        return blocking(opened, lambda: _recalled(user, state, limit, context))

    return RunnableLambda(recall_sync, afunc=recall_async, name="recall_memory")


def trace_node(memwarden: Memwarden | SyncMemwarden) -> Node:
    """Return a node for after the model's: it notes which memories stood in the prompt of the latest answer."""
    opened = asynchronous(memwarden)

    async def trace_async(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        await across(opened, lambda: _trace(user, state, context))
        return {}

    def trace_sync(state: MemoryState) -> dict[str, Any]:
        user, context = _who(opened)
        blocking(opened, lambda: _trace(user, state, context))
        return {}

    return RunnableLambda(trace_sync, afunc=trace_async, name="trace_memory")


async def _recalled(user: UserMemory, state: MemoryState, limit: int, context: object) -> dict[str, Any]:
    message = last_user_message(state["messages"])
    recalled = await user.recall(
        None if message is None else message.text, limit=limit, conversation_id=conversation_of(context)
    )
    sections = (recalled.render(), events_section(state.get("memory_notes") or []))
    return {
        "memory_section": "\n\n".join(section for section in sections if section),
        "memory_recalled": recalled,
    }


async def _trace(user: UserMemory, state: MemoryState, context: object) -> None:
    recalled = state.get("memory_recalled")
    answer = next((m for m in reversed(state["messages"]) if isinstance(m, AIMessage)), None)
    if recalled is not None and answer is not None and answer.id:
        await user.trace(answer.id, recalled, conversation_id=conversation_of(context))


def _who(opened: Memwarden) -> tuple[UserMemory, object]:
    context = get_runtime().context
    return opened.scoped(scope_of(context)), context
