"""Whether two dates agree: part by part, with ranges, weekdays, time zones and what either leaves open."""

from __future__ import annotations

from datetime import date, timedelta

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.date import Date, calendar_day


def same_date(claimed: Date, recorded: Date) -> Comparison:
    """Compare dates part by part; a weekday must fit the date that stands beside it or against it.

    >>> from claimx.values.date import parse_date
    >>> same_date(parse_date("Thursday, 3 December"), parse_date("2026-12-04")).reason
    "'Thursday, 3 December' is not 2026-12-04: the day differs"
    """
    mine, theirs = show_date(claimed), show_date(recorded)
    if claimed.days is not None or recorded.days is not None:
        if claimed.days is not None and claimed.days == recorded.days:
            return same_because(f"both are {claimed.text!r}")
        return unknown_because(f"{claimed.text!r} and {theirs} cannot be compared without a date of today")
    if claimed.until is not None or recorded.until is not None:
        inside = _within(claimed, recorded) or _within(recorded, claimed)
        if inside is not None and inside.is_same:
            return inside
        loose = claimed.near is not None and claimed.weekday is None
        return unknown_because(f"{mine} need not hold {theirs}") if loose or inside is None else inside
    if _written(claimed) == _written(recorded) and claimed.weekday is not None:
        return same_because(f"both are {claimed.text!r}")  # even where the weekday is wrong: the record says so, too
    clash = _weekday_clash(claimed, recorded) or _weekday_clash(recorded, claimed)
    if clash:
        return different_because(clash)
    best = _parts(claimed, recorded)
    if best.is_different and (
        instant := claimed if claimed.utc is not None else recorded if recorded.utc is not None else None
    ):
        other = recorded if instant is claimed else claimed
        if instant.utc is not None and _is_neighbour(instant, other):
            return unknown_because(f"{mine} may be {theirs} in another time zone")
    return best


def _written(d: Date) -> tuple[int | None, ...]:
    return d.year, d.month, d.day, d.weekday


def _parts(claimed: Date, recorded: Date) -> Comparison:
    mine, theirs = show_date(claimed), show_date(recorded)
    if claimed.year is not None and recorded.year is not None and claimed.year != recorded.year:
        return different_because(f"{mine} is not {theirs}: the year differs")
    wrong = ""
    for m1, d1 in [(claimed.month, claimed.day), *([claimed.ambiguous] if claimed.ambiguous else [])]:
        for m2, d2 in [(recorded.month, recorded.day), *([recorded.ambiguous] if recorded.ambiguous else [])]:
            if m1 is not None and m2 is not None and m1 != m2:
                wrong = wrong or "month"
            elif d1 is not None and d2 is not None and d1 != d2:
                wrong = "day"
            elif (m1 is not None and m1 == m2) or (d1 is not None and d1 == d2):
                return same_because(f"{mine} is {theirs}")
    if wrong:
        return different_because(f"{mine} is not {theirs}: the {wrong} differs")
    day = calendar_day(recorded.year, recorded.month, recorded.day)
    if claimed.weekday is not None and day is not None and day.weekday() == claimed.weekday:
        if claimed.near and not -14 <= (day - claimed.near).days <= 21:
            return unknown_because(f"{theirs} is a {day:%A}, but not a near one")
        return same_because(f"{theirs} is a {day:%A}")
    if claimed.weekday is not None and claimed.weekday == recorded.weekday:
        return same_because(f"both are {mine}")
    if claimed.year is not None and claimed.year == recorded.year:
        return same_because(f"{theirs} is in {claimed.year}")
    if claimed.weekday is not None and recorded.weekday is not None:
        return different_because(f"{mine} is not {theirs}: the weekday differs")
    return unknown_because(f"{mine} leaves open whether it is {theirs}")


def _weekday_clash(mine: Date, theirs: Date) -> str | None:
    day = calendar_day(theirs.year, theirs.month, theirs.day)
    if mine.weekday is None or day is None or theirs.utc is not None or day.weekday() == mine.weekday:
        return None
    if mine.day is not None and (mine.month, mine.day) != (theirs.month, theirs.day):
        return None  # the parts differ, which says more
    return f"{show_date(theirs)} is a {day:%A}, which {mine.text!r} contradicts"


def _within(span: Date, other: Date) -> Comparison | None:
    """Whether a date, or a range's both ends, lie in a range; None when parts are missing or it is no range."""
    if span.until is None:
        return None
    year = span.year or other.year or 2000
    first = calendar_day(year, span.month, span.day)
    last = span.until if isinstance(span.until, date) else calendar_day(year, *span.until)
    point = calendar_day(other.year or year, other.month, other.day)
    if first is None or last is None or point is None:
        return None
    if first <= point <= last or (
        span.year is None and (point.month, point.day) in {(first.month, first.day), (last.month, last.day)}
    ):
        return same_because(f"{show_date(other)} lies within {span.text!r}")
    return different_because(f"{show_date(other)} lies outside {span.text!r}")


def _is_neighbour(instant: Date, other: Date) -> bool:
    day = calendar_day(instant.year, instant.month, instant.day)
    if day is None or instant.utc is None or other.month is None:
        return False
    shifts = ([-1] if instant.utc < 12 * 60 else []) + ([1] if instant.utc >= 10 * 60 else [])
    around = [day + timedelta(days=s) for s in shifts]
    return any((d.month, d.day) == (other.month, other.day) and other.year in (None, d.year) for d in around)


def show_date(d: Date) -> str:
    """Write a date for a reason: ISO where it is plain, else as it was said."""
    day = calendar_day(d.year, d.month, d.day) if d.weekday is None and d.until is None else None
    return day.isoformat() if day else repr(d.text)
