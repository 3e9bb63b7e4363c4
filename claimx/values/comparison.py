"""The outcome of holding one value against another: same, different, or can't tell, always with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What a comparison found."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Comparison:
    """An outcome and one clause that says why."""

    outcome: Outcome
    reason: str

    @property
    def is_same(self) -> bool:
        return self.outcome is Outcome.SAME

    @property
    def is_different(self) -> bool:
        return self.outcome is Outcome.DIFFERENT


def same_because(reason: str) -> Comparison:
    """Make a comparison that holds."""
    return Comparison(Outcome.SAME, reason)


def different_because(reason: str) -> Comparison:
    """Make a comparison that fails."""
    return Comparison(Outcome.DIFFERENT, reason)


def unknown_because(reason: str) -> Comparison:
    """Make a comparison that cannot be decided."""
    return Comparison(Outcome.UNKNOWN, reason)


def near_miss(a: str, b: str) -> str | None:
    """Describe the single slip that turns one text into the other, None when there is no such slip.

    >>> near_miss("SU-88421", "SU-88412"), near_miss("4821", "482"), near_miss("4821", "9999")
    ('two neighbouring characters are swapped', 'one character is too many', None)
    """
    if a == b:
        return None
    if len(a) == len(b):
        at = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
        if len(at) == 1:
            return "one character differs"
        if len(at) == 2 and at[1] == at[0] + 1 and a[at[0]] == b[at[1]] and a[at[1]] == b[at[0]]:
            return "two neighbouring characters are swapped"
        return None
    short, long, what = (a, b, "missing") if len(a) < len(b) else (b, a, "too many")
    if len(long) - len(short) == 1:
        for i in range(len(long)):
            if long[:i] + long[i + 1 :] == short:
                return "one character is missing" if what == "missing" else "one character is too many"
    return None
