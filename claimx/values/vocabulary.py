"""Word lists as prose: a table of words reads and diffs best as lines of text."""

from __future__ import annotations


def words(lines: str) -> frozenset[str]:
    """Return the words of some lines.

    >>> sorted(words("two one"))
    ['one', 'two']
    """
    return frozenset(lines.split())
