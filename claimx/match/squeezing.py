"""Texts with letters and digits alone, so that values written with other signs between still meet."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ASCII_REST = {i: None for i in range(128) if not chr(i).isalnum()}
_ASCII_REST_BUT_NUL = {i: None for i in _ASCII_REST if i}
NOT_ALNUM = re.compile(r"[\W_]+")


def squeeze(text: str) -> str:
    """Return a folded text with letters and digits alone."""
    return text.translate(_ASCII_REST) if text.isascii() else NOT_ALNUM.sub("", text)


def squeezed(texts: Sequence[str]) -> list[str]:
    """Return folded texts with letters and digits alone, plain ones all at once.

    >>> squeezed(["rf-101: paid", "", "zoë"])
    ['rf101paid', '', 'zoë']
    """
    joined = "\x00".join(texts)
    if joined.isascii() and joined.count("\x00") == len(texts) - 1:
        return joined.translate(_ASCII_REST_BUT_NUL).split("\x00")
    return [squeeze(t) for t in texts]
