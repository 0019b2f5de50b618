"""Where a speaker stands on something: for it, against it, or not to be told by words.

A plain yes or no is claimed only of sentences that begin like one and turn round no further. In all doubt the
answer is that it cannot be told; a refusal that is read as consent does more harm than ten that are only quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from memwarden.guard.normalise import fold, fold_lexicon
from memwarden.session import stance_words
from memwarden.session.ledger_sentences import Sentence
from memwarden.session.stance_words import Wording

MAX_SENTENCE = 340
"""Characters beyond which a sentence cannot be quoted whole, so that nothing is claimed of it."""
_MOST_WORDS = 12
_FEW_WORDS = 3
_AND = re.compile(r"^(?:(?:and|oh|wait|well|so|just)\b[\s,]*)+")


class Stance(StrEnum):
    """Where a speaker stands."""

    FOR = "for"
    AGAINST = "against"
    UNCLEAR = "unclear"
    """They say something of it, and words do not tell what."""


class Matter(NamedTuple):
    """Something that sentences can be for or against, as patterns over folded text."""

    topic: re.Pattern[str]
    gives: re.Pattern[str]
    refuses: re.Pattern[str]
    verb_decides: bool
    """Whether a denial behind the verb leaves the statement what it is: "I confirm that I have no allergies"."""


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(fold_lexicon(text))


def _topic(parts: Iterable[str]) -> str:
    """Return the pattern of any of these topics, tried at the beginnings of words where the script tells them."""
    folded = [fold_lexicon(part) for part in parts]
    # a boundary checked once, and not in every branch, lets most places be passed over at once
    worded = "|".join(part.removeprefix(r"\b").replace(r"|\b", "|") for part in folded if part.isascii())
    others = "|".join(f"(?:{part})" for part in folded if not part.isascii())
    return rf"\b(?:{worded})|{others}"


def _matter(wordings: tuple[Wording, ...], *, verb_decides: bool) -> Matter:
    topic = re.compile(_topic(wording.topic for wording in wordings))
    gives = _pattern("|".join(f"(?:{wording.gives})" for wording in wordings))
    refuses = _pattern("|".join(f"(?:{wording.refuses})" for wording in wordings))
    return Matter(topic, gives, refuses, verb_decides)


@cache
def consent() -> Matter:
    """Return the matter of consent to what is done with the speaker's own."""
    return _matter(stance_words.CONSENT, verb_decides=False)


@cache
def decision() -> Matter:
    """Return the matter of what the speaker settles."""
    return _matter(stance_words.DECISION, verb_decides=True)


_OPENING = _pattern(
    rf"(?:(?:(?:{stance_words.OPENERS})(?=[\s,;:!.-])|(?:{stance_words.OPENERS_WITH_COMMA})(?=\s?[,;:!.-]))[\s,;:!.-]+)*"
)
_DECLARING = _pattern(stance_words.DECLARING)
_NEGATIONS = _pattern(stance_words.NEGATIONS)
_REVERSALS = _pattern(stance_words.REVERSALS)
_DOUBTS = _pattern(stance_words.DOUBTS)
_EITHER = _pattern(r"\b(?:or|oder|ou|o|oppure)\b(?! course)|(?<!\S)(?:या|లేదా)(?!\S)|\b(?:ya|leda)\b")
_ASKED = _pattern(stance_words.ASKED)
_JOINS = re.compile(r"[,;:]|\b(?:and|y|et|und|e|en)\b")
_SPLIT = re.compile(r"""[\s!-&(-/:-@\[-`{-~¿¡]+""")
_EMPTY = frozenset(fold_lexicon(stance_words.EMPTY).lower().split())


def _turns(lower: str) -> int:
    """Return how often a text turns round what it says."""
    return sum(1 for _ in _NEGATIONS.finditer(lower)) + sum(1 for _ in _REVERSALS.finditer(lower))


def denies(lower: str) -> bool:
    """Tell whether a folded text denies anything."""
    return _NEGATIONS.search(lower) is not None


def turned(lower: str) -> bool:
    """Tell whether a folded text says no to anything or takes anything back."""
    return _turns(lower) > 0


