"""The linear head: how likely a statement is one to keep, by its words and by its meaning.

A multinomial logistic regression over hashed words (`features`) and a sentence embedding, trained by
`scripts/train_guard_head.py` on the labelled sets of the repository. It is a second opinion: it turns
"store" into "ask", or into "refuse" where a secret is likely, and settles what the rules find doubtful.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING

from memwarden.guard.features import pieces, runs, tokens
from memwarden.guard.frame import fits
from memwarden.guard.normalise import fold
from memwarden.guard.opinion import CONSENTABLE, Doubt, contested, is_contested
from memwarden.model.verdict import Reason, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    Weights = NDArray[np.float32]

WEIGHTS = "head.npz"
ALLOW = "allow"

MEANING, WORDING = 4.0, 2.0
"""What embedding and word features are multiplied by, so that they are penalised alike."""

CLEARED_FROM = 0.8
"""Probability of "allow" from which words that speak against a statement are taken to have an innocent reading."""

KEPT_FROM = 0.5
"""Probability of "allow" from which a statement is kept without a question."""

FRAMED_FROM = 0.2
"""The same for a statement that fits the narrow frame."""

PRIVATE_FROM = 0.08
"""Probability of a secret or identifier from which the user is asked, however likely "allow" is."""

STEERING_FROM = 0.4
"""Probability of an instruction or permission from which the user is asked, however likely "allow" is."""

REFUSED_FROM = 0.5
"""Probability of a secret or identifier from which a statement is refused."""

_PRIVATE = (Reason.SECRET, Reason.IDENTIFIER)


@dataclass(frozen=True, slots=True)
class Head:
    """Weights of shape ``(labels, dimensions)`` and ``(labels, buckets)``, and what they were trained with."""

    labels: tuple[str, ...]
    embedding_model: str
    trained_on: str
    meaning: Weights
    pieces: Weights
    runs: Weights
    bias: Weights

    def probabilities(self, text: str, vector: Vector) -> Mapping[str, float]:
        """Return the probability of each label for ``text``, whose embedding is ``vector``."""
        import numpy as np

        words = tokens(text)
        of_pieces, of_runs = pieces(words), runs(words)
        scores = self.bias + MEANING * (self.meaning @ vector)
        for table, found in ((self.pieces, of_pieces), (self.runs, of_runs)):
            if found.places:
                scores = scores + WORDING * (
                    table[:, found.places].astype(np.float32) @ np.array(found.weights, dtype=np.float32)
                )
        raised = np.exp(scores - scores.max())
        return dict(zip(self.labels, (raised / raised.sum()).tolist(), strict=True))


def load_head() -> Head:
    """Return the head that comes with this package."""
    import numpy as np

    with (files(__package__) / WEIGHTS).open("rb") as file, np.load(file, allow_pickle=False) as saved:
        scales = saved["scales"]
        pieces_, runs_ = (
            saved[name].astype(np.float32) * scales[:, i : i + 1] for i, name in enumerate(("pieces", "runs"))
        )
        return Head(
            tuple(str(label) for label in saved["labels"]),
            str(saved["embedding_model"]),
            str(saved["trained_on"]),
            saved["meaning"].astype(np.float32),
            pieces_,
            runs_,
            saved["bias"].astype(np.float32),
        )


def opinion(text: str, verdict: Verdict, probabilities: Mapping[str, float]) -> Doubt | None:
    """Return the doubt that the head's probabilities leave about the verdict on ``text``, or null.

    A text of a form that statements about oneself are known to have needs less to be kept. What the user has
    consented to having kept does not speak against a statement that is kept for that purpose.
    """
    if verdict.stored is not None and verdict.stored.purpose is not None:
        probabilities = _with_consent(probabilities)
    if is_contested(verdict):
        return None if clears(probabilities) else contested(verdict)
    folded = fold(text)
    framed = fits(folded.lower, folded.text)
    return doubt(probabilities, kept_from=FRAMED_FROM if framed else KEPT_FROM)


def _with_consent(probabilities: Mapping[str, float]) -> Mapping[str, float]:
    """Count what consent can cover, sensitive facts and identifying details, as allowed."""
    covered = sum(probabilities[reason] for reason in CONSENTABLE)
    return {**probabilities, **dict.fromkeys(CONSENTABLE, 0.0), ALLOW: probabilities[ALLOW] + covered}


def clears(probabilities: Mapping[str, float]) -> bool:
    """Tell whether a statement is so likely one to keep that words against it may be asked about, not refused."""
    return probabilities[ALLOW] >= CLEARED_FROM


def doubt(probabilities: Mapping[str, float], kept_from: float) -> Doubt | None:
    """Return what speaks against a statement, if anything does; what is likely a secret is refused."""
    private = sum(probabilities[reason] for reason in _PRIVATE)
    if private > PRIVATE_FROM:
        return Doubt(max(_PRIVATE, key=probabilities.__getitem__), refuse=private >= REFUSED_FROM)
    steering = probabilities[Reason.INSTRUCTION] + probabilities[Reason.PERMISSION]
    if probabilities[ALLOW] >= kept_from and steering <= STEERING_FROM:
        return None
    likeliest = max((label for label in probabilities if label != ALLOW), key=probabilities.__getitem__)
    return Doubt(Reason(likeliest))
