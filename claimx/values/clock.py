"""Times of day: twelve and twenty-four hours, words, zones and ranges."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from claimx.values.calendar_words import ZONES, zone_in
from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.keys import words_of
from claimx.values.numbers import parse_number

_TWELVE = re.compile(r"(?<![\d:])(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))?(?::\d{2})?\s*(?P<half>[ap])\.?\s?m\b\.?", re.I)
_TWENTY_FOUR = re.compile(r"(?<![\d:.])(?P<h>[01]?\d|2[0-4])[:hH](?P<m>[0-5]\d)(?!\d)(?::\d{2})?")
_MILITARY = re.compile(r"^(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)\s*(?:hours|hrs|h)?(?:\s+[A-Z]{1,4})?$")
_STAMP = re.compile(r"\d{4}-\d{1,2}-\d{1,2}[T ](?P<h>\d{2}):(?P<m>\d{2})")
_RANGE_START = re.compile(
    r"(?<![\d:])(?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s*(?P<half>[ap]\.?m\.?)?\s*(?:-|–|—|to|until|and)\s*$", re.I
)
_OCLOCK = re.compile(r"\b(?P<n>\d{1,2}|[a-z]+) o['’]?clock", re.I)
_SPOKEN = re.compile(
    r"\b(?P<part>half|quarter|\d{1,2}|[a-z]+(?:-[a-z]+)?)\s+(?:minutes\s+)?(?P<way>past|to|after)\s+(?P<n>\d{1,2}|[a-z]+)",
    re.I,
)
_WORDS = re.compile(r"\b(?:12\s+)?(?P<word>noon|midday|midnight)\b", re.I)
_AFTERNOON = re.compile(r"\b(?:afternoon|evening|night)\b", re.I)


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day in minutes after midnight. `offset` is the zone's minutes from UTC, None when unsaid;
    `half` when neither am nor pm was said of an hour up to 12, `until` the end of a range."""

    minutes: int
    offset: int | None
    text: str
    half: bool = False
    until: int | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"time": show_minutes(self.minutes), "utc_offset_minutes": self.offset}
        if self.until is not None:
            out["until"] = show_minutes(self.until)
        return out


