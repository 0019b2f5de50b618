"""The middleware of a whole conversation, in the order in which they work together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel

from memwarden.agent.compaction import CompactionMiddleware
from memwarden.agent.middleware import MemwardenMiddleware
from memwarden.agent.postprocessing import PostprocessingMiddleware
from memwarden.agent.preprocessing import Preparation, PreprocessingMiddleware, PreprocessingState
from memwarden.agent.tool_results import ToolResultsMiddleware
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.warden import Memwarden
from memwarden.session.tool_views import ToolView
from memwarden.session.window import Window


def conversation_middleware(
    memwarden: Memwarden | SyncMemwarden,
    *,
    between: Sequence[AgentMiddleware[Any, Any, Any]] | None = None,
    transient_of: type[Any] = PreprocessingState,
    views: Mapping[str, ToolView] | None = None,
    summariser: BaseChatModel | None = None,
    window: Window | None = None,
) -> list[AgentMiddleware[Any, Any, Any]]:
    """Return the middleware of a conversation: preparation, long-term memory, tool results, two histories, compaction.

    ``between`` are those that work between preparation and compaction, which comes last because it has to see the prompt
    as it is sent: by default `MemwardenMiddleware`, which then begins a run in the same step as its preparation.
    ``transient_of`` is the state schema the agent is built with.
    """
    beginning: list[AgentMiddleware[Any, Any, Any]] = (
        [MemwardenMiddleware(memwarden, preparation=Preparation(transient_of))]
        if between is None
        else [PreprocessingMiddleware(memwarden, transient_of=transient_of), *between]
    )
    return [
        *beginning,
        ToolResultsMiddleware(memwarden, views=views),
        PostprocessingMiddleware(memwarden, views=views),
        CompactionMiddleware(memwarden, summariser=summariser, window=window),
    ]
