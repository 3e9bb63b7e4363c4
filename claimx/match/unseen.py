"""Look-ups that cannot have shown what a claim tells: the values stand in none of them, and the tool that gives them did not run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimx.match.evidence import Fit, Scene
from claimx.match.finding import find
from claimx.match.gist import gist_of
from claimx.match.tools import FITS
from claimx.types import Action, Candidate, Slot, SlotType
from claimx.verbs import lemma

#: Verbs of going through one thing, for which its number in a list is not enough.
_OPENING = frozenset("check review look examine inspect verify confirm investigate read".split())
#: A look-up of this score and less only has to do with what the claim speaks of; one of `_JUST_THIS` is made for it.
_RELATED = 0.5
_JUST_THIS = 0.9
_ANSWERS = (SlotType.ID, SlotType.CONTACT, SlotType.MONEY)
_TELLING = (*_ANSWERS, SlotType.NAME, SlotType.PERSON, SlotType.DATE, SlotType.TIME)


@dataclass(frozen=True, slots=True)
class Missing:
    """The tool that a look-up would have taken, and why no other call stands in for it."""

    tool: str
    why: str


def missing_lookup(
    action: Action, found: Sequence[Fit], candidates: Sequence[Candidate], scene: Scene
) -> Missing | None:
    """Return the tool whose call is missing behind a claim that other look-ups seem to carry, None when they may well do.

    `found` are the look-ups that fit, all of them successful.
    """
    worked = {c.tool for c in scene.calls if not c.result.failed}
    absent = [c for c in candidates if c.score >= FITS and c.tool not in worked]
    if not absent or _is_cut(scene):
        return None
    best = max(f.base for f in found)
    tool = absent[0]
    if best <= _RELATED and tool is candidates[0] and tool.score >= _JUST_THIS:
        why = _only_related(action, found, scene)
        if why:
            return Missing(tool.tool, why)
    if tool.score >= best - 0.1:
        unseen = _unseen(action, scene)
        if unseen:
            return Missing(tool.tool, f"no look-up of this run shows {', '.join(s.text for s in unseen[:3])}")
    return None


def _only_related(action: Action, found: Sequence[Fit], scene: Scene) -> str:
    """Why look-ups that merely have to do with the claim do not show it, empty when they may."""
    gaps = [s for s in action.slots if s.type in _TELLING and not _seen(s, scene)]
    if gaps:
        return f"no look-up of this run shows {', '.join(s.text for s in gaps[:3])}"
    given = (scene.user or "").lower()
    opens = lemma(action.trigger.text.split()[0]) in _OPENING
    answers = [
        path
        for f in found
        for i, path in f.agreement.held.items()
        if action.slots[i].type in _ANSWERS
        and ".result" in path
        and action.slots[i].text.lower().strip("#") not in given
    ]
    if any(not (opens and path.endswith("]")) for path in answers) or not gist_of(action).head:
        return ""
    if any(gist_of(action).head in f.call.shown for f in found) and not (opens and _listed_only(action, found)):
        return ""
    return f"{found[0].call.id} ({found[0].call.tool}) does not open it"


def _listed_only(action: Action, found: Sequence[Fit]) -> bool:
    """Whether what a claim names by its number stands in the look-ups only as an entry of a list."""
    paths = [p for f in found for i, p in f.agreement.held.items() if action.slots[i].type is SlotType.ID]
    return bool(paths) and all(p.endswith("]") for p in paths)


def _unseen(action: Action, scene: Scene) -> list[Slot]:
    """The numbers and amounts that no look-up and no word of the user shows: any number, or most of several amounts."""
    ids = [s for s in action.slots if s.type is SlotType.ID and not _seen(s, scene)]
    if ids:
        return ids
    amounts = [s for s in action.slots if s.type is SlotType.MONEY]
    gaps = [s for s in amounts if not _seen(s, scene)]
    return gaps if len(gaps) >= 2 and len(gaps) * 2 >= len(amounts) else []


def _seen(slot: Slot, scene: Scene) -> bool:
    if scene.user and slot.text.lower().strip("# ") in scene.user.lower():
        return True
    calls = scene.index.calls_for(slot, scene.now)
    return any(find(slot, c.view, now=scene.now) for c in calls if c.reads and not c.result.failed)


def _is_cut(scene: Scene) -> bool:
    """Whether some look-up of the run is recorded only in part."""
    return any(c.reads and not c.result.failed and c.is_cut(scene.options.result_cap) for c in scene.calls)
