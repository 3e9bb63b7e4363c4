"""Which names cannot be the same, told by their letters: a look before they are compared in full."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from claimx.values.name import Name, bare, initials_of

#: Sorts of names that have rules of their own for being the same.
_RULED = frozenset({"path", "channel", "version"})


def may_be_same_name(claimed: Name, recorded: Name) -> bool:
    """A cheap look before `same_name`: False only where that would not answer same.

    >>> from claimx.values.name import parse_name
    >>> red = parse_name("red lamp")
    >>> [may_be_same_name(red, parse_name(t)) for t in ("Red Lamps", "redlamp", "lamp", "RL", "blue lamp")]
    [True, True, True, True, False]
    """
    if claimed.sort in _RULED or recorded.sort in _RULED:
        return True
    a, b = _letters_of(claimed.words), _letters_of(recorded.words)
    short, long = (a, b) if a.size <= b.size else (b, a)
    return short.heads <= long.heads or a.joined in (b.joined, b.initials) or a.initials == b.joined


class _Letters(NamedTuple):
    """What the letters of a name's words tell at a glance. Words that are the same have their first three in common."""

    joined: str
    initials: str
    heads: frozenset[str]
    size: int


@lru_cache(maxsize=16384)
def _letters_of(words: tuple[str, ...]) -> _Letters:
    """Read once a name: it is held against many others."""
    kept = bare(words)
    return _Letters("".join(words), initials_of(words), frozenset(w[:3] for w in kept), len(kept))
