"""The two keys of a deployment: one names words without telling them, one signs receipts."""

from __future__ import annotations

import base64
import binascii
import json
import logging
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from memwarden.errors import ConfigurationError
from memwarden.settings import Settings

KEY_BYTES = 32

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Keys:
    """``fingerprint`` is the key of keyed hashes, 32 bytes or more; ``receipt`` the seed of an Ed25519 key, 32 bytes."""

    fingerprint: bytes
    receipt: bytes


def deployment_keys(settings: Settings, folder: Path) -> Keys:
    """Return the keys the settings name, and for what they do not name those in ``folder``, made when first asked for.

    Where the folder cannot be written, keys live as long as this process: what it declines is asked again by the
    next one, and its receipts are verified by the public key they were printed with.
    """
    given = settings.fingerprint_key and settings.fingerprint_key.get_secret_value().encode()
    seed = settings.receipt_key and _decoded(settings.receipt_key.get_secret_value())
    if given and seed:
        return Keys(given, seed)
    kept = _kept(settings.keys_file or folder / "keys.json")
    return Keys(given or kept.fingerprint, seed or kept.receipt)


def _kept(path: Path) -> Keys:
    try:
        with suppress(FileExistsError):
            _create(path)
        return _read(path)
    except OSError as error:
        _log.warning(
            "The keys of this deployment cannot be kept in a file (%s); set MEMWARDEN_FINGERPRINT_KEY and"
            " MEMWARDEN_RECEIPT_KEY, or they last as long as this process.",
            type(error).__name__,
        )
        return _fresh()


def _create(path: Path) -> None:
    """Write new keys where there are none; another process may be doing the same."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fresh = _fresh()
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump({"fingerprint": fresh.fingerprint.hex(), "receipt": fresh.receipt.hex()}, file)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # fails where the file has come to exist meanwhile, and then that one counts
    finally:
        draft.unlink()


def _read(path: Path) -> Keys:
    try:
        held = json.loads(path.read_text(encoding="ascii"))
        keys = Keys(bytes.fromhex(held["fingerprint"]), bytes.fromhex(held["receipt"]))
    except (ValueError, KeyError, TypeError):
        keys = None
    if keys is None or len(keys.receipt) != KEY_BYTES or len(keys.fingerprint) < KEY_BYTES:
        raise ConfigurationError(
            f"The file of keys {path} is damaged; restore it from a copy, or move it away to have new keys made."
        )
    return keys


def _fresh() -> Keys:
    return Keys(secrets.token_bytes(KEY_BYTES), secrets.token_bytes(KEY_BYTES))


def _decoded(text: str) -> bytes:
    try:
        seed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError):
        seed = b""
    if len(seed) != KEY_BYTES:
        raise ConfigurationError(
            "MEMWARDEN_RECEIPT_KEY must be 32 random bytes in URL-safe base64, as `openssl rand -base64 32 | tr '+/' '-_'` prints them."
        )
    return seed
