"""Compaction for LangGraph: a history that nears the model's window is made shorter, in the prompt and in the state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, NotRequired, cast

from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain.agents.middleware.types import ExtendedModelResponse, PrivateStateAttr
from langchain_core.exceptions import ModelError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage, SystemMessage
from langchain_core.runnables import Runnable, RunnableLambda
from langchain_core.tools import BaseTool
from langgraph.runtime import Runtime, get_runtime
from langgraph.types import Command

from memwarden.agent.context import scope_of, thread_of
from memwarden.agent.crossing import across, asynchronous, blocking
from memwarden.agent.replacing import replacing
from memwarden.agent.turn import with_sections
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.user import UserMemory
from memwarden.memory.warden import Memwarden
from memwarden.model.erasure import Fence
from memwarden.session.compacting import Compactor, Remembering, remembering
from memwarden.session.ledger import merged
from memwarden.session.limits import Limits
from memwarden.session.overflow import is_overflow
from memwarden.session.pinned import Pinned
from memwarden.session.prompt_size import reported_by, scale_of, tokens_of
from memwarden.session.summarise import summarised
from memwarden.session.summary import Summary
from memwarden.session.window import Window

Tools = Sequence[BaseTool | dict[str, Any]]

Node = Runnable[Any, dict[str, Any]]

CLOSE = 0.02
"""Shares of a scale below which it is not worth noting that it changed."""


class CompactionState(AgentState[Any]):
    """The agent's state, with what remains of messages that left it."""

    summary: NotRequired[Summary]
    ledger: NotRequired[Annotated[list[Pinned], merged]]
    token_scale: NotRequired[Annotated[float, PrivateStateAttr]]
    """By what the provider's count of a prompt differed from ours."""


@dataclass(frozen=True, slots=True)
class Compaction:
    """How the conversations of a graph are compacted.

    ``summariser`` is a chat model that makes summaries; null for none: they are then made by deterministic code. ``window``
    null stands for that of the model, or of the settings where the model does not say.
    """

    memwarden: Memwarden
    summariser: BaseChatModel | None = None
    window: Window | None = None

    def of_model(self, model: object) -> Window:
        """Return the window of prompts for a model."""
        return self.window or window_of(model, self.memwarden.limits)

    async def compacted(
        self,
        runtime: Runtime[Any],
        state: Mapping[str, Any],
        held: Remembering,
        tools: Tools,
        overhead: int,
        window: Window,
    ) -> Remembering:
        """Return what a prompt is to hold, having put in the archive what leaves it."""
        scale, began = state.get("token_scale") or 1.0, state.get("memory_fence")
        user, thread = self.memwarden.scoped(scope_of(runtime.context)), thread_of(runtime)
        compactor = Compactor(
            window,
            lambda messages: round(scale * tokens_of(messages)),
            lambda leaving: _put_aside(user, thread, leaving, began),
            lambda summary, parts, ledger: summarised(
                self.summariser,
                tools,
                summary,
                parts.evicted,
                ledger,
                window=window.tokens,
                timeout_s=self.memwarden.limits.summary_s,
                kept=parts.kept,
            ),
        )
        return await compactor(held, overhead)


class CompactionMiddleware(AgentMiddleware[CompactionState, Any, Any]):
    """Keeps an agent's prompts within the model's window; put it last, where it sees the prompt as it is sent.

    Rules, memory, tools' schemas and messages are counted, by the provider's own figures once it reported some. When they
    near the window, older turns leave: to the archive of the conversation (`UserMemory.archived`), and into a summary
    behind the rules, which grows and keeps what was confirmed, refused and consented to word for word. The shorter
    history is also what the state holds from then on. An answer and the results of its calls leave together.
    """

    state_schema = CompactionState

    def __init__(
        self,
        memwarden: Memwarden | SyncMemwarden,
        *,
        summariser: BaseChatModel | None = None,
        window: Window | None = None,
    ) -> None:
        super().__init__()
        self._compaction = Compaction(asynchronous(memwarden), summariser, window)

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ExtendedModelResponse[Any]:
        """Call the model with a prompt that has room in its window."""
        memwarden, window = self._compaction.memwarden, self._compaction.of_model(request.model)
        held = await across(memwarden, lambda: self._compacted(request, window))
        try:
            response = await handler(_with(request, held))
        except ModelError as error:
            if not is_overflow(error):
                raise
            smaller = _halved(window)
            held = await across(memwarden, lambda: self._compacted(request, smaller))
            response = await handler(_with(request, held))
        return _noted(request, held, response)

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ExtendedModelResponse[Any]:
        """Call the model with a prompt that has room in its window."""
        memwarden, window = self._compaction.memwarden, self._compaction.of_model(request.model)
        held = blocking(memwarden, lambda: self._compacted(request, window))
        try:
            response = handler(_with(request, held))
        except ModelError as error:
            if not is_overflow(error):
                raise
            smaller = _halved(window)
            held = blocking(memwarden, lambda: self._compacted(request, smaller))
            response = handler(_with(request, held))
        return _noted(request, held, response)

    async def _compacted(self, request: ModelRequest[Any], window: Window) -> Remembering:
        scale = _known_scale(request)
        state: dict[str, Any] = dict(request.state)
        rules = [] if request.system_message is None else [request.system_message]
        overhead = round(scale * tokens_of(rules, request.tools))
        held = _held(request)
        return await self._compaction.compacted(request.runtime, state, held, request.tools, overhead, window)


