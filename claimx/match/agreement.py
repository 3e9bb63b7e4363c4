"""Holding a claim's values against one call: what its arguments and result confirm, and what they contradict."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from claimx.match.contradiction import contradiction, following
from claimx.match.finding import find
from claimx.match.view import CallView
from claimx.types import Action, Mismatch, SlotType


@dataclass(slots=True)
class Agreement:
    """What one call says of a claim's slots: those it holds (with paths), those it contradicts, those it is silent on."""

    held: dict[int, str] = field(default_factory=dict)
    wrong: dict[int, Mismatch] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        return len(self.held) - 1.5 * len(self.wrong)


def agree(
    action: Action, view: CallView, *, now: datetime | None = None, compare_not: frozenset[str] = frozenset()
) -> Agreement:
    """Hold every slot of a claim against a call. `compare_not` names fields that must never be compared."""
    out = Agreement()
    slots = action.slots
    for i, slot in enumerate(slots):
        path = find(slot, view, now=now)
        if path is not None:
            out.held[i] = path
    for i, slot in enumerate(slots):
        if i in out.held:
            continue
        rivals = [s for j, s in enumerate(slots) if j in out.held and s.type is slot.type]
        things = following(action, slot) if slot.type is SlotType.COUNT else frozenset()
        wrong = contradiction(slot, view, rivals, things=things, now=now, compare_not=compare_not)
        if wrong is not None:
            out.wrong[i] = wrong
    return out
