"""The addresses of the server, one file for each kind of thing."""

from memwarden.server.routes import (
    answers,
    audit,
    consents,
    erasures,
    exports,
    guard,
    health,
    memories,
    operation,
    proposals,
    recall,
    tenant,
)

GOVERNED = (
    memories.router,
    proposals.router,
    recall.router,
    guard.router,
    consents.router,
    answers.router,
    exports.router,
    erasures.router,
    audit.router,
    tenant.router,
    operation.router,
    health.router,
)
"""Every router but the open one of `health`; each of their routes needs a verified caller."""

__all__ = ["GOVERNED", "health"]
