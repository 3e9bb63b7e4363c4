"""The strict audit: structured claims about calls (this call returned that) against what the ledger recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from claimx.errors import InputError
from claimx.ledger.canonical import canonical, digest_of, plain
from claimx.ledger.filling import filled
from claimx.ledger.row import receipt_id
from claimx.types import CallStatus, LedgerEntry

_NOTHING: Any = object()
_STEP = re.compile(r"\[(\d+)\]|([^.\[]+)")
#: How a call ended whose outcome nobody knows: it may have taken effect and returned what is claimed.
_OPEN = {
    CallStatus.TIMEOUT: "it timed out, so what it did and returned is not known",
    CallStatus.UNKNOWN: "it was cancelled, or its end was never recorded, so what it did and returned is not known",
}


class AuditVerdict(StrEnum):
    """What the ledger says of a structured claim."""

    OK = "OK"
    MISQUOTED = "MISQUOTED"
    FABRICATED = "FABRICATED"
    UNVERIFIED = "UNVERIFIED"  # the call ran; what it returned was not stored, or nobody knows how it ended


@dataclass(frozen=True, slots=True)
class Claimed:
    """What an agent says of a call: the id that it cites, and the result, values, arguments or status that it asserts.

    `call` is the provider's call id or the receipt id. `values` maps paths in the result (`charge.id`, `items[0]`) to
    asserted values. What is not asserted is left out.
    """

    call: str
    conversation: str | None = None
    asserted: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Any, *, line: int | None = None) -> Self:
        """Read a claim from its JSON shape. Raises InputError that names the line, the field and the remedy."""
        where = f"line {line}: " if line else ""
        if not isinstance(data, Mapping):
            raise InputError(f"{where}a claim is an object, not {type(data).__name__}", line=line)
        conversation = data.get("conversation")
        call = data.get("call_id") or data.get("receipt_id")
        number = data.get("call")
        if call is None and data.get("tool") and isinstance(number, int) and conversation:
            call = receipt_id(str(conversation), str(data["tool"]), number)
        if not isinstance(call, str):
            message = "a claim cites a call: add 'call_id', or 'conversation', 'tool' and 'call' (its number)"
            raise InputError(where + message, line=line, field="call_id")
        values = data.get("values", {})
        if not isinstance(values, Mapping):
            message = f"field 'values' is {type(values).__name__}, expected an object of paths and values"
            raise InputError(where + message, line=line, field="values")
        if "key" in data and "value" not in data:
            message = "a claim with 'key' asserts what stands there: add 'value' (null where it is null)"
            raise InputError(where + message, line=line, field="value")
        if "key" in data:
            values = {**values, str(data["key"]): data.get("value")}
        asserted = {k: data[k] for k in ("result", "args", "status") if k in data}
        if not asserted and not values:
            message = "a claim asserts something: add 'result', 'values', 'key' and 'value', 'args' or 'status'"
            raise InputError(where + message, line=line, field="result")
        return cls(call, str(conversation) if conversation else None, asserted, values)


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim with its verdict. `path`, `asserted` and `recorded` show the first disagreement, None when there is none."""

    claim: Claimed
    verdict: AuditVerdict
    reason: str
    path: str | None = None
    asserted: Any = None
    recorded: Any = None

    def to_dict(self) -> dict[str, Any]:
        out = {"call": self.claim.call, "verdict": str(self.verdict), "reason": self.reason}
        if self.claim.conversation is not None:
            out["conversation"] = self.claim.conversation
        if self.path is not None:
            out |= {"path": self.path, "asserted": self.asserted, "recorded": self.recorded}
        return out


def audit(
    claims: Iterable[Claimed],
    ledger: Iterable[LedgerEntry],
    *,
    by_field: bool = False,
    hash_key: bytes | None = None,
) -> list[Finding]:
    """Hold structured claims against the calls of a ledger.

    An asserted result must equal the recorded one in canonical form; with `by_field` every field that it names must,
    and it may leave fields out. Where a result was stored as a digest the digests are compared (`hash_key`: the key
    they were made with). If a provider used one id twice, the call that agrees best is taken.
    """
    calls: dict[str, list[LedgerEntry]] = {}
    for entry in ledger:
        for name in dict.fromkeys([entry.id, str(entry.extra.get("call_id") or entry.id)]):
            calls.setdefault(name, []).append(entry)
    return [_find(c, calls.get(c.call, []), by_field, hash_key) for c in claims]


def _find(claim: Claimed, entries: list[LedgerEntry], by_field: bool, key: bytes | None) -> Finding:
    if not entries:
        return Finding(claim, AuditVerdict.FABRICATED, f"no call {claim.call} was ever executed")
    found = [_hold(claim, e, by_field, key) for e in entries]
    order = [AuditVerdict.OK, AuditVerdict.UNVERIFIED, AuditVerdict.MISQUOTED]
    return min(found, key=lambda f: order.index(f.verdict))


