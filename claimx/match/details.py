"""The values of a claim that the calls behind it contradict."""

from __future__ import annotations

from collections.abc import Sequence

from claimx.match.evidence import Fit, Scene
from claimx.match.finding import find
from claimx.match.misread import misread
from claimx.types import Action, Mismatch, Slot, SlotType
from claimx.verbs import READING

#: Types whose value in a call's arguments counts even where another call shows the claimed value.
_BINDING = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERCENT)


def wrong_details(action: Action, good: Sequence[Fit], scene: Scene) -> list[Mismatch]:
    """Return the mismatches of a claim whose calls worked, the best call first."""
    best = good[0]
    wrong = []
    for i, slot in enumerate(action.slots):
        if any(i in f.agreement.held for f in good):
            continue
        elsewhere = _seen_elsewhere(slot, best, scene)
        said = best.agreement.wrong.get(i)
        if said is None:
            near = None if elsewhere else _misread(slot, good, scene)
            if near is not None:
                wrong.append(near)
            continue
        in_args = f"{best.call.id}.args" in said.path
        if elsewhere and (not in_args or action.verb in READING or slot.type not in _BINDING):
            continue
        wrong.append(said)
    return wrong


def _misread(slot: Slot, good: Sequence[Fit], scene: Scene) -> Mismatch | None:
    for f in good:
        found = misread(
            slot,
            f.call.view,
            scene.calls,
            now=scene.now,
            compare_not=scene.options.compare_not,
            near=tuple(f.agreement.held.values()),
        )
        if found is not None:
            return found
    return None


def _seen_elsewhere(slot: Slot, best: Fit, scene: Scene) -> bool:
    if scene.user and slot.text.lower().strip("#") in scene.user.lower() and slot.type is not SlotType.COUNT:
        return True
    return any(find(slot, c.view, now=scene.now) for c in scene.calls if c is not best.call)
