"""Short-term memory: what keeps a conversation coherent without growing without bound. Pure functions over messages."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.session.incoming import user_turn
    from memwarden.session.state import DeltaHistories, SessionState, Transient
    from memwarden.session.tool_views import ToolView
    from memwarden.session.window import Window

# Found when asked for: most of it brings LangChain's messages, which a command on one memory does not need.
_HOMES = {
    "DeltaHistories": "state",
    "SessionState": "state",
    "ToolView": "tool_views",
    "Transient": "state",
    "Window": "window",
    "user_turn": "incoming",
}

__all__ = ["DeltaHistories", "SessionState", "ToolView", "Transient", "Window", "user_turn"]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
