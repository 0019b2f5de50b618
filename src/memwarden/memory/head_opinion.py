"""The shipped second opinion: the guard's linear head over the offline embedding model."""

from __future__ import annotations

from memwarden.embed import Embedder, TextKind
from memwarden.errors import ConfigurationError
from memwarden.guard.commands import strip_command
from memwarden.guard.head import Head, load_head, opinion
from memwarden.guard.normalise import clean
from memwarden.guard.opinion import Doubt, contested, is_contested
from memwarden.model.verdict import Candidate, Origin, Verdict


class HeadOpinion:
    """Doubts what the linear head finds unlike the statements it was taught to keep.

    A profile slot is a registered kind, and a record of the application's own code its business: neither
    is doubted. The weights are loaded at the first question; ``embedder`` has to be the offline one they were
    trained on (`ConfigurationError` otherwise).
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._head: Head | None = None

    async def __call__(self, candidate: Candidate, verdict: Verdict) -> Doubt | None:
        """Return the head's doubt about free text of a user, or null."""
        if verdict.stored is None or verdict.stored.key is not None or candidate.origin is Origin.SYSTEM:
            return contested(verdict) if is_contested(verdict) else None
        if self._head is None:
            self._head = _fitting(load_head(), self._embedder)
        text = clean(candidate.text)
        vector = (await self._embedder.embed([text], TextKind.PASSAGE))[0]
        return opinion(strip_command(text), verdict, self._head.probabilities(text, vector))


def _fitting(head: Head, embedder: Embedder) -> Head:
    if head.embedding_model != embedder.model:
        raise ConfigurationError(
            f"The guard's head was trained on {head.embedding_model}; it cannot judge vectors of {embedder.model}."
        )
    return head
