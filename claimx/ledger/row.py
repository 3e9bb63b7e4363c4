"""A row of the ledger: one recorded event, its digest, its link to the row before and its signature.

A call makes two rows, one before the tool runs and one after; so a process that dies in between leaves a call whose
outcome is unknown, never one that seems not to have happened.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from claimx.errors import LedgerError
from claimx.ledger.canonical import canonical, digest_of
from claimx.ledger.keys import Signer

VERSION = 1
#: What a signature says besides the digest, so that it can't stand for anything else signed with the key.
_PURPOSE = b"claimx ledger row v1\n"


class Kind(StrEnum):
    """What a row records."""

    STARTED = "started"
    FINISHED = "finished"
    MESSAGE = "message"
    CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class Row:
    """A sealed event. `body` is what happened; `damage` says why a stored row can't be read, None when it can."""

    body: Mapping[str, Any] = field(default_factory=dict)
    digest: str = ""
    signature: str | None = None
    damage: str | None = None

    @property
    def seq(self) -> int:
        """Number of the row in its conversation, from 1."""
        return _whole(self.body.get("seq"))

    @property
    def calls(self) -> int:
        """How many calls had started in the conversation, this row included."""
        return _whole(self.body.get("calls"))

    @property
    def kind(self) -> str:
        return str(self.body.get("kind"))

    @property
    def conversation(self) -> str:
        return str(self.body.get("conversation"))

    @property
    def id(self) -> str:
        """The receipt id of the call that the row belongs to, else the number of the row."""
        return str(self.body.get("id") or f"{self.conversation}#{self.seq}")

    def to_dict(self) -> dict[str, Any]:
        return {"body": dict(self.body), "digest": self.digest, "signature": self.signature}

    def to_json(self) -> str:
        return canonical(self.to_dict()).decode()

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Read a row. Never raises: what is no row comes back with its damage."""
        if not isinstance(data, Mapping):
            return cls(damage=f"a row is an object, not {type(data).__name__}")
        body, digest, signature = data.get("body"), data.get("digest"), data.get("signature")
        if not isinstance(body, Mapping):
            return cls(damage="the row has no 'body'")
        if not isinstance(digest, str) or not isinstance(signature, str | None):
            return cls(body=body, damage="'digest' and 'signature' of the row are not text")
        if extra := sorted(set(data) - {"body", "digest", "signature"}):
            return cls(body, digest, signature, damage=f"the row has fields of no known meaning: {', '.join(extra)}")
        return cls(body, digest, signature)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        try:
            return cls.from_dict(json.loads(text))
        except (ValueError, RecursionError) as e:
            return cls(damage=f"not JSON ({e})")


def seal(
    last: Row | None, *, kind: Kind, conversation: str, at: str, fields: Mapping[str, Any], signer: Signer | None
) -> Row:
    """Make the row that follows `last` (None: the first one). Raises LedgerError when `last` can't be read."""
    if last is not None and (last.damage is not None or last.seq < 1):
        raise LedgerError(
            f"the last row of conversation {conversation!r} cannot be read ({last.damage or 'it has no number'}): "
            "see `claimx ledger verify`"
        )
    seq, calls = (last.seq + 1, last.calls) if last is not None else (1, 0)
    body: dict[str, Any] = {
        "v": VERSION,
        "kind": str(kind),
        "conversation": conversation,
        "seq": seq,
        "previous": last.digest if last is not None else None,
        "at": at,
        **fields,
    }
    if kind is Kind.STARTED:
        calls += 1
        body |= {"call": calls, "id": receipt_id(conversation, str(fields["tool"]), calls)}
    body["calls"] = calls
    if signer is None:
        return Row(body, digest_of(body))
    body |= {"key": signer.key_id, "algorithm": signer.algorithm}
    digest = digest_of(body)
    return Row(body, digest, base64.b64encode(signer.sign(signed_message(digest))).decode())


def signed_message(digest: str) -> bytes:
    """Return the bytes that a row's signature is made over."""
    return _PURPOSE + digest.encode()


def receipt_id(conversation: str, tool: str, call: int) -> str:
    """Return the id of a call, made of its conversation, tool and number in that conversation.

    >>> receipt_id("conv_8841", "chargeCard", 1)
    'conv_8841_chargeCard_1'
    """
    return f"{conversation}_{tool}_{call}"


def _whole(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