def takes_back(lower: str) -> bool:
    """Tell whether a folded text only takes back or opposes, without a denial of that."""
    return _turns(lower) == 1 and _REVERSALS.search(lower) is not None


def doubted(lower: str) -> bool:
    """Tell whether a folded text holds in part only, on a condition, or for somebody else."""
    return _DOUBTS.search(lower) is not None


def offers_a_choice(lower: str) -> bool:
    """Tell whether a folded question names alternatives, between which a yes does not choose."""
    return _EITHER.search(lower) is not None


def asks_for_consent(lower: str) -> bool:
    """Tell whether a folded question asks for consent."""
    return _ASKED.search(lower) is not None


def qualifies(lower: str, stands: Stance) -> bool:
    """Tell whether a sentence takes something from the plain statement before it: "But not my address", "Not!"."""
    begins = _AND.sub("", lower)
    if _DOUBTS.match(begins):
        return True
    few = len(lower.split()) <= _FEW_WORDS and (turned(lower) or doubted(lower))
    return stands is Stance.FOR and (few or _NEGATIONS.match(begins) is not None)


def concerns(text: str, matters: Iterable[Matter]) -> bool:
    """Tell whether any sentence of a text may be about one of the matters."""
    lower = fold(text).lower
    return any(matter.topic.search(lower) for matter in matters)


def _plain(rest: str, opening: str, matter: Matter) -> Stance:
    """Return the stance of what stands behind the opening of a sentence without doubt in it."""
    given, refused = matter.gives.match(rest), matter.refuses.match(rest)
    if given is not None and not _turns(given.group() if matter.verb_decides else rest):
        return Stance.UNCLEAR if _turns(opening) else Stance.FOR
    if refused is None or _turns(rest) != 1 or (given is not None and _JOINS.search(rest)):
        return Stance.UNCLEAR
    also_given = any(matter.gives.match(part.strip()) for part in _JOINS.split(rest[refused.end() :]))
    return Stance.UNCLEAR if also_given else Stance.AGAINST


def _parted(lower: str, matter: Matter) -> tuple[str, str]:
    """Part a sentence into what may stand before a statement, and the statement."""
    opening = _OPENING.match(lower)
    size = opening.end() if opening is not None else 0
    declaring = None if matter.verb_decides else _DECLARING.match(lower, size)
    return lower[:size], lower[declaring.end() if declaring is not None else size :]


def stance(sentence: Sentence, matter: Matter) -> Stance | None:
    """Return where the speaker of a sentence stands on a matter, None if the sentence says nothing of it."""
    lower = sentence.lower
    if matter.topic.search(lower) is None:
        return None
    head, rest = _parted(lower, matter)
    begins = matter.gives.match(rest) or matter.refuses.match(rest)
    if begins is None:
        return Stance.UNCLEAR if not sentence.asks and _speaks_of_self(lower, matter) else None
    if sentence.asks:
        return Stance.UNCLEAR if matter.refuses.match(rest) else None
    if sentence.announced or len(sentence.written) > MAX_SENTENCE or doubted(rest):
        return Stance.UNCLEAR
    return _plain(rest, head, matter)


_SELF = _pattern(
    r"\b(?:i|i'm|i've|i'd|my|me|mine|yo|mi|mis|je|mon|ma|mes|ich|mein\w*|eu|meu|minha|io|mio|mia|ik|mijn|main|mera|mer[ei]|naa?)\b|\bj'|मैं|मेर|मुझ|నేను|నా(?=\s)"
)


def _speaks_of_self(lower: str, matter: Matter) -> bool:
    """Tell whether a sentence of another form is the speaker's on the matter; of decisions only plain forms count."""
    return not matter.verb_decides and _SELF.search(lower) is not None


def about(lower: str) -> str:
    """Return what a consent is about: its content words in alphabetical order, nothing where there are too many."""
    words = {word.strip("'") for word in _SPLIT.split(lower)} - _EMPTY - {""}
    words = {word for word in words if not (word.endswith("n't") or len(word) == 1)}
    return " ".join(sorted(words)) if len(words) <= _MOST_WORDS else ""
