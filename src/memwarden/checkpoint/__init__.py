"""LangGraph checkpoint savers whose rows belong to a tenant and a user."""

from memwarden.checkpoint.postgres import PostgresEngine
from memwarden.checkpoint.saver import ScopedSaver
from memwarden.checkpoint.shared import SharedSaver
from memwarden.checkpoint.wide import WideEngine

__all__ = ["PostgresEngine", "ScopedSaver", "SharedSaver", "WideEngine"]
