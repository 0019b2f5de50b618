"""What a LangGraph author uses: middleware, nodes and tools that give an agent a governed memory, and a supervisor of agents.

Authorisation never reads memory: what is remembered about a user may shape an answer, and must never
decide what the user is allowed to do.
"""

from memwarden.agent.asking import ask_memory_tool, ask_proposals_node
from memwarden.agent.compaction import CompactionMiddleware, compact_node, prompt_of
from memwarden.agent.context import MemoryContext
from memwarden.agent.conversation import conversation_middleware
from memwarden.agent.downstream import DownstreamAgent, meaningful_agents
from memwarden.agent.middleware import MemwardenMiddleware
from memwarden.agent.nodes import MemoryState, follow_commands_node, recall_node, trace_node
from memwarden.agent.postprocessing import PostprocessingMiddleware, postprocess_node, postprocessing
from memwarden.agent.preprocessing import PreprocessingMiddleware, preprocess_node
from memwarden.agent.supervisor import build_supervisor
from memwarden.agent.tool_results import ToolResultsMiddleware, read_tool_result_tool, trim_tool_results_node
from memwarden.agent.tools import propose_memory_tool

__all__ = [
    "CompactionMiddleware",
    "DownstreamAgent",
    "MemoryContext",
    "MemoryState",
    "MemwardenMiddleware",
    "PostprocessingMiddleware",
    "PreprocessingMiddleware",
    "ToolResultsMiddleware",
    "ask_memory_tool",
    "ask_proposals_node",
    "build_supervisor",
    "compact_node",
    "conversation_middleware",
    "follow_commands_node",
    "meaningful_agents",
    "postprocess_node",
    "postprocessing",
    "preprocess_node",
    "prompt_of",
    "propose_memory_tool",
    "read_tool_result_tool",
    "recall_node",
    "trace_node",
    "trim_tool_results_node",
]