def show_minutes(minutes: int) -> str:
    """Write minutes after midnight as `HH:MM`."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def parse_time(raw: object, *, key: str = "") -> Time | None:
    """Read a time of day from text, a timestamp, a record, or epoch seconds. A `key` marks a recorded value, whose
    `10:00` is of the morning, and may name the zone (`departure_time_est`).

    >>> parse_time("3:00 PM EST").to_dict(), parse_time("half past three").to_dict()
    ({'time': '15:00', 'utc_offset_minutes': -300}, {'time': '03:30', 'utc_offset_minutes': None})
    """
    if isinstance(raw, Mapping):
        inner = next(
            (raw[k] for k in ("time", "dateTime", "datetime", "start", "value") if isinstance(raw.get(k), str)), None
        )
        return parse_time(inner, key=key or "time") if inner is not None else None
    if isinstance(raw, int | float) and not isinstance(raw, bool):
        seconds = raw / 1000 if raw > 1e11 else raw
        if not 3e8 < seconds < 4.2e9:
            return None
        at = datetime.fromtimestamp(float(seconds), UTC)
        return Time(at.hour * 60 + at.minute, 0, str(raw))
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    zone = zone_in(text)
    if zone is None:
        zone = next((ZONES[w.upper()] for w in words_of(key)[-1:] if len(w) > 1 and w.upper() in ZONES), None)
    found = _read(text)
    if found is None:
        return None
    minutes, half, until = found
    return Time(minutes % 1440, zone, text, half and not key, until)


def _read(text: str) -> tuple[int, bool, int | None] | None:
    """Return minutes, whether the half of the day is open, and the end of a range."""
    stamp = _STAMP.search(text)
    if stamp:
        return _minutes(stamp), False, None
    m = _TWELVE.search(text)
    if m:
        end = _minutes(m, m.group("half"))
        if not 1 <= int(m.group("h")) <= 12 or int(m.group("m") or 0) > 59:
            return None
        first = _RANGE_START.search(text, 0, m.start())
        if first and 1 <= int(first.group("h")) <= 12 and not first.group("half"):
            start = _minutes(first, m.group("half"))
            return (start if start <= end else start - 720), False, end
        later = next(_TWELVE.finditer(text, m.end()), None)
        return end, False, _minutes(later, later.group("half")) if later else None
    m = _TWENTY_FOUR.search(text)
    if m:
        later = next(_TWENTY_FOUR.finditer(text, m.end()), None)
        half = 1 <= int(m.group("h")) <= 12 and not m.group("h").startswith("0")
        if half and _AFTERNOON.search(text) and int(m.group("h")) < 12:
            return _minutes(m) + 720, False, None
        return _minutes(m), half, _minutes(later) if later else None
    m = _WORDS.search(text)
    if m:
        return (0 if m.group("word").lower() == "midnight" else 720), False, None
    m = _MILITARY.match(text)
    if m:
        return _minutes(m), False, None
    return _spoken(text)


def _spoken(text: str) -> tuple[int, bool, int | None] | None:
    m = _OCLOCK.search(text)
    part = 0
    if m is None:
        m = _SPOKEN.search(text)
        if m is None:
            return None
        word = m.group("part").lower()
        size = {"half": 30, "quarter": 15}.get(word) or parse_number(word)
        if size is None or not 0 < size < 60:
            return None
        part = int(size) if m.group("way").lower() != "to" else -int(size)
    hour = parse_number(m.group("n"))
    if hour is None or not 1 <= hour <= 12:
        return None
    afternoon = 720 if _AFTERNOON.search(text) and hour < 12 else 0
    return (int(hour) * 60 + part + afternoon) % 1440, not afternoon and "morning" not in text.lower(), None


def _minutes(m: re.Match[str], half: str | None = None) -> int:
    hour = int(m.group("h"))
    if half:
        hour = hour % 12 + (12 if half[0].lower() == "p" else 0)
    return hour % 24 * 60 + int(m.group("m") or 0)


def same_time(claimed: Time, recorded: Time) -> Comparison:
    """Compare times of day, across zones when both name one.

    >>> same_time(parse_time("3 PM EST"), parse_time("2026-12-03T20:00:00Z")).outcome.value
    'same'
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    a, b = claimed.minutes, recorded.minutes
    zones = claimed.offset, recorded.offset
    both = zones[0] is not None and zones[1] is not None
    instant = (a - (zones[0] or 0) - b + (zones[1] or 0)) % 1440
    local = (a - b) % 1440
    if both and instant == 0:
        return same_because(f"{mine} is {theirs}")
    # EST is said of summer, too: equal clocks an hour of offset apart are one zone's.
    if local == 0 and (not both or abs((zones[0] or 0) - (zones[1] or 0)) <= 60):
        return same_because(f"{mine} is {theirs}")
    if recorded.minutes == claimed.until:
        return same_because(f"{theirs} is the end of {mine}")
    if recorded.until is not None and claimed.minutes == recorded.until:
        return same_because(f"{mine} is the end of {theirs}")
    if local == 720 and claimed.half and not recorded.half:
        return same_because(f"{mine} is {theirs}, morning or afternoon unsaid")
    if local == 720 and recorded.half:
        return unknown_because(f"{theirs} leaves open whether it is {mine}")
    if not both and zones != (None, None):
        named = zones[0] if zones[0] is not None else zones[1]
        if (zones[0] is None and named == 0 and local % 15 == 0) or instant == 0:
            return unknown_because(f"{mine} and {theirs} may be in different time zones")
    return different_because(f"{mine} is not {theirs}")
