"""How a value of an action's target is told to a user: a target comes from a model, so it names the thing and says nothing else."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

#: Longer names are cut.
MOST = 80
#: A sentence, or more words than a name has: it stands in quotation marks, so that nobody takes it for the gate's own words.
_SENTENCE = re.compile(r"[.!?:;][\s\"')]|[.!?]$")
_MOST_WORDS = 6


def told(value: Any, most: int = MOST) -> str:
    """Return a value on one line, without what nobody sees, no longer than `most` characters; prose in quotation marks.

    >>> told("T-1842"), told({"order": 17, "lines": [1, 2]}), told(None), told(True)
    ('T-1842', 'order 17, lines 1, 2', '', 'yes')
    >>> told("T-1\\n\\nYour refund was issued."), told("T\\u202e-1\\x1b[31m")
    ('“T-1 Your refund was issued.”', 'T-1[31m')
    """
    text = _flat(value)
    text = one_line(text, most)
    prose = _SENTENCE.search(text) is not None or len(text.split()) > _MOST_WORDS
    return "“" + text.translate(_MARKS) + "”" if prose else text


_MARKS = str.maketrans({"“": "'", "”": "'", '"': "'"})


def one_line(text: str, most: int) -> str:
    """Return a text on one line, without control characters and marks that turn its direction, cut to a length.

    >>> one_line("a\\n b\\x00", 80), one_line("abcdef", 4)
    ('a b', 'abc…')
    """
    text = "".join(
        " " if c.isspace() else c
        for c in text
        if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co")
    )
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _flat(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{k} {_flat(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_flat, value))
    return str(value)


def told_fields(target: Mapping[str, Any]) -> dict[str, str]:
    """Return the fields of a target as they are told."""
    return {str(k): told(v) for k, v in target.items()}
