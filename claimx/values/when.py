"""Calendar dates and clock times: absolute, partial and relative forms, with what each leaves open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because

_MONTHS = {
    m: i
    for i, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,october oct,"
        "november nov,december dec".split(","),
        1,
    )
    for m in names.split()
}
_DAYS = {
    d: i
    for i, names in enumerate(
        "monday mon,tuesday tues tue,wednesday wed,thursday thurs thur thu,friday fri,saturday sat,sunday sun".split(",")
    )
    for d in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY = "|".join(sorted(_DAYS, key=len, reverse=True))
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})([/.\-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?!\d)")
_MONTH_FIRST = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?!\d)(?:,?\s*(\d{{4}}))?", re.I)
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+({_MONTH})\b\.?(?:,?[\s-]*(\d{{4}}))?", re.I
)
_MONTH_YEAR = re.compile(rf"\b({_MONTH})\b\.?,?\s*(\d{{4}})?", re.I)
_WEEKDAY = re.compile(rf"\b(?:(next|this|last|coming)\s+)?({_DAY})\b", re.I)
_ORDINAL = re.compile(r"(?<![\d:])(\d{1,2})(?:st|nd|rd|th)\b", re.I)
_RELATIVE = re.compile(r"\b(?:in\s+)?(\d+|a|an|one|two|three|four|five|six|seven)\s+(day|week)s?\s*(ago|from now|later)?\b", re.I)
_NEAR = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1}
_CLOCK = re.compile(r"(?<!\d)(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*([ap])\.?\s?m\b\.?|(?<!\d)([01]?\d|2[0-4])[:h](\d{2})(?::(\d{2}))?", re.I)
_ZONE = re.compile(r"(?:(?<=[\s\d])|^)(Z|UTC|GMT|[ECMP][SD]T|[ECMP]T|CEST|CET|BST|IST|JST|[+-]\d{2}:?\d{2})\b")
_OFFSETS = {
    "Z": 0, "UTC": 0, "GMT": 0, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480,
    "PDT": -420, "CET": 60, "CEST": 120, "BST": 60, "IST": 330, "JST": 540,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar date, parts left open as None. `ambiguous` holds the other reading of 05/06/2024."""

    year: int | None
    month: int | None
    day: int | None
    weekday: int | None
    text: str
    ambiguous: tuple[int, int] | None = None
    relative: int | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"year": self.year, "month": self.month, "day": self.day}
        if self.weekday is not None:
            out["weekday"] = self.weekday
        if self.relative is not None:
            out["days_from_now"] = self.relative
        return out


@dataclass(frozen=True, slots=True)
class Time:
    """A clock time in minutes after midnight. `offset` is the zone's minutes from UTC, None when unsaid or unsure;
    `half` when neither am nor pm was said of an hour up to 12."""

    minutes: int
    offset: int | None
    text: str
    half: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"time": f"{self.minutes // 60 % 24:02d}:{self.minutes % 60:02d}", "utc_offset_minutes": self.offset}


