"""The vectors of the last few questions, so that one turn's model calls embed its question once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence

from memwarden.embed.embedder import Embedder, TextKind, Vectors, embed_checked

CAPACITY = 256
"""Questions kept; at 384 dimensions about 400 KB."""


class RecentQueries:
    """Wraps an `Embedder`; single questions are answered from the last ``capacity`` where possible.

    The cache is keyed by a digest of the question, so that no text outlives its turn in memory.
    """

    def __init__(self, embedder: Embedder, capacity: int = CAPACITY) -> None:
        self._embedder = embedder
        self._capacity = capacity
        self._vectors: OrderedDict[bytes, Vectors] = OrderedDict()

    @property
    def model(self) -> str:
        """The wrapped model's name."""
        return self._embedder.model

    def forget(self) -> None:
        """Drop every vector; whose they were is not known here."""
        self._vectors.clear()

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return checked unit vectors of shape ``(n, dims)``."""
        if kind is not TextKind.QUERY or len(texts) != 1:
            return await embed_checked(self._embedder, texts, kind)
        digest = _digest(texts[0])
        if (known := self._vectors.get(digest)) is not None:
            self._vectors.move_to_end(digest)
            return known
        vectors = await embed_checked(self._embedder, texts, kind)
        self._vectors[digest] = vectors
        if len(self._vectors) > self._capacity:
            self._vectors.popitem(last=False)
        return vectors


def _digest(text: str) -> bytes:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
