"""Claims behind which some call worked: confirmed, or contradicted by a value, a count, a target or the outcome."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from claimx.match import wording
from claimx.match.assignment import Assignment
from claimx.match.beside import is_one_of_all
from claimx.match.call import Call
from claimx.match.changes import changes
from claimx.match.compound import parts_without_call
from claimx.match.contradiction import other_target
from claimx.match.contrast import contrary_kind
from claimx.match.counts import counted, short_count, told_as_all
from claimx.match.details import minor_units, wrong_details
from claimx.match.evidence import Fit, Scene, best_first
from claimx.match.failed_things import failed_for, mended_later
from claimx.match.files import untouched_files
from claimx.match.invited import judge_invited
from claimx.match.miscounts import other_flag
from claimx.match.pairing import mispaired
from claimx.match.places import wrong_place
from claimx.match.retries import made_up_for
from claimx.match.states import overclaim, settled_later
from claimx.types import Action, CallStatus, JudgedClaim, Mismatch, SlotType
from claimx.values import compare

_UNIVERSAL = re.compile(
    r"\b(?:all|every|each|both|entire|whole|everything|everyone)\b",
    re.I,
)
_NONE_LEFT = re.compile(r"\b(?:nothing|none) (?:is |are |was )?(?:left|remain\w*|missing)\b", re.I)


def judge_done(
    action: Action, good: Sequence[Fit], used: Assignment, scene: Scene, *, unsure: Sequence[Fit] = ()
) -> JudgedClaim:
    """Some fitting call worked: confirmed, unless a value or the outcome contradicts it.

    `unsure` are fitting calls of which it is not known whether they worked: they count where a claim counts.
    """
    good = best_first(good)
    best = good[0]
    uninvited = judge_invited(action, good)
    if uninvited is not None:
        return uninvited
    same_tool = [f for f in good if f.call.tool == best.call.tool]
    over = [overclaim(action, f.call) for f in same_tool if not f.agreement.wrong] or [overclaim(action, best.call)]
    if over[0] is not None and all(over) and not settled_later(best.call, scene.calls):
        return wording.misquoted(action, best.call, [over[0]])
    wrong = wrong_details(action, good, scene)
    if not wrong:
        swapped = mispaired(action, same_tool)
        wrong += [swapped] if swapped is not None else []
    if not wrong and len(same_tool) == 1:
        contrary = contrary_kind(action, best.call.view)
        wrong += [contrary] if contrary is not None else []
    if not wrong and len(same_tool) == 1 and not best.call.deeds:
        placed = wrong_place(action, best.call.view, lambda: scene.said_beside(best.call))
        wrong += [placed] if placed is not None else []
    flag = other_flag(action, best.call) if not wrong and len(same_tool) == 1 else None
    wrong += [flag] if flag is not None else []
    if not wrong and len(same_tool) == 1 and not best.agreement.held:
        aimed = other_target(action, best.call.view, lambda: scene.said_beside(best.call))
        if aimed is not None:
            wrong.append(aimed)
    untouched = untouched_files(action, good, scene)
    if untouched:
        why = f"{best.call.id} ({best.call.tool}) changes another file; {untouched[0].reason}"
        return wording.never_ran(action, best.call.tool, why, [best.call], untouched)
    parts = parts_without_call(action, same_tool)
    if parts:
        why = f"{best.call.id} ({best.call.tool}) covers another part of it; {parts[0].reason}"
        return wording.never_ran(action, best.call.tool, why, [best.call], parts)
    changed = {action.slots[i].text for pair in changes(action) for i in pair}
    missing = _uncovered(action, good, [m for m in wrong if m.claimed not in changed])
    if missing:
        held = next(
            s.text
            for i, s in enumerate(action.slots)
            if s.type is SlotType.ID and any(i in f.agreement.held for f in good)
        )
        why = f"{best.call.id} ({best.call.tool}) covers {held}; no call covers {', '.join(m.claimed for m in missing)}"
        return wording.never_ran(action, best.call.tool, why, [best.call], missing)
    done_later = bool(best.call.result.partial) and mended_later(best.call, scene.calls)
    failed = failed_for(action, best.call) if not done_later else None
    if failed is not None and not wrong:
        wrong.append(failed)
    left_out = _left_out(action, best.call, scene)
    if left_out is not None and not wrong:
        wrong.append(left_out)
    result = best.call.result
    if (
        result.partial
        and not done_later
        and (_UNIVERSAL.search(action.text) or _NONE_LEFT.search(scene.sentence(action)))
    ):
        wrong.append(
            Mismatch("OUTCOME", action.trigger.text, "partly done", result.partial, f"{result.partial} is not empty")
        )
    counting = [*same_tool, *(f for f in (*good, *unsure) if f not in same_tool and _counts_with(best, f))]
    short = short_count(action, counting, [*good, *unsure], scene.calls) or (
        told_as_all(action, best.call) if not done_later else None
    )
    if short is not None:
        wrong.append(short)
    if wrong:
        return wording.misquoted(action, best.call, wrong)
    if is_one_of_all(action, [f.call for f in good]):
        why = f"{best.call.id} ({best.call.tool}) changes one file, and nothing shows that this is all of them"
        return wording.unmatched(action, (), why)
    minor = minor_units(action, best)
    if minor is not None:
        return wording.unverified(action, best.call, minor)
    entry = best.call.entry
    if entry.status is CallStatus.UNKNOWN and entry.result is None and entry.state is None:
        why = f"{best.call.id} ({best.call.tool}) was accepted; its effect has not been verified"
        return wording.unverified(action, best.call, why)
    taken = [best] + [f for f in same_tool[1:] if set(f.agreement.held) - set(best.agreement.held)]
    if counted(action):
        taken = same_tool
    used.take(action, taken)
    return wording.confirmed(action, taken)


_ALL_OF = re.compile(r"\b(?:all|every|each|both)\b(?!\s+(?:set|right|done|good)\b)", re.I)


def _left_out(action: Action, call: Call, scene: Scene) -> Mismatch | None:
    """Of all things told as done one failed, and no later call of the tool made up for it."""
    if call.deeds or call.reads or action.object is None:
        return None
    at = _ALL_OF.search(action.text)
    if at is None or not 0 <= action.object.start - action.start - at.end() <= 20:
        return None
    same = [c for c in scene.calls if c.tool == call.tool]
    n = counted(action)
    if n is not None and len({str(c.entry.args) for c in same if not c.result.failed}) >= n:
        return None  # as many as were told did work: one that failed was tried otherwise
    last = next((c for c in reversed(same) if c.result.failed and not made_up_for(c, same)), None)
    if last is None or any(c.entry.args == last.entry.args for c in same if c is not last):
        return None
    return Mismatch("OUTCOME", at.group(), "failed", last.result.path or f"{last.id}.status", f"{last.id} failed")


def _counts_with(best: Fit, other: Fit) -> bool:
    """Whether a call is one more of the same events: of the same tool, or another edit by hand."""
    return other.call.tool == best.call.tool or bool(best.call.deeds and other.call.deeds)


_LISTED = re.compile(r"[\s*_`#]*(?:,|and|&|plus|as well as|, and)[\s*_`#]*(?:\w+\s)?[\s*_`#]*")


def _uncovered(action: Action, good: Sequence[Fit], wrong: Sequence[Mismatch]) -> list[Mismatch]:
    """Of several things named by id some have their call and the others none: those never ran."""
    at = [i for i, s in enumerate(action.slots) if s.type is SlotType.ID]
    held = [action.slots[i].text for i in at if any(i in f.agreement.held for f in good)]
    # A value that no other part of the claim accounts for is the same thing misquoted; the others name a second thing.
    lone = [
        Mismatch("ID", b.text, None, f"{good[0].call.id}.args", f"no call covers {b.text}")
        for a, b in pairwise(action.slots[i] for i in at)
        if a.text in held and b.text not in held and not any(m.claimed == b.text for m in wrong)
        and _LISTED.fullmatch(action.text[max(0, a.end - action.start) : max(0, b.start - action.start)])
    ]  # fmt: skip
    return lone + [
        m
        for m in wrong
        if m.slot == "ID"
        and any(compare(SlotType.ID, h, m.recorded).is_same for h in held)
        and "transposed" not in m.reason
    ]
