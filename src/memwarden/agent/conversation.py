"""The middleware of a whole conversation, in the order in which they work together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.language_models import BaseChatModel

from memwarden.agent.compaction import CompactionMiddleware
from memwarden.agent.middleware import MemwardenMiddleware
from memwarden.agent.postprocessing import PostprocessingMiddleware, postprocessing
from memwarden.agent.preprocessing import PreprocessingMiddleware, PreprocessingState
from memwarden.agent.tool_results import ToolResultsMiddleware
from memwarden.memory.blocking import SyncMemwarden
from memwarden.memory.warden import Memwarden
from memwarden.session.compaction import Window
from memwarden.session.tool_views import ToolView


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
    as it is sent: by default `MemwardenMiddleware`. ``transient_of`` is the state schema the agent is built with.
    """
    inner = [MemwardenMiddleware(memwarden)] if between is None else list(between)
    return [
        PreprocessingMiddleware(memwarden, transient_of=transient_of),
        *inner,
        ToolResultsMiddleware(memwarden, views=views),
        PostprocessingMiddleware(
            memwarden, subgraph=postprocessing(memwarden, views=views, summariser=summariser, window=window)
        ),
        CompactionMiddleware(memwarden, summariser=summariser, window=window),
    ]
