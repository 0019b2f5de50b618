"""The protocol every embedding model is used through."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, TypeAlias

from memwarden.errors import EmbeddingError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors: TypeAlias = NDArray[np.float32]
    """Unit vectors, shape (n, dims)."""
else:
    Vectors = object


class TextKind(StrEnum):
    """Which side of a search a text stands on; asymmetric models embed the two differently."""

    QUERY = "query"
    PASSAGE = "passage"


class Embedder(Protocol):
    """Something that turns texts into vectors.

    ``model`` names the model and everything that changes its vectors (version, quantisation,
    dimension); it is stored beside each vector, and only vectors of the same name are compared.
    """

    @property
    def model(self) -> str:
        """The stored name of the model."""
        ...

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return float32 unit vectors of shape ``(len(texts), dims)``; raise `EmbeddingError` on failure."""
        ...


async def embed_checked(embedder: Embedder, texts: Sequence[str], kind: TextKind) -> Vectors:
    """Embed ``texts`` and refuse an answer that is not one finite vector for each of them."""
    import numpy as np

    vectors = np.asarray(await embedder.embed(texts, kind), dtype=np.float32)
    if vectors.ndim != 2 or vectors.shape[0] != len(texts) or vectors.shape[1] == 0:
        raise EmbeddingError(
            f"The embedding model {embedder.model!r} answered with shape {vectors.shape} "
            f"for {len(texts)} text(s); it must give one vector for each text."
        )
    if not np.isfinite(vectors).all():
        raise EmbeddingError(
            f"The embedding model {embedder.model!r} answered with a vector that is not finite."
        )
    return vectors
