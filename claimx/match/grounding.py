"""Values that belong to no action: where in this run they were seen, if anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from claimx.match.finding import find
from claimx.match.index import Index
from claimx.match.view import view_of
from claimx.types import JudgedValue, LedgerEntry, Slot, SlotType


def ground(
    values: Sequence[Slot], index: Index, user: str | None, *, now: datetime | None = None
) -> tuple[JudgedValue, ...]:
    """Return each value with the path where a call or the user's words hold it; path None where nothing does."""
    spoken = view_of(LedgerEntry("user", "user", None, user)) if user else None
    out = []
    for v in values:
        path = next((p for c in index.calls_for(v, now) if (p := find(v, c.view, now=now)) is not None), None)
        if path is None and spoken is not None and (find(v, spoken, now=now) or _said(v, user or "")):
            path = "user"
        out.append(JudgedValue(v, path))
    return tuple(out)


def _said(value: Slot, user: str) -> bool:
    if value.type is SlotType.COUNT:
        return value.text.lower() in user.lower().split()
    return len(value.text) > 2 and value.text.lower().strip("#") in user.lower()
