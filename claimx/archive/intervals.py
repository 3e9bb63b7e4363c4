"""Intervals and tests for rates: how sure a share is, and whether one is higher than another."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, lgamma, sqrt
from typing import Any

#: Two-sided 95 %.
Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """`count` of `of`, with Wilson's 95 % interval. With `of` 0 there is no rate: None, and the interval is (0, 1)."""

    count: int
    of: int

    @property
    def value(self) -> float | None:
        return self.count / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.count, self.of)

    def to_dict(self) -> dict[str, Any]:
        low, high = self.interval
        value = self.value
        return {
            "count": self.count,
            "of": self.of,
            "rate": None if value is None else round(value, 6),
            "low": round(low, 6),
            "high": round(high, 6),
        }


def wilson(count: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's score interval of a share (E. B. Wilson, JASA 22, 1927).

    >>> [round(x, 4) for x in wilson(1, 100)]
    [0.0018, 0.0545]
    """
    if of == 0:
        return 0.0, 1.0
    p = count / of
    centre = p + z * z / (2 * of)
    half = z * sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    low = 0.0 if count == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if count == of else min(1.0, (centre + half) / scale)
    return low, high


def p_higher(count: int, of: int, before: int, of_before: int) -> float:
    """Return Fisher's exact one-sided p: how often chance alone puts `count` or more of all hits into this group.

    >>> round(p_higher(3, 4, 1, 4), 4)  # the lady tasting tea
    0.2429
    """
    hits, total = count + before, of + of_before
    most = min(hits, of)
    if count <= max(0, hits - of_before):
        return 1.0
    whole = _log_choose(total, of)
    p = sum(exp(_log_choose(hits, k) + _log_choose(total - hits, of - k) - whole) for k in range(count, most + 1))
    return min(1.0, p)


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
