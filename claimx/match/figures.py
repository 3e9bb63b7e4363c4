"""Numbers as runs of digits in the raw text of a call, whatever stands between the digits."""

from __future__ import annotations

import re

#: Runs of digits, those of dates and times of day left out.
_DIGITS = re.compile(r"(?<![\d:])(?<!\d-)\d+(?![\d:]|-\d)")
_POINTS = ".,'’"
_SPACED = re.compile(r"[ \u00a0\u202f](?<=\d.)\d{3}(?!\d)")
_GROUPED = re.compile(r"[.,'’ \u00a0\u202f](?<=\d.)\d{3}(?!\d)")
_SEPARATOR = re.compile(r"(?<=\d)[.,](?=\d)|(?<=\d)[ '’\u00a0\u202f](?=\d{3}(?!\d))")


def numbers_of(text: str) -> list[str]:
    """The runs of digits of a text, those of dates and times of day left out.

    >>> numbers_of("RF-101 on 2026-03-02 at 10:30: 5")
    ['101', '5']
    """
    return _DIGITS.findall(text)


def stands_in(figure: str, text: str) -> bool:
    """Whether a run of digits stands in a text as a number of its own: no part of a longer one, of a date, of a time of day."""
    at = text.find(figure)
    while at >= 0:
        end = at + len(figure)
        found = _DIGITS.match(text, at)
        if found is not None and found.end() == end:
            return True
        at = text.find(figure, end)
    return False


def without_signs(raw: str) -> str:
    """Return a text without the points, commas and spaces between the digits of its numbers.

    >>> without_signs("paid: 1,250.00"), without_signs("1 250,00, at 9")
    ('paid: 125000', '125000, at 9')
    """
    if is_spaced(raw):
        return _SEPARATOR.sub("", raw)
    for point in _POINTS:  # on text that is not plain ASCII a table of characters takes ten times as long
        raw = raw.replace(point, "")
    return raw


def is_grouped(raw: str) -> bool:
    """Whether a text has a number of whose digits the last three are set off, as thousands are. Without one, no number of it
    reads otherwise without its signs, save that digits behind a point are joined to those in front.

    >>> [is_grouped(t) for t in ("1,250.00", "1'250", "1 250,50", "12.50 on 2026-03-02, 10:30:15", "1.5, 250")]
    [True, True, True, False, False]
    """
    return _GROUPED.search(raw) is not None


def is_spaced(raw: str) -> bool:
    """Whether a text has a number whose thousands are set off by spaces."""
    return _SPACED.search(raw) is not None
