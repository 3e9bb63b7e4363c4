"""Which keys hold: ids, the one that signs, rotation, and the key file."""

from __future__ import annotations

import base64
import json
import os
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from claimx.errors import LedgerError
from claimx.ledger.keys import Ed25519Key, HmacKey, Key, Signer, Verifier


@dataclass(frozen=True)
class Keyring:
    """The keys of a deployment: one signs, all check. A retired key checks only rows from before it was retired.

    `active` is the id of the signing key, None for a ring that only checks; `retired` maps key ids to the moment of
    their retirement.
    """

    keys: Mapping[str, Verifier]
    active: str | None = None
    retired: Mapping[str, datetime] = field(default_factory=dict)

    @classmethod
    def of(cls, *keys: Verifier, active: str | None = None) -> Self:
        """Make a ring; the last key signs unless `active` names another or it can't."""
        return cls(_by_id(keys), active or (keys[-1].key_id if keys and _can_sign(keys[-1]) else None))

    @property
    def signer(self) -> Signer:
        """The key that signs now. Raises LedgerError when the ring has none."""
        key = self.keys.get(self.active or "")
        if not isinstance(key, Signer) or not _can_sign(key):
            raise LedgerError(f"the ring has no key to sign with (active: {self.active!r})")
        return key

    def rotated(self, key: Verifier, now: datetime | None = None) -> Keyring:
        """Return the ring with a new signing key; the one that signed so far is retired as of `now`."""
        retired = dict(self.retired) | ({self.active: now or datetime.now(UTC)} if self.active else {})
        return Keyring(_by_id([*self.keys.values(), key]), key.key_id, retired)

    def public(self) -> Keyring:
        """Return the ring to hand to those who check: public halves only. Raises LedgerError if a key has none."""
        shared = [k for k, v in self.keys.items() if not isinstance(v, Ed25519Key)]
        if shared:
            raise LedgerError(f"key {shared[0]!r} is a shared secret and has no public half: use ed25519")
        halves = {k: Ed25519Key(k, v.public) for k, v in self.keys.items() if isinstance(v, Ed25519Key)}
        return Keyring(halves, None, self.retired)

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Write the ring to a file that only its owner may read."""
        rows = []
        for key in self.keys.values():
            if not isinstance(key, HmacKey | Ed25519Key):
                raise LedgerError(f"key {key.key_id!r} is a {type(key).__name__}, which has no file form")
            until = self.retired.get(key.key_id)
            rows.append(key.to_dict() | ({"retired": until.isoformat()} if until else {}))
        text = json.dumps({"active": self.active, "keys": rows}, indent=2) + "\n"
        target = Path(path)
        if target.exists() and not replace:
            raise LedgerError(f"{path}: exists already; keys are never overwritten by new ones")
        part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a ring from its file. Raises LedgerError that names the file and what is wrong in it."""
        try:
            data = json.loads(Path(path).read_text(encoding="utf-8"))
            keys = [_key_of(k) for k in data["keys"]]
            retired = {k["id"]: _moment(k["retired"]) for k in data["keys"] if k.get("retired")}
            active = data.get("active")
        except OSError as e:
            raise LedgerError(f"{path}: cannot be read ({e.strerror})") from e
        except (ValueError, KeyError, TypeError, AttributeError) as e:
            raise LedgerError(f"{path}: not a key file ({e!r}): make one with `claimx ledger keygen`") from e
        if active is not None and active not in {k.key_id for k in keys}:
            raise LedgerError(f"{path}: 'active' is {active!r}, which is none of its keys")
        return cls(_by_id(keys), active, retired)


def _by_id(keys: Iterable[Verifier]) -> dict[str, Verifier]:
    out: dict[str, Verifier] = {}
    for key in keys:
        if key.key_id in out:
            raise LedgerError(f"two keys have the id {key.key_id!r}")
        out[key.key_id] = key
    return out


def _can_sign(key: object) -> bool:
    return isinstance(key, Signer) and not (isinstance(key, Ed25519Key) and key.private is None)


def _key_of(data: Mapping[str, Any]) -> Key:
    match data["algorithm"]:
        case "hmac-sha256":
            return HmacKey(str(data["id"]), _bytes(data["secret"]))
        case "ed25519" if "private" in data:
            key = Ed25519Key.from_private(str(data["id"]), _bytes(data["private"]))
            if "public" in data and _bytes(data["public"]) != key.public:
                raise ValueError(f"the halves of key {key.key_id!r} do not belong together")
            return key
        case "ed25519":
            return Ed25519Key(str(data["id"]), _bytes(data["public"]))
        case other:
            raise ValueError(f"no algorithm {other!r}")


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
