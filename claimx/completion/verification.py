"""Postconditions: what a read of the system of record says, and whether the read is fresh enough to say it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
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
    """A read of the system of record. `version` is the record's, `as_of` the time (seconds since 1970) of which the
    source answers, `consistent` that it is the authority itself and not a copy, `source` names it."""

    version: int | None = None
    as_of: float | None = None
    consistent: bool = False
    source: str = ""
    evidence: Any = None


@dataclass(frozen=True, slots=True)
class Check:
    """What a verifier returns: a finding with the reading that shows it. A bool stands for holds or not_yet, None for
    unavailable.

    >>> Check.broken("its note is missing", Reading(version=7)).finding
    <Finding.BROKEN: 'broken'>
    """

    finding: Finding
    reason: str = ""
    reading: Reading | None = None

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
    `consistent` for the authority itself, `after_write` for an answer of a time after the last attempt."""

    newer_by: int | None = None
    consistent: bool = False
    after_write: bool = False


@dataclass(frozen=True, slots=True)
class CheckRecord:
    """A check as it was kept: `after` is the number of receipts that there were when the read began."""

    action_id: str
    step: str
    finding: Finding
    reason: str
    checked_at: float
    after: int
    version: int | None = None
    source: str = ""

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
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "finding": Finding(data["finding"])})


def weigh(check: Check, freshness: Freshness, intent: Intent, receipts: Sequence[AttemptReceipt]) -> Check:
    """Return a check, turned to stale where its reading is not fresh enough for what it says.

    What a contract asks for must be shown, else the read does not count; a read of a time before the last attempt never
    does. That a write did not happen (`absent`) is believed only of the authority itself or of a time after the attempt.
    """
    if check.finding not in DEFINITE:
        return check
    reading = check.reading or Reading()
    last = max((r.finished_at for r in receipts), default=0.0)
    after = reading.as_of is not None and reading.as_of >= last
    if reading.as_of is not None and not after:
        return _stale(check, "it shows a time before the last attempt")
    strong = reading.consistent or after
    if freshness.consistent and not reading.consistent:
        return _stale(check, f"{reading.source or 'the source'} is not the authority itself")
    if freshness.after_write and not after:
        return _stale(check, "it does not say that it shows a time after the last attempt")
    if freshness.newer_by is not None and not (strong and check.finding is not Finding.HOLDS):
        if intent.before is None or reading.version is None:
            return _stale(check, "the versions before the write and now are not both known")
        if reading.version < intent.before + freshness.newer_by:
            return _stale(
                check, f"it shows version {reading.version}, needed is {intent.before + freshness.newer_by} or later"
            )
    if check.finding is Finding.ABSENT and not strong:
        return _stale(check, "that a write did not happen is believed only of a consistent read")
    return check


def _stale(check: Check, why: str) -> Check:
    said = f"{check.finding}: {check.reason}" if check.reason else str(check.finding)
    return Check(Finding.STALE, f"the read does not count ({said}): {why}", check.reading)
