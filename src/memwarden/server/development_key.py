"""Tokens for development: an Ed25519 key in the data folder signs them, and a server on this machine takes them."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import OKPKey

from memwarden.errors import ConfigurationError
from memwarden.model.scope import checked_name
from memwarden.server.caller import Role
from memwarden.server.token_rules import TokenRules
from memwarden.server.tokens import user_name

ISSUER = "memwarden:development"
AUDIENCE = "memwarden"
RULES = TokenRules(ISSUER, AUDIENCE, ("Ed25519",))
LONGEST = timedelta(days=1)
_FILE = "development-key.json"


def development_key(folder: Path) -> OKPKey:
    """Return the private key in ``folder``, made when first asked for."""
    path = folder / _FILE
    try:
        with suppress(FileExistsError):
            _create(path)
        return _read(path)
    except OSError as error:
        raise ConfigurationError(
            f"The key of development tokens cannot be kept in {path}: {error.strerror}."
        ) from error


def development_token(
    key: OKPKey,
    tenant_id: str,
    user_id: str,
    roles: Sequence[Role],
    *,
    now: datetime,
    lifetime: timedelta,
    act_for: Sequence[str] = (),
) -> str:
    """Return a token that a server without an issuer believes for ``lifetime``, a day at the most."""
    if not timedelta() < lifetime <= LONGEST:
        raise ConfigurationError("A development token lives for a minute to a day.")
    issued = int(now.timestamp())
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "iat": issued,
        "nbf": issued,
        "exp": issued + int(lifetime.total_seconds()),
        "tenant_id": checked_name(tenant_id, "tenant id"),
        "sub": user_name(user_id),
        "roles": [role.value for role in roles],
        "act_for": list(act_for),
    }
    return jwt.encode({"alg": "Ed25519", "kid": key.thumbprint()}, claims, key, algorithms=["Ed25519"])


def _create(path: Path) -> None:
    """Write a new key where there is none; another process may be doing the same."""
    if path.exists():
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            json.dump(OKPKey.generate_key("Ed25519").as_dict(private=True), file)
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)  # fails where the file has come to exist meanwhile, and then that one counts
    finally:
        draft.unlink()


def _read(path: Path) -> OKPKey:
    if path.stat().st_mode & 0o077:
        raise ConfigurationError(f"The key {path} can be read by others; `chmod 600` it, or move it away.")
    try:
        key = OKPKey.import_key(json.loads(path.read_text(encoding="ascii")))
    except (ValueError, JoseError, TypeError, KeyError):
        key = None
    if key is None or not key.is_private or key.curve_name != "Ed25519":
        raise ConfigurationError(f"The key {path} is damaged; move it away to have a new one made.")
    return key
