"""LangGraph checkpoint savers whose rows belong to a tenant and a user."""

from memwarden.checkpoint.postgres import PostgresEngine
from memwarden.checkpoint.saver import ScopedSaver

__all__ = ["PostgresEngine", "ScopedSaver"]
