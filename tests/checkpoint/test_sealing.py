"""Sealing: what was sealed opens in its own place, whole, with its own key, and nothing else opens at all."""

from __future__ import annotations

import base64
import traceback
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pydantic import SecretStr

from memwarden.checkpoint.codec import squeezed
from memwarden.checkpoint.key_ring import DerivedKeys, Key, derived_keys
from memwarden.checkpoint.sealer import Kind, Place, Sealer
from memwarden.checkpoint.sealing import MOST_OVERHEAD, AesGcmSealer
from memwarden.errors import ConfigurationError, SealError
from memwarden.model.scope import Scope
from memwarden.settings import Settings, read_settings

OLD, NEW = bytes(range(32)), bytes(range(100, 132))
HERE = Place("acme", "anna", "trip", Kind.PART, ("17",))
ANNA = Scope("acme", "anna")

texts = st.text(max_size=6)
places = st.builds(Place, texts, texts, texts, st.sampled_from(Kind), st.lists(texts, max_size=3).map(tuple))
key_ids = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=32)


class GivenKeys:
    """A ring as a key service would have it: keys are put in and taken out."""

    def __init__(self, keys: Mapping[tuple[str, str], Key], newest: Mapping[str, str]) -> None:
        self.keys = dict(keys)
        self.newest = dict(newest)

    def current(self, tenant_id: str) -> Key:
        if tenant_id not in self.newest:
            raise SealError("This tenant has no key; make one.")
        return self.keys[tenant_id, self.newest[tenant_id]]

    def key(self, tenant_id: str, key_id: str) -> Key | None:
        return self.keys.get((tenant_id, key_id))


class OneKey:
    """A ring that makes no difference between tenants: what is bound is bound by the place alone."""

    def current(self, tenant_id: str) -> Key:
        return Key("one", OLD)

    def key(self, tenant_id: str, key_id: str) -> Key | None:
        return Key("one", OLD) if key_id == "one" else None


def sealer(**masters: bytes) -> Sealer:
    return AesGcmSealer(DerivedKeys(masters or {"old": OLD}))


SEALER = sealer()
ONE_KEY = AesGcmSealer(OneKey())


def refused(by: Sealer, sealed: bytes, place: Place) -> str:
    """Return the sentence with which something is refused."""
    with pytest.raises(SealError) as caught:
        by.open(sealed, place)
    return str(caught.value)


@given(st.binary(max_size=400), places)
def test_what_was_sealed_opens(data: bytes, place: Place) -> None:
    sealed = SEALER.seal(data, place)
    assert SEALER.open(sealed, place) == data
    assert sealer().open(sealed, place) == data, "another process opens it"


@given(st.binary(max_size=100), key_ids)
def test_any_key_id_will_do_and_costs_no_more_than_said(data: bytes, key_id: str) -> None:
    by = sealer(**{key_id: OLD})
    sealed = by.seal(data, HERE)
    assert by.open(sealed, HERE) == data
    assert len(sealed) <= len(data) + MOST_OVERHEAD


@given(st.binary(min_size=8, max_size=400))
def test_nothing_of_it_is_seen_and_no_two_seals_are_alike(data: bytes) -> None:
    one, two = SEALER.seal(data, HERE), SEALER.seal(data, HERE)
    assert data not in one
    assert one[-len(data) - 16 :] != two[-len(data) - 16 :]


def test_every_changed_bit_is_refused() -> None:
    sealed = SEALER.seal(b"the flight is on Tuesday", HERE)
    for at in range(len(sealed)):
        for bit in range(8):
            changed = bytearray(sealed)
            changed[at] ^= 1 << bit
            refused(SEALER, bytes(changed), HERE)


def test_every_shortened_or_lengthened_seal_is_refused() -> None:
    sealed = SEALER.seal(b"", HERE)
    for end in range(len(sealed)):
        refused(SEALER, sealed[:end], HERE)
    refused(SEALER, sealed + b"\0", HERE)


@given(places, places)
def test_it_opens_nowhere_else(one: Place, other: Place) -> None:
    assume(one != other)
    refused(SEALER, SEALER.seal(b"here", one), other)
    refused(ONE_KEY, ONE_KEY.seal(b"here", one), other)


@pytest.mark.parametrize(
    "elsewhere",
    [
        replace(HERE, tenant_id="acme2"),
        replace(HERE, user_id="otto"),
        replace(HERE, thread_id="trip2"),
        replace(HERE, kind=Kind.CHECKPOINT),
        replace(HERE, name=("18",)),
        replace(HERE, name=("1", "7")),
        replace(HERE, name=("17", "")),
        replace(HERE, name=("", "17")),
        replace(HERE, name=()),
        Place("acmea", "nna", "trip", Kind.PART, ("17",)),
        Place("acme", "annat", "rip", Kind.PART, ("17",)),
        Place("acme", "anna", "trippart", Kind.PART, ("17",)),
        Place("anna", "acme", "trip", Kind.PART, ("17",)),
        Place("", "acmeanna", "trip", Kind.PART, ("17",)),
    ],
)
def test_a_place_is_every_word_of_it(elsewhere: Place) -> None:
    for by in (SEALER, ONE_KEY):
        refused(by, by.seal(b"here", HERE), elsewhere)
        refused(by, by.seal(b"here", elsewhere), HERE)


