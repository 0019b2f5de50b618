"""Pinned items: what no summary may lose or alter, kept word for word beside it.

Plain data, because a graph's state holds them and every checkpoint saver has to carry them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import TypedDict


class Kind(StrEnum):
    """Why an item is pinned."""

    CONFIRMED = "confirmed"
    """The user said yes to something, or stated it as settled."""
    REFUSED = "refused"
    """The user said no to something."""
    CONSENT = "consent"
    """What the user consents to, or does not."""
    APPROVAL = "approval"
    """Something waits for a decision."""
    IDENTIFIER = "identifier"
    """The number of a ticket, a request, a case."""


class Section(StrEnum):
    """A section of a summary."""

    DECISIONS = "decisions"
    OPEN_QUESTIONS = "open_questions"
    CONFIRMED_FACTS = "confirmed_facts"
    CONSENT = "consent"


SECTION_OF: Mapping[Kind, Section] = MappingProxyType(
    {
        Kind.CONFIRMED: Section.DECISIONS,
        Kind.REFUSED: Section.DECISIONS,
        Kind.CONSENT: Section.CONSENT,
        Kind.APPROVAL: Section.OPEN_QUESTIONS,
        Kind.IDENTIFIER: Section.CONFIRMED_FACTS,
    }
)
"""Where an item of each kind stands in a summary."""


class Pinned(TypedDict):
    """One item of the ledger."""

    id: str
    """Equal for the same item found again: of the message it comes from and its place in it."""
    kind: str
    text: str
    """One line, to stand in every later prompt as it is."""
    about: str
    """What it is about; a later item of the same kind about the same replaces it. Empty: nothing replaces it."""


def message_of(item: Pinned) -> str:
    """Return the id of the message an item comes from."""
    return item["id"].rsplit("/", 2)[0]
