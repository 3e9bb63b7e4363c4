"""Recorded numbers as whole hundredths, so that sums and differences of them are exact."""

from __future__ import annotations

import re
from collections.abc import Iterator

from claimx.values.numbers import decimal_of

_LONE = re.compile(r"[^\d]{0,4}-?[\d.,]+[^\d]{0,4}")
_IN_PROSE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def is_lone(text: str) -> bool:
    """Whether a text is one number with at most a sign or code around it."""
    return bool(_LONE.fullmatch(text.strip()))


def cents(number: object) -> int | None:
    """Return a number without its sign in hundredths."""
    if type(number) is int:
        return abs(number) * 100
    value = decimal_of(number)
    return None if value is None else round(abs(value) * 100)


def numbers_in(value: object) -> Iterator[int]:
    """Yield the numbers of a leaf in hundredths, those of prose where it speaks of amounts."""
    if isinstance(value, bool):
        return
    if isinstance(value, str) and not is_lone(value):
        if any(c.isdigit() for c in value) and re.search(r"[$€£]|\d\.\d\d", value):
            yield from (n for m in _IN_PROSE.findall(value[:4000]) if (n := cents(m)))
        return
    n = cents(value)
    if n:
        yield n
