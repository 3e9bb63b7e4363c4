"""Lengths of time: text, ISO 8601, clocked or bare numbers whose name gives the unit, all in seconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.keys import described, words_of
from claimx.values.numbers import Number, decimal_of, is_roughly, numbers_in

_UNITS = {
    "millisecond": "0.001", "milli": "0.001", "ms": "0.001", "msec": "0.001", "second": 1, "sec": 1, "s": 1,
    "minute": 60, "min": 60,
    "m": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400, "d": 86400, "night": 86400, "week": 604800,
    "wk": 604800, "w": 604800,
    "fortnight": 1209600, "month": 2629800, "mo": 2629800, "quarter": 7889400, "year": 31557600,
    "yr": 31557600, "y": 31557600,
    "decade": 315576000,
}  # fmt: skip
_SECONDS = {unit: Decimal(str(size)) for unit, size in _UNITS.items()}
_UNIT = re.compile(
    rf"[\s-]*(?:of\s+)?(?P<kind>business|working|calendar|full)?[\s-]*"
    rf"(?P<unit>{'|'.join(sorted(_UNITS, key=len, reverse=True))})(?:s|\(s\))?(?![A-Za-z])",
    re.I,
)
_LAST_WORD = re.compile(r"\b([a-z]+)$", re.I)
_WHOLE_UNIT = re.compile(r"^(?:(?:the|each|per|next|full|whole)\s+){0,2}[a-z]+$", re.I)
_AND_A_HALF = re.compile(r"\b(?:an?|one)\s+([a-z]+)\s+and\s+a\s+half\b", re.I)
_HALF_A = re.compile(r"(?<!and a )\bhalf[\s-](?:an?\s)?(?=[a-z])", re.I)
_ONE = re.compile(
    r"\ban?\s+(?=(?:full\s|whole\s|business\s|working\s)?(?:second|minute|hour|day|night|week|fortnight|month|quarter|year|decade)s?\b)",
    re.I,
)
_GLUED = re.compile(r"(?<=\d)(?=[a-z])", re.I)
_SCALED = re.compile(r"(\d[\d.,]*)[ ]?(mm?|b)", re.I)
_SECONDS_OF_SCALE = {"m": Decimal(10**6), "mm": Decimal(10**6), "b": Decimal(10**9)}
_CLOCKED = re.compile(r"^(\d{1,4}):(\d{2})(?::(\d{2})(?:\.\d+)?)?$")
_ISO = re.compile(
    r"^P(?:(?P<y>\d+)Y)?(?:(?P<mo>\d+)M)?(?:(?P<w>\d+)W)?(?:(?P<d>\d+)D)?(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?$"
)
_RANGE = re.compile(r"\s*(?:-|–|—|to|or|and)\s*", re.I)
_VAGUE = re.compile(r"\b(?:few|several|some)\b", re.I)
_SCHEMA_UNIT = re.compile(
    r"\b(?:in|of|as|\()\s*\(?(milliseconds|seconds|minutes|hours|days|weeks|months|years|ms)\b|^(seconds|minutes|hours|days|ms)$"
)


@dataclass(frozen=True, slots=True)
class Duration:
    """A length of time in seconds, a range with equal ends when one is said. `step` is the unit said (0 when exact)."""

    low: Decimal
    high: Decimal
    text: str
    business: bool = False
    step: Decimal = Decimal(0)
    vague: bool = False

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"seconds": f"{self.low.normalize():f}"}
        if self.high != self.low:
            out["to_seconds"] = f"{self.high.normalize():f}"
        if self.business:
            out["business"] = True
        return out


def parse_duration(raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None) -> Duration | None:
    """Read a length of time from text, ISO 8601, a record, or a number whose key or schema names the unit.

    >>> parse_duration("90 minutes").low == parse_duration(5400, key="timeout_s").low
    True
    >>> parse_duration("3-5 business days").to_dict(), parse_duration("an hour and a half").to_dict()
    ({'seconds': '259200', 'to_seconds': '432000', 'business': True}, {'seconds': '5400'})
    """
    if isinstance(raw, Mapping):
        return _parse_record(raw)
    unit = _unit_of(key, schema)
    if not isinstance(raw, str):
        number = decimal_of(raw)
        return Duration(number * unit, number * unit, str(raw)) if unit is not None and number is not None else None
    text = raw.strip()[:120]
    m = _ISO.match(text)
    if m and any(m.groups()):
        total = sum((Decimal(v) * _SECONDS[k] for k, v in m.groupdict().items() if v), Decimal(0))
        return Duration(total, total, text)
    m = _CLOCKED.match(text)
    if m:
        first, second, third = Decimal(m.group(1)), Decimal(m.group(2)), m.group(3)
        hours = third is not None or not {"minutes", "mins", "seconds"} & set(words_of(key))
        total = (first * 60 + second) * 60 + Decimal(third or 0) if hours else first * 60 + second
        return Duration(total, total, text)
    return _parse_text(text) or _bare(text, unit)


def _parse_text(text: str) -> Duration | None:
    source = _AND_A_HALF.sub(r"1.5 \1", text)
    source = _GLUED.sub(" ", _ONE.sub("1 ", _HALF_A.sub("0.5 ", source)))
    low = high = step = Decimal(0)
    found = business = False
    pending: _Amount | None = None
    for n in numbers_in(source):
        amount = _unscaled(source, n)
        m = _UNIT.match(source, amount.end)
        if m is None:
            pending = amount
            continue
        ranged = pending is not None and _RANGE.fullmatch(source, pending.end, amount.start)
        scale = _SECONDS[m.group("unit").lower()]
        low += (pending.value if pending is not None and ranged else amount.value) * scale
        high += amount.value * scale
        step = min(step, amount.step * scale) if found else amount.step * scale
        business |= (m.group("kind") or "").lower() in {"business", "working"}
        found, pending = True, None
    if found and low >= 0:
        couple = "couple" in text.lower()
        return Duration(
            min(low, high), max(low, high) * (Decimal("1.5") if couple else 1), text, business, step, couple
        )
    return _bare_unit(text)


def _bare_unit(text: str) -> Duration | None:
    """`an hour` and `overnight`-like texts without a number, and `a few minutes`, which is two to ten of them."""
    m = _LAST_WORD.search(text)
    scale = _SECONDS.get(m.group(1).lower().removesuffix("s")) if m and len(m.group(1)) > 2 else None
    if scale is None:
        return None
    if _VAGUE.search(text):
        return Duration(scale * 2, scale * 10, text, vague=True)
    return Duration(scale, scale, text, step=scale) if _WHOLE_UNIT.match(text) else None


@dataclass(frozen=True, slots=True)
class _Amount:
    value: Decimal
    step: Decimal
    start: int
    end: int


def _unscaled(text: str, n: Number) -> _Amount:
    """Take back a scale that is a unit here: `5 m` is five minutes, not five million."""
    m = _SCALED.match(text, n.start)
    if m and m.end() == n.end:
        size = _SECONDS_OF_SCALE[m.group(2).lower()]
        return _Amount(n.value / size, n.step / size, n.start, m.end(1))
    return _Amount(n.value, n.step, n.start, n.end)


def _bare(text: str, unit: Decimal | None) -> Duration | None:
    number = decimal_of(text) if unit is not None and re.fullmatch(r"\s*\d+(?:\.\d+)?\s*", text) else None
    return Duration(number * unit, number * unit, text) if number is not None and unit is not None else None


def _parse_record(raw: Mapping[Any, Any]) -> Duration | None:
    unit = raw.get("unit") or raw.get("units")
    value = next((decimal_of(raw[k]) for k in ("value", "amount", "length", "duration") if k in raw), None)
    if (
        isinstance(unit, str)
        and value is not None
        and (scale := _SECONDS.get(unit.lower().removesuffix("s"))) is not None
    ):
        return Duration(value * scale, value * scale, f"{value} {unit}")
    parts = [(decimal_of(v), _SECONDS.get(str(k).lower().removesuffix("s"))) for k, v in list(raw.items())[:20]]
    total = sum((v * s for v, s in parts if v is not None and s is not None), Decimal(0))
    return Duration(total, total, str(dict(raw))[:120]) if parts and all(s is not None for _, s in parts) else None


def _unit_of(key: str, schema: Mapping[str, Any] | None) -> Decimal | None:
    for word in reversed(words_of(key)):
        unit = _SECONDS.get(word) or _SECONDS.get(word.removesuffix("s"))
        if unit is not None and word not in {"m", "d", "w", "y", "mo"}:
            return unit
    m = _SCHEMA_UNIT.search(described(schema))
    return _SECONDS[(m.group(1) or m.group(2)).removesuffix("s") if "ms" not in m.groups() else "ms"] if m else None


def same_duration(claimed: Duration, recorded: Duration) -> Comparison:
    """Compare lengths of time; what lies inside the claimed range agrees, rounding to the unit said is allowed.

    >>> same_duration(parse_duration("2 hours"), parse_duration(7150, key="elapsed_s")).reason
    "'7150' is '2 hours', rounded"
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    equal = (claimed.low, claimed.high) == (recorded.low, recorded.high)
    if equal:
        if claimed.business != recorded.business:
            return unknown_because(f"{mine} and {theirs} may count different days")
        return same_because(f"{mine} is {theirs}")
    if claimed.low <= recorded.low and recorded.high <= claimed.high:
        return same_because(f"{theirs} lies within {mine}")
    if claimed.vague or recorded.vague:
        return unknown_because(f"{mine} is vague beside {theirs}")
    if recorded.low <= claimed.low and claimed.high <= recorded.high:
        return unknown_because(f"{mine} lies within {theirs}")
    if claimed.low == claimed.high and recorded.low == recorded.high and claimed.low:
        off = abs(claimed.low - recorded.low)
        # Months and years have no fixed length, and nobody says "2 hours" to the second.
        if off <= claimed.low * Decimal("0.02") or (off <= claimed.step / 2 and off <= claimed.low * Decimal("0.05")):
            return same_because(f"{theirs} is {mine}, rounded")
        if is_roughly(claimed.text, claimed.low, recorded.low):
            return same_because(f"{theirs} is {mine}")
        if off <= claimed.step / 2 and off <= claimed.low / 10:
            return unknown_because(f"{mine} may be {theirs}, coarsely rounded")
    return different_because(f"{mine} is not {theirs}")
