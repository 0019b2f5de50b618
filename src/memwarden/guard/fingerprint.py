"""A name for a secret that does not tell it: kind and keyed hash, for the log.

Whoever holds the key and a leaked secret can find where it was refused; whoever holds the log alone has
nothing to try guesses on (HMAC, RFC 2104). The owner is part of what is hashed, so equal secrets of two
people have different names.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable

from memwarden.guard.normalise import fold
from memwarden.model.scope import Scope
from memwarden.model.verdict import Finding, Reason

_LENGTH = 16
_PRIVATE = (Reason.SECRET, Reason.IDENTIFIER)


def fingerprint(value: str, kind: str, scope: Scope, key: bytes) -> str:
    """Return "kind:" and 16 hexadecimal digits; spacing, hyphens and look-alike characters do not change it."""
    compact = "".join(ch for ch in fold(value).text if ch.isalnum() or ch in "_+/=.@#$%^&*!~")
    message = "\0".join((scope.tenant_id, scope.user_id, kind, compact)).encode()
    return f"{kind}:{hmac.new(key, message, hashlib.sha256).hexdigest()[:_LENGTH]}"


def fingerprints(text: str, findings: Iterable[Finding], scope: Scope, key: bytes) -> tuple[str, ...]:
    """Return the fingerprints of the secrets and identifiers that were found in ``text``, each once."""
    names = (
        fingerprint(text[found.start : found.end], found.kind, scope, key)
        for found in findings
        if found.reason in _PRIVATE
    )
    return tuple(dict.fromkeys(names))
