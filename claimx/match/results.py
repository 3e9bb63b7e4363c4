"""What a result says happened, read off its structure: never off a word somewhere inside a document."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from claimx.match.fields import unwrapped
from claimx.types import CallStatus, CompletionState, LedgerEntry
from claimx.values import Phase, phase_of


class Outcome(StrEnum):
    """What a call came to."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    REJECTED = "rejected"
    RETRYABLE_FAILURE = "retryable_failure"
    PERMANENT_FAILURE = "permanent_failure"
    UNKNOWN = "unknown"
    FOUND = "found"
    NOT_FOUND = "not_found"


FAILURES = frozenset({Outcome.REJECTED, Outcome.RETRYABLE_FAILURE, Outcome.PERMANENT_FAILURE})


@dataclass(frozen=True, slots=True)
class Result:
    """An outcome with the reason and the path that shows it. `state` is the status word found, `exit_code` a command's,
    `partial` the path of what was left over where only some of several things worked, `noop` whether nothing was changed."""

    outcome: Outcome
    reason: str
    path: str
    state: str | None = None
    exit_code: int | None = None
    partial: str = ""
    noop: bool = False

    @property
    def failed(self) -> bool:
        return self.outcome in FAILURES


_RETRYABLE = re.compile(
    r"time[d -]?\s?out|temporar|unavailable|rate limit|too many requests|try again|connection|overloaded|\b(?:429|502|503|504)\b",
    re.I,
)
_REJECTED = re.compile(
    r"doesn['’]t want to proceed|declin|den(?:y|ied)|forbidden|not allowed|unauthori|permission|refused|reject|policy|ineligible|\b40[13]\b",
    re.I,
)
_ERROR_TEXT = re.compile(
    r"^\W{0,3}traceback \(most recent call last\)|^\W{0,3}(?:error|fatal|failed|failure|exception|err|"
    r"(?:[A-Z]\w*)?(?:Error|Exception))\b\s*(?:[:!(\-\[]|\d{3}|$|executing|occurred|while|to\b|in\b)"
    r"|^\W{0,3}(?:HTTP(?:/\d(?:\.\d)?)?\s*)?[45]\d\d\s+(?:[A-Z]|error|not|bad|internal|service)"
    r"|^\W{0,3}(?:(?:the )?(?:operation|request|action|command|tool|call|transaction)\s+(?:has\s+)?(?:failed|was (?:rejected|denied|declined))"
    r"|(?:could not|couldn't|cannot|can't|unable to|failed to)\s+\w+|permission denied|access denied|unauthorized|forbidden|"
    r"the user (?:doesn['’]t want to proceed|(?:has )?(?:rejected|declined|denied|cancelled|aborted|refused) )|(?:tool (?:use|call)|action) (?:was )?rejected|"
    r"(?:smtp |connection |request )?time[d]?[ -]?out\b|<tool_use_error>|command failed)",
    re.I,
)
_EXIT_TEXT = re.compile(
    r"^\W{0,3}(?:\[?exit(?:ed)?(?: with)?(?: code| status)?[: =]+|command (?:exited|failed) with (?:exit )?code )(-?\d{1,3})\b",
    re.I,
)
_EXIT_TAIL = re.compile(
    r"(?:^|\n)\W{0,3}(?:exit(?:ed)?(?: with)? (?:code|status)|exit_code|returncode)[: =]+(-?\d{1,3})\W*$", re.I
)
_ERROR_KEYS = frozenset(
    {
        "error",
        "errors",
        "error_message",
        "errormessage",
        "error_code",
        "errorcode",
        "exception",
        "failure",
        "failure_reason",
        "fault",
    }
)
_FLAG_KEYS = frozenset(
    {"success", "ok", "succeeded", "successful", "completed", "deleted", "changed", "updated", "created", "sent", "saved", "applied",
     "modified", "accepted", "executed", "cancelled", "canceled", "delivered", "removed", "added", "written", "committed", "posted",
     "booked", "found", "processed", "refunded"}
)  # fmt: skip
_COUNT_KEYS = frozenset(
    {"updated", "deleted", "inserted", "affected", "rows_affected", "affected_rows", "rowcount", "row_count", "modified", "changed",
     "modified_count", "deleted_count", "updated_count", "sent", "sent_count", "processed", "processed_count", "created", "imported",
     "removed", "added", "applied", "items_updated", "items_changed", "records_updated", "changes", "files_changed", "replacements",
     "matched", "recipients", "succeeded", "archived", "moved", "cancelled", "rows_updated", "rows_deleted", "rows_inserted"}
)  # fmt: skip
_STATE_KEYS = (
    "status",
    "state",
    "outcome",
    "result_status",
    "payment_status",
    "order_status",
    "delivery_status",
    "result",
)
_CODE_KEYS = frozenset({"status_code", "statuscode", "http_status", "httpstatus", "http_code", "code", "status"})
_EXIT_KEYS = frozenset({"exit_code", "exitcode", "returncode", "return_code", "exit_status"})
_EMPTY = frozenset({"", "none", "null", "false", "0", "n/a", "no", "ok", "[]", "{}"})
_SHORT = 600


