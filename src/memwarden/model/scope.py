"""Whose memory it is."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from memwarden.errors import InvalidInputError

MAX_NAME_LENGTH = 255
"""Characters a tenant, user or thread name may have."""


def checked_name(value: str, what: str) -> str:
    """Return ``value`` unchanged if it can name a ``what``, else raise `InvalidInputError`.

    Any characters are allowed, separators and wildcards included, but for NUL (PostgreSQL cannot
    hold it), lone surrogates (they are no text), and the empty string (it would read as "unset").
    Names are compared byte by byte: no case folding, no normalisation.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"The {what} must be a string, not {type(value).__name__}.")
    if not value:
        raise InvalidInputError(f"The {what} is empty; give it a name.")
    if len(value) > MAX_NAME_LENGTH:
        raise InvalidInputError(f"The {what} has {len(value)} characters; {MAX_NAME_LENGTH} are allowed.")
    if any(ch == "\0" or unicodedata.category(ch) == "Cs" for ch in value):
        raise InvalidInputError(f"The {what} holds a NUL or an unpaired surrogate, which is no text.")
    return value


@dataclass(frozen=True, slots=True)
class Scope:
    """The tenant and the user that a row belongs to; every read and write happens inside one.

    ``tenant_id`` and ``user_id`` are opaque strings of 1 to 255 characters, taken from a verified
    identity, never from a prompt or a tool call.
    """

    tenant_id: str
    user_id: str

    def __post_init__(self) -> None:
        checked_name(self.tenant_id, "tenant id")
        checked_name(self.user_id, "user id")