def parse_date(raw: object, *, key: str = "", now: datetime | None = None) -> Date | None:
    """Read a date from text, an ISO timestamp, or epoch seconds or milliseconds.

    >>> parse_date("Thursday, 3 December").to_dict()
    {'year': None, 'month': 12, 'day': 3, 'weekday': 3}
    >>> parse_date("tomorrow", now=datetime(2026, 11, 30)).day
    1
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int | float):
        return _from_epoch(raw)
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    found = _absolute(text)
    weekday = _WEEKDAY.search(text)
    day_of_week = _DAYS[weekday.group(2).lower()] if weekday else None
    if found:
        year, month, day, other = found
        return Date(year, month, day, day_of_week, text, other)
    low = text.lower()
    for word, shift in _NEAR.items():
        if re.search(rf"\b{word}\b", low):
            extra = 1 if "day after tomorrow" in low else -1 if "day before yesterday" in low else 0
            return _shifted(shift + extra, text, now)
    m = _RELATIVE.search(low)
    if m and (m.group(3) or low.startswith("in ")):
        words = dict(a=1, an=1, one=1, two=2, three=3, four=4, five=5, six=6, seven=7)
        n = int(m.group(1)) if m.group(1).isdigit() else words[m.group(1)]
        n *= 7 if m.group(2) == "week" else 1
        return _shifted(-n if m.group(3) == "ago" else n, text, now) if n < 40000 else None
    if weekday and day_of_week is not None:
        return Date(None, None, None, day_of_week, text)
    m = _MONTH_YEAR.search(text)
    if m and (m.group(2) or m.group(1).lower() != "may" or text[m.start(1)].isupper()):
        return Date(int(m.group(2)) if m.group(2) else None, _MONTHS[m.group(1).lower()], None, None, text)
    m = _ORDINAL.search(text)
    if m and 1 <= int(m.group(1)) <= 31:
        return Date(None, None, int(m.group(1)), None, text)
    return None


def _absolute(text: str) -> tuple[int | None, int, int, tuple[int, int] | None] | None:
    for pattern in (_ISO, _YEAR_FIRST):
        m = pattern.search(text)
        if m and _is_date(int(m.group(2)), int(m.group(3))):
            return int(m.group(1)), int(m.group(2)), int(m.group(3)), None
    m = _MONTH_FIRST.search(text)
    if m and _is_date(_MONTHS[m.group(1).lower()], int(m.group(2))):
        return int(m.group(3)) if m.group(3) else None, _MONTHS[m.group(1).lower()], int(m.group(2)), None
    m = _DAY_FIRST.search(text)
    if m and _is_date(_MONTHS[m.group(2).lower()], int(m.group(1))):
        return int(m.group(3)) if m.group(3) else None, _MONTHS[m.group(2).lower()], int(m.group(1)), None
    m = _NUMERIC.search(text)
    if m:
        a, b = int(m.group(1)), int(m.group(3))
        year = int(m.group(4)) if m.group(4) else None
        if year is not None and year < 100:
            year += 2000
        if m.group(2) == "." and _is_date(b, a):
            return year, b, a, None
        if _is_date(a, b):
            return year, a, b, (b, a) if _is_date(b, a) and a != b else None
        if _is_date(b, a):
            return year, b, a, None
    return None


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _from_epoch(raw: float) -> Date | None:
    seconds = raw / 1000 if raw > 1e11 else raw
    if not 3e8 < seconds < 4.2e9:
        return None
    d = datetime.fromtimestamp(seconds, UTC)
    return Date(d.year, d.month, d.day, None, str(raw))


def _shifted(days: int, text: str, now: datetime | None) -> Date:
    if now is None:
        return Date(None, None, None, None, text, relative=days)
    try:
        d = now.date() + timedelta(days=days)
    except OverflowError:
        return Date(None, None, None, None, text, relative=days)
    return Date(d.year, d.month, d.day, None, text, relative=days)


def _calendar(d: Date) -> date | None:
    if d.year is None or d.month is None or d.day is None:
        return None
    try:
        return date(d.year, d.month, d.day)
    except ValueError:
        return None


def same_date(claimed: Date, recorded: Date) -> Comparison:
    """Compare dates part by part; a weekday must fit the date that stands beside it or against it.

    >>> same_date(parse_date("Thursday, 3 December"), parse_date("2026-12-04")).reason
    "'Thursday, 3 December' is not 2026-12-04: the day differs"
    """
    shown = _show(recorded)
    for mine, theirs in ((claimed, recorded), (recorded, claimed)):
        day = _calendar(theirs)
        if mine.weekday is not None and day is not None and day.weekday() != mine.weekday:
            same_day = (mine.month, mine.day) == (theirs.month, theirs.day) or mine.day is None
            if same_day:
                return different_because(f"{_show(theirs)} is a {day:%A}, which {mine.text!r} contradicts")
    readings = [(claimed.month, claimed.day)]
    if claimed.ambiguous:
        readings.append(claimed.ambiguous)
    others = [(recorded.month, recorded.day)] + ([recorded.ambiguous] if recorded.ambiguous else [])
    years = {claimed.year, recorded.year} - {None}
    if len(years) == 2:
        return different_because(f"{claimed.text!r} is not {shown}: the year differs")
    decided = False
    for m1, d1 in readings:
        for m2, d2 in others:
            if (m1 is None or m2 is None or m1 == m2) and (d1 is None or d2 is None or d1 == d2):
                decided = decided or (d1 is not None and d2 is not None) or (m1 is not None and m1 == m2)
                if (d1 is not None and d1 == d2) or (m1 is not None and m1 == m2 and (d1 is None or d2 is None)):
                    return same_because(f"{claimed.text!r} is {shown}")
    both = [x for x in ("month", "day") if getattr(claimed, x) is not None and getattr(recorded, x) is not None]
    if both and not decided:
        part = next((x for x in both if getattr(claimed, x) != getattr(recorded, x)), both[0])
        return different_because(f"{claimed.text!r} is not {shown}: the {part} differs")
    if claimed.weekday is not None and (day := _calendar(recorded)) and day.weekday() == claimed.weekday:
        return same_because(f"{shown} is a {day:%A}")
    return unknown_because(f"{claimed.text!r} leaves open whether it is {shown}")


def _show(d: Date) -> str:
    day = _calendar(d)
    return day.isoformat() if day else repr(d.text)


def parse_time(raw: object) -> Time | None:
    """Read a clock time from text or an ISO timestamp.

    >>> parse_time("3:00 PM EST").to_dict()
    {'time': '15:00', 'utc_offset_minutes': -300}
    """
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    low = text.lower()
    if re.fullmatch(r"(?:12\s+)?noon|midday", low):
        return Time(720, None, text)
    if re.fullmatch(r"(?:12\s+)?midnight", low):
        return Time(0, None, text)
    iso = re.search(r"\d{4}-\d{2}-\d{2}[T ](\d{2}):(\d{2})", text)
    m = _CLOCK.search(text)
    if iso:
        minutes, half = int(iso.group(1)) * 60 + int(iso.group(2)), False
    elif m and m.group(4):
        hour = int(m.group(1))
        if not 1 <= hour <= 12 or int(m.group(2) or 0) > 59:
            return None
        minutes = (hour % 12 + (12 if m.group(4).lower() == "p" else 0)) * 60 + int(m.group(2) or 0)
        half = False
    elif m and m.group(5):
        if int(m.group(6)) > 59:
            return None
        minutes = int(m.group(5)) % 24 * 60 + int(m.group(6))
        half = 1 <= int(m.group(5)) <= 12 and not m.group(5).startswith("0")
    else:
        return None
    zone = _ZONE.search(text, m.end() if m and not iso else 10 if iso else 0) or _ZONE.search(text)
    return Time(minutes, _offset(zone.group(1)) if zone else None, text, half)


def _offset(zone: str) -> int | None:
    if zone in _OFFSETS:
        return _OFFSETS[zone]
    if zone[0] in "+-":
        sign = -1 if zone[0] == "-" else 1
        digits = zone[1:].replace(":", "")
        return sign * (int(digits[:2]) * 60 + int(digits[2:]))
    return None


def same_time(claimed: Time, recorded: Time) -> Comparison:
    """Compare clock times, across zones when both name one."""
    a, b = claimed.minutes, recorded.minutes
    if claimed.offset is not None and recorded.offset is not None:
        a, b = a - claimed.offset, b - recorded.offset
    if (a - b) % 1440 == 0:
        return same_because(f"{claimed.text!r} is {recorded.text!r}")
    if (claimed.half or recorded.half) and (a - b) % 720 == 0:
        return same_because(f"{claimed.text!r} is {recorded.text!r}, morning or afternoon unsaid")
    if (claimed.offset is None) != (recorded.offset is None) and (a - b) % 15 == 0:
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} may be in different time zones")
    return different_because(f"{claimed.text!r} is not {recorded.text!r}")
