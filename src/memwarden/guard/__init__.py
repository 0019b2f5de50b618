"""The write guard: may this text be remembered? Pure functions from a text and its origin to a verdict.

`judge` decides about a candidate, `recognise` turns a sentence into a profile slot and its value,
`redact` removes secrets and identifiers from a text, `command` understands "remember that ..." and
"forget ..." without a model. `GuardPolicy` is what an application
adds: profile slots, its own names, categories it keeps for a purpose with consent, and strictness.
"""

from __future__ import annotations

from memwarden.guard.commands import Command, CommandKind, command
from memwarden.guard.judge import judge
from memwarden.guard.policy import DEFAULT_POLICY, STRICT_POLICY, Allowance, Category, FreeText, GuardPolicy
from memwarden.guard.recognise import recognise
from memwarden.guard.redact import redact
from memwarden.guard.rule import Rule, rule
from memwarden.guard.slot_table import DEFAULT_SLOTS
from memwarden.guard.slots import Slot, SlotRegistry

__all__ = [
    "DEFAULT_POLICY",
    "DEFAULT_SLOTS",
    "STRICT_POLICY",
    "Allowance",
    "Category",
    "Command",
    "CommandKind",
    "FreeText",
    "GuardPolicy",
    "Rule",
    "Slot",
    "SlotRegistry",
    "command",
    "judge",
    "recognise",
    "redact",
    "rule",
]
