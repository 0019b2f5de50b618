"""What a LangGraph author uses: middleware, nodes and a tool that give an agent a governed memory.

Authorisation never reads memory: what is remembered about a user may shape an answer, and must never
decide what the user is allowed to do.
"""

from memwarden.agent.asking import ask_memory_tool, ask_proposals_node
from memwarden.agent.context import MemoryContext
from memwarden.agent.middleware import MemwardenMiddleware
from memwarden.agent.nodes import MemoryState, follow_commands_node, recall_node, trace_node
from memwarden.agent.tools import propose_memory_tool

__all__ = [
    "MemoryContext",
    "MemoryState",
    "MemwardenMiddleware",
    "ask_memory_tool",
    "ask_proposals_node",
    "follow_commands_node",
    "propose_memory_tool",
    "recall_node",
    "trace_node",
]
