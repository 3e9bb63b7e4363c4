"""Values told right behind a claim: where they misread the record of the claim's own call, the claim is misquoted.

“I've opened a ticket. Your reference is TK-61895” states the ticket's id in a sentence of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from claimx.match.call import Call
from claimx.match.contradiction import contradiction, following
from claimx.match.evidence import Scene
from claimx.match.labels import under_another_name
from claimx.match.misread import misread
from claimx.match.weekdays import wrong_weekday
from claimx.types import ClaimStatus, JudgedClaim, JudgedValue, Mismatch, SlotType
from claimx.values import near_miss

#: How far behind its claim a value may stand, in characters.
_REACH = 240
_KINDS = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERCENT, SlotType.COUNT, SlotType.DATE)
#: Numbers in a call past which two swapped digits may be chance.
_FEW = 40
_SLIPS = ("transposed", "differs", "missing", "too many", "factor")


def adopt(claims: Sequence[JudgedClaim], values: Sequence[JudgedValue], scene: Scene) -> tuple[JudgedClaim, ...]:
    """Return the claims, with those turned to misquoted that a value behind them shows to misread their call."""
    out = list(claims)
    calls = {c.id: c for c in scene.calls}
    at = sorted(range(len(out)), key=lambda i: out[i].action.trigger.end)
    ends = [out[i].action.trigger.end for i in at]
    for v in values:
        if v.slot.type not in _KINDS or (v.is_grounded and v.slot.type is not SlotType.MONEY):
            continue
        behind = bisect_right(ends, v.slot.start)
        if not behind or v.slot.start - ends[behind - 1] > _REACH:
            continue
        i = at[behind - 1]
        if out[i].status is not ClaimStatus.CONFIRMED:
            continue
        for call_id in out[i].calls:
            wrong = _misreads(v, calls[call_id], scene) or _in_its_clause(v, out[i], calls[call_id], scene)
            if wrong is not None:
                reason = f"{wrong.path} is {wrong.recorded!r}, the reply says {wrong.claimed!r}: {wrong.reason}"
                out[i] = replace(out[i], status=ClaimStatus.MISQUOTED, reason=reason, mismatches=(wrong,))
                break
    return tuple(out)


#: Types of values that belong to a claim whose clause they stand in, whatever the extractor says.
_DETAILS = (SlotType.DATE, SlotType.TIME, SlotType.PERCENT, SlotType.COUNT)


def _in_its_clause(value: JudgedValue, claim: JudgedClaim, call: Call, scene: Scene) -> Mismatch | None:
    """A value in the clause of a claim to have changed something, against the one argument that plays its part."""
    inside = claim.action.start <= value.slot.start and value.slot.end <= claim.action.end
    if value.is_grounded or not inside or call.reads or value.slot.type not in _DETAILS:
        return None
    things = following(claim.action, value.slot) if value.slot.type is SlotType.COUNT else frozenset()
    told = contradiction(value.slot, call.view, claim.action.slots, things=things, now=scene.now)
    return told if told is not None and ".args" in told.path else None


def _misreads(value: JudgedValue, call: Call, scene: Scene) -> Mismatch | None:
    if value.path is not None:
        return under_another_name(value.slot, value.path, call, scene.reply)
    if value.slot.type is SlotType.DATE:
        return wrong_weekday(value.slot, call.view, now=scene.now, reading=call.reads)
    if value.slot.type is SlotType.COUNT:
        return _swapped(value, call)
    if value.slot.type is SlotType.PERCENT:
        told = contradiction(value.slot, call.view, now=scene.now)
        return told if told is not None and "factor" in told.reason else None
    found = misread(value.slot, call.view, scene.calls, now=scene.now)
    if found is not None and any(s in found.reason for s in _SLIPS):
        return found
    if value.slot.type is SlotType.ID and not call.reads:
        told = contradiction(value.slot, call.view, now=scene.now)
        if told is not None and ".result" in told.path:
            return told
    return None


def _swapped(value: JudgedValue, call: Call) -> Mismatch | None:
    """A number of two digits or more, of whose digits two are swapped in the one the call returned."""
    said = value.slot.text.strip(" ,.*")
    leaves = [x for x in call.view.results if isinstance(x.value, int | float) and not isinstance(x.value, bool)]
    if not said.isdigit() or len(said) < 2 or len(leaves) > _FEW:
        return None
    for leaf in leaves:
        slip = near_miss(said, str(leaf.value))
        if slip and "transposed" in slip:
            return Mismatch("COUNT", value.slot.text, leaf.value, leaf.path, slip)
    return None
