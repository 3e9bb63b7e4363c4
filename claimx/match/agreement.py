"""Holding a claim's values against one call: what its arguments and result confirm, and what they contradict."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from claimx.match.changes import is_former, old_values
from claimx.match.contradiction import contradiction, following
from claimx.match.finding import find, find_sum
from claimx.match.lazily import lazy
from claimx.match.view import CallView
from claimx.types import Action, Mismatch, SlotType
from claimx.verbs import READING


class Agreement:
    """What one call says of a claim's slots: those it holds (with paths), those it contradicts, those it is silent on.

    Contradictions are looked for when they are asked for: most calls that hold nothing are never asked.
    """

    def __init__(
        self,
        action: Action | None = None,
        view: CallView | None = None,
        held: dict[int, str] | None = None,
        *,
        now: datetime | None = None,
    ) -> None:
        self.held: dict[int, str] = held or {}
        self._action = action
        self._view = view
        self._now = now

    @lazy
    def wrong(self) -> dict[int, Mismatch]:
        """The slots that the call contradicts."""
        out: dict[int, Mismatch] = {}
        action, view = self._action, self._view
        if action is None or view is None:
            return out
        before = old_values(action)
        for i, slot in enumerate(action.slots):
            if i in self.held:
                continue
            total = find_sum(slot, view, now=self._now) if slot.type is SlotType.MONEY else None
            if total is not None:
                self.held[i] = total
                continue
            rivals = [s for j, s in enumerate(action.slots) if j in self.held and s.type is slot.type]
            things = following(action, slot) if slot.type is SlotType.COUNT else frozenset()
            wrong = contradiction(
                slot,
                view,
                rivals,
                things=things,
                now=self._now,
                reading=action.verb in READING,
                clause=action.text,
            )
            if wrong is not None and (i not in before or is_former(wrong.path.rpartition(".")[2])):
                out[i] = wrong
        return out


def agree(
    action: Action, view: CallView, *, now: datetime | None = None, may_hold: Sequence[bool] | None = None
) -> Agreement:
    """Hold every slot of a claim against a call. `may_hold` tells of each slot whether the call may hold it at all."""
    held = {}
    for i, slot in enumerate(action.slots):
        path = find(slot, view, now=now) if may_hold is None or may_hold[i] else None
        if path is not None:
            held[i] = path
    return Agreement(action, view, held, now=now)
