"""Written amounts as numbers, by whatever signs their thousands and decimals are set apart."""

from __future__ import annotations

import re
from fractions import Fraction


class ScaleError(ValueError):
    """An amount that cannot be scaled in its written form."""


def number_of(text: str) -> Fraction | None:
    """Read a written number; thousands and decimals by the usual signs. None when it is none."""
    bare = text.strip().lstrip("-").rstrip(".,")
    behind = places(bare)
    digits = re.sub(r"\D", "", bare)
    if not digits:
        return None
    try:
        return Fraction(int(digits), 10**behind)
    except ValueError:
        return None


def places(text: str) -> int:
    """How many digits stand behind the decimal sign: the last sign, unless three digits follow it."""
    m = re.search(r"[.,](\d+)$", text)
    if m is None:
        return 0
    last = text[m.start()]
    if len(m.group(1)) == 3 and (last == "," or text.count(".") > 1):
        return 0
    return len(m.group(1))
