"""What an application may tell the guard: its slots, its words, what it keeps for a purpose, how strict it is.

There is no setting for what must always hold. Provenance, secrets, identifiers, instructions and permissions
are judged the same whatever the policy says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from memwarden.errors import ConfigurationError
from memwarden.guard.normalise import fold
from memwarden.guard.rule import Rule
from memwarden.guard.slot_table import DEFAULT_SLOTS
from memwarden.guard.slots import SlotRegistry
from memwarden.model.consent import BETWEEN
from memwarden.model.verdict import Reason


class Category(StrEnum):
    """What is kept only for a stated purpose and with the user's consent to it."""

    HEALTH = "health"
    FINANCES = "finances"
    BELIEF = "belief"
    ORIGIN = "origin"
    POLITICS = "politics"
    SEXUALITY = "sexuality"
    BIOMETRICS = "biometrics"
    CRIMINAL_RECORD = "criminal_record"
    BIRTH_DATE = "birth_date"
    PHONE_NUMBER = "phone_number"
    EMAIL_ADDRESS = "email_address"


_CATEGORIES_OF_KIND = {
    "health": {Category.HEALTH},
    "medicine": {Category.HEALTH},
    "health_languages": {Category.HEALTH},
    "worship": {Category.BELIEF},
    "religion": {Category.BELIEF},
    "ethnicity": {Category.ORIGIN},
    # Rules of other languages that do not tell these apart need consent to each.
    "belief_and_origin_languages": {
        Category.BELIEF,
        Category.ORIGIN,
        Category.POLITICS,
        Category.SEXUALITY,
    },
    "finances": {Category.FINANCES},
    "finances_languages": {Category.FINANCES},
    "take_home": {Category.FINANCES},
    "politics_union": {Category.POLITICS},
    "union_member": {Category.POLITICS},
    "sexuality": {Category.SEXUALITY},
    "biometrics": {Category.BIOMETRICS},
    "criminal_record": {Category.CRIMINAL_RECORD},
    "time_served": {Category.CRIMINAL_RECORD},
    "birth_date": {Category.BIRTH_DATE},
    "phone_number": {Category.PHONE_NUMBER},
    "email_address": {Category.EMAIL_ADDRESS},
}


class FreeText(StrEnum):
    """What happens to a statement that fills no slot."""

    STORE = "store"
    """Kept when nothing speaks against it and a second opinion does not doubt it: the open frame."""
    STRICT = "strict"
    """Kept when it has one of the forms that durable statements about oneself are known to have: the narrow frame."""
    ASK = "ask"
    """Kept only if the user confirms."""
    REFUSE = "refuse"
    """Not kept; memory then holds slots and nothing else."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """A category that may be kept for ``purpose``, of users who consented to that purpose."""

    category: Category
    purpose: str

    def __post_init__(self) -> None:
        if not self.purpose.strip():
            raise ConfigurationError(f"The allowance for {self.category.value!r} must state its purpose.")
        if BETWEEN in self.purpose:
            raise ConfigurationError(
                f"A purpose must not hold {BETWEEN!r}; the one for {self.category.value!r} does."
            )


@dataclass(frozen=True, slots=True)
class GuardPolicy:
    """An application's policy; the default allows nothing that needs consent.

    ``product_names`` are names of the organisation whose words must not be read as words ("Override", "Union
    Desk"); ``policy_names`` are its policies, plans and programmes: a statement about one is a fact of the
    organisation unless the speaker is its subject. ``allowances`` open categories to consent.
    ``also_refused`` adds rules; ``free_text`` can only make the guard stricter.
    """

    slots: SlotRegistry = DEFAULT_SLOTS
    product_names: tuple[str, ...] = ()
    policy_names: tuple[str, ...] = ()
    allowances: tuple[Allowance, ...] = ()
    also_refused: tuple[Rule, ...] = ()
    free_text: FreeText = FreeText.STORE

    def __post_init__(self) -> None:
        for name in (*self.product_names, *self.policy_names):
            if not fold(name).lower.strip():
                raise ConfigurationError("A product or policy name is empty.")
        categories = [allowance.category for allowance in self.allowances]
        if len(set(categories)) != len(categories):
            raise ConfigurationError("A category has two purposes; keep it for one.")

    def purpose_of(self, kind: str, consented: frozenset[str]) -> str | None:
        """Return the purpose for which a finding of ``kind`` may be kept, given the purposes consented to, or null."""
        needed = _CATEGORIES_OF_KIND.get(kind)
        if needed is None:
            return None
        granted = {
            allowance.category: allowance.purpose
            for allowance in self.allowances
            if allowance.purpose in consented
        }
        if not needed <= granted.keys():
            return None
        return BETWEEN.join(dict.fromkeys(granted[category] for category in sorted(needed)))


DEFAULT_POLICY = GuardPolicy()
"""Nothing added, nothing allowed, free text kept on a second opinion."""

STRICT_POLICY = GuardPolicy(free_text=FreeText.STRICT)
"""The same for a guard that hears no second opinion."""


def without_opinions(policy: GuardPolicy) -> GuardPolicy:
    """Return ``policy`` as it holds for a guard that hears no second opinion."""
    return replace(policy, free_text=FreeText.STRICT) if policy.free_text is FreeText.STORE else policy


@lru_cache(maxsize=256)
def _names(names: tuple[str, ...]) -> re.Pattern[str]:
    folded = sorted((fold(name).lower.strip() for name in names), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in folded)})(?!\w)")


def named_spans(lower: str, names: Iterable[str]) -> list[tuple[int, int]]:
    """Return where any of ``names`` stands in a folded lower-case text."""
    known = tuple(names)
    return [match.span() for match in _names(known).finditer(lower)] if known else []


_SPEAKER = re.compile(
    r"^(?:i\b|i'|my\b|we\b|me\b|prefers?\b|works?\b|wants?\b|needs?\b|uses?\b|likes?\b|owns?\b|maintains?\b|writes?\b|supports?\b"
    r"|builds?\b|teaches\b|manages?\b|leads?\b|explain|show|answer|please|when\b|for me\b)"
)


def states_policy(lower: str, policy: GuardPolicy) -> tuple[int, int] | None:
    """Return the place of a named policy that the text is about, or null where the speaker is its subject."""
    if _SPEAKER.match(lower.lstrip()):
        return None
    return next(iter(named_spans(lower, policy.policy_names)), None)


def masked(lower: str, policy: GuardPolicy) -> str:
    """Return a folded lower-case text with product names blotted out, of the same length."""
    for start, end in named_spans(lower, policy.product_names):
        lower = f"{lower[:start]}{'x' * (end - start)}{lower[end:]}"
    return lower


ALWAYS_JUDGED = frozenset({Reason.INSTRUCTION, Reason.PERMISSION})
"""Reasons for which product names are read as the words they are, so that no name can hide an order."""
