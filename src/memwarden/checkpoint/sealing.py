"""Sealing with AES-256-GCM: what is kept of a checkpoint is encrypted, and opens in its own place only.

A sealed thing is a byte that says so (0xC1, which begins neither what the codec writes nor msgpack nor UTF-8), the length of
the key's id in a byte, the id, a nonce of 12 bytes, and the ciphertext with its tag of 16. Everything before the nonce is
authenticated with the place.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memwarden.checkpoint.codec import HASH_BYTES
from memwarden.checkpoint.key_ring import KEY_BYTES, MOST_ID_LENGTH, Key, KeyRing, derived, framed
from memwarden.checkpoint.sealer import MARK, Place
from memwarden.errors import SealError
from memwarden.model.scope import Scope

NONCE_BYTES = 12
TAG_BYTES = 16

MOST_OVERHEAD = 2 + MOST_ID_LENGTH + NONCE_BYTES + TAG_BYTES
"""Bytes that sealing adds at most."""

_MOST_THREADS = 4_096


class AesGcmSealer:
    """A `Sealer` with the keys of a `KeyRing`; one serves all users of a process, from any of its threads.

    A part's name is made with the current key. Once that has changed, a thread no longer recognises what it kept under the name of
    before, and keeps it once more when it comes again.
    """

    # With random nonces, NIST SP 800-38D (8.3) allows 2^32 messages to one key, which a busy tenant could come to. So each
    # thread has a key of its own, derived from its tenant's, and the bound is the thread's. AES-GCM-SIV would forgive a nonce
    # that came twice, but is not in every OpenSSL, and what one machine sealed must open on the next.

    def __init__(self, keys: KeyRing) -> None:
        self._keys = keys
        self._of_thread = lru_cache(_MOST_THREADS)(_thread_keys)

    def seal(self, data: bytes, place: Place) -> bytes:
        """Return bytes that can be opened at this place only; at most `MOST_OVERHEAD` longer."""
        key = self._keys.current(place.tenant_id)
        thread = self._of_thread(key, place.tenant_id, place.user_id, place.thread_id)
        nonce = secrets.token_bytes(NONCE_BYTES)
        return thread.head + nonce + thread.cipher.encrypt(nonce, data, _bound(thread, place))

    def open(self, sealed: bytes, place: Place) -> bytes:
        """Return what was sealed here; raise `SealError` for anything else, and for what its key is missing."""
        key_id, start = _header(sealed)
        key = self._keys.key(place.tenant_id, key_id)
        if key is None:
            raise SealError(
                f"This part of a checkpoint was sealed with the key {key_id!r}, which is not there; put it among the"
                " keys again, or delete the thread."
            )
        thread = self._of_thread(key, place.tenant_id, place.user_id, place.thread_id)
        body = start + NONCE_BYTES
        try:
            return thread.cipher.decrypt(sealed[start:body], sealed[body:], _bound(thread, place))
        except InvalidTag as error:
            raise SealError(
                "A sealed part of a checkpoint was altered or moved, or another key has been given its key's id; restore the"
                " thread from a backup, or delete it."
            ) from error

    def name(self, data: bytes, scope: Scope, thread_id: str) -> bytes:
        """Return a name of 16 bytes: equal for equal bytes in one thread under one key, and of no use without that."""
        key = self._keys.current(scope.tenant_id)
        thread = self._of_thread(key, scope.tenant_id, scope.user_id, thread_id)
        return hashlib.blake2b(data, digest_size=HASH_BYTES, key=thread.naming).digest()


@dataclass(frozen=True, slots=True, repr=False)
class _ThreadKeys:
    """What one key of a tenant comes to in one thread."""

    head: bytes
    bound: bytes
    """The part of every place's encoding that the thread decides, the head before it."""
    cipher: AESGCM
    naming: bytes


def _thread_keys(key: Key, tenant_id: str, user_id: str, thread_id: str) -> _ThreadKeys:
    both = derived(key.secret, 2 * KEY_BYTES, "memwarden checkpoint thread", tenant_id, user_id, thread_id)
    head = MARK + bytes([len(key.id)]) + key.id.encode("ascii")
    return _ThreadKeys(
        head, head + framed(tenant_id, user_id, thread_id), AESGCM(both[:KEY_BYTES]), both[KEY_BYTES:]
    )


def _bound(thread: _ThreadKeys, place: Place) -> bytes:
    return thread.bound + framed(place.kind, *place.name)


def _header(sealed: bytes) -> tuple[str, int]:
    """Return the id of the key, and where the nonce begins."""
    if sealed[:1] != MARK:
        raise SealError(
            "A part of a checkpoint is not sealed, and was put there by somebody else or before checkpoints were sealed; delete"
            " the thread, or restore it from a backup."
        )
    start = 2 + sealed[1] if len(sealed) > 1 else 0
    key_id = sealed[2:start]
    whole = 0 < len(key_id) <= MOST_ID_LENGTH and len(sealed) >= start + NONCE_BYTES + TAG_BYTES
    if not whole or not all(0x20 <= byte < 0x7F for byte in key_id):
        raise SealError(
            "A sealed part of a checkpoint is damaged; restore the thread from a backup, or delete it."
        )
    return key_id.decode("ascii"), start
