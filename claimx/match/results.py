"""What a result says happened, read off its structure: never off a word somewhere inside a document."""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from claimx.match.denials import read_denial
from claimx.match.failures import is_tally, keys_of, left_over_in, none_done, read_failure, state_in
from claimx.match.fields import is_object, unwrapped
from claimx.match.items import of_items
from claimx.match.meaning import meant
from claimx.match.nouns import fold_noun
from claimx.match.outcomes import FAILURES, Outcome, Result
from claimx.match.wording_of_results import EXIT_KEYS, exit_code_in, kind_of, read_text, short
from claimx.types import CallStatus, CompletionState, LedgerEntry
from claimx.values import Phase, phase_of
from claimx.values.keys import parts_of

__all__ = ["FAILURES", "Outcome", "Result", "classify_result"]


def classify_result(
    entry: LedgerEntry, *, reading: bool = False, verbs: Collection[str] = (), nouns: Collection[str] = ()
) -> Result:
    """Read the outcome of a call. `reading` tells that the tool only looks things up, so that emptiness means not found.
    `verbs` are those of the tool's name: a result in words may deny just them. `nouns` are the things that it
    names: of another thing that a result holds the state tells nothing.

    >>> classify_result(LedgerEntry("c1", "send_email", {}, "Error: SMTP timeout")).outcome
    <Outcome.RETRYABLE_FAILURE: 'retryable_failure'>
    >>> classify_result(LedgerEntry("c1", "check", {}, {"errors": 0, "error": None})).outcome
    <Outcome.ACCEPTED: 'accepted'>
    >>> classify_result(LedgerEntry("c1", "cancel_order", {}, "already shipped: not cancelled"), verbs={"cancel"}).outcome
    <Outcome.PERMANENT_FAILURE: 'permanent_failure'>
    """
    path = f"{entry.id}.result"
    kept = _read_state(entry, reading=reading)
    if kept is not None:
        return kept
    if entry.status is CallStatus.TIMEOUT:
        return Result(Outcome.UNKNOWN, f"{entry.id} timed out", f"{entry.id}.status")
    if entry.status is CallStatus.ERROR:
        text = entry.error or (entry.result if isinstance(entry.result, str) else "")
        detail = f": {short(text)}" if text else ""
        code = exit_code_in(entry.result)
        reason = f"{entry.id} was recorded with status error{detail}"
        return Result(kind_of(text), reason, f"{entry.id}.status", exit_code=code)
    if not entry.captured:
        return Result(Outcome.ACCEPTED, f"{entry.id} succeeded; its result was not stored", f"{entry.id}.status")
    raw = entry.result
    if is_object(raw) and (meant("iserror", raw.get("isError")) or meant("iserror", raw.get("is_error"))):
        text = unwrapped(raw.get("content"))
        text = text if isinstance(text, str) else ""
        return Result(kind_of(text), f"{path} is marked as an error: {short(text)}", f"{path}.isError")
    value = unwrapped(raw)
    read = functools.partial(_read, verbs=frozenset(verbs), nouns=frozenset(nouns))
    found = read(value, path, 0)
    if not reading:
        found = of_items(found, value, path, read)
    if found is None and not reading and verbs:
        found = read_denial(value, verbs, path)
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


#: Fields of a result that are flags, also where they stand beside counts.
_FLAGS = frozenset({"success", "successful", "ok"})


def _is_empty_search(value: Any) -> bool:
    if not is_object(value):
        return False
    lists = [v for v in value.values() if isinstance(v, list)]
    numbers = [v for k, v in value.items() if k in {"total", "count", "total_results"} and not isinstance(v, bool)]
    return (bool(lists) and not any(lists) and not any(numbers)) or (
        bool(numbers) and not any(numbers) and not any(lists)
    )


#: Words of names under which a result holds another thing than its own.
_OTHERS = frozenset("previous last cause parent original old before next error errors".split())
#: Fields in which a result's own outcome may stand.
_INNER = ("result", "data", "response", "output", "payload", "attributes", "responsemetadata")


def _read(
    value: Any, path: str, depth: int, *, verbs: frozenset[str] = frozenset(), nouns: frozenset[str] = frozenset()
) -> Result | None:
    """Find what structure says about the outcome; None when it says nothing."""
    if isinstance(value, str):
        return read_text(value, path)
    if not is_object(value) or depth > 3:
        return None
    read = functools.partial(_read, verbs=verbs, nouns=nouns)
    if len(value) == 1:
        # A record in a wrapping that is called after it: {"order": {"status": "rejected"}}.
        (key, inner), *_ = value.items()
        words = parts_of(str(key))
        if is_object(inner) and _OTHERS.isdisjoint(words) and str(key).lower() not in (*_INNER, "status", "state"):
            found = read(unwrapped(inner), f"{path}.{key}", depth + 1)
            its = not nouns or not nouns.isdisjoint(map(fold_noun, words))
            return found if found is None or its or found.state is None else None
    counts = is_tally(value)
    value = {
        (key := str(k)): v if counts and type(v) is int and key.lower() not in _FLAGS else meant(key.lower(), v)
        for k, v in value.items()
    }
    keys = keys_of(value)
    names = keys.names
    hit = read_failure(value, keys, path, verbs)
    if hit:
        return hit
    # What a gateway wraps stands as text beside its code.
    for key in (*_INNER, "body") if "statuscode" in names else _INNER:
        if key in names and (isinstance(value[names[key]], str) or is_object(value[names[key]])):
            inner = unwrapped(value[names[key]])
            found = read(inner, f"{path}.{names[key]}", depth + 1) if is_object(inner) else None
            if found is None and isinstance(inner, str) and len(value) <= 3:
                found = read_text(inner, f"{path}.{names[key]}")
            if found and found.outcome not in (Outcome.ACCEPTED,):
                return found
    for key in ("status", "state"):
        # A job's status may be an object of its own, which tells only here that the job failed.
        inner = value[names[key]] if key in names else None
        found = read(inner, f"{path}.{names[key]}", depth + 1) if is_object(inner) else None
        if found and found.failed:
            return found
    partial = left_over_in(value, keys)
    left = f"{path}.{names[partial]}" if partial else ""
    empty = none_done(value, keys) if partial else None
    if empty is not None:
        why = f"{path}.{empty} is empty and {partial} is not"
        return Result(Outcome.PERMANENT_FAILURE, why, f"{path}.{empty}", noop=True)
    state = state_in(value, keys)
    if state:
        name, word = state
        phase = phase_of(word)
        if phase is Phase.FAILED:
            return Result(kind_of(word), f"{path}.{name} is {word!r}", f"{path}.{name}", state=word)
        if phase is Phase.OPEN:
            return Result(Outcome.PENDING, f"{path}.{name} is {word!r}", f"{path}.{name}", state=word, partial=left)
        return Result(Outcome.ACCEPTED, f"{path}.{name} is {word!r}", f"{path}.{name}", state=word, partial=left)
    if partial:
        return Result(Outcome.ACCEPTED, f"{path}.{partial} is not empty", f"{path}.{partial}", partial=left)
    codes = [v for k in keys.telling if k in EXIT_KEYS and type(v := value[names[k]]) is int]
    if codes:
        return Result(Outcome.ACCEPTED, f"{path} has exit code {codes[0]}", path, exit_code=codes[0])
    return None
