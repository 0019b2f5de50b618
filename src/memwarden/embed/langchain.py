"""Any LangChain embedding model behind the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memwarden.embed.embedder import TextKind, Vectors
from memwarden.errors import EmbeddingError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class LangChainEmbedder:
    """Adapts ``langchain_core.embeddings.Embeddings``.

    ``model`` must name the model and anything that changes its vectors, for instance
    ``"openai/text-embedding-3-small/512"``: vectors stored under one name are compared with each other.
    """

    def __init__(self, embeddings: Embeddings, *, model: str) -> None:
        self._embeddings = embeddings
        self._model = model

    @property
    def model(self) -> str:
        """The name given by the application."""
        return self._model

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return unit vectors; what the provider raises is chained to an `EmbeddingError`."""
        import numpy as np

        rows = await self._rows(list(texts), kind)
        vectors = np.asarray(rows, dtype=np.float32)
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        unit: Vectors = np.divide(vectors, norms, out=np.zeros_like(vectors), where=norms > 0)
        return unit

    async def _rows(self, texts: list[str], kind: TextKind) -> list[list[float]]:
        try:
            if kind is TextKind.QUERY:
                return [await self._embeddings.aembed_query(text) for text in texts]
            return await self._embeddings.aembed_documents(texts)
        except Exception as error:  # a provider may raise anything; what it says stays in the chain
            raise EmbeddingError(
                f"The embedding model {self._model!r} failed with {type(error).__name__}; "
                "check its key, its quota and its network."
            ) from error
