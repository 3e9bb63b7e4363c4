"""Postconditions: what a read of the system of record says, and whether the read is fresh enough to say it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
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
