"""Postconditions: what a read of the system of record says, and whether the read is fresh enough to say it."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Self

from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt


class Finding(StrEnum):
    """What a read found.

    `not_yet` leaves open whether the state will still come; `broken` says that the postcondition is definitely false;
    `absent` that the write itself did not happen, which alone makes a second write safe. `stale` and `unavailable`
    say nothing about the state.
    """

    HOLDS = "holds"
    NOT_YET = "not_yet"
    BROKEN = "broken"
    ABSENT = "absent"
    STALE = "stale"
    UNAVAILABLE = "unavailable"


DEFINITE = frozenset({Finding.HOLDS, Finding.BROKEN, Finding.ABSENT})


@dataclass(frozen=True, slots=True)
class Reading:
    """A read of the system of record. `version` is the record's, `as_of` the time (seconds since 1970, or a datetime with its zone) of which the
    source answers, `evidence` the values that were read (JSON), `consistent` that it is the authority itself and not a
    copy, `source` names it. What is verified rests on a version, a time or evidence."""

    version: int | None = None
    as_of: float | datetime | None = None
    consistent: bool = False
    source: str = ""
    evidence: Any = None

    def __post_init__(self) -> None:
        if isinstance(self.as_of, datetime):
            if self.as_of.tzinfo is None:
                raise ValueError(f"as_of is {self.as_of!r}, which says no time zone: give one, or seconds since 1970")
            object.__setattr__(self, "as_of", self.as_of.timestamp())
        elif self.as_of is not None and (isinstance(self.as_of, bool) or not isinstance(self.as_of, int | float)):
            raise TypeError(f"as_of is {self.as_of!r:.80}, expected seconds since 1970, or a datetime with its zone")
        if not isinstance(self.consistent, bool):
            raise TypeError(f"consistent is {self.consistent!r:.80}, expected True or False")

    @property
    def shows_something(self) -> bool:
        """Whether it shows what was read, and not only who was asked."""
        return self.version is not None or self.as_of is not None or self.evidence is not None


@dataclass(frozen=True, slots=True)
class Check:
    """What a verifier returns: a finding with the reading that shows it.

    False stands for not_yet, None for unavailable. True alone shows no reading: it counts only where the contract says
    so (`Freshness(reading=False)`), and is unavailable elsewhere.

    >>> Check.broken("its note is missing", Reading(version=7)).finding
    <Finding.BROKEN: 'broken'>
    """

    finding: Finding
    reason: str = ""
    reading: Reading | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "finding", Finding(self.finding))  # ValueError names what is none
        object.__setattr__(self, "reason", "" if self.reason is None else str(self.reason))
        if not isinstance(self.reading, Reading | None):
            raise TypeError(f"a check's reading is a Reading, not {type(self.reading).__name__}: Reading(version=...)")

    @classmethod
    def holds(cls, reading: Reading | None = None, reason: str = "") -> Self:
        return cls(Finding.HOLDS, reason, reading)

    @classmethod
    def not_yet(cls, reason: str = "", reading: Reading | None = None) -> Self:
        return cls(Finding.NOT_YET, reason, reading)

    @classmethod
    def broken(cls, reason: str, reading: Reading | None = None) -> Self:
        return cls(Finding.BROKEN, reason, reading)

    @classmethod
    def absent(cls, reason: str, reading: Reading) -> Self:
        return cls(Finding.ABSENT, reason, reading)

    @classmethod
    def from_any(cls, given: Any) -> Self:
        """Read what a verifier returned. Raises TypeError for anything else."""
        if isinstance(given, cls):
            return given
        if given is None:
            return cls(Finding.UNAVAILABLE, "the verifier could not tell")
        if isinstance(given, bool):
            return cls(Finding.HOLDS if given else Finding.NOT_YET)
        raise TypeError(f"a verifier returns a Check, a bool or None, not {type(given).__name__}")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a verifier is asked about: an action, or one step of it that must be cleared up before another write."""

    intent: Intent
    step: str
    receipts: tuple[AttemptReceipt, ...]

    @property
    def target(self) -> Mapping[str, Any]:
        return self.intent.target

    @property
    def idempotency_key(self) -> str:
        return self.intent.key_of(self.step)

    @property
    def operation_ids(self) -> tuple[str, ...]:
        """The provider's names for what the attempts began."""
        return tuple(r.outcome.operation_id for r in self.receipts if r.outcome.operation_id)

    @property
    def before(self) -> int | None:
        """The version that was observed before the first write."""
        return self.intent.before


#: Reads the authority; may be asynchronous.
Verifier = Callable[[Subject], Check | bool | Awaitable[Check | bool | None] | None]


@dataclass(frozen=True, slots=True)
class Freshness:
    """What a read must show to count. `newer_by` asks for a version this much above the one before the write,
    `consistent` for the authority itself, `after_write` for an answer of a time after the last attempt. `reading=False`
    lets a verifier say that it holds and show nothing of what it read: a bare True, then, is believed."""

    newer_by: int | None = None
    consistent: bool = False
    after_write: bool = False
    reading: bool = True


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A check as it was kept: `after` is the number of receipts that there were when the read began; `version`, `source`,
    `as_of`, `consistent` and `evidence` are the reading's (see `Reading`), long evidence as its digest."""

    action_id: str
    step: str
    finding: Finding
    reason: str
    checked_at: float
    after: int
    version: int | None = None
    source: str = ""
    as_of: float | None = None
    consistent: bool = False
    evidence: Any = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "step": self.step,
            "finding": str(self.finding),
            "reason": self.reason,
            "checked_at": self.checked_at,
            "after": self.after,
            "version": self.version,
            "source": self.source,
            "as_of": self.as_of,
            "consistent": self.consistent,
            "evidence": self.evidence,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "finding": Finding(data["finding"])})


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