lookalikes = st.text("a\0\1", max_size=2)


@given(st.lists(lookalikes, max_size=3), st.lists(lookalikes, max_size=3))
@example(["a\0"], ["a", ""])
@example(["a\0\0\0\1b"], ["a", "b"])
def test_names_that_run_together_or_look_like_lengths_stay_apart(one: list[str], other: list[str]) -> None:
    assume(one != other)
    refused(SEALER, SEALER.seal(b"here", replace(HERE, name=tuple(one))), replace(HERE, name=tuple(other)))


@given(st.binary(max_size=300))
def test_what_bears_no_mark_is_refused(plain: bytes) -> None:
    assume(plain[:1] != b"\xc1")
    assert "not sealed" in refused(SEALER, plain, HERE)
    assert "not sealed" in refused(SEALER, squeezed(plain), HERE)


@given(st.binary(max_size=300))
def test_the_mark_alone_opens_nothing(rest: bytes) -> None:
    refused(SEALER, b"\xc1" + rest, HERE)
    refused(SEALER, b"\xc1\x03old" + rest, HERE)


def test_after_a_rotation_the_new_key_seals_and_the_old_one_opens() -> None:
    before = SEALER.seal(b"before", HERE)
    rotated = sealer(new=NEW, old=OLD)
    after = rotated.seal(b"after", HERE)
    assert rotated.open(before, HERE) == b"before"
    assert rotated.open(after, HERE) == b"after"
    assert sealer(new=NEW).open(after, HERE) == b"after"
    assert "'new'" in refused(SEALER, after, HERE)


def test_without_its_key_a_seal_says_which_one_is_missing() -> None:
    said = refused(sealer(new=NEW), SEALER.seal(b"before", HERE), HERE)
    assert "sealed with the key 'old', which is not there" in said


def test_another_key_under_the_same_id_opens_nothing() -> None:
    assert "altered or moved" in refused(sealer(old=NEW), SEALER.seal(b"before", HERE), HERE)


def test_a_seal_names_its_own_key_and_no_other() -> None:
    both = sealer(new=OLD, old=OLD)
    sealed = both.seal(b"new", HERE)
    assert sealed[2:5] == b"new"
    refused(both, sealed[:2] + b"old" + sealed[5:], HERE)


def test_a_tenants_destroyed_key_opens_nothing_more_and_others_do() -> None:
    ring = GivenKeys(
        {("acme", "k1"): Key("k1", OLD), ("zeta", "k1"): Key("k1", NEW)}, {"acme": "k1", "zeta": "k1"}
    )
    by = AesGcmSealer(ring)
    there = replace(HERE, tenant_id="zeta")
    ours, theirs = by.seal(b"ours", HERE), by.seal(b"theirs", there)
    assert by.open(ours, HERE) == b"ours"

    del ring.keys["acme", "k1"], ring.newest["acme"]
    assert "is not there" in refused(by, ours, HERE)
    assert by.open(theirs, there) == b"theirs"
    with pytest.raises(SealError):
        by.seal(b"ours", HERE)
    with pytest.raises(SealError):
        by.name(b"ours", ANNA, "trip")


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_a_name_is_equal_for_equal_bytes_of_one_thread(one: bytes, other: bytes) -> None:
    name = SEALER.name(one, ANNA, "trip")
    assert len(name) == 16
    assert sealer().name(one, ANNA, "trip") == name
    assert (SEALER.name(other, ANNA, "trip") == name) == (one == other)


def test_a_name_tells_nothing_across_threads_users_tenants_and_keys() -> None:
    said = b"the flight is on Tuesday"
    names = {
        by.name(said, scope, thread)
        for by in (SEALER, sealer(new=NEW, old=OLD), sealer(other=NEW[::-1]))
        for scope in (ANNA, Scope("acme", "otto"), Scope("zeta", "anna"), Scope("acmea", "nna"))
        for thread in ("trip", "trip2")
    }
    assert len(names) == 3 * 4 * 2


def test_what_was_sealed_by_this_format_opens_for_good() -> None:
    """Made once, apart from the code under test: HKDF by hand, then AES-GCM with a nonce that counts."""
    kept = "c1036f6c64" + "000102030405060708090a0b" + "1bb32fa4075491504cf3a65c62487a2bd69ca73a"
    assert SEALER.open(bytes.fromhex(kept), HERE) == b"kept"
    assert SEALER.name(b"kept", ANNA, "trip").hex() == "fd6f9080e5a6c7f1084baae359e09035"


def test_threads_of_a_process_share_a_sealer() -> None:
    def there_and_back(number: int) -> bool:
        place = replace(HERE, thread_id=f"trip {number % 7}", name=(str(number),))
        data = str(number).encode() * 50
        return SEALER.open(SEALER.seal(data, place), place) == data

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(there_and_back, range(2_000)))


