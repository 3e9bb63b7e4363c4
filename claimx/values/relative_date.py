"""Dates said relative to now: `tomorrow`, `in three days`, `two weeks ago`, `next week`."""

from __future__ import annotations

import re
from datetime import date, timedelta

from claimx.values.numbers import parse_number

_NEAR = re.compile(
    r"\b(?:(?P<two>(?:the )?day (?:after|before)) )?"
    r"(?P<word>today|tonight|tomorrow|yesterday|this (?:morning|afternoon|evening)|last night)\b"
    r"|\b(?P<next>(?:the )?(?:next|following|previous) (?:calendar )?day)\b"
)
_AWAY = re.compile(
    r"\b(?:(?P<ahead>in|within) )?(?P<n>\d{1,4}|[a-z]+(?:[ -][a-z]+){0,2}) (?P<unit>day|week|fortnight)s?"
    r"(?: (?P<way>ago|earlier|from (?:now|today)|later|hence))?\b"
)
_SPAN = re.compile(
    r"\b(?P<which>this|next|last|past|coming|current) (?P<unit>week|weekend|month|year)\b|"
    r"\bend of (?:the|this) (?P<end>month|week)\b"
)
_SHIFT = {"tomorrow": 1, "yesterday": -1, "last night": -1}


def relative_days(text: str) -> int | None:
    """Return the distance in days that a text names, None when it names none.

    >>> [relative_days(t) for t in ("tomorrow", "day before yesterday", "in three days", "two weeks ago", "3 days")]
    [1, -2, 3, -14, None]
    """
    low = text.lower()
    m = _NEAR.search(low)
    if m and m.group("word"):
        shift = _SHIFT.get(m.group("word"), 0)
        return shift + ((1 if "after" in m.group("two") else -1) if m.group("two") else 0)
    if m:
        return None  # "the next day" counts from a day that the slot does not hold
    m = _AWAY.search(low)
    if m is None or not (m.group("ahead") or m.group("way")):
        return None
    number = 1 if m.group("n") in {"a", "an"} else parse_number(m.group("n"))
    if number is None or number != int(number):
        return None
    days = int(number) * {"day": 1, "week": 7, "fortnight": 14}[m.group("unit")]
    return -days if m.group("way") in {"ago", "earlier"} else days


def relative_span(text: str, now: date | None) -> tuple[date, date] | None:
    """Return the first and last day of a week, month or year said relative to `now`; None without one.

    >>> relative_span("next week", date(2026, 11, 30))
    (datetime.date(2026, 12, 7), datetime.date(2026, 12, 13))
    """
    m = _SPAN.search(text.lower())
    if m is None or now is None or not 1000 < now.year < 9000:
        return None
    step = {"next": 1, "coming": 1, "last": -1, "past": -1}.get(m.group("which") or "", 0)
    unit = m.group("unit") or m.group("end")
    if unit in {"week", "weekend"}:
        monday = now - timedelta(days=now.weekday()) + timedelta(weeks=step)
        return (monday + timedelta(days=5) if unit == "weekend" else monday), monday + timedelta(days=6)
    if unit == "year":
        return date(now.year + step, 1, 1), date(now.year + step, 12, 31)
    months = now.year * 12 + now.month - 1 + step
    first, after = date(months // 12, months % 12 + 1, 1), date((months + 1) // 12, (months + 1) % 12 + 1, 1)
    last = after - timedelta(days=1)
    return (last - timedelta(days=6) if m.group("end") else first), last
