"""The vectors of the last few questions, so that one turn's model calls embed its question once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial

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
        self._under_way: dict[bytes, asyncio.Task[Vectors]] = {}

    @property
    def model(self) -> str:
        """The wrapped model's name."""
        return self._embedder.model

    def forget(self) -> None:
        """Drop every vector; whose they were is not known here."""
        self._vectors.clear()
        self._under_way.clear()

    def stop(self) -> None:
        """Stop what was begun and nobody waited for to its end."""
        for task in self._under_way.values():
            task.cancel()

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return checked unit vectors of shape ``(n, dims)``."""
        if kind is not TextKind.QUERY or len(texts) != 1:
            return await embed_checked(self._embedder, texts, kind)
        digest = _digest(texts[0])
        if (known := self._vectors.get(digest)) is not None:
            self._vectors.move_to_end(digest)
            return known
        # Whoever asks is not the only one to wait for it, so that one who gives up does not stop it.
        return await asyncio.shield(self._begun(digest, texts[0]))

    def expect(self, text: str) -> None:
        """Begin to embed a question that is about to be asked."""
        digest = _digest(text)
        if digest not in self._vectors:
            self._begun(digest, text)

    def _begun(self, digest: bytes, text: str) -> asyncio.Task[Vectors]:
        task = self._under_way.get(digest)
        if task is None:
            task = self._under_way[digest] = asyncio.create_task(
                embed_checked(self._embedder, [text], TextKind.QUERY)
            )
            task.add_done_callback(partial(self._ended, digest))
        return task

    def _ended(self, digest: bytes, task: asyncio.Task[Vectors]) -> None:
        # An error is raised to whoever asks; looked at here, it is none that nobody looked at.
        failed = task.cancelled() or task.exception() is not None
        if self._under_way.get(digest) is not task:
            return
        del self._under_way[digest]
        if failed:
            return
        self._vectors[digest] = task.result()
        if len(self._vectors) > self._capacity:
            self._vectors.popitem(last=False)


def _digest(text: str) -> bytes:
    from hashlib import blake2b

    return blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
