"""What the verbs work with, handed in once by `Memwarden.open`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memwarden.conversation.store import ConversationStore
from memwarden.db.database import Database
from memwarden.embed import RecentQueries
from memwarden.guard import SlotRegistry
from memwarden.guard.opinion import SecondOpinion
from memwarden.memory.candidates import Suggester
from memwarden.memory.keys import Keys
from memwarden.memory.last_use import LastUse
from memwarden.memory.retention import Retention
from memwarden.model.clock import Clock
from memwarden.model.consent import ConsentMode
from memwarden.model.conversation import Titled
from memwarden.model.erasure import Eraser
from memwarden.model.verdict import Candidate, Verdict
from memwarden.session.limits import Limits

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from memwarden.checkpoint.engine import Engine
    from memwarden.checkpoint.sealer import Sealer

Judge = Callable[[Candidate, frozenset[str]], Verdict]
"""The guard, bound to the application's policy; it is given the purposes the user has consented to."""

FREE_TEXT_PURPOSE = "Fit answers to what the user asked to have remembered."
"""Why a record that fills no slot is kept."""


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The engines and policies of one opened Memwarden."""

    database: Database
    embedder: RecentQueries
    judge: Judge
    opinions: tuple[SecondOpinion, ...]
    slots: SlotRegistry
    keys: Keys
    suggester: Suggester | None
    erasers: tuple[Eraser, ...]
    export_dir: Path
    checkpoints: Engine | None
    """Where checkpoints are kept; null: beside everything else."""
    sealer: Sealer | None
    conversations: ConversationStore
    title_model: BaseChatModel | None
    """Words the titles of conversations; null: deterministic code does."""
    title_s: float
    titled: Titled | None
    """Is told of every title that was stored without the user's asking for it."""
    redact_checkpoints: bool
    run_wait_s: float
    limits: Limits
    consent_mode: ConsentMode
    retention: Retention
    clock: Clock
    last_use: LastUse

    def purpose_of(self, key: str | None) -> str:
        """Return why a record of the slot ``key``, or of free text for null, is kept; shown to the user."""
        slot = self.slots.get(key) if key is not None else None
        return slot.purpose if slot is not None else FREE_TEXT_PURPOSE
