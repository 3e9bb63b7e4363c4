"""Numbers with their nouns, for sentences that people read."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun in the form that it asks for.

    >>> counted(1, "call"), counted(0, "call"), counted(2000, "entry", "entries")
    ('1 call', '0 calls', '2,000 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