def classify_result(entry: LedgerEntry, *, reading: bool = False) -> Result:
    """Read the outcome of a call. `reading` tells that the tool only looks things up, so that emptiness means not found.

    >>> classify_result(LedgerEntry("c1", "send_email", {}, "Error: SMTP timeout")).outcome
    <Outcome.RETRYABLE_FAILURE: 'retryable_failure'>
    >>> classify_result(LedgerEntry("c1", "check", {}, {"errors": 0, "error": None})).outcome
    <Outcome.ACCEPTED: 'accepted'>
    """
    path = f"{entry.id}.result"
    kept = _read_state(entry, reading=reading)
    if kept is not None:
        return kept
    if entry.status is CallStatus.TIMEOUT:
        return Result(Outcome.UNKNOWN, f"{entry.id} timed out", f"{entry.id}.status")
    if entry.status is CallStatus.ERROR:
        text = entry.error or (entry.result if isinstance(entry.result, str) else "")
        detail = f": {_short(text)}" if text else ""
        code = _exit_of(entry.result)
        reason = f"{entry.id} was recorded with status error{detail}"
        return Result(_kind_of(text), reason, f"{entry.id}.status", exit_code=code)
    if not entry.captured:
        return Result(Outcome.ACCEPTED, f"{entry.id} succeeded; its result was not stored", f"{entry.id}.status")
    raw = entry.result
    if isinstance(raw, Mapping) and (raw.get("isError") or raw.get("is_error")):
        text = unwrapped(raw.get("content"))
        text = text if isinstance(text, str) else ""
        return Result(_kind_of(text), f"{path} is marked as an error: {_short(text)}", f"{path}.isError")
    value = unwrapped(raw)
    found = _read(value, path, 0)
    if found is None and entry.status is CallStatus.UNKNOWN and value in (None, "", {}, []):
        return Result(Outcome.UNKNOWN, f"{entry.id} was recorded without a result", f"{entry.id}.status")
    if found is not None:
        if reading and found.outcome is Outcome.PENDING:
            return Result(Outcome.FOUND, f"{entry.id} returned a record", path, state=found.state)
        if reading and found.noop:
            return Result(Outcome.NOT_FOUND, found.reason, found.path, noop=True)
        if reading and found.outcome is Outcome.ACCEPTED:
            return Result(Outcome.FOUND, found.reason, found.path, found.state, found.exit_code)
        return found
    if reading:
        if value in (None, "", [], {}) or _is_empty_search(value):
            return Result(Outcome.NOT_FOUND, f"{path} is empty", path)
        return Result(Outcome.FOUND, f"{entry.id} returned a result", path)
    return Result(Outcome.ACCEPTED, f"{entry.id} succeeded", f"{entry.id}.status")


def _read_state(entry: LedgerEntry, *, reading: bool) -> Result | None:
    """What the kept completion state says before the call's own words; None where they still count."""
    where = f"{entry.id}.state"
    if entry.state is CompletionState.VERIFIED:
        return Result(
            Outcome.FOUND if reading else Outcome.ACCEPTED,
            f"{entry.id} was verified against the system of record",
            where,
        )
    if entry.state is CompletionState.FAILED:
        return Result(
            Outcome.PERMANENT_FAILURE, f"{entry.id} is kept as failed: what it was to bring about does not hold", where
        )
    if entry.state is CompletionState.UNVERIFIED:
        told = classify_result(replace(entry, state=None), reading=reading)
        if told.failed or told.outcome is Outcome.UNKNOWN:
            return Result(Outcome.UNKNOWN, f"{entry.id} is kept as unverified ({told.reason})", where)
    return None


