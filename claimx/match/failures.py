"""What the fields of a result say went wrong, was left over, or is the state of things."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimx.match.outcomes import Outcome, Result
from claimx.match.own_flags import deed_of, is_of_another_deed, waits
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
        "error_result",
        "errorresult",
        "exception",
        "failure",
        "failure_reason",
        "usererrors",
        "user_errors",
        "functionerror",
        "err",
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
_CODE_KEYS = frozenset(
    {"status_code", "statuscode", "http_status", "httpstatus", "httpstatuscode", "http_code", "code", "status"}
)
_EMPTY = frozenset({"", "none", "null", "false", "0", "n/a", "no", "ok", "[]", "{}"})


_MARKS = frozenset({"iserror", "is_error"})
_TELLING = EXIT_KEYS | _ERROR_KEYS | _FLAG_KEYS | _CODE_KEYS | _MARKS | _COUNT_KEYS
_LEFT_OVER = ("failed", "failures", "errors", "rejected", "skipped", "remaining", "not_found", "unprocessed", "missing")
_LEFT_OVER_LAST = tuple(f"_{w}" for w in _LEFT_OVER)
_LEFT_OVER_FIRST = tuple(f"{w}_" for w in _LEFT_OVER)


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """The keys of a result in lower case with their names as written, and which of them may tell what came of the call."""

    names: Mapping[str, str]
    telling: tuple[str, ...]
    left_over: tuple[str, ...]
    states: tuple[str, ...]
    #: Keys of states by the end of their name alone.
    loose_states: tuple[str, ...]


def keys_of(value: Mapping[str, Any]) -> Keys:
    """Read the keys of a result; results of one form are read once."""
    return _keys_of(tuple(value))


@lru_cache(maxsize=4096)
def _keys_of(keys: tuple[str, ...]) -> Keys:
    names = {k.lower(): k for k in keys}
    return Keys(
        names,
        tuple(k for k in names if k in _TELLING),
        tuple(k for k in names if k in _LEFT_OVER or k.endswith(_LEFT_OVER_LAST) or k.startswith(_LEFT_OVER_FIRST)),
        tuple(k for k in _STATE_KEYS if k in names),
        tuple(k for k in names if k.endswith("status")),
    )


def left_over_in(value: Mapping[str, Any], keys: Keys) -> str | None:
    """The key that counts or lists what a batch did not do, None when nothing was left over."""
    for key in keys.left_over:
        v = value[keys.names[key]]
        if v and v is not True and (isinstance(v, list | dict) or (isinstance(v, int) and v > 0)):
            return key
    return None


def none_done(value: Mapping[str, Any], keys: Keys) -> str | None:
    """The list of what was done that is empty beside a list of what was left over, None where something was done."""
    done = [k for k in keys.names if (k.endswith("ed") or k in _DONE) and k not in keys.left_over]
    lists = [k for k in done if isinstance(value[keys.names[k]], list)]
    if not lists or any(value[keys.names[k]] for k in done):
        return None
    return keys.names[lists[0]]


_DONE = frozenset({"success", "successes", "successful", "done", "ok", "sent"})


def read_failure(value: Mapping[str, Any], keys: Keys, path: str, verbs: Collection[str] = ()) -> Result | None:
    """Return the failure that the fields of a result tell of, None where they tell of none. `verbs` are those of the tool's
    name: of other deeds a flag tells only how the thing stands."""
    if not keys.telling:
        return None
    for key in keys.telling:
        name = keys.names[key]
        v = value[name]
        where = f"{path}.{name}"
        if key in EXIT_KEYS and isinstance(v, int) and not isinstance(v, bool) and v != 0:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is {v}", where, exit_code=v)
        if key in _ERROR_KEYS and _is_error_value(v) and not _is_of_a_batch(v, value, keys):
            return Result(kind_of(str(v)), f"{where} is {short(v)!r}", where)
        if key in _FLAG_KEYS and v is False:
            if is_of_another_deed(key, verbs) or (deed_of(key) and waits(value)):
                continue
            noop = key in {"changed", "modified", "updated", "found", "exists"}
            text = " ".join(x for n in keys.names.values() if isinstance(x := value[n], str))
            return Result(kind_of(text), f"{where} is false", where, noop=noop)
        if key in _CODE_KEYS and isinstance(v, int) and not isinstance(v, bool) and 400 <= v <= 599:
            return Result(kind_of(str(v)), f"{where} is {v}", where)
        if key in _MARKS and v is True:
            return Result(Outcome.PERMANENT_FAILURE, f"{where} is true", where)
    told = {k: value[keys.names[k]] for k in keys.telling}
    return _nothing_done(told, keys, left_over_in(value, keys), path)


def is_tally(value: Mapping[str, Any]) -> bool:
    """Whether a result counts what was done, so that the numbers beside it are counts, too: `accepted: 0, sent: 5`."""
    return any(type(v) is int and v > 1 and str(k).lower() in _COUNT_KEYS for k, v in value.items())


def _nothing_done(told: Mapping[str, Any], keys: Keys, left: str | None, path: str) -> Result | None:
    """Counts of none and empty lists of what was done."""
    counts = {k: v for k, v in told.items() if k in _COUNT_KEYS and isinstance(v, int) and not isinstance(v, bool)}
    lists = {k: v for k, v in told.items() if isinstance(v, list) and (k in _COUNT_KEYS or k in _FLAG_KEYS)}
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
    where = f"{path}.{keys.names[key]}"
    return Result(Outcome.PERMANENT_FAILURE, f"{where} {why}", where, noop=True)


_MADE = frozenset(
    "results records created succeeded success successes successful updated inserted imported processed".split()
)


def _is_of_a_batch(v: Any, value: Mapping[str, Any], keys: Keys) -> bool:
    """Whether a list of errors tells of some things of a batch, beside a list or a count of those that were done."""
    if not isinstance(v, list):
        return False
    done = [k for k in keys.telling if k in _COUNT_KEYS] + [k for k in _MADE if k in keys.names]
    return any(isinstance(x, list) or (type(x) is int and x > 0) for k in done if (x := value[keys.names[k]]))


def _is_error_value(v: Any) -> bool:
    if v is None or v is False or v == 0 or v in ([], {}):
        return False
    if isinstance(v, list):
        return all(isinstance(x, str | Mapping) for x in v)
    if isinstance(v, str):
        return v.strip().lower() not in _EMPTY and not v.lower().startswith("no error")
    return isinstance(v, Mapping | bool | int)


def state_in(value: Mapping[str, Any], keys: Keys) -> tuple[str, str] | None:
    """Return the name and the word of the field that tells the state of things, None where none does."""
    for key in (*keys.states, *keys.loose_states):
        name = keys.names[key]
        v = value[name]
        if isinstance(v, str) and 0 < len(v) <= 60 and phase_of(v) is not None:
            return name, v
    return None
