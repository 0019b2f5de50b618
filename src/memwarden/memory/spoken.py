"""How a kept sentence is embedded: as its speaker would say it, since that is how questions are asked."""

from __future__ import annotations

from memwarden.guard.frame_words import ELLIPTICAL_VERBS

_ALSO = frozenset({"is", "has", "does", "would", "can", "wants"})


def spoken(content: str) -> str:
    """Return a note about the user ("Cycles to work") with its subject ("I cycles to work"), anything else as it is.

    The verb is left alone: to the embedding model its form means little, the missing speaker much.
    """
    first = content.split(" ", 1)[0].lower()
    if first in ELLIPTICAL_VERBS or first in _ALSO:
        return f"I {content[:1].lower()}{content[1:]}"
    return content
