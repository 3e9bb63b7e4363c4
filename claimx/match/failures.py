"""What the fields of a result say went wrong, was left over, or is the state of things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.match.outcomes import Outcome, Result
from claimx.match.wording_of_results import EXIT_KEYS, kind_of, short
from claimx.values import phase_of

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
_EMPTY = frozenset({"", "none", "null", "false", "0", "n/a", "no", "ok", "[]", "{}"})


_MARKS = frozenset({"iserror", "is_error"})
_TELLING = EXIT_KEYS | _ERROR_KEYS | _FLAG_KEYS | _CODE_KEYS | _MARKS | _COUNT_KEYS
_LEFT_OVER = ("failed", "failures", "errors", "rejected", "skipped", "remaining", "not_found", "unprocessed", "missing")
_LEFT_OVER_LAST = tuple(f"_{w}" for w in _LEFT_OVER)
_LEFT_OVER_FIRST = tuple(f"{w}_" for w in _LEFT_OVER)


def left_over_in(lowered: Mapping[str, tuple[str, Any]]) -> str | None:
    """The key that counts or lists what a batch did not do, None when nothing was left over."""
    for key, (_, v) in lowered.items():
        if type(v) is str or not v or v is True or not (isinstance(v, list | dict) or (isinstance(v, int) and v > 0)):
            continue
        if key in _LEFT_OVER or key.endswith(_LEFT_OVER_LAST) or key.startswith(_LEFT_OVER_FIRST):
            return key
    return None


def read_failure(lowered: Mapping[str, tuple[str, Any]], path: str) -> Result | None:
    """Return the failure that the fields of a result tell of, None where they tell of none. Keys are given in lower case."""
    telling = [k for k in lowered if k in _TELLING]
    for key in telling:
        name, v = lowered[key]
        where = f"{path}.{name}"
        if key in EXIT_KEYS and isinstance(v, int) and not isinstance(v, bool) and v != 0:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is {v}", where, exit_code=v)
        if key in _ERROR_KEYS and _is_error_value(v):
            return Result(kind_of(str(v)), f"{where} is {short(v)!r}", where)
        if key in _FLAG_KEYS and v is False:
            noop = key in {"changed", "modified", "updated", "found", "exists"}
            text = " ".join(str(x) for _, x in lowered.values() if isinstance(x, str))
            return Result(kind_of(text), f"{where} is false", where, noop=noop)
        if key in _CODE_KEYS and isinstance(v, int) and not isinstance(v, bool) and 400 <= v <= 599:
            return Result(kind_of(str(v)), f"{where} is {v}", where)
        if key in _MARKS and v is True:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is true", where)
    return _nothing_done({k: lowered[k] for k in telling}, left_over_in(lowered), path) if telling else None


def _nothing_done(told: Mapping[str, tuple[str, Any]], left: str | None, path: str) -> Result | None:
    """Counts of none and empty lists of what was done."""
    counts = {k: v for k, (_, v) in told.items() if k in _COUNT_KEYS and isinstance(v, int) and not isinstance(v, bool)}
    lists = {k: v for k, (_, v) in told.items() if isinstance(v, list) and (k in _COUNT_KEYS or k in _FLAG_KEYS)}
    empty = next((k for k, v in lists.items() if not v), None)
    if counts and not any(counts.values()):
        key, why = next(iter(counts)), "is 0"
    elif empty is not None and left:
        key, why = empty, f"is empty and {left} is not"
    elif (
        empty is not None
        and not any(v for k, v in lists.items() if k in _COUNT_KEYS)
        and any(k in _COUNT_KEYS for k in lists)
    ):
        key, why = next(k for k in lists if k in _COUNT_KEYS), "is empty"
    else:
        return None
    where = f"{path}.{told[key][0]}"
    return Result(Outcome.PERMANENT_FAILURE, f"{where} {why}", where, noop=True)


def _is_error_value(v: Any) -> bool:
    if v is None or v is False or v == 0 or v in ([], {}):
        return False
    if isinstance(v, list):
        return all(isinstance(x, str | Mapping) for x in v)
    if isinstance(v, str):
        return v.strip().lower() not in _EMPTY and not v.lower().startswith("no error")
    return isinstance(v, Mapping | bool | int)


def state_in(lowered: Mapping[str, tuple[str, Any]]) -> tuple[str, str] | None:
    """Return the name and the word of the field that tells the state of things, None where none does."""
    for key in _STATE_KEYS:
        if key in lowered:
            name, v = lowered[key]
            if isinstance(v, str) and 0 < len(v) <= 60 and phase_of(v) is not None:
                return name, v
    for key, (name, v) in lowered.items():
        if key.endswith("status") and isinstance(v, str) and len(v) <= 60 and phase_of(v) is not None:
            return name, v
    return None
