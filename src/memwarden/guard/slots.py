"""Profile slots: the registered kinds of thing that are remembered by key, and how each is worded.

A slot is what makes a memory governable: one current value, one purpose the user can read, one form it
is kept in. Applications add their own with `SlotRegistry.extended`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from memwarden.errors import ConfigurationError
from memwarden.model.consent import BETWEEN
from memwarden.model.record import MemoryType

_NAME = re.compile(r"[a-z][a-z0-9_]{0,62}")
_NO_VALUES: Mapping[str, str] = MappingProxyType({})


@lru_cache(maxsize=1024)
def compiled(pattern: str) -> re.Pattern[str]:
    """Compile a slot pattern: it must describe a whole sentence, in any case."""
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slot:
    """One kind of profile memory.

    ``name`` is its key ("language"); ``type`` preference or fact; ``purpose`` why it is kept, shown to
    the user; ``template`` the kept sentence, with ``{value}``; ``patterns`` regular expressions that
    match a whole sentence and name the group ``value``. ``values`` maps lower-case spellings to the
    spelling that is kept ("हिंदी" to "Hindi"); ``closed`` slots accept nothing else. A value longer
    than ``max_length`` is no value of this slot.
    """

    name: str
    type: MemoryType
    purpose: str
    template: str
    patterns: tuple[str, ...]
    max_length: int = 80
    values: Mapping[str, str] = field(default_factory=lambda: _NO_VALUES)
    closed: bool = False

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ConfigurationError(
                f"The slot name {self.name!r} must be lower-case letters, digits and underscores."
            )
        if self.template.count("{value}") != 1:
            raise ConfigurationError(
                f"The template of slot {self.name!r} must contain {{value}} exactly once."
            )
        if BETWEEN in self.purpose:
            raise ConfigurationError(
                f"The purpose of slot {self.name!r} must not hold {BETWEEN!r}, which parts one purpose from the next."
            )
        if self.type is MemoryType.EPISODE:
            raise ConfigurationError(f"Slot {self.name!r} must hold a preference or a fact.")
        if self.closed and not self.values:
            raise ConfigurationError(f"Slot {self.name!r} is closed and has no values.")
        for pattern in self.patterns:
            try:
                groups = compiled(pattern).groupindex
            except re.error as error:
                raise ConfigurationError(
                    f"A pattern of slot {self.name!r} does not compile: {error}."
                ) from error
            if "value" not in groups:
                raise ConfigurationError(f"A pattern of slot {self.name!r} does not name the group 'value'.")

    def render(self, value: str) -> str:
        """Return the sentence that is kept for ``value``."""
        return self.template.replace("{value}", value)


@dataclass(frozen=True, slots=True)
class SlotRegistry:
    """The slots an application knows, in the order they are tried; immutable."""

    slots: tuple[Slot, ...] = ()

    def __post_init__(self) -> None:
        names = [slot.name for slot in self.slots]
        if len(set(names)) != len(names):
            raise ConfigurationError("Two slots have the same name; give each its own.")

    def __iter__(self) -> Iterator[Slot]:
        return iter(self.slots)

    def __len__(self) -> int:
        return len(self.slots)

    def __contains__(self, name: object) -> bool:
        return any(slot.name == name for slot in self.slots)

    def get(self, name: str) -> Slot | None:
        """Return the slot called ``name``, or None."""
        return next((slot for slot in self.slots if slot.name == name), None)

    def extended(self, *slots: Slot) -> SlotRegistry:
        """Return a registry with ``slots`` tried first; one of the same name takes the old one's place."""
        names = {slot.name for slot in slots}
        return SlotRegistry((*slots, *(slot for slot in self.slots if slot.name not in names)))
