"""The public keys of an issuer, by id: a JSON Web Key Set (RFC 7517), read with distrust."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, Key, OKPKey, RSAKey

from memwarden.errors import AuthenticationError, ConfigurationError

MAX_BYTES = 262_144
MAX_KEY_ID = 256
_MIN_RSA_DIGITS = 341
"""Base64 characters of a modulus of 2,048 bits."""
_KINDS: Mapping[str, type[RSAKey | ECKey | OKPKey]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}


class KeySource(Protocol):
    """Where the keys that tokens are verified with come from."""

    async def key(self, key_id: str) -> Key:
        """Return the key of this id; raise `AuthenticationError` when there is none."""
        ...


class FixedKeys:
    """Keys that do not change while the process lives."""

    def __init__(self, keys: Mapping[str, Key]) -> None:
        self._keys = dict(keys)

    async def key(self, key_id: str) -> Key:
        """Return the key of this id; raise `AuthenticationError` when there is none."""
        return known_key(self._keys, key_id)


def known_key(keys: Mapping[str, Key], key_id: str) -> Key:
    """Return one of ``keys``, or raise `AuthenticationError`."""
    found = keys.get(key_id)
    if found is None:
        raise AuthenticationError("The token is signed with a key that its issuer does not publish.")
    return found


def keys_of_file(path: Path) -> Mapping[str, Key]:
    """Return the keys in a file; raise `ConfigurationError` when it has none that can be used."""
    try:
        with path.expanduser().open("rb") as file:
            keys = public_keys(file.read(MAX_BYTES + 1))
    except OSError as error:
        raise ConfigurationError(f"The key set {path} cannot be read: {error.strerror}.") from error
    if not keys:
        raise ConfigurationError(
            f"The file {path} is no JSON Web Key Set with public keys that have ids and are strong enough."
        )
    return keys


def public_keys(document: bytes) -> Mapping[str, Key]:
    """Return the keys of a key set that may verify signatures; what is anything else, or has no id, is left out.

    Of two keys with one id neither counts.
    """
    keys: dict[str, Key] = {}
    twice: set[str] = set()
    for entry in _entries(document):
        key_id = entry.get("kid")
        key = _verifying(entry)
        if key is None or not isinstance(key_id, str) or not 0 < len(key_id) <= MAX_KEY_ID:
            continue
        if key_id in keys:
            twice.add(key_id)
        keys[key_id] = key
    return {key_id: key for key_id, key in keys.items() if key_id not in twice}


def _entries(document: bytes) -> list[dict[str, object]]:
    try:
        held = json.loads(document) if len(document) <= MAX_BYTES else None
    except (ValueError, RecursionError):
        held = None
    entries = held.get("keys") if isinstance(held, dict) else None
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _verifying(entry: Mapping[str, object]) -> Key | None:
    kind = _KINDS.get(str(entry.get("kty")))
    if kind is None or entry.get("use", "sig") != "sig" or "d" in entry:
        return None
    if kind is RSAKey and len(str(entry.get("n", ""))) < _MIN_RSA_DIGITS:
        return None
    try:
        return kind.import_key(_plain(entry))
    except (JoseError, ValueError, TypeError, KeyError):
        return None


def _plain(entry: Mapping[str, object]) -> dict[str, str | list[str]]:
    """Return the members of a key that are text or lists of it, as all are that say anything about it."""
    plain: dict[str, str | list[str]] = {}
    for name, value in entry.items():
        if isinstance(value, str):
            plain[name] = value
        elif isinstance(value, list):
            plain[name] = [item for item in value if isinstance(item, str)]
    return plain
