"""One conversation with the helpdesk agent, and what memory did in each of its turns."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from memwarden.agent import MemoryContext
from memwarden.errors import ConfigurationError
from memwarden.guard import CommandKind, command
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.audit import AuditEvent
from memwarden.model.erasure import Erasure
from memwarden.model.proposal import Proposal
from memwarden.model.record import MemoryRecord

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

MAX_EVENTS = 1_000


@dataclass(frozen=True, slots=True)
class Turn:
    """What was said and answered; ``section`` is the memory section of the prompt, as the model saw it."""

    said: str
    answer: str
    section: str
    events: tuple[AuditEvent, ...]
    memories: tuple[MemoryRecord, ...]
    proposals: tuple[Proposal, ...]
    erasure: Erasure | None = None


class PromptReader(AsyncCallbackHandler):
    """Keeps the system prompt of the latest model call."""

    def __init__(self) -> None:
        self.system = ""

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], **kwargs: Any
    ) -> None:
        """Read the prompt on its way to the model."""
        self.system = "\n".join(m.text for m in messages[0] if isinstance(m, SystemMessage))


class Conversation:
    """A thread of the agent's graph, owned by one user."""

    def __init__(
        self, graph: CompiledStateGraph[Any, Any, Any, Any], user: UserMemory, thread_id: str
    ) -> None:
        self._graph = graph
        self._user = user
        self._thread_id = thread_id

    @property
    def user(self) -> UserMemory:
        """The memory of the user who talks."""
        return self._user

    async def say(self, text: str) -> Turn:
        """Run one turn of the agent."""
        given = command(text)
        if given is not None and given.kind is CommandKind.FORGET_EVERYTHING:
            return await self._forget_everything(text)
        before = {event.id for event in await self._user.audit(limit=MAX_EVENTS)}
        reader = PromptReader()
        async with self._user.running(self._thread_id):
            result = await self._graph.ainvoke(
                {"messages": [HumanMessage(text)]},
                {"configurable": {"thread_id": self._thread_id}, "callbacks": [reader]},
                context=MemoryContext(self._user.scope, self._thread_id),
            )
        events = [
            event for event in reversed(await self._user.audit(limit=MAX_EVENTS)) if event.id not in before
        ]
        return Turn(
            said=text,
            answer=result["messages"][-1].text,
            section=_section(reader.system),
            events=tuple(events),
            memories=tuple(await self._user.memories()),
            proposals=tuple(await self._user.proposals()),
        )

    async def _forget_everything(self, text: str) -> Turn:
        # Not in a run of the graph: that would write checkpoints of the request while it is carried out.
        erasure = await self._user.forget_everything()
        answer = "Everything that was kept about you is gone."
        return Turn(text, answer, "", tuple(reversed(await self._user.audit(limit=2))), (), (), erasure)


@asynccontextmanager
async def conversation(
    memwarden: Memwarden, user: UserMemory, thread_id: str, model: str | None
) -> AsyncIterator[Conversation]:
    """Yield a conversation with the helpdesk agent on this thread, new or old."""
    try:
        from hr_helpdesk.agent import build_agent
    except ImportError as error:
        raise ConfigurationError(
            "The example agent hr_helpdesk is not installed beside memwarden; reinstall the package."
        ) from error
    try:
        graph = build_agent(memwarden, await user.checkpointer(), model)
    except (ImportError, ValueError) as error:
        raise ConfigurationError(
            f"The chat model MEMWARDEN_MODEL={model!r} cannot be used ({error}); write provider:name and install its package."
        ) from error
    yield Conversation(graph, user, thread_id)


def _section(system: str) -> str:
    start = system.rfind("<user_memory>\n")
    return system[start:] if start >= 0 else ""
