"""Whether a read is fresh and strong enough for what it says."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt
from claimx.completion.verification import DEFINITE, Check, Finding, Reading


@dataclass(frozen=True, slots=True)
class Freshness:
    """What a read must show to count. `newer_by` asks for a version this much above the one before the write,
    `consistent` for the authority itself, `after_write` for an answer of a time after the last attempt. `reading=False`
    lets a verifier say that it holds and show nothing of what it read: a bare True, then, is believed."""

    newer_by: int | None = None
    consistent: bool = False
    after_write: bool = False
    reading: bool = True


#: Seconds by which the clocks of runtime and authority may differ before a time counts as none.
CLOCKS = 300.0


def weigh(
    check: Check, freshness: Freshness, intent: Intent, receipts: Sequence[AttemptReceipt], now: float = math.inf
) -> Check:
    """Return a check, turned to stale where its reading is not fresh enough for what it says, and to unavailable where it
    says that it holds and shows no reading.

    What a contract asks for must be shown, else the read does not count; a read of a time before the last attempt never
    does. That a write did not happen (`absent`) is believed only of the authority itself or of a time after the attempt.
    """
    if check.finding not in DEFINITE:
        return check
    reading = check.reading or Reading()
    as_of = seconds(reading)
    if as_of is not None and not as_of <= now + CLOCKS:
        return _stale(check, f"as_of is {as_of:.0f}, which is yet to come: give seconds since 1970")
    last = max((r.finished_at for r in receipts), default=0.0)
    after = as_of is not None and as_of >= last
    if as_of is not None and not after:
        return _stale(check, "it shows a time before the last attempt")
    strong = reading.consistent or after
    if freshness.consistent and not reading.consistent:
        return _stale(check, f"{reading.source or 'the source'} is not the authority itself")
    if freshness.after_write and not after:
        return _stale(check, "it does not say that it shows a time after the last attempt")
    if freshness.newer_by is not None and not (strong and check.finding is not Finding.HOLDS):
        if intent.before is None or reading.version is None:
            return _stale(check, "the versions before the write and now are not both known")
        if not isinstance(intent.before, int) or not isinstance(reading.version, int):
            return _stale(check, f"version {intent.before!r} or {reading.version!r} is no number that can be compared")
        if reading.version < intent.before + freshness.newer_by:
            return _stale(
                check, f"it shows version {reading.version}, needed is {intent.before + freshness.newer_by} or later"
            )
    if check.finding is Finding.ABSENT and not strong:
        return _stale(check, "that a write did not happen is believed only of a consistent read")
    if check.finding is Finding.HOLDS and freshness.reading and not reading.shows_something:
        return Check(Finding.UNAVAILABLE, _said(check) + _UNSHOWN, check.reading)
    return check


def seconds(reading: Reading) -> float | None:
    """The time of which a reading answers, as seconds since 1970."""
    return reading.as_of.timestamp() if isinstance(reading.as_of, datetime) else reading.as_of


_UNSHOWN = (
    "the verifier shows nothing of what it read: return Check.holds(Reading(version=..., as_of=... or evidence=...)), or "
    "let it count with Freshness(reading=False)"
)


def _stale(check: Check, why: str) -> Check:
    return Check(Finding.STALE, _said(check) + why, check.reading)


def _said(check: Check) -> str:
    said = f"{check.finding}: {check.reason}" if check.reason else str(check.finding)
    return f"the read does not count ({said}): "
