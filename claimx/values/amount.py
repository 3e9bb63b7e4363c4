"""Durations, counts and percentages: numbers with a unit that says what they count."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.numbers import decimal_of, parse_number, rounds_to

_SECONDS = {
    "millisecond": Decimal("0.001"), "ms": Decimal("0.001"), "msec": Decimal("0.001"), "second": Decimal(1), "sec": Decimal(1),
    "s": Decimal(1), "minute": Decimal(60), "min": Decimal(60), "mins": Decimal(60), "m": Decimal(60), "hour": Decimal(3600),
    "hr": Decimal(3600), "h": Decimal(3600), "day": Decimal(86400), "d": Decimal(86400), "night": Decimal(86400),
    "week": Decimal(604800), "w": Decimal(604800), "fortnight": Decimal(1209600), "month": Decimal(2629800),
    "quarter": Decimal(7889400), "year": Decimal(31557600), "yr": Decimal(31557600), "decade": Decimal(315576000),
}  # fmt: skip
_UNIT = "|".join(sorted(_SECONDS, key=len, reverse=True))
_PART = re.compile(
    rf"(?P<low>\d+(?:[.,]\d+)?|[a-z]+(?:[- ][a-z]+)?)?\s*(?:(?:-|–|—|to|or)\s*(?P<high>\d+(?:[.,]\d+)?|[a-z]+))?"
    rf"[\s-]*(?P<kind>business|working|calendar|full)?[\s-]*(?P<unit>{_UNIT})(?:s|\(s\))?\b",
    re.I,
)
_CLOCKED = re.compile(r"^(\d{1,3}):(\d{2})(?::(\d{2}))?$")
_ISO = re.compile(r"^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$")
_KEY_UNITS = (
    (re.compile(r"(?:^|_)(?:ms|millis|milliseconds|msec)(?:_|$)", re.I), Decimal("0.001")),
    (re.compile(r"(?:^|_)(?:s|sec|secs|seconds)(?:_|$)", re.I), Decimal(1)),
    (re.compile(r"(?:^|_)(?:min|mins|minutes)(?:_|$)", re.I), Decimal(60)),
    (re.compile(r"(?:^|_)(?:h|hr|hrs|hours)(?:_|$)", re.I), Decimal(3600)),
    (re.compile(r"(?:^|_)(?:days|day|nights|nights_count)(?:_|$)", re.I), Decimal(86400)),
    (re.compile(r"(?:^|_)(?:weeks|week)(?:_|$)", re.I), Decimal(604800)),
    (re.compile(r"(?:^|_)(?:months|month)(?:_|$)", re.I), Decimal(2629800)),
    (re.compile(r"(?:^|_)(?:years|year)(?:_|$)", re.I), Decimal(31557600)),
)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in seconds, as a range with equal ends when one is said. `business` counts working days."""

    low: Decimal
    high: Decimal
    text: str
    business: bool = False

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"seconds": str(self.low)}
        if self.high != self.low:
            out["to_seconds"] = str(self.high)
        if self.business:
            out["business"] = True
        return out


@dataclass(frozen=True, slots=True)
class Count:
    """How many; `text` is what was read."""

    number: Decimal
    text: str

    def to_dict(self) -> dict[str, Any]:
        whole = self.number == self.number.to_integral_value()
        return {"number": int(self.number) if whole else float(self.number)}


@dataclass(frozen=True, slots=True)
class Percent:
    """A percentage, in percent; `unsure` when a bare number may be a fraction or a percentage."""

    percent: Decimal
    text: str
    unsure: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"percent": str(self.percent)}


def parse_duration(raw: object, *, key: str = "") -> Duration | None:
    """Read a length of time from text, ISO 8601, or a number whose key names the unit.

    >>> parse_duration("90 minutes").low == parse_duration(5400, key="timeout_s").low
    True
    >>> parse_duration("3-5 business days").to_dict()
    {'seconds': '259200', 'to_seconds': '432000', 'business': True}
    """
    if isinstance(raw, bool) or raw is None:
        return None
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)
    unit = next((u for p, u in _KEY_UNITS if p.search(snake)), None)
    if isinstance(raw, int | float):
        number = decimal_of(raw)
        return Duration(number * unit, number * unit, str(raw)) if unit is not None and number is not None else None
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    m = _ISO.match(text)
    if m and any(m.groups()):
        d, h, mi, s = (Decimal(g or 0) for g in m.groups())
        total = d * 86400 + h * 3600 + mi * 60 + s
        return Duration(total, total, text)
    m = _CLOCKED.match(text)
    if m:
        parts = [Decimal(g) for g in m.groups() if g]
        total = sum((p * 60 ** (len(parts) - 1 - i) for i, p in enumerate(parts)), Decimal(0))
        total *= 60 if len(parts) == 2 and "hour" in snake else 1
        return Duration(total, total, text)
    low = high = Decimal(0)
    found = business = False
    for m in _PART.finditer(text):
        a = parse_number(m.group("low")) if m.group("low") else None
        b = parse_number(m.group("high")) if m.group("high") else None
        if a is None and b is None:
            a = Decimal(1)
        scale = _SECONDS[m.group("unit").lower()]
        first = a if a is not None else b
        last = b if b is not None else a
        if first is None or last is None:
            continue
        low += first * scale
        high += last * scale
        found = True
        business |= (m.group("kind") or "").lower() in {"business", "working"}
    if found:
        return Duration(low, high, text, business)
    number = parse_number(text) if unit is not None else None
    return Duration(number * unit, number * unit, text) if number is not None and unit is not None else None


