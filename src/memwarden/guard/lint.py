"""The second net: every reason but secrets, identifiers and provenance, over every reading of a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memwarden.guard.hit import Hit
from memwarden.guard.lint_languages import OTHER_LANGUAGES
from memwarden.guard.normalise import Folded
from memwarden.guard.passing import MOMENTS, POLICIES, TRANSCRIPTS
from memwarden.guard.personal import GUESSES, OTHERS, SENSITIVE
from memwarden.guard.policy import ALWAYS_JUDGED, GuardPolicy, masked, states_policy
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
_CONTEXTUAL_REASONS = frozenset(
    {Reason.SENSITIVE, Reason.THIRD_PARTY, Reason.INFERENCE, Reason.POLICY, Reason.TRANSIENT}
)
_CONTEXTUAL_KINDS = frozenset(item.kind for item in _ALL if item.reason in _CONTEXTUAL_REASONS) | {
    "standing_order",
    "steering",
    "addresses_agent",
    "trigger",
    "persona",
    "answer_content",
}
"""Rules for topics that are somebody's work too, and for orders whose words people use about form."""
_CONCEALED = 8
"""Letters written in invisible characters from which on the concealment itself is refused."""


def find_objections(source: Folded, policy: GuardPolicy, *, trusted_code: bool = False) -> list[Finding]:
    """Return what speaks against a text; of what deterministic code wrote, approvals and names are fine."""
    plain, *altered = word_views(source)
    found = [hit.finding(plain) for hit in _hits(plain, policy, plain=True)]
    open_kinds = {finding.kind for finding in found}
    for view in altered:
        hits = _hits(view, policy, plain=False)
        # What is only said in a disguised reading has no innocent one.
        found.extend(
            (hit if hit.kind in open_kinds else replace(hit, kind=f"disguised_{hit.kind}")).finding(view)
            for hit in hits
        )
    if trusted_code:
        found = [finding for finding in found if finding.reason in _SYSTEM_REASONS]
    if sum(ch.isalpha() for ch in source.hidden) >= _CONCEALED:
        found.append(Finding(Reason.INSTRUCTION, 0, len(source.original), "concealed_text"))
    return found


def is_contextual(finding: Finding) -> bool:
    """Tell whether what was found has an innocent reading, as the topic of somebody's work or as a wish about form."""
    return finding.kind in _CONTEXTUAL_KINDS


def _hits(view: Folded, policy: GuardPolicy, *, plain: bool) -> Iterator[Hit]:
    """Yield the hits of one reading; altered ones are held to fewer rules, and product names are no words."""
    if policy.product_names:
        yield from (hit for hit in first_hits(_STEERING, view) if hit.reason in ALWAYS_JUDGED)
        lower = masked(view.lower, policy)
        view = replace(view, lower=lower)
    yield from first_hits(_ALL if plain else _STEERING, view)
    if plain:
        for hit in first_hits(policy.also_refused, view):
            yield replace(hit, kind=f"application_{hit.kind}")
        named = states_policy(view.lower, policy)
        if named is not None:
            yield Hit(Reason.POLICY, "named_policy", *named)
