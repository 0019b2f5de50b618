"""Receipts: what an erasure removed, signed, and without a word of it or a name of whose it was.

A receipt is a JSON Web Signature in compact form (RFC 7515) with an Ed25519 key (RFC 8037). Its subject is a
hash of the erasure's id with the tenant's and the user's: who knows them can tell that it is theirs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

from memwarden.errors import InvalidInputError, ReceiptError
from memwarden.model.erasure import ErasureState, StoreReport, Subject

if TYPE_CHECKING:
    from joserfc.jwk import OKPKey

KIND = "memwarden-receipt"
_ALGORITHM = "Ed25519"
_ALGORITHMS = [_ALGORITHM]


@dataclass(frozen=True, slots=True)
class Receipt:
    """The content of a receipt: how far the erasure ``id``, ordered at ``ordered_at``, had come when it was signed.

    ``subject`` is what `subject_hash` makes of its subject; ``scope`` is ``user``, ``conversation`` or
    ``tenant``; ``removed`` counts rows by table, ``withheld`` what a legal hold keeps out of sight.
    """

    id: str
    scope: str
    subject: str
    ordered_at: datetime
    signed_at: datetime
    state: ErasureState
    removed: Mapping[str, int]
    stores: tuple[StoreReport, ...]
    withheld: int = 0

    @property
    def residue(self) -> int:
        """What a second look found, over all stores."""
        return sum(report.residue for report in self.stores)


def subject_hash(erasure_id: str, subject: Subject) -> str:
    """Return a hash by which a subject is recognised by whoever knows its names."""
    names = [erasure_id, subject.tenant_id, subject.user_id, subject.conversation_id]
    return hashlib.sha256(json.dumps(names, ensure_ascii=False).encode()).hexdigest()


def scope_of_subject(subject: Subject) -> str:
    """Return the one word for what was erased."""
    if subject.user_id is None:
        return "tenant"
    return "user" if subject.conversation_id is None else "conversation"


def signed(receipt: Receipt, seed: bytes) -> str:
    """Return the receipt as signed text."""
    from joserfc import jws

    key = _private(seed)
    payload = asdict(receipt) | {
        "kind": KIND,
        "ordered_at": receipt.ordered_at.isoformat(),
        "signed_at": receipt.signed_at.isoformat(),
        "state": receipt.state.value,
        "removed": dict(receipt.removed),
        "residue": receipt.residue,
    }
    header = {"alg": _ALGORITHM, "typ": f"{KIND}+jws", "kid": key.thumbprint()}
    return jws.serialize_compact(header, json.dumps(payload, sort_keys=True), key, algorithms=_ALGORITHMS)


def public_key(seed: bytes) -> dict[str, str]:
    """Return the public half as a JSON Web Key, to be kept where receipts are verified."""
    key = _private(seed)
    return {**cast("dict[str, str]", key.as_dict(private=False)), "kid": key.thumbprint()}


def verified(text: str, key: Mapping[str, str]) -> Receipt:
    """Return what a receipt says, or raise `ReceiptError` when ``key``, a public JSON Web Key, did not sign it."""
    from joserfc import jws
    from joserfc.errors import JoseError
    from joserfc.jwk import OKPKey

    try:
        public = OKPKey.import_key(dict(key))
        found = jws.deserialize_compact(text.strip(), public, algorithms=_ALGORITHMS)
        held = cast("dict[str, Any]", json.loads(found.payload))
        return _receipt(held)
    except (JoseError, ValueError, KeyError, TypeError) as error:
        raise ReceiptError(
            "This is no receipt that this key signed: it was altered, or another deployment issued it; "
            "give the public key that deployment prints with `memwarden receipt key`."
        ) from error


def require_subject(receipt: Receipt, subject: Subject) -> None:
    """Raise `ReceiptError` unless the receipt is about ``subject``."""
    if receipt.subject != subject_hash(receipt.id, subject):
        raise ReceiptError("This receipt is genuine, and about somebody or something else.")


def _receipt(held: Mapping[str, Any]) -> Receipt:
    if held["kind"] != KIND:
        raise InvalidInputError("This is signed, and no receipt.")
    return Receipt(
        id=held["id"],
        scope=held["scope"],
        subject=held["subject"],
        ordered_at=datetime.fromisoformat(held["ordered_at"]).astimezone(UTC),
        signed_at=datetime.fromisoformat(held["signed_at"]).astimezone(UTC),
        state=ErasureState(held["state"]),
        removed=held["removed"],
        stores=tuple(StoreReport(**report) for report in held["stores"]),
        withheld=held["withheld"],
    )


def _private(seed: bytes) -> OKPKey:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from joserfc.jwk import OKPKey

    return OKPKey.import_key(Ed25519PrivateKey.from_private_bytes(seed))