def same_duration(claimed: Duration, recorded: Duration) -> Comparison:
    """Compare lengths of time; one point inside the other's range agrees, rounding to the unit said is allowed."""
    if claimed.business != recorded.business and (claimed.low, claimed.high) == (recorded.low, recorded.high):
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} count different days")
    if (claimed.low, claimed.high) == (recorded.low, recorded.high):
        return same_because(f"{claimed.text!r} is {recorded.text!r}")
    if claimed.low <= recorded.low and recorded.high <= claimed.high:
        return same_because(f"{recorded.text!r} lies within {claimed.text!r}")
    if claimed.low == claimed.high and recorded.low == recorded.high and claimed.low:
        off = abs(claimed.low - recorded.low)
        # "about two hours" for 7,150 s: within the unit's own coarseness.
        if off / claimed.low <= Decimal("0.02"):
            return same_because(f"{recorded.text!r} is {claimed.text!r}, rounded")
    return different_because(f"{claimed.text!r} is not {recorded.text!r}")


def parse_count(raw: object) -> Count | None:
    """Read how many from digits, words, a number, or the length of a list or object.

    >>> parse_count("both").number, parse_count("all six").number, parse_count(["a", "b"]).number
    (Decimal('2'), Decimal('6'), Decimal('2'))
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, str):
        number = parse_number(raw)
        return Count(number, raw.strip()[:200]) if number is not None else None
    if isinstance(raw, list | tuple | set | Mapping) and isinstance(raw, Sized):
        return Count(Decimal(len(raw)), f"{len(raw)} items")
    number = decimal_of(raw)
    return Count(number, str(raw)) if number is not None else None


def same_count(claimed: Count, recorded: Count) -> Comparison:
    """Compare numbers of things: whole numbers must be equal, decimals may be rounded."""
    a, b = claimed.number, recorded.number
    if a == b:
        return same_because(f"both are {claimed.text}")
    if a != a.to_integral_value() and rounds_to(b, a):
        return same_because(f"{recorded.text} rounds to {claimed.text}")
    if b != b.to_integral_value() and abs(a - b) <= Decimal("0.5"):
        return same_because(f"{recorded.text} rounds to {claimed.text}")
    if re.search(r"\d\s?[kKmM]\b|\b(?:about|around|roughly|over|nearly|~)", claimed.text) and b and abs(a - b) / b <= Decimal("0.05"):
        return same_because(f"{recorded.text} is about {claimed.text}")
    return different_because(f"{claimed.text} is not {recorded.text}")


def parse_percent(raw: object, *, key: str = "") -> Percent | None:
    """Read a percentage: `15%`, `15 percent`, `half`, or a bare number whose key tells a share from a percentage.

    >>> parse_percent("15%").percent, parse_percent(0.15).percent, parse_percent(15, key="discount_percent").percent
    (Decimal('15'), Decimal('15.00'), Decimal('15'))
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, str):
        number = parse_number(raw)
        if number is None:
            return Percent(Decimal(50), raw) if raw.strip().lower() == "half" else None
        if re.search(r"%|per\s?cent|percent|pct", raw, re.I):
            return Percent(number, raw.strip())
        raw_number = number
    else:
        found = decimal_of(raw)
        if found is None:
            return None
        raw_number = found
    if re.search(r"percent|pct|percentage", key, re.I):
        return Percent(raw_number, str(raw))
    if re.search(r"fraction|ratio|share|rate", key, re.I) and abs(raw_number) <= 1:
        return Percent(raw_number * 100, str(raw))
    if abs(raw_number) < 1:
        return Percent(raw_number * 100, str(raw), unsure=True)
    return Percent(raw_number, str(raw), unsure=True)


def same_percent(claimed: Percent, recorded: Percent) -> Comparison:
    """Compare percentages; a rounded one agrees with its source."""
    a, b = abs(claimed.percent), abs(recorded.percent)
    if a == b or rounds_to(b, a):
        return same_because(f"{claimed.text!r} is {recorded.text!r}")
    if recorded.unsure and a in (b * 100, b / 100):
        return same_because(f"{recorded.text!r} is {claimed.text!r} as a fraction")
    return different_because(f"{claimed.text!r} is not {recorded.text!r}")
