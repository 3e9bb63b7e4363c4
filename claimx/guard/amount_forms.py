"""What an amount looks like, in a call and in a result: the form of its text, the names that a number stands under."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from claimx.guard.names import may_hold_amount, noun_of, says_amount
from claimx.guard.walk import Leaf, opened

#: Names under which a tool that works something out returns it alone.
_ANSWERS = frozenset("result value answer output sum".split())
NO_NUMBER = re.compile(r"\s*[+-]?(?:nan|inf(?:inity)?)\s*", re.I)
#: A text that is an amount as a whole: a sign or a code, a number, a code or a word.
AMOUNT_TEXT = re.compile(
    r"\(?\s*[+\-−]?\s*(?:[A-Z]{0,3}\s?[$€£¥₹₩₽₺₪₫฿₴₦]|[A-Za-z]{3}\s)?\s*[+\-−]?[\d٠-٩０-９][\d.,'’ \u00a0\u202f]*(?:[kKmM]|mn|bn|thousand|million)?"
    r"\s*(?:[$€£¥₹₩₽₺₪₫฿₴₦¢%]|[A-Za-z]{3}|dollars?|euros?|pounds?|cents?|pence|percent|yen|rupees?|francs?)?\s*\)?"
)


def holds_amount(leaf: Leaf) -> bool:
    """Whether a number that a tool returned is an amount: by its name, by a name above it, by the currency beside a fraction, or
    because it is all that was returned.

    >>> [holds_amount(Leaf("r", k, 5)) for k in (("prices", "economy"), ("stock",), ("total", "tax", "rate"))]
    [True, False, False]
    """
    if not leaf.keys:
        return True
    if not may_hold_amount(leaf.key):
        return noun_of(leaf.key) is not None and any(says_amount(k) for k in leaf.keys[-3:-1])
    beside = leaf.currency is not None and isinstance(leaf.value, float) and not leaf.value.is_integer()
    return beside or any(says_amount(k) for k in leaf.keys[-3:])


def is_no_number(value: object) -> bool:
    """Whether a value is `true`, not a number, or without end: never an amount and never an identifier."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return isinstance(value, bool) or (isinstance(value, str) and NO_NUMBER.fullmatch(value) is not None)


def answer_alone(value: Any) -> tuple[str, int | float | str] | None:
    """Name and value of a result that is one answer and nothing else: `{"result": 76.5}` is 76.5."""
    value = opened(value)
    if not isinstance(value, Mapping) or len(value) != 1:
        return None
    ((name, answer),) = value.items()
    plain = isinstance(answer, int | float | str) and not isinstance(answer, bool)
    return (name, answer) if plain and isinstance(name, str) and name.lower() in _ANSWERS else None