def compact_node(
    memwarden: Memwarden | SyncMemwarden,
    *,
    model: BaseChatModel | None = None,
    tools: Tools = (),
    rules: str = "",
    summariser: BaseChatModel | None = None,
    window: Window | None = None,
) -> Node:
    """Return a node for before the model's: it makes a history that nears the window shorter.

    ``rules`` and ``tools`` are those of the model's prompt, and count with it, as ``memory_section`` in the state does.
    Build the prompt with `prompt_of`, which puts the summary where it belongs.
    """
    compaction = Compaction(asynchronous(memwarden), summariser, window)
    chosen = compaction.of_model(model)

    async def compacted(state: dict[str, Any], runtime: Runtime[Any]) -> dict[str, Any]:
        before = remembering(state["messages"], state.get("summary"), state.get("ledger"))
        said = "\n\n".join(part for part in (rules, state.get("memory_section")) if part)
        overhead = tokens_of([SystemMessage(said)] if said else [], tools)
        after = await compaction.compacted(runtime, state, before, tools, overhead, chosen)
        return _changes(before, after)

    async def compact_async(state: dict[str, Any]) -> dict[str, Any]:
        runtime = get_runtime()
        return await across(compaction.memwarden, lambda: compacted(state, runtime))

    def compact_sync(state: dict[str, Any]) -> dict[str, Any]:
        runtime = get_runtime()
        return blocking(compaction.memwarden, lambda: compacted(state, runtime))

    return RunnableLambda(compact_sync, afunc=compact_async, name="compact")


def prompt_of(state: Mapping[str, Any], rules: str = "") -> list[AnyMessage]:
    """Return the prompt of a graph's state: rules, memory, the summary of earlier turns, and the messages that are left."""
    held = remembering(state["messages"], state.get("summary"), state.get("ledger"))
    system = with_sections(
        SystemMessage(rules) if rules else None, [state.get("memory_section") or "", held.section]
    )
    return [*([] if system is None else [system]), *held.messages]


def window_of(model: object, limits: Limits) -> Window:
    """Return the window of a model as its profile says it, or as the settings do."""
    profile = getattr(model, "profile", None) or {}
    tokens = profile.get("max_input_tokens") if isinstance(profile, dict) else None
    if not isinstance(tokens, int) or tokens <= 0:
        return limits.window
    return replace(limits.window, tokens=tokens, answer=min(limits.window.answer, tokens // 4))


async def _put_aside(
    user: UserMemory, thread: str | None, leaving: Sequence[AnyMessage], began: Fence | None
) -> None:
    # Without a thread nothing of the state is saved either, and what leaves it is gone with the run all the same.
    if thread is not None:
        await user.keep_messages(thread, leaving, began=began)


def _held(request: ModelRequest[Any]) -> Remembering:
    state: dict[str, Any] = dict(request.state)
    return remembering(request.messages, state.get("summary"), state.get("ledger"))


def _known_scale(request: ModelRequest[Any]) -> float:
    return cast("CompactionState", request.state).get("token_scale") or 1.0


def _halved(window: Window) -> Window:
    """Return half a window, for a provider that counts more than it says, or than we do."""
    return replace(window, tokens=window.tokens // 2, answer=window.answer // 2)


def _with(request: ModelRequest[Any], held: Remembering) -> ModelRequest[Any]:
    return request.override(
        messages=list(held.messages), system_message=with_sections(request.system_message, [held.section])
    )


def _noted(
    request: ModelRequest[Any], held: Remembering, response: ModelResponse[Any]
) -> ExtendedModelResponse[Any]:
    """Return the answer, with what changes in the state: a shorter history, its summary, how the provider counts."""
    saved = request.state["messages"]
    update = _changes(_held(request), held, saved, cast("list[AnyMessage]", response.result))
    scale = _scale(request, held, response)
    if scale is not None:
        update["token_scale"] = scale
    return ExtendedModelResponse(response, Command(update=update) if update else None)


def _changes(
    before: Remembering,
    after: Remembering,
    saved: Sequence[AnyMessage] | None = None,
    answer: Sequence[AnyMessage] = (),
) -> dict[str, Any]:
    if after is before or after == before:
        return {}
    update: dict[str, Any] = {"summary": after.summary, "ledger": list(after.ledger)}
    messages = replacing(before.messages if saved is None else saved, after.messages, answer)
    return update | ({"messages": messages} if messages else {})


def _scale(request: ModelRequest[Any], held: Remembering, response: ModelResponse[Any]) -> float | None:
    """Return how the provider counted this prompt in relation to us, when that is news."""
    answer = next((m for m in response.result if isinstance(m, AIMessage)), None)
    reported = 0 if answer is None else reported_by(answer)
    if not reported:
        return None
    sent = _with(request, held)
    rules = [] if sent.system_message is None else [sent.system_message]
    scale = scale_of(reported, tokens_of([*rules, *sent.messages], sent.tools))
    known = _known_scale(request)
    return None if abs(scale - known) <= CLOSE * known else scale
