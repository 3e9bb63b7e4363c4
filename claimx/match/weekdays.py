"""A recorded day told with the name of another day of the week."""

from __future__ import annotations

from datetime import datetime

from claimx.match.contradiction import speaks_of_when
from claimx.match.view import CallView, read_slot
from claimx.types import Mismatch, Slot, SlotType
from claimx.values import Date, same


def wrong_weekday(slot: Slot, view: CallView, *, now: datetime | None = None, reading: bool = False) -> Mismatch | None:
    """Return the day of a call that a date means but for the day of the week, None where it names none or the right one."""
    said = read_slot(slot, now) if slot.type is SlotType.DATE else None
    if not isinstance(said, Date) or said.weekday is None or said.month is None or said.day is None:
        return None
    first: Mismatch | None = None
    for i, leaf in enumerate(view.leaves):
        if not isinstance(leaf.value, str) or not any(c.isdigit() for c in leaf.value):
            continue
        if ".args" in leaf.path and not speaks_of_when(leaf.key, view, reading=reading):
            continue
        day = view.read(SlotType.DATE, i, None)
        if not isinstance(day, Date) or day.year is None or (day.month, day.day) != (said.month, said.day):
            continue
        found = same(said, day)
        if not found.is_different:
            return None
        first = first or Mismatch("DATE", slot.text, leaf.value, leaf.path, found.reason)
    return first
