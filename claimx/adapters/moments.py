"""Times as other people's records tell them: text, or numbers in any unit since 1970."""

from __future__ import annotations

from datetime import UTC, datetime
from math import isfinite
from typing import Any


def iso(at: Any) -> str | None:
    """Return a time as ISO 8601: text as it is, numbers as seconds, milli-, micro- or nanoseconds since 1970.

    >>> iso(1767225600), iso("1767225600000000000"), iso("2026-01-01T00:00:00Z")
    ('2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00Z')
    """
    if isinstance(at, bool) or at in (None, "", 0):
        return None
    if isinstance(at, str) and not at.isdigit():
        return at
    try:
        seconds = float(at)
        if not isfinite(seconds):
            return None
        while seconds > 1e11:
            seconds /= 1000
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (TypeError, ValueError, OverflowError, OSError):
        return None


def seconds(at: Any) -> float:
    """Return a time as a number that sorts: ISO text, or a number in any unit."""
    told = iso(at)
    if told is None:
        return 0.0
    try:
        return datetime.fromisoformat(told).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
