"""Months, weekdays and time zones by name: the vocabulary that dates and times share."""

from __future__ import annotations

import re

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
WEEKDAYS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon",
            "tuesday tues tue",
            "wednesday wed",
            "thursday thurs thur thu",
            "friday fri",
            "saturday sat",
            "sunday sun",
        )
    )
    for name in names.split()
}
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
WEEKDAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
#: Minutes from UTC. `ET` and its like stand for standard or summer time, whichever holds: comparisons allow an hour.
ZONES = {
    "Z": 0, "UTC": 0, "GMT": 0, "WET": 0, "ET": -300, "EST": -300, "EDT": -240, "CT": -360, "CST": -360,
    "CDT": -300, "MT": -420,
    "MST": -420, "MDT": -360, "PT": -480, "PST": -480, "PDT": -420, "AKST": -540, "HST": -600, "CET": 60,
    "CEST": 120, "BST": 60,
    "EET": 120, "EEST": 180, "MSK": 180, "IST": 330, "SGT": 480, "HKT": 480, "JST": 540, "KST": 540,
    "AEST": 600, "AEDT": 660,
    "NZST": 720,
}  # fmt: skip
_ZONE = re.compile(
    rf"(?:(?<=[\s\d(.mM])|^)(?P<name>{'|'.join(sorted(ZONES, key=len, reverse=True))})"
    r"(?P<shift>[+-]\d{1,2}(?::?\d{2})?)?(?![A-Za-z\d])"
    r"|(?<=\d)(?P<offset>[+\-−]\d{2}:?\d{2})$"
)


def zone_in(text: str) -> int | None:
    """Return the zone that a text names, in minutes from UTC; None when it names none.

    >>> zone_in("3:00 PM EST"), zone_in("2024-05-01T10:00:00+05:30"), zone_in("10:00"), zone_in("UTC+2")
    (-300, 330, None, 120)
    """
    m = _ZONE.search(text)
    if m is None:
        return None
    shift = m.group("offset") or m.group("shift")
    minutes = ZONES[m.group("name")] if m.group("name") else 0
    if shift:
        digits = shift[1:].replace(":", "")
        size = int(digits[:2]) * 60 + int(digits[2:] or 0)
        minutes += -size if shift[0] in "-−" else size
    return minutes
