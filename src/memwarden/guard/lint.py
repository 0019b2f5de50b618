"""The second net: every reason but secrets, identifiers and provenance, over every reading of a text."""

from __future__ import annotations

from memwarden.guard.lint_languages import OTHER_LANGUAGES
from memwarden.guard.normalise import Folded
from memwarden.guard.passing import MOMENTS, POLICIES, TRANSCRIPTS
from memwarden.guard.personal import GUESSES, OTHERS, SENSITIVE
from memwarden.guard.rule import Rule, first_hits
from memwarden.guard.steering import INSTRUCTIONS, PERMISSIONS
from memwarden.guard.views import word_views
from memwarden.model.verdict import Finding, Reason

_ENGLISH: tuple[Rule, ...] = (
    *INSTRUCTIONS,
    *PERMISSIONS,
    *SENSITIVE,
    *OTHERS,
    *GUESSES,
    *POLICIES,
    *MOMENTS,
    *TRANSCRIPTS,
)
_ALL: tuple[Rule, ...] = (*_ENGLISH, *OTHER_LANGUAGES)
_STEERING: tuple[Rule, ...] = (
    *INSTRUCTIONS,
    *PERMISSIONS,
    *SENSITIVE,
    *(item for item in OTHER_LANGUAGES if item.reason in (Reason.INSTRUCTION, Reason.PERMISSION)),
)
"""What is worth hiding: the rules that decoded and otherwise altered readings are held to."""
_SYSTEM_REASONS = frozenset(
    {Reason.INSTRUCTION, Reason.SENSITIVE, Reason.INFERENCE, Reason.TRANSIENT, Reason.TRANSCRIPT}
)
_CONCEALED = 8
"""Letters written in invisible characters from which on the concealment itself is refused."""


def find_objections(source: Folded, *, trusted_code: bool = False) -> list[Finding]:
    """Return what speaks against a text; of what deterministic code wrote, approvals and names are fine."""
    found: list[Finding] = []
    for place, view in enumerate(word_views(source)):
        rules = _ALL if place == 0 else _STEERING
        found.extend(
            hit.finding(view)
            for hit in first_hits(rules, view)
            if not trusted_code or hit.reason in _SYSTEM_REASONS
        )
    if sum(ch.isalpha() for ch in source.hidden) >= _CONCEALED:
        found.append(Finding(Reason.INSTRUCTION, 0, len(source.original), "concealed_text"))
    return found
