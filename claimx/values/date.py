"""Calendar dates: absolute, partial and relative forms, with what each leaves open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from claimx.values.calendar_words import MONTH, MONTHS, WEEKDAY, WEEKDAYS, zone_in
from claimx.values.keys import words_of
from claimx.values.relative_date import relative_days, relative_span

_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)")
_COMPACT = re.compile(r"^((?:19|2[01])\d{2})(\d{2})(\d{2})(?:T\d{4,6}Z?)?$")
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.])(\d{1,2})([/.\-])(\d{1,2})(?:\2(\d{4}|\d{2}))?(?![\d/])")
_MONTH_FIRST = re.compile(
    rf"\b(?P<m>{MONTH})\b\.?\s+(?:the\s+)?(?P<d>\d{{1,2}})(?!\d|:\d)(?:st|nd|rd|th)?"
    rf"(?:\s*(?:-|–|—|to|through|and)\s*(?:(?P<m2>{MONTH})\b\.?\s+)?(?P<d2>\d{{1,2}})(?!\d|:)(?:st|nd|rd|th)?)?(?:\s*,?\s*(?P<y>\d{{4}})(?!\d))?",
    re.I,
)
_DAY_FIRST = re.compile(
    rf"(?<![\d:])(?:(?P<d0>\d{{1,2}})(?:st|nd|rd|th)?\s*(?:-|–|—|to|through|and)\s*)?(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?[\s-]+"
    rf"(?P<m>{MONTH})\b\.?(?:,?[\s-]*(?P<y>\d{{4}})(?!\d))?",
    re.I,
)
_MONTH_YEAR = re.compile(rf"\b(?P<m>{MONTH})\b\.?,?\s*(?:of\s+)?(?P<y>\d{{4}})?(?!\d)", re.I)
_YEAR = re.compile(r"^(?:in\s+)?((?:19|20)\d{2})$")
_WEEKDAY = re.compile(rf"\b({WEEKDAY})s?\b", re.I)
_ORDINAL = re.compile(r"(?<![\d:])(\d{1,2})(?:st|nd|rd|th)\b", re.I)
#: Months as English, German, French and Spanish begin them: without one, dateparser has nothing to find.
_FOREIGN_MONTH = re.compile(
    r"(?<![^\W\d_])(?:jan|feb|f[eé]v|ene|m[aä]r|abr|avr|mai|may|jun|jul|jui|ago|ao[uû]|aug|sep|okt|oct|nov|de[zc]|d[eé]c|dic)",
    re.I,
)
_STAMPED = re.compile(r"\d{4}-\d{1,2}-\d{1,2}[T ](\d{2}):(\d{2})")
_RECORD_KEYS = ("date", "dateTime", "datetime", "iso", "value", "timestamp", "start")


@dataclass(frozen=True, slots=True)
class Date:
    """A calendar date, parts left open as None.

    `ambiguous` holds the other (month, day) of 05/06/2024, `until` the last day of a range, `days` the distance
    from an unknown now, `utc` the minute of the day of an instant given in UTC (its local date may be a neighbour),
    `near` the given now.
    """

    year: int | None
    month: int | None
    day: int | None
    weekday: int | None
    text: str
    ambiguous: tuple[int, int] | None = None
    until: date | tuple[int, int] | None = None
    days: int | None = None
    utc: int | None = None
    near: date | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"year": self.year, "month": self.month, "day": self.day}
        if self.weekday is not None:
            out["weekday"] = self.weekday
        if self.until is not None:
            month, day = (self.until.month, self.until.day) if isinstance(self.until, date) else self.until
            out["until"] = {"month": month, "day": day}
        if self.days is not None:
            out["days_from_now"] = self.days
        return out


def parse_date(raw: object, *, key: str = "", now: datetime | None = None, thorough: bool = False) -> Date | None:
    """Read a date from text, an ISO timestamp, a record, or epoch seconds or milliseconds.

    `thorough` lets dateparser try what our own grammar cannot read (its first call takes about a second).

    >>> parse_date("Thursday, 3 December").to_dict()
    {'year': None, 'month': 12, 'day': 3, 'weekday': 3}
    >>> parse_date("tomorrow", now=datetime(2026, 11, 30)).day
    1
    """
    if isinstance(raw, Mapping):
        if all(isinstance(raw.get(k), int) for k in ("year", "month", "day")):
            return Date(raw["year"], raw["month"], raw["day"], None, f"{raw['year']}-{raw['month']}-{raw['day']}")
        inner = next((raw[k] for k in _RECORD_KEYS if isinstance(raw.get(k), str | int | float)), None)
        return parse_date(inner, key=key, now=now) if inner is not None else None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        if isinstance(raw, int) and 1900 <= raw <= 2100:
            return Date(raw, None, None, None, str(raw)) if "year" in words_of(key) else None
        return _from_epoch(float(raw), str(raw))
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    named = _WEEKDAY.search(text)
    weekday = WEEKDAYS[named.group(1).lower()] if named else None
    found = _absolute(text, weekday) or _relative(text, weekday, now) or _partial(text, weekday, now)
    if found is None and thorough:
        found = _by_dateparser(text, now)
    return found


def _absolute(text: str, weekday: int | None) -> Date | None:
    for pattern in (_ISO, _COMPACT, _YEAR_FIRST):
        m = pattern.search(text)
        if m and _is_date(int(m.group(2)), int(m.group(3))):
            stamp = _STAMPED.search(text)
            utc = int(stamp.group(1)) * 60 + int(stamp.group(2)) if stamp and zone_in(text) == 0 else None
            last = next((n for n in pattern.finditer(text, m.end())), None)
            until = calendar_day(*map(int, last.groups())) if last else None
            return Date(int(m.group(1)), int(m.group(2)), int(m.group(3)), weekday, text, utc=utc or None, until=until)
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        m = pattern.search(text)
        if not m or not _is_date(MONTHS[m.group("m").lower()], int(m.group("d"))):
            continue
        month, day, end = MONTHS[m.group("m").lower()], int(m.group("d")), None
        if pattern is _DAY_FIRST and m.group("d0"):
            day, end = int(m.group("d0")), (month, day)
        elif pattern is _MONTH_FIRST and m.group("d2"):
            end = (MONTHS[(m.group("m2") or m.group("m")).lower()], int(m.group("d2")))
        if _is_date(month, day):
            return Date(int(m.group("y")) if m.group("y") else None, month, day, weekday, text, until=end)
    m = _NUMERIC.search(text)
    if m:
        a, b = int(m.group(1)), int(m.group(3))
        year = int(m.group(4)) if m.group(4) else None
        year = year + 2000 if year is not None and year < 100 else year
        if m.group(2) != "/" and year is None:
            return None  # 3.5 and 3-5 are numbers and ranges
        first, second = ((b, a), (a, b)) if m.group(2) == "." else ((a, b), (b, a))
        if _is_date(*first):
            both = _is_date(*second) and a != b and m.group(2) != "."
            return Date(year, *first, weekday, text, ambiguous=second if both else None)
        if _is_date(*second):
            return Date(year, *second, weekday, text)
    return None


def _relative(text: str, weekday: int | None, now: datetime | None) -> Date | None:
    near = now.date() if now else None
    days = relative_days(text)
    if days is not None:
        if near is None or abs(days) > 40000:
            return Date(None, None, None, weekday, text, days=days)
        d = near + timedelta(days=days)
        return Date(d.year, d.month, d.day, weekday, text, near=near)
    span = relative_span(text, near)
    if span is not None:
        first, last = span
        return Date(first.year, first.month, first.day, None, text, until=last, near=near)
    return None


def _partial(text: str, weekday: int | None, now: datetime | None) -> Date | None:
    near = now.date() if now else None
    m = _ORDINAL.search(text)
    day = int(m.group(1)) if m and 1 <= int(m.group(1)) <= 31 else None
    if weekday is not None:
        return Date(None, None, day, weekday, text, near=near)
    named = _MONTH_YEAR.search(text)
    if named and (
        named.group("y")
        or named.group("m").lower() not in {"may", "mar", "sat", "sun"}
        or named.group("m")[0].isupper()
    ):
        year = int(named.group("y")) if named.group("y") else None
        return Date(year, MONTHS[named.group("m").lower()], None, None, text)
    if day is not None:
        return Date(None, None, day, None, text)
    m = _YEAR.match(text)
    return Date(int(m.group(1)), None, None, None, text) if m else None


def _by_dateparser(text: str, now: datetime | None) -> Date | None:
    if not 4 <= len(text) <= 40 or not any(c.isdigit() for c in text) or not _FOREIGN_MONTH.search(text):
        return None
    import dateparser

    settings: dict[str, Any] = {"REQUIRE_PARTS": ["month", "day"], "RETURN_AS_TIMEZONE_AWARE": False}
    if now is not None:
        settings["RELATIVE_BASE"] = now.replace(tzinfo=None)
    try:
        found = dateparser.parse(text, languages=["en", "de", "fr", "es"], settings=settings)
    except Exception:  # a foreign library on free text: whatever it raises, the text was not read
        return None
    if found is None:
        return None
    return Date(found.year if str(found.year) in text else None, found.month, found.day, None, text)


def _is_date(month: int, day: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= 31


def _from_epoch(raw: float, text: str) -> Date | None:
    seconds = raw / 1000 if raw > 1e11 else raw
    if not 3e8 < seconds < 4.2e9:
        return None
    d = datetime.fromtimestamp(seconds, UTC)
    return Date(d.year, d.month, d.day, None, text, utc=d.hour * 60 + d.minute or None)


def calendar_day(year: int | None, month: int | None, day: int | None) -> date | None:
    """Return the day that three parts name, None when one is missing or there is no such day."""
    if year is None or month is None or day is None:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
