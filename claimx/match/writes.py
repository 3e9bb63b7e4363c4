"""Claims of having changed something: the calls that did it, failed to, left it open, or are not there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimx.match import wording
from claimx.match.assignment import Assignment
from claimx.match.call import Call
from claimx.match.chains import part_done
from claimx.match.checks import other_counts, run_before_the_edit
from claimx.match.counts import counts_none, short_count
from claimx.match.deeds import deed_score
from claimx.match.done import judge_done
from claimx.match.evidence import Fit, Scene
from claimx.match.files import untouched_files
from claimx.match.fitting import is_just_this
from claimx.match.gist import gist_of
from claimx.match.payments import says_nothing_of_money
from claimx.match.results import Outcome
from claimx.match.states import is_check, shows_a_check, told_as_passing
from claimx.match.undone import judge_undone
from claimx.types import Action, Candidate, JudgedClaim, SlotType

#: How far a call's fit may lie behind that of a better tool which did not do it.
_BEHIND = 0.2


def judge_write(
    action: Action, candidates: Sequence[Candidate], fits: list[Fit], used: Assignment, scene: Scene
) -> JudgedClaim:
    """Return the status of a claim to have changed something."""
    checked = _judge_check(action, fits, scene)
    if isinstance(checked, JudgedClaim):
        return checked
    fits = [_as_far_as_done(action, f) for f in fits]
    good = [f for f in fits if not f.call.result.failed and f.call.result.outcome is not Outcome.UNKNOWN] or checked
    aside = [f for f in good if says_nothing_of_money(action, f)]
    behind = [f for f in good if f in aside or _outdone(action, f, candidates)]
    good = [f for f in good if f not in behind]
    free = [f for f in good if used.is_free(action, f)]
    own = [f for f in fits if f.call.result.failed and f.holds(action.slots)]
    if own and all(f.agreement.wrong and not f.holds(action.slots) for f in free[:8]):
        # The call that this claim's values name is there, and failed.
        return wording.failed(action, [f.call for f in own])
    none = [at for f in good if (at := counts_none(action, f.call)) is not None]
    if none and len(none) == len(good):
        return wording.failed(action, [f.call for f in good], f"{none[0]} is 0")
    meant = _meant(action, fits, free)
    if meant:
        return wording.failed(action, meant)
    if good and not free:
        first = good[0].call
        why = f"{first.id} ({first.tool}) carried out another event that the reply claims; no second call of it is recorded"
        return wording.never_ran(action, first.tool, why, [first])
    open_ = [f for f in fits if f.call.result.outcome is Outcome.UNKNOWN]
    if free:
        return judge_done(action, free, used, scene, unsure=open_)
    if open_ and not _outdone(action, open_[0], candidates):
        untouched = untouched_files(action, open_, scene)
        if untouched:
            why = f"{open_[0].call.id} ({open_[0].call.tool}) changes another file; {untouched[0].reason}"
            return wording.never_ran(action, open_[0].call.tool, why, [open_[0].call], untouched)
        short = short_count(action, [f for f in open_ if f.call.tool == open_[0].call.tool], open_, scene.calls)
        if short is not None:
            return wording.misquoted(action, open_[0].call, [short])
        return wording.unverified(action, open_[0].call)
    tried = any(c.tool == candidates[0].tool for c in scene.calls) if candidates else False
    loose = next(
        (
            f.call
            for f in behind
            if not used.carries(f.call.id)
            and not f.call.reads
            and not tried
            and not is_just_this(action, candidates, scene, f.call)
            and (f.base >= 0.5 or f in aside)
        ),
        None,
    )
    if loose is not None:
        return wording.unmatched(
            action, candidates, f"{loose.id} ({loose.tool}) is related, and may or may not have done it"
        )
    return judge_undone(action, candidates, fits, used, scene)


def _as_far_as_done(action: Action, fit: Fit) -> Fit:
    """A failed chain of commands counts as one that worked where the claim tells of a link that did."""
    part = part_done(fit.call)
    if part is None or deed_score(gist_of(action), part) < fit.base:
        return fit
    return replace(fit, call=part)


#: What tells one event from another of its kind.
_NAMING = (SlotType.ID, SlotType.CONTACT, SlotType.MONEY, SlotType.NAME, SlotType.PERSON)


def _meant(action: Action, fits: Sequence[Fit], free: Sequence[Fit]) -> list[Call]:
    """The failed calls whose arguments name what the claim names, where those that worked fit less and name nothing of it."""
    if not free or any(f.holds(action.slots, _NAMING) for f in free):
        return []
    best = max(f.base for f in free)
    return [
        f.call
        for f in fits
        if f.call.result.failed
        and f.base - best > 0.1
        and any(action.slots[i].type in _NAMING and ".args" in p for i, p in f.agreement.held.items())
    ]


def _judge_check(action: Action, fits: Sequence[Fit], scene: Scene) -> JudgedClaim | list[Fit]:
    """Tests, builds and the like: a failing check did run, and is misquoted when told as passing."""
    checks = [f for f in fits if is_check(action, f.call)]
    if not checks:
        return []
    best = max(f.base for f in checks)
    latest = max(checks, key=lambda f: (f.base >= best - 0.15, f.call.index))
    wrong = told_as_passing(action, latest.call, scene.sentence(action))
    if wrong:
        return wording.misquoted(action, latest.call, [wrong])
    stale = run_before_the_edit(action, [f.call for f in checks], scene)
    if stale is not None:
        run, edit = stale
        why = f"{run.id} ({run.tool}) ran before {edit.id} ({edit.tool}) changed a file; no run after it is recorded"
        return wording.never_ran(action, run.tool, why, [run])
    counts = other_counts(action, [f.call for f in checks], scene)
    if counts is not None:
        return wording.misquoted(action, latest.call, [counts])
    return [f for f in checks if shows_a_check(action, f.call, scene.sentence(action))]


def _outdone(action: Action, fit: Fit, candidates: Sequence[Candidate]) -> bool:
    """Whether a tool made for just this stands far above a merely related call, which then cannot stand in for it."""
    if not candidates or fit.call.deeds or candidates[0].tool == fit.call.tool:
        return False
    if candidates[0].score - fit.base <= _BEHIND or fit.names:
        return False
    return not fit.holds(action.slots) or _other_part(action, fit, candidates[0].score)


def _other_part(action: Action, fit: Fit, best: float) -> bool:
    """Whether a call changed another part of the same record: it holds the record's number, and nothing of what the claim names."""
    if best < 0.95 or fit.base > 0.5 or action.verb not in fit.call.shape.families:
        return False
    kinds = {action.slots[i].type for i in fit.agreement.held}
    return kinds == {SlotType.ID} and fit.call.said.isdisjoint(gist_of(action).main)
