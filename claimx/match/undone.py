"""Claims behind which nothing fitting worked: the call failed, never ran, or may hide in what no record shows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match import wording
from claimx.match.assignment import Assignment
from claimx.match.authored import is_authored
from claimx.match.call import Call
from claimx.match.commands import is_generic
from claimx.match.evidence import Fit, Scene, could_do
from claimx.match.fitting import fits_object, other_write
from claimx.match.gist import gist_of
from claimx.match.handwork import HANDWORK, hides_its_deed
from claimx.match.outward import is_able
from claimx.match.pages import is_wide
from claimx.match.prose import told_in_prose
from claimx.match.shown import shown_state
from claimx.match.tools import ALONE, FITS
from claimx.match.untried import untried
from claimx.types import Action, Candidate, JudgedClaim, Tense
from claimx.values.keys import parts_of

#: From this score on a failed call counts as the one that was meant, where nothing else that ran could have done it.
_RELATED = 0.38


def judge_undone(
    action: Action, candidates: Sequence[Candidate], fits: Sequence[Fit], used: Assignment, scene: Scene
) -> JudgedClaim:
    """Nothing fitting worked: failed, or never ran, where a tool fits closely enough to say so."""
    gist = gist_of(action)
    candidates = [c for c in candidates if is_able(c.tool, gist)]
    best = candidates[0] if candidates else None
    generic = untried(action, scene) if best is None or best.score < FITS else None
    best = generic or best
    if best is None:
        sure = [f.call for f in fits if f.call.result.failed and f.score >= FITS]
        if sure:
            return wording.failed(action, sure)
        return wording.unmatched(action, candidates, "no known tool fits it closely enough to judge")
    alone = not _others(action, candidates, used, scene)
    bar = ALONE if alone else 0.9 if action.verb == "confirm" else FITS
    failed = _failed(action, candidates, fits, scene)
    if failed:
        score, call = failed[0]
        if score >= (_RELATED if alone else FITS):
            return wording.failed(action, [c for _, c in failed if c.tool == call.tool])
        if best.score < bar:
            return wording.unmatched(action, candidates, "only a loosely fitting call failed")
    wide = [c for c in scene.calls if is_wide(c) and not c.result.failed]
    if wide:
        # Through a page anything may have been done, most of all what the page's own system does.
        nouns = {gist.head} if gist.head else gist.clause
        bar = max(bar, 0.8)
        if not scene.is_first_person(action) and any(not nouns.isdisjoint(c.told | c.said) for c in wide):
            bar = 1.01
    if best.score < bar and not _moves_money(action, candidates, scene):
        return wording.unmatched(action, candidates, "no known tool fits it closely enough to judge")
    script = next((c for c in scene.calls if hides_its_deed(c, action)), None) if is_generic(best.tool) else None
    if script is not None and (action.verb in HANDWORK or action.verb in {"deploy", "upload", "restart", "format"}):
        return wording.unmatched(
            action, candidates, f"{script.id} ({script.tool}) ran a script, which may have done it"
        )
    broken = [c for c in scene.calls if c.tool == best.tool and c.result.failed]
    if broken and not generic:
        return wording.failed(action, broken)
    if action.tense is not Tense.PAST and action.verb != "run" and not _UNDER_WAY.search(action.trigger.text):
        return wording.unmatched(action, candidates, "it states what is usual, and no call shows it")
    if _USUAL.search(scene.before(action)) or _HABIT.search(scene.sentence(action)):
        return wording.unmatched(action, candidates, "it tells what stands or is usual, not what was done now")
    shown = None if scene.is_first_person(action) else shown_state(action, scene) or told_in_prose(action, scene)
    if shown is not None:
        return wording.unmatched(action, candidates, f"{shown} shows this state already")
    if is_authored(action, scene):
        return wording.unmatched(action, candidates, "the text stands in the reply itself, which needs no tool")
    answers = gist.base in _REPLYING or (gist.base == "write" and not gist.main)
    remark = _remark(scene) if answers else None
    if remark is not None:
        return wording.unmatched(action, candidates, f"{remark.id} ({remark.tool}) left a word there, which may be it")
    speaks = best.score < bar or generic is not None or fits_object(action, best.tool, scene)
    other = None if speaks else other_write(action, best.tool, scene, used.taken)
    if other is not None:
        why = f"{other.id} ({other.tool}) changed something, and {best.tool} does not name what the claim speaks of"
        return wording.unmatched(action, candidates, why)
    return wording.never_ran(action, best.tool, wording.looked_for(action, best.tool, scene.calls))


#: Triggers that tell of one event now, not of what is usual.
_UNDER_WAY = re.compile(r"ing$|\b(?:its|their|the) way\b", re.I)
_REPLYING = frozenset("reply respond answer".split())
_REMARKS = frozenset("comment comments reply answer response message".split())
#: Remarks that nobody outside is shown.
_KEPT_INSIDE = frozenset("internal private".split())


def _remark(scene: Scene) -> Call | None:
    """A call that left a comment or the like, by which an issue or a thread is answered."""
    worked = (c for c in scene.calls if not c.reads and not c.result.failed)
    words = ((c, parts_of(c.tool)) for c in worked)
    return next((c for c, w in words if not _REMARKS.isdisjoint(w) and _KEPT_INSIDE.isdisjoint(w)), None)


#: What tells how often something was done for others, not that it was done now.
_HABIT = re.compile(
    r"\b(?:many|countless|(?:hundreds|thousands|lots|plenty) of) times\b|\b(?:orders?|cases?|requests?|tickets?|accounts?|\w+s) like (?:yours|this one)\b|"
    r"\bin the past\b(?! (?:\d+|few|couple|hour|day|week|month|year|minutes|hours|days))|\bfor (?:many|lots of|countless) (?:\w+ )?(?:customers|clients|people|users|guests)\b",
    re.I,
)
#: What stands before a participle that tells a state, a habit or an older event.
_USUAL = re.compile(
    r"\b(?:usually|normally|typically|often|always|generally|stays?|remains?|(?:that|which|who) (?:was|were|is|are|had been))(?: \w+ly)?[\s*_`]*$",
    re.I,
)


def _failed(
    action: Action, candidates: Sequence[Candidate], fits: Sequence[Fit], scene: Scene
) -> list[tuple[float, Call]]:
    """The failed calls that could have done it, best first; a failed browser could have done anything."""
    by_tool = {c.tool: c.score for c in candidates}
    scores = {f.call.id: f.score for f in fits}
    out = []
    for c in scene.calls:
        if not c.result.failed or c.reads:
            continue
        score = scores.get(c.id) or (0.0 if c.deeds else by_tool.get(c.tool, 0.0))
        if not score and is_wide(c):
            score = _RELATED
        if score:
            out.append((score, c))
    return sorted(out, key=lambda x: (-x[0], x[1].index))


def _moves_money(action: Action, candidates: Sequence[Candidate], scene: Scene) -> bool:
    """Money told as moved in a run whose ledger holds no change of any kind, where tools for it are known."""
    related = {c.tool for c in candidates}
    return (
        action.verb in {"refund", "charge", "pay"} and bool(candidates) and candidates[0].score >= 0.38
        and not any(not c.reads and not c.result.failed and (c.tool in related or could_do(action, c)) for c in scene.calls)
    )  # fmt: skip


def _others(action: Action, candidates: Sequence[Candidate], used: Assignment, scene: Scene) -> bool:
    """Whether a call that no claim accounts for may have done it after all."""
    related = {c.tool for c in candidates}
    return any(
        not c.reads and not c.result.failed and (c.tool in related or could_do(action, c) or not c.shape.families)
        for c in scene.calls
    )