def _is_empty_search(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    lists = [v for v in value.values() if isinstance(v, list)]
    numbers = [v for k, v in value.items() if k in {"total", "count", "total_results"} and not isinstance(v, bool)]
    return (bool(lists) and not any(lists) and not any(numbers)) or (
        bool(numbers) and not any(numbers) and not any(lists)
    )


def _read(value: Any, path: str, depth: int) -> Result | None:
    """Find what structure says about the outcome; None when it says nothing."""
    if isinstance(value, str):
        return _read_text(value, path)
    if not isinstance(value, Mapping) or depth > 3:
        return None
    lowered = {str(k).lower(): (str(k), v) for k, v in value.items()}
    hit = _read_failure(lowered, path)
    if hit:
        return hit
    for key in ("result", "data", "response", "output"):
        if key in lowered and isinstance(lowered[key][1], Mapping | str):
            inner = unwrapped(lowered[key][1])
            found = _read(inner, f"{path}.{lowered[key][0]}", depth + 1) if isinstance(inner, Mapping) else None
            if found is None and isinstance(inner, str) and len(value) <= 3:
                found = _read_text(inner, f"{path}.{lowered[key][0]}")
            if found and found.outcome not in (Outcome.ACCEPTED,):
                return found
    partial = _partial_of(lowered)
    left = f"{path}.{lowered[partial][0]}" if partial else ""
    state = _state_of(lowered)
    if state:
        name, word = state
        phase = phase_of(word)
        if phase is Phase.FAILED:
            return Result(_kind_of(word), f"{path}.{name} is {word!r}", f"{path}.{name}", state=word)
        if phase is Phase.OPEN:
            return Result(Outcome.PENDING, f"{path}.{name} is {word!r}", f"{path}.{name}", state=word, partial=left)
        return Result(Outcome.ACCEPTED, f"{path}.{name} is {word!r}", f"{path}.{name}", state=word, partial=left)
    if partial:
        return Result(Outcome.ACCEPTED, f"{path}.{partial} is not empty", f"{path}.{partial}", partial=left)
    codes = [v for k, (_, v) in lowered.items() if k in _EXIT_KEYS and isinstance(v, int) and not isinstance(v, bool)]
    if codes:
        return Result(Outcome.ACCEPTED, f"{path} has exit code {codes[0]}", path, exit_code=codes[0])
    return None


_LEFT_OVER = ("failed", "failures", "errors", "rejected", "skipped", "remaining", "not_found", "unprocessed", "missing")


_LEFT_OVER_LAST = tuple(f"_{w}" for w in _LEFT_OVER)
_LEFT_OVER_FIRST = tuple(f"{w}_" for w in _LEFT_OVER)


def _partial_of(lowered: Mapping[str, tuple[str, Any]]) -> str | None:
    """The key that counts or lists what a batch did not do, None when nothing was left over."""
    for key, (_, v) in lowered.items():
        if key not in _LEFT_OVER and not key.endswith(_LEFT_OVER_LAST) and not key.startswith(_LEFT_OVER_FIRST):
            continue
        if (isinstance(v, list | dict) and v) or (isinstance(v, int) and not isinstance(v, bool) and v > 0):
            return key
    return None


def _read_failure(lowered: Mapping[str, tuple[str, Any]], path: str) -> Result | None:
    for key, (name, v) in lowered.items():
        where = f"{path}.{name}"
        if key in _EXIT_KEYS and isinstance(v, int) and not isinstance(v, bool) and v != 0:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is {v}", where, exit_code=v)
        if key in _ERROR_KEYS and _is_error_value(v):
            return Result(_kind_of(str(v)), f"{where} is {_short(v)!r}", where)
        if key in _FLAG_KEYS and v is False:
            noop = key in {"changed", "modified", "updated", "found", "exists"}
            text = " ".join(str(x) for _, x in lowered.values() if isinstance(x, str))
            return Result(_kind_of(text), f"{where} is false", where, noop=noop)
        if key in _CODE_KEYS and isinstance(v, int) and not isinstance(v, bool) and 400 <= v <= 599:
            return Result(_kind_of(str(v)), f"{where} is {v}", where)
        if key in {"iserror", "is_error"} and v is True:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is true", where)
    counts = {
        k: v for k, (_, v) in lowered.items() if k in _COUNT_KEYS and isinstance(v, int) and not isinstance(v, bool)
    }
    if counts and not any(counts.values()):
        key = next(iter(counts))
        name = lowered[key][0]
        return Result(Outcome.PERMANENT_FAILURE, f"{path}.{name} is 0", f"{path}.{name}", noop=True)
    none_done = [k for k, (_, v) in lowered.items() if v == [] and (k in _COUNT_KEYS or k in _FLAG_KEYS)]
    left = _partial_of(lowered)
    if none_done and left:
        name = lowered[none_done[0]][0]
        return Result(
            Outcome.PERMANENT_FAILURE, f"{path}.{name} is empty and {left} is not", f"{path}.{name}", noop=True
        )
    empties = {k: v for k, (_, v) in lowered.items() if k in _COUNT_KEYS and isinstance(v, list)}
    if empties and not any(empties.values()):
        name = lowered[next(iter(empties))][0]
        return Result(Outcome.PERMANENT_FAILURE, f"{path}.{name} is empty", f"{path}.{name}", noop=True)
    return None


def _is_error_value(v: Any) -> bool:
    if v is None or v is False or v == 0 or v in ([], {}):
        return False
    if isinstance(v, list):
        return all(isinstance(x, str | Mapping) for x in v)
    if isinstance(v, str):
        return v.strip().lower() not in _EMPTY and not v.lower().startswith("no error")
    return isinstance(v, Mapping | bool | int)


def _state_of(lowered: Mapping[str, tuple[str, Any]]) -> tuple[str, str] | None:
    for key in _STATE_KEYS:
        if key in lowered:
            name, v = lowered[key]
            if isinstance(v, str) and 0 < len(v) <= 60 and phase_of(v) is not None:
                return name, v
    for _, (name, v) in lowered.items():
        if (
            name.lower().endswith(("_status", "status"))
            and isinstance(v, str)
            and len(v) <= 60
            and phase_of(v) is not None
        ):
            return name, v
    return None


def _read_text(text: str, path: str) -> Result | None:
    head = text.strip()[:_SHORT]
    if not head:
        return None
    m = _EXIT_TEXT.match(head) or _EXIT_TAIL.search(text.strip()[-200:])
    if m and int(m.group(1)) != 0:
        return Result(Outcome.PERMANENT_FAILURE, f"{path} says exit code {m.group(1)}", path, exit_code=int(m.group(1)))
    if _ERROR_TEXT.match(head) and not re.match(
        r"\W*(?:errors?|failures?|failed)\b\s*[:=]\s*(?:0|none|null)\b", head, re.I
    ):
        return Result(_kind_of(head), f"{path} says {_short(head)!r}", path)
    if m:
        return Result(Outcome.ACCEPTED, f"{path} says exit code 0", path, exit_code=0)
    return None


def _exit_of(value: Any) -> int | None:
    inner = unwrapped(value)
    if isinstance(inner, Mapping):
        for k, v in inner.items():
            if str(k).lower() in _EXIT_KEYS and isinstance(v, int) and not isinstance(v, bool):
                return v
    if isinstance(inner, str):
        m = _EXIT_TEXT.match(inner.strip()[:_SHORT]) or _EXIT_TAIL.search(inner.strip()[-200:])
        return int(m.group(1)) if m else None
    return None


def _kind_of(text: str) -> Outcome:
    if _REJECTED.search(text[:_SHORT]):
        return Outcome.REJECTED
    if _RETRYABLE.search(text[:_SHORT]):
        return Outcome.RETRYABLE_FAILURE
    return Outcome.PERMANENT_FAILURE


def _short(value: Any, width: int = 90) -> str:
    flat = " ".join(str(value).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"
