"""The judged claim of each status, with its one-line reason: entry, path and both values."""

from __future__ import annotations

from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.evidence import Fit
from claimx.types import Action, Candidate, ClaimStatus, JudgedClaim, Mismatch
from claimx.verbs import lemma


def confirmed(action: Action, fits: Sequence[Fit]) -> JudgedClaim:
    """The first call did it; the others have their part in it."""
    best = fits[0]
    held = [f"{action.slots[i].text} at {p}" for i, p in sorted(best.agreement.held.items())]
    detail = f"; it holds {', '.join(held[:4])}" if held else ""
    if not best.call.entry.captured:
        detail = "; its arguments and its result were not stored, so no value was compared"
    elif hidden := list(dict.fromkeys(x.key for x in best.call.view.kept_back)):
        detail += f"; {', '.join(hidden[:4])} {'was' if len(hidden) == 1 else 'were'} kept back, and not compared"
    also = f", as did {', '.join(f.call.id for f in fits[1:4])}" if len(fits) > 1 else ""
    ended = "did it before a later command failed" if best.call.is_part else "succeeded"
    reason = f"{best.call.id} ({best.call.tool}) {ended}{also}{detail}"
    return JudgedClaim(action, ClaimStatus.CONFIRMED, reason, best.call.tool, tuple(f.call.id for f in fits))


def misquoted(action: Action, call: Call, wrong: Sequence[Mismatch]) -> JudgedClaim:
    """The call ran, and its record contradicts what the claim states."""
    m = wrong[0]
    reason = f"{m.path} is {m.recorded!r}, the reply says {m.claimed!r}" + (f": {m.reason}" if m.reason else "")
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    return JudgedClaim(action, ClaimStatus.MISQUOTED, reason + more, call.tool, (call.id,), tuple(wrong))


def failed(action: Action, calls: Sequence[Call], why: str = "") -> JudgedClaim:
    """Every fitting call failed, as its result says, or did nothing of the claim, as `why` says."""
    c = calls[0]
    reason = f"{c.tool} did not do it: {why or c.result.reason}"
    return JudgedClaim(action, ClaimStatus.TOOL_FAILED, reason, c.tool, tuple(x.id for x in calls))


def never_ran(
    action: Action, tool: str, why: str = "", calls: Sequence[Call] = (), missing: Sequence[Mismatch] = ()
) -> JudgedClaim:
    """A fitting tool is known, and no call of it can have carried this event out."""
    reason = why or looked_for(action, tool, calls)
    return JudgedClaim(action, ClaimStatus.NEVER_RAN, reason, tool, tuple(c.id for c in calls), tuple(missing))


def looked_for(action: Action, tool: str, calls: Sequence[Call]) -> str:
    """Say what no call did: with calls of the tool at hand, what it is that none of them shows."""
    n = sum(c.tool == tool for c in calls)
    if not n:
        return f"no call of {tool} is in the ledger, nor of another tool that could have done it"
    words = action.trigger.text.split()
    deed = action.verb if action.verb == "run" or not words else lemma(words[0])
    target = " ".join(action.object.text.split())[:60] if action.object else ""
    which = f"the one call of {tool} does not show" if n == 1 else f"none of the {n} calls of {tool} shows"
    return f"{which} it ({f'{deed} {target}'.strip()}), nor does another tool's"


def unverified(action: Action, call: Call, why: str = "") -> JudgedClaim:
    """A fitting call ran; whether it took effect is open."""
    reason = why or f"{call.result.reason}: whether {call.tool} took effect is not known"
    return JudgedClaim(action, ClaimStatus.UNVERIFIED, reason, call.tool, (call.id,))


def unmatched(action: Action, candidates: Sequence[Candidate], why: str) -> JudgedClaim:
    """No known tool fits closely enough to judge."""
    near = f" (nearest: {candidates[0].tool}, {candidates[0].score:.2f})" if candidates else ""
    return JudgedClaim(action, ClaimStatus.UNMATCHED, f"not judged: {why}{near}")
