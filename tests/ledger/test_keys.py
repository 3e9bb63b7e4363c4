"""Keys, rings, rotation and the key file."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from claimx.errors import LedgerError
from claimx.ledger import Ed25519Key, HmacKey, Keyring, Ledger, MemoryStore, Signer, Verifier, make_key, verify

#: Test 2 of RFC 8032, section 7.1.
RFC_PRIVATE = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
RFC_PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
RFC_SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_ed25519_signs_as_its_rfc_says() -> None:
    key = Ed25519Key.from_private("k", RFC_PRIVATE)
    assert key.public == RFC_PUBLIC
    assert key.sign(b"\x72") == RFC_SIGNATURE
    assert Ed25519Key("k", RFC_PUBLIC).verify(b"\x72", RFC_SIGNATURE)


@pytest.mark.parametrize("algorithm", ["hmac-sha256", "ed25519"])
def test_a_key_accepts_its_own_signature_and_no_other(algorithm: str) -> None:
    key, other = make_key(algorithm, "a"), make_key(algorithm, "b")
    assert isinstance(key, Signer)
    assert isinstance(key, Verifier)
    signature = key.sign(b"text")
    assert key.verify(b"text", signature)
    assert not key.verify(b"texT", signature)
    assert not other.verify(b"text", signature)
    assert not key.verify(b"text", signature[:-1])
    assert not key.verify(b"text", b"")


def test_secrets_are_not_in_the_repr() -> None:
    for key in (HmacKey("k", b"s3cret-" * 8), Ed25519Key.from_private("k", RFC_PRIVATE)):
        assert "s3cret" not in repr(key)
        assert repr(RFC_PRIVATE) not in repr(key)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: HmacKey("k", b"short"), "has 5 bytes, expected 32"),
        (lambda: make_key("rsa", "k"), "no algorithm 'rsa'"),
        (lambda: Ed25519Key("k", RFC_PUBLIC).sign(b""), "the public half alone"),
        (lambda: Keyring.of(HmacKey.generate("k"), HmacKey.generate("k")), "two keys have the id 'k'"),
        (lambda: Keyring.of(HmacKey.generate("k")).public(), "shared secret"),
        (lambda: Keyring({}).signer, "no key to sign with"),
        (lambda: Keyring.of(Ed25519Key("k", RFC_PUBLIC)).signer, "no key to sign with"),
    ],
)
def test_a_wrong_key_is_refused_with_the_reason(make: object, says: str) -> None:
    with pytest.raises(LedgerError, match=says):
        make()  # type: ignore[operator]


def test_a_ring_reads_back_from_its_file_and_only_its_owner_may_read_that(tmp_path: Path) -> None:
    ring = Keyring.of(HmacKey.generate("old"), Ed25519Key.generate("new"), active="old")
    ring = ring.rotated(Ed25519Key.generate("newest"), datetime(2026, 1, 1, tzinfo=UTC))
    path = tmp_path / "keys.json"
    ring.save(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Keyring.load(path) == ring
    assert ring.active == "newest"
    assert ring.retired == {"old": datetime(2026, 1, 1, tzinfo=UTC)}
    assert list(tmp_path.iterdir()) == [path]


def test_a_key_file_is_never_overwritten_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    Keyring.of(HmacKey.generate("a")).save(path)
    before = path.read_text()
    with pytest.raises(LedgerError, match="exists already"):
        Keyring.of(HmacKey.generate("b")).save(path)
    assert path.read_text() == before


@pytest.mark.parametrize(
    "content",
    [
        "", "[]", "{}", '{"keys": [{"id": "a"}]}', '{"keys": [{"id": "a", "algorithm": "rsa"}]}',
        '{"keys": [{"id": "a", "algorithm": "hmac-sha256", "secret": "?"}]}', '{"keys": [], "active": "a"}',
        '{"keys": [{"id": "a", "algorithm": "hmac-sha256", "secret": "c2hvcnQ="}]}',
    ],
)  # fmt: skip
def test_a_damaged_key_file_is_named(content: str, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content)
    with pytest.raises(LedgerError):
        Keyring.load(path)


def test_halves_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    key, other = Ed25519Key.generate("a"), Ed25519Key.generate("a")
    mixed = {**key.to_dict(), "public": other.to_dict()["public"]}
    path = tmp_path / "keys.json"
    path.write_text(json.dumps({"active": "a", "keys": [mixed]}))
    with pytest.raises(LedgerError, match="do not belong together"):
        Keyring.load(path)


def test_rows_of_a_rotated_key_verify_and_those_written_after_it_was_retired_do_not() -> None:
    old, new = HmacKey.generate("old"), Ed25519Key.generate("new")
    moment = datetime(2026, 6, 1, tzinfo=UTC)
    store, ring = MemoryStore(), Keyring.of(old)
    Ledger(store, conversation="c", signer=ring, clock=lambda: moment).call("a").start()
    rotated = ring.rotated(new, moment + timedelta(hours=1))
    Ledger(store, conversation="c", signer=rotated, clock=lambda: moment + timedelta(hours=2)).call("b").start()
    rows = store.read("c")
    assert [r.body["key"] for r in rows] == ["old", "new"]
    assert verify(rows, rotated).ok
    assert verify(rows, rotated).signed_by == {"old": 1, "new": 1}

    # Whoever has the retired key goes on using it.
    Ledger(store, conversation="c", signer=old, clock=lambda: moment + timedelta(hours=3)).call("c").start()
    fault = verify(store.read("c"), rotated).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("forged", 3)
    assert "retired" in fault.reason


def test_a_retired_key_signs_nothing_behind_newer_rows_whatever_time_it_gives() -> None:
    old, new = HmacKey.generate("old"), Ed25519Key.generate("new")
    moment = datetime(2026, 6, 1, tzinfo=UTC)
    store, rotated = MemoryStore(), Keyring.of(old).rotated(new, moment)
    for signer, hours in ((old, -1), (rotated, 2), (old, -1)):  # the last one gives a time before the key was retired
        Ledger(store, conversation="c", signer=signer, clock=lambda h=hours: moment + timedelta(hours=h)).checkpoint()
    fault = verify(store.read("c"), rotated).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("forged", 3)
    assert "by then key 'old' was retired" in fault.reason


def test_a_writer_whose_clock_runs_a_little_behind_at_a_rotation_is_believed() -> None:
    old, new = HmacKey.generate("old"), Ed25519Key.generate("new")
    moment = datetime(2026, 6, 1, tzinfo=UTC)
    store, rotated = MemoryStore(), Keyring.of(old).rotated(new, moment)
    for signer, seconds in ((rotated, 1), (old, -1), (rotated, 2)):
        Ledger(
            store, conversation="c", signer=signer, clock=lambda s=seconds: moment + timedelta(seconds=s)
        ).checkpoint()
    assert verify(store.read("c"), rotated).ok


def test_the_public_ring_verifies_and_cannot_sign() -> None:
    ring = Keyring.of(Ed25519Key.generate("k"))
    store = MemoryStore()
    Ledger(store, conversation="c", signer=ring).checkpoint()
    public = ring.public()
    assert verify(store.read("c"), public).ok
    with pytest.raises(LedgerError):
        _ = public.signer
