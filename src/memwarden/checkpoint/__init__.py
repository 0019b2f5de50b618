"""LangGraph checkpoint savers whose rows belong to a tenant and a user."""

from memwarden.checkpoint.saver import ScopedPostgresSaver

__all__ = ["ScopedPostgresSaver"]
