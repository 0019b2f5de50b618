"""Keys of sealed checkpoints: one for each tenant, each with an id, the newest of which seals."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from memwarden.errors import ConfigurationError
from memwarden.settings import Settings

KEY_BYTES = 32
MOST_ID_LENGTH = 32

_MOST_TENANTS = 4_096
_SETTING = "MEMWARDEN_CHECKPOINT_KEYS"


@dataclass(frozen=True, slots=True)
class Key:
    """A key of 32 bytes, and the id that stands in the clear before whatever it sealed.

    An id has 1 to 32 printable ASCII characters, and never names another key.
    """

    id: str
    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if not (0 < len(self.id) <= MOST_ID_LENGTH and self.id.isascii() and self.id.isprintable()):
            raise ConfigurationError(
                f"The id of a key has 1 to {MOST_ID_LENGTH} printable ASCII characters; give this one such an id."
            )
        if len(self.secret) != KEY_BYTES:
            raise ConfigurationError(
                f"A key has {KEY_BYTES} bytes; one of {len(self.secret)} was given. Make one with `openssl rand -base64 32`."
            )


class KeyRing(Protocol):
    """Where the keys of tenants come from; the place to plug in a key management service.

    A ring of your own keeps one wrapped key for each tenant and has the service unwrap it. Destroy that key, and what was sealed
    with it is shredded, wherever copies and backups of it lie. A sealer asks with every call, so that a key the ring no longer
    gives opens nothing from then on; it waits for the answer, so unwrap a tenant's keys before its users are served, and answer
    from memory. What a method raises stops what was being read or written.
    """

    def current(self, tenant_id: str) -> Key:
        """Return the key that seals for a tenant from now on; raise `SealError` for a tenant that has none."""
        ...

    def key(self, tenant_id: str, key_id: str) -> Key | None:
        """Return a key of a tenant by its id, or null where there is none, or none any more."""
        ...


class DerivedKeys:
    """Each tenant's keys, derived from master keys (HKDF-SHA256, RFC 5869), the newest of which is the first of ``masters``.

    To rotate, put a new one before the others, which go on opening what they sealed; take one away once nothing it sealed is left.
    Where several processes share a database, give all of them the new one in the last place first: whoever lacks it cannot read on.
    All tenants depend on the same masters, so no single tenant can be shredded: that takes a `KeyRing` with a key for each.
    """

    def __init__(self, masters: Mapping[str, bytes]) -> None:
        self._masters = {key_id: Key(key_id, secret) for key_id, secret in masters.items()}
        if not self._masters:
            raise ConfigurationError("Sealing takes a key, and none was given; give one, or no ring of keys.")
        self._newest = next(iter(self._masters.values()))
        self._of_tenant = lru_cache(_MOST_TENANTS)(_tenant_key)

    def current(self, tenant_id: str) -> Key:
        """Return the tenant's key under the newest master key."""
        return self._of_tenant(self._newest, tenant_id)

    def key(self, tenant_id: str, key_id: str) -> Key | None:
        """Return the tenant's key under the master key of that id."""
        master = self._masters.get(key_id)
        return None if master is None else self._of_tenant(master, tenant_id)


def derived_keys(settings: Settings) -> DerivedKeys | None:
    """Return the keys the settings name, or null where they name none; raise `ConfigurationError`, which quotes nothing of them."""
    given = settings.checkpoint_keys
    text = "" if given is None else given.get_secret_value().strip()
    return DerivedKeys(dict(_entries(text))) if text else None


def derived(secret: bytes, size: int, *context: str) -> bytes:
    """Return ``size`` bytes that only who has the secret can tell, and that tell nothing about those of another context."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), size, salt=None, info=framed(*context)).derive(secret)


def framed(*fields: str) -> bytes:
    """Return the bytes of texts, each after its length, so that no two sequences of texts give the same."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in fields]
    return b"".join([len(data).to_bytes(4, "big") + data for data in encoded])


def _tenant_key(master: Key, tenant_id: str) -> Key:
    return Key(master.id, derived(master.secret, KEY_BYTES, "memwarden checkpoint tenant", tenant_id))


def _entries(text: str) -> Iterator[tuple[str, bytes]]:
    seen: set[str] = set()
    for place, entry in enumerate(text.split(","), start=1):
        key_id, _, encoded = entry.strip().partition(":")
        try:
            key = Key(key_id.strip(), _decoded(encoded))
        except (ConfigurationError, ValueError):
            # Not even the id is quoted, and no cause is chained: somebody may have put the key in the id's place.
            raise ConfigurationError(
                f"Entry {place} of {_SETTING} is not an id of 1 to {MOST_ID_LENGTH} printable ASCII characters, a colon, and"
                f" {KEY_BYTES} random bytes in base64, as `openssl rand -base64 32` prints them; correct it."
            ) from None
        if key.id in seen:
            raise ConfigurationError(
                f"Entry {place} of {_SETTING} has the id of an entry before it; give every key an id of its own."
            )
        seen.add(key.id)
        yield key.id, key.secret


def _decoded(text: str) -> bytes:
    standard = text.strip().rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(standard + "=" * (-len(standard) % 4), validate=True)
    except binascii.Error:
        return b""
