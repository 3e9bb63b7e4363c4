"""Keys that rows are signed with and checked by: HMAC-SHA256 and Ed25519."""

from __future__ import annotations

import base64
import hmac
import secrets
from dataclasses import dataclass, field
from typing import Any, Protocol, Self, runtime_checkable

from claimx.errors import LedgerError, MissingExtraError

#: An HMAC secret shorter than the hash's output weakens it (RFC 2104, section 3).
MIN_SECRET = 32


@runtime_checkable
class Signer(Protocol):
    """Signs rows. `key_id` and `algorithm` are written into every row that it signs."""

    @property
    def key_id(self) -> str: ...

    @property
    def algorithm(self) -> str: ...

    def sign(self, message: bytes) -> bytes: ...


@runtime_checkable
class Verifier(Protocol):
    """Checks the signatures of one key."""

    @property
    def key_id(self) -> str: ...

    @property
    def algorithm(self) -> str: ...

    def verify(self, message: bytes, signature: bytes) -> bool: ...


@dataclass(frozen=True)
class HmacKey:
    """A shared secret: whoever can check a row could have written it."""

    key_id: str
    secret: bytes = field(repr=False)
    algorithm: str = field(default="hmac-sha256", init=False)

    def __post_init__(self) -> None:
        if len(self.secret) < MIN_SECRET:
            raise LedgerError(f"the secret of key {self.key_id!r} has {len(self.secret)} bytes, expected {MIN_SECRET}+")

    @classmethod
    def generate(cls, key_id: str) -> Self:
        return cls(key_id, secrets.token_bytes(MIN_SECRET))

    def sign(self, message: bytes) -> bytes:
        return hmac.digest(self.secret, message, "sha256")

    def verify(self, message: bytes, signature: bytes) -> bool:
        return hmac.compare_digest(self.sign(message), signature)

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.key_id, "algorithm": self.algorithm, "secret": _text(self.secret)}


@dataclass(frozen=True)
class Ed25519Key:
    """A key pair, or its public half alone, which checks and can't sign. Needs the extra `sign`."""

    key_id: str
    public: bytes
    private: bytes | None = field(default=None, repr=False)
    algorithm: str = field(default="ed25519", init=False)

    @classmethod
    def generate(cls, key_id: str) -> Self:
        return cls.from_private(key_id, secrets.token_bytes(32))

    @classmethod
    def from_private(cls, key_id: str, private: bytes) -> Self:
        pair = _ed25519().Ed25519PrivateKey.from_private_bytes(private)
        return cls(key_id, pair.public_key().public_bytes_raw(), private)

    def sign(self, message: bytes) -> bytes:
        if self.private is None:
            raise LedgerError(f"key {self.key_id!r} is the public half alone: signing needs the private key")
        signature: bytes = _ed25519().Ed25519PrivateKey.from_private_bytes(self.private).sign(message)
        return signature

    def verify(self, message: bytes, signature: bytes) -> bool:
        from cryptography.exceptions import InvalidSignature

        try:
            _ed25519().Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def to_dict(self) -> dict[str, Any]:
        out = {"id": self.key_id, "algorithm": self.algorithm, "public": _text(self.public)}
        return out if self.private is None else {**out, "private": _text(self.private)}


Key = HmacKey | Ed25519Key


def make_key(algorithm: str, key_id: str) -> Key:
    """Make a new key of an algorithm (`hmac-sha256` or `ed25519`)."""
    kinds: dict[str, type[HmacKey] | type[Ed25519Key]] = {"hmac-sha256": HmacKey, "ed25519": Ed25519Key}
    if algorithm not in kinds:
        raise LedgerError(f"no algorithm {algorithm!r}: expected one of {', '.join(kinds)}")
    return kinds[algorithm].generate(key_id)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError as e:
        raise MissingExtraError("cryptography", "sign") from e
    return ed25519
