"""Short-term memory: what keeps a conversation coherent without growing without bound. Pure functions over messages."""

from memwarden.session.compaction import Window
from memwarden.session.incoming import user_turn
from memwarden.session.state import DeltaHistories, SessionState, Transient
from memwarden.session.tool_views import ToolView

__all__ = ["DeltaHistories", "SessionState", "ToolView", "Transient", "Window", "user_turn"]
