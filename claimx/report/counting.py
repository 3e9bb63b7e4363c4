"""Numbers with their nouns, for sentences that people read."""

from __future__ import annotations


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun in the form that it asks for.

    >>> counted(1, "call"), counted(0, "call"), counted(2000, "entry", "entries")
    ('1 call', '0 calls', '2,000 entries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def paced(rate: float) -> str:
    """Return a rate, given for a second, for the span of time in which it is a number that tells something.

    >>> paced(1234.5), paced(4.26), paced(0.1), paced(0.0006)
    ('1,234 a second', '4.3 a second', '6.0 a minute', '2.2 an hour')
    """
    spans = ((1, "a second"), (60, "a minute"), (3600, "an hour"))
    span, name = next((s for s in spans if rate * s[0] >= 1), spans[-1])
    often = rate * span
    return f"{often:,.0f} {name}" if often >= 9.95 else f"{often:.1f} {name}"
