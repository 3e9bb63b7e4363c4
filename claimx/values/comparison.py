"""The outcome of holding one value against another: same, different, or can't tell, always with a reason."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
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


def near_miss(a: str | Decimal, b: str | Decimal) -> str | None:
    """Describe the single slip that turns one text or amount into the other, None when there is no such slip.

    >>> near_miss("SU-88421", "SU-88412"), near_miss("482", "4821"), near_miss("4821", "9999")
    ('one digit transposed', 'one digit missing', None)
    >>> near_miss(Decimal("49.00"), Decimal("4.9"))
    'off by a factor of 10'
    """
    if a == b:
        return None
    if isinstance(a, Decimal) or isinstance(b, Decimal):
        return _factor(a, b) if isinstance(a, Decimal) and isinstance(b, Decimal) else None
    if len(a) == len(b):
        at = [i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
        if len(at) == 1:
            return f"one {_thing(a[at[0]], b[at[0]])} differs"
        if len(at) == 2 and at[1] == at[0] + 1 and a[at[0]] == b[at[1]] and a[at[1]] == b[at[0]]:
            return f"one {_thing(a[at[0]], a[at[1]])} transposed"
        return None
    short, long = sorted((a, b), key=len)
    if len(long) - len(short) == 1:
        i = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
        if short[i:] == long[i + 1 :]:
            return f"one {_thing(long[i])} {'missing' if len(a) < len(b) else 'too many'}"
    return None


def _factor(a: Decimal, b: Decimal) -> str | None:
    if not a or not b:
        return None
    for factor in (10, 100, 1000):
        if a == b * factor or b == a * factor:
            return f"off by a factor of {factor}"
    return None


def _thing(*characters: str) -> str:
    return "digit" if all(c.isdigit() for c in characters) else "character"