def setting(*keys: tuple[str, bytes]) -> str:
    return ",".join(f"{key_id}:{base64.b64encode(secret).decode()}" for key_id, secret in keys)


def keys_of(text: str | None) -> DerivedKeys | None:
    return derived_keys(Settings(checkpoint_keys=None if text is None else SecretStr(text)))


@given(st.lists(st.binary(min_size=32, max_size=32), min_size=1, max_size=4), st.booleans(), st.booleans())
def test_the_setting_names_keys_newest_first(given_keys: list[bytes], url_safe: bool, padded: bool) -> None:
    encode = base64.urlsafe_b64encode if url_safe else base64.b64encode
    named = {f"2026-{place}": secret for place, secret in enumerate(given_keys)}
    entries = [f"{key_id}:{encode(secret).decode()}" for key_id, secret in named.items()]
    found = keys_of(" , ".join(entry if padded else entry.rstrip("=") for entry in entries))
    assert found is not None
    assert found.current("acme").id == "2026-0"
    for key_id in named:
        assert found.key("acme", key_id) == DerivedKeys(named).key("acme", key_id)
    assert found.key("acme", "2025") is None


@pytest.mark.parametrize("text", [None, "", "  "])
def test_no_keys_no_sealing(text: str | None) -> None:
    assert keys_of(text) is None


def test_the_setting_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMWARDEN_CHECKPOINT_KEYS", setting(("new", NEW), ("old", OLD)))
    found = derived_keys(read_settings())
    assert found is not None
    assert found.current("acme") == DerivedKeys({"new": NEW, "old": OLD}).current("acme")


PRINTED = base64.b64encode(OLD).decode()


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        (PRINTED, 1),
        (f"{PRINTED}:old", 1),
        (f":{PRINTED}", 1),
        (f"{'x' * 33}:{PRINTED}", 1),
        (f"käse:{PRINTED}", 1),
        (f"a\tb:{PRINTED}", 1),
        (f"a:{PRINTED},", 2),
        (f"a:{PRINTED},,b:{PRINTED}", 2),
        (f"a:{PRINTED},b:{PRINTED[:-4]}", 2),
        (f"a:{PRINTED},b:{PRINTED[:-4]}ÄÖÜ=", 2),
        (f"a:{PRINTED},b:{PRINTED[:20]}!{PRINTED[20:]}", 2),
        (f"a:{PRINTED},b:b:{PRINTED}", 2),
        (f"a:{PRINTED},b:{PRINTED},a:{PRINTED}", 3),
        (f"a:{PRINTED}{PRINTED}", 1),
        ("a:", 1),
        ("a", 1),
    ],
)
def test_a_setting_that_names_no_keys_is_refused_and_not_quoted(text: str, entry: int) -> None:
    with pytest.raises(ConfigurationError, match=f"Entry {entry} of MEMWARDEN_CHECKPOINT_KEYS") as caught:
        keys_of(text)
    assert PRINTED[:8] not in "".join(traceback.format_exception_only(caught.value))
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("key_id", "size"), [("", 32), ("x" * 33, 32), ("\n", 32), ("ä", 32), ("old", 31), ("old", 33)]
)
def test_a_key_is_checked(key_id: str, size: int) -> None:
    with pytest.raises(ConfigurationError):
        Key(key_id, OLD[:16] * 2 + b"x" if size > 32 else OLD[:size])


def test_each_tenant_has_keys_of_its_own() -> None:
    ring = DerivedKeys({"new": NEW, "old": OLD})
    found = [ring.key(tenant, key_id) for tenant in ("acme", "zeta") for key_id in ("new", "old")]
    assert len({key.secret for key in found if key} | {NEW, OLD}) == 6


def test_a_ring_without_keys_is_refused() -> None:
    with pytest.raises(ConfigurationError):
        DerivedKeys({})


def test_no_key_is_shown() -> None:
    ring = DerivedKeys({"new": NEW, "old": OLD})
    by = AesGcmSealer(ring)
    sealed = by.seal(b"here", HERE)
    tenants = ring.current("acme")
    settings = Settings(checkpoint_keys=SecretStr(setting(("new", NEW))))
    shown = [repr(it) for it in (ring, by, tenants, vars(ring), vars(by), settings)]
    shown += [str(it) for it in (ring, by, tenants, settings)]
    for place in (replace(HERE, name=("18",)), replace(HERE, user_id="otto")):
        shown.append(refused(by, sealed, place))
    shown.append(refused(sealer(old=OLD), sealed, HERE))
    for secret in (NEW, OLD, tenants.secret):
        forms = (secret.hex(), repr(secret)[2:-1], base64.b64encode(secret).decode())
        assert not [one for one in shown for form in forms if form[:12] in one]


def test_refusals_hold_nothing_of_what_was_there() -> None:
    sealed = SEALER.seal(b"Tuesday", HERE)
    said = [
        refused(SEALER, b"Tuesday", HERE),
        refused(SEALER, b"\xc1\x07Tuesday", HERE),
        refused(SEALER, sealed, replace(HERE, thread_id="Tuesday")),
    ]
    assert not [sentence for sentence in said if "Tuesday" in sentence]