def _hold(claim: Claimed, entry: LedgerEntry, by_field: bool, key: bytes | None) -> Finding:
    open_: list[str] = []
    for path, asserted, recorded in _compared(claim, entry):
        if entry.status in _OPEN and not path.startswith("args") and not _is_recorded(asserted, recorded, path):
            open_.append(_OPEN[entry.status])
            continue
        digest = entry.extra.get(f"{path.split('.')[0]}_digest")
        if digest and path in ("result", "args") and not by_field:
            made = digest_of(asserted, key=key if str(digest).startswith("hmac-") else None)
            if made.split(":")[0] != str(digest).split(":")[0]:
                open_.append(f"{path} is stored as a keyed digest, and the key was not given")
            elif made != digest:
                return _misquoted(claim, path, asserted, f"<{digest}>")
        elif recorded is None and (digest or not entry.captured):
            open_.append(f"{path} was not stored")
        else:
            recorded = filled(asserted, recorded, path, key, open_)
            at = next(_differences(asserted, recorded, path, by_field), None)
            if at is not None and digest and _is_cut(at[0], entry):
                open_.append(f"{at[0]} was not stored whole")
            elif at is not None:
                return _misquoted(claim, *at)
    if open_:
        return Finding(claim, AuditVerdict.UNVERIFIED, f"{entry.id} ran; {open_[0]}")
    return Finding(claim, AuditVerdict.OK, f"{entry.id} ({entry.tool}) recorded the same")


def _is_recorded(asserted: Any, recorded: Any, path: str) -> bool:
    """Whether a call without a known outcome recorded just this: its status, or a part of a result that came before."""
    return recorded is not None and next(_differences(asserted, recorded, path, True), None) is None


def _compared(claim: Claimed, entry: LedgerEntry) -> Iterator[tuple[str, Any, Any]]:
    """Each asserted part with its path and what is recorded there."""
    if "status" in claim.asserted:
        yield "status", claim.asserted["status"], str(entry.status)
    if "args" in claim.asserted:
        yield "args", plain(claim.asserted["args"]), entry.args
    if "result" in claim.asserted:
        yield "result", plain(claim.asserted["result"]), entry.result
    for path, value in claim.values.items():
        stored = entry.result is not None or (entry.captured and "result_digest" not in entry.extra)
        yield f"result.{path}", plain(value), _at(entry.result, path) if stored else None


def _differences(asserted: Any, recorded: Any, path: str, by_field: bool) -> Iterator[tuple[str, Any, Any]]:
    """The places at which an asserted value isn't the recorded one."""
    if by_field and isinstance(asserted, dict | list) and isinstance(recorded, str):
        recorded = _parsed(recorded)
    if recorded is _NOTHING:
        yield path, asserted, _NOTHING
    elif by_field and isinstance(asserted, dict) and isinstance(recorded, Mapping):
        for k, v in asserted.items():
            yield from _differences(v, recorded.get(k, _NOTHING), f"{path}.{k}", by_field)
    elif by_field and isinstance(asserted, list) and isinstance(recorded, list) and len(asserted) == len(recorded):
        for i, (a, r) in enumerate(zip(asserted, recorded, strict=True)):
            yield from _differences(a, r, f"{path}[{i}]", by_field)
    elif canonical(asserted) != canonical(plain(recorded)):
        yield path, asserted, recorded


def _misquoted(claim: Claimed, path: str, asserted: Any, recorded: Any) -> Finding:
    if recorded is _NOTHING:
        reason, recorded = f"{path} is claimed to be {_short(asserted)}, there is no such field", None
    else:
        reason = f"{path} is claimed to be {_short(asserted)}, recorded is {_short(recorded)}"
    return Finding(claim, AuditVerdict.MISQUOTED, reason, path, asserted, recorded)


def _is_cut(path: str, entry: LedgerEntry) -> bool:
    cuts = [*entry.extra.get("result_cut", ()), *entry.extra.get("args_cut", ())]
    return any(path == c or c in ("result", "args") for c in cuts)


def _at(value: Any, path: str) -> Any:
    """Return what stands at a path, _NOTHING when nothing does. A text that holds JSON is looked into."""
    if isinstance(value, str):
        value = _parsed(value)
    if isinstance(value, Mapping) and path in value:
        return value[path]
    for step in _STEP.finditer(path):
        index, name = step[1], step[2]
        if isinstance(value, str):
            value = _parsed(value)
        if index is not None:
            inside = isinstance(value, list) and int(index) < len(value)
            value = value[int(index)] if inside else _NOTHING
        else:
            value = value.get(name, _NOTHING) if isinstance(value, Mapping) else _NOTHING
    return value


def _parsed(text: str) -> Any:
    try:
        return plain(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 120 else f"{text[:117]}..."
