"""From a sentence to a profile slot and its value."""

from __future__ import annotations

import re

from memwarden.errors import InvalidInputError
from memwarden.guard.normalise import clean
from memwarden.guard.slots import Slot, SlotRegistry, compiled
from memwarden.model.verdict import Statement

MAX_STATEMENT = 500
"""Characters a statement worth remembering may have."""

_UNVALUED = re.compile(r"https?:|www\.|[<>{}|\\\n]|[\w.]@[\w.]")


def canonical(value: str, slot: Slot) -> str | None:
    """Return ``value`` as the slot spells it, or None when it is no value of the slot."""
    value = value.strip(" \t\"'“”‘’«»,;:.")
    known = slot.values.get(value.lower())
    if known is not None:
        return known
    if slot.closed or not value or len(value) > slot.max_length or _UNVALUED.search(value):
        return None
    return value


def _several(value: str, slot: Slot) -> str | None:
    """Accept "Hindi and English" where both are values of a closed slot."""
    parts = re.split(r"\s+(?:and|or|und|et|y|e|aur)\s+|/", value.strip())
    if len(parts) != 2:
        return None
    first, second = canonical(parts[0], slot), canonical(parts[1], slot)
    return f"{first} and {second}" if first and second else None


def recognise(text: str, slots: SlotRegistry) -> Statement | None:
    """Return the slot statement that ``text`` makes as a whole, or None when it fits no slot.

    It looks at form only; whether the statement may be kept is for `judge`.
    """
    if not isinstance(text, str):
        raise InvalidInputError(f"The text must be a string, not {type(text).__name__}.")
    if len(text) > 2 * MAX_STATEMENT:
        return None
    sentence = clean(text)
    if not sentence or len(sentence) > 200:
        return None
    for slot in slots:
        for pattern in slot.patterns:
            match = compiled(pattern).fullmatch(sentence)
            if match is None or match.group("value") is None:
                continue
            value = canonical(match.group("value"), slot) or (
                _several(match.group("value"), slot) if slot.closed else None
            )
            if value is not None:
                return Statement(slot.type, slot.render(value), slot.name, value)
    return None
