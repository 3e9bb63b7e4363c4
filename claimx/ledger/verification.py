"""Whether a chain of rows is what was written: everything is derived anew, and the first fault is named."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.canonical import digest_of
from claimx.ledger.keyring import Keyring
from claimx.ledger.row import VERSION, Kind, Row, receipt_id, signed_message

#: By how much the clocks of two writers may differ.
_CLOCKS = timedelta(minutes=5)


class FaultKind(StrEnum):
    """What was done to a row."""

    ALTERED = "altered"
    DROPPED = "dropped"
    SWAPPED = "swapped"
    FORGED = "forged"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing wrong with a chain: which row (its number, and the id it bears) and what is wrong with it."""

    kind: FaultKind
    seq: int
    id: str
    reason: str

    def to_dict(self) -> dict[str, Any]:
        return {"kind": str(self.kind), "seq": self.seq, "id": self.id, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome of verifying one conversation. `head` is the digest of its last row, to be kept elsewhere."""

    conversation: str
    rows: int
    calls: int
    head: str | None
    signed_by: Mapping[str, int] = field(default_factory=dict)
    checked_signatures: bool = False
    unfinished: tuple[str, ...] = ()
    fault: Fault | None = None

    @property
    def ok(self) -> bool:
        return self.fault is None

    def to_dict(self) -> dict[str, Any]:
        return {
            "conversation": self.conversation,
            "ok": self.ok,
            "rows": self.rows,
            "calls": self.calls,
            "head": self.head,
            "signed_by": dict(self.signed_by),
            "checked_signatures": self.checked_signatures,
            "unfinished": list(self.unfinished),
            "fault": self.fault.to_dict() if self.fault else None,
        }


def verify(
    rows: Sequence[Row],
    keys: Keyring | None = None,
    *,
    conversation: str | None = None,
    head: str | None = None,
    complete: bool = False,
) -> Verification:
    """Verify the rows of a conversation, given in the order in which they are stored.

    Without `keys` the digests and links alone are checked: that finds slips, not someone who can write the store.
    What no chain can show by itself is that its end was cut off: `head` is a digest noted earlier that must be in it,
    `complete` asks that it ends with a checkpoint.
    """
    name = conversation if conversation is not None else (rows[0].conversation if rows else "")
    chain = _Chain(rows, keys, name)
    fault = next((f for i in range(len(rows)) if (f := chain.fault_at(i)) is not None), None)
    signed: dict[str, int] = {}
    for row in rows:
        if row.signature is not None:
            signed[str(row.body.get("key"))] = signed.get(str(row.body.get("key")), 0) + 1
    end = len(rows) + 1
    if fault is None and head is not None and head not in {r.digest for r in rows}:
        fault = Fault(FaultKind.DROPPED, end, f"{name}#{end}", f"the row with digest {head} is not in the chain")
    if fault is None and complete and (not rows or rows[-1].kind != Kind.CHECKPOINT):
        fault = Fault(FaultKind.DROPPED, end, f"{name}#{end}", "the chain does not end with a checkpoint")
    return Verification(
        conversation=name,
        rows=len(rows),
        calls=sum(r.kind == Kind.STARTED for r in rows),
        head=rows[-1].digest if rows else None,
        signed_by=signed,
        checked_signatures=keys is not None,
        unfinished=tuple(chain.open),
        fault=fault,
    )


class _Chain:
    """Walks the rows of one conversation; `open` holds the calls that have started and not finished."""

    def __init__(self, rows: Sequence[Row], keys: Keyring | None, name: str) -> None:
        self.rows = rows
        self.keys = keys
        self.name = name
        self.open: dict[str, Mapping[str, Any]] = {}
        self.calls = 0
        self.latest: datetime | None = None

    def fault_at(self, i: int) -> Fault | None:
        """Return what is wrong with the row at a place, given that all before it are right."""
        row, number = self.rows[i], i + 1
        if row.damage is not None:
            return Fault(FaultKind.DAMAGED, number, f"{self.name}#{number}", row.damage)
        try:
            digest = digest_of(dict(row.body))
        except LedgerError as e:
            return self._fault_here(FaultKind.ALTERED, row, number, str(e))
        if digest != row.digest:
            reason = f"its content has digest {digest}, it bears {row.digest}"
            return self._fault_here(FaultKind.ALTERED, row, number, reason)
        forged = self._signature_fault(row)
        if forged is not None:
            return self._fault_here(FaultKind.FORGED, row, number, forged)
        fault = self._place_fault(row, number) or self._link_fault(row, i) or self._sense_fault(row)
        at = _moment(row.body.get("at"))
        if fault is None and at is not None and (self.latest is None or at > self.latest):
            self.latest = at
        return fault

    def _signature_fault(self, row: Row) -> str | None:
        if self.keys is None:
            return None
        id, algorithm = row.body.get("key"), row.body.get("algorithm")
        if row.signature is None or not isinstance(id, str):
            return "it is not signed"
        key = self.keys.keys.get(id)
        if key is None:
            return f"it is signed with key {id!r}, which is none of the ring's"
        if key.algorithm != algorithm:
            return f"it says it is signed by {algorithm!r}, key {id!r} is of {key.algorithm!r}"
        try:
            signature = base64.b64decode(row.signature, validate=True)
        except ValueError:
            return "its signature is not base64"
        if not key.verify(signed_message(row.digest), signature):
            return f"its signature is not that of key {id!r}"
        until = self.keys.retired.get(id)
        if until is not None and not _before(row.body.get("at"), until):
            return f"it is of {row.body.get('at')}, key {id!r} was retired at {until.isoformat()}"
        if until is not None and self.latest is not None and self.latest > until + _CLOCKS:
            return (
                f"it says it is of {row.body.get('at')}, and follows rows of {self.latest.isoformat()}: by then key {id!r} was retired "
                f"({until.isoformat()})"
            )
        return None

    def _place_fault(self, row: Row, number: int) -> Fault | None:
        if row.conversation != self.name:
            return self._fault(FaultKind.SWAPPED, row, f"it belongs to conversation {row.conversation!r}")
        if row.seq == number:
            return None
        if row.seq < number:
            return self._fault(FaultKind.SWAPPED, row, f"it stands at place {number} and once more before")
        if any(r.seq == number and r.conversation == self.name for r in self.rows[number:]):
            return self._fault(FaultKind.SWAPPED, row, f"it stands at place {number}, where row {number} belongs")
        reason = f"row {number} is missing: row {row.seq} follows row {number - 1}"
        return Fault(FaultKind.DROPPED, number, f"{self.name}#{number}", reason)

    def _link_fault(self, row: Row, i: int) -> Fault | None:
        before = self.rows[i - 1] if i else None
        expected = before.digest if before else None
        if row.body.get("previous") == expected:
            return None
        said = f"row {row.seq} follows a row with digest {row.body.get('previous')}, not {expected}"
        return self._fault(FaultKind.ALTERED, before or row, said)

    def _sense_fault(self, row: Row) -> Fault | None:
        """What a recorder never writes."""
        body = row.body
        if body.get("v") != VERSION or body.get("kind") not in list(Kind):
            return self._fault(FaultKind.FORGED, row, f"no such row is known: v={body.get('v')}, kind={row.kind!r}")
        if row.kind == Kind.STARTED:
            self.calls += 1
            if body.get("id") != receipt_id(self.name, str(body.get("tool")), self.calls):
                return self._fault(FaultKind.FORGED, row, f"call {self.calls} of {body.get('tool')} bears another id")
            self.open[row.id] = body
        if row.kind == Kind.FINISHED:
            start = self.open.pop(row.id, None)
            if start is None:
                return self._fault(FaultKind.FORGED, row, f"call {row.id} had not started or has finished before")
            if (start.get("tool"), start.get("call")) != (body.get("tool"), body.get("call")):
                return self._fault(FaultKind.FORGED, row, f"it names another tool or call than {row.id} started with")
        if row.calls != self.calls:
            return self._fault(FaultKind.FORGED, row, f"it counts {row.calls} calls, there are {self.calls}")
        return None

    def _fault_here(self, kind: FaultKind, row: Row, number: int, reason: str) -> Fault:
        """A fault of a row whose own number can't be believed: it is named by its place."""
        return Fault(kind, number, str(row.body.get("id") or f"{self.name}#{number}"), reason)

    def _fault(self, kind: FaultKind, row: Row, reason: str) -> Fault:
        return Fault(kind, row.seq, row.id, reason)


def _before(at: object, until: datetime) -> bool:
    moment = _moment(at)
    return moment is not None and moment <= until


def _moment(at: object) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(at))
    except ValueError:
        return None
    return moment if moment.tzinfo else None
