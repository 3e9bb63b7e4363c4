"""Claims of having looked something up, checked or calculated it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match import wording
from claimx.match.agreement import Agreement, agree
from claimx.match.authored import is_authored
from claimx.match.beside import beside, has_neighbours, only_beside
from claimx.match.call import Call
from claimx.match.checks import unrun_tests
from claimx.match.details import wrong_details
from claimx.match.evidence import Fit, Scene, best_first
from claimx.match.finding import find
from claimx.match.identity import unidentified
from claimx.match.miscounts import miscounted
from claimx.match.partial_reading import read_in_part
from claimx.match.results import Outcome
from claimx.match.spread import told_beyond
from claimx.match.states import is_check, told_as_passing
from claimx.match.unseen import Missing, missing_lookup
from claimx.match.untried import untried_reader
from claimx.match.view import read_slot
from claimx.types import Action, Candidate, JudgedClaim, Mismatch, SlotType, Tense
from claimx.values import Count

_TELLING = (SlotType.ID, SlotType.CONTACT, SlotType.MONEY, SlotType.NAME, SlotType.PERSON)
#: Fits from which a tool that was not called is held against the agent: where no look-up ran, and where another did.
_NONE_RAN = 0.7
_OTHERS_RAN = 0.9
_BEHIND = 0.2
_NOTHING = re.compile(r"\b(?:no|nothing|none|zero|0)\b(?!\s+longer)", re.I)


def judge_lookup(action: Action, candidates: Sequence[Candidate], fits: list[Fit], scene: Scene) -> JudgedClaim:
    """Return the status of a claim to have looked something up."""
    shell = unrun_tests(action, scene)
    if shell is not None:
        return wording.never_ran(action, shell, f"no call of {shell} ran tests, and none shows what came of them")
    checks = [f for f in fits if is_check(action, f.call)]
    if checks:
        latest = max(checks, key=lambda f: f.call.index)
        wrong = told_as_passing(action, latest.call, scene.sentence(action))
        if wrong:
            return wording.misquoted(action, latest.call, [wrong])
    good = [f for f in fits if not f.call.result.failed and f.call.result.outcome is not Outcome.UNKNOWN]
    good = good or [f for f in checks if f.call.result.exit_code is not None]
    found = [f for f in good if f.call.result.outcome is not Outcome.NOT_FOUND] or good
    found = [f for f in found if not _outdone(action, f, candidates)]
    if found and _thin(action, found, candidates, scene):
        found = []
    if found:
        return _judge_found(action, found, candidates, scene)
    open_ = [f for f in fits if f.call.result.outcome is Outcome.UNKNOWN]
    if open_:
        return wording.unverified(action, open_[0].call)
    failed = [f for f in fits if f.call.result.failed and not _outdone(action, f, candidates)]
    others = [c for c in scene.calls if c.reads and not c.result.failed]
    if has_neighbours(action):
        neighbour = None if failed else only_beside(action, scene.calls, scene.user or "")
        if neighbour is not None:
            call, told = neighbour
            return wording.never_ran(action, call.tool, told.why, [call])
        others = [c for c in others if beside(action, c) is None]
    if failed and not _shown(action, others, scene):
        f = failed[0]
        if f.score < 0.45 and not f.agreement.held:
            return wording.unmatched(action, candidates, "only a loosely fitting call failed")
        return wording.failed(action, [x.call for x in failed if x.call.tool == f.call.tool])
    by_tool = {c.tool: c.score for c in candidates}
    related = [c for c in scene.calls if c.reads and c.result.failed and by_tool.get(c.tool, 0.0) >= 0.38]
    if related and not others:
        related.sort(key=lambda c: (-by_tool[c.tool], c.index))
        return wording.failed(action, [c for c in related if c.tool == related[0].tool])
    return _judge_absent(action, candidates, others, scene)


def _outdone(action: Action, fit: Fit, candidates: Sequence[Candidate]) -> bool:
    """Whether a tool made for just this stands far above a merely related look-up, which then cannot stand in for it."""
    if not candidates or fit.call.deeds or candidates[0].tool == fit.call.tool:
        return False
    return candidates[0].score - fit.base > _BEHIND and not fit.names and not fit.holds(action.slots)


def _thin(action: Action, found: Sequence[Fit], candidates: Sequence[Candidate], scene: Scene) -> bool:
    """Whether the look-ups that ran hold less than half of what the claim tells, while the tool for just this was not called."""
    told = [i for i, s in enumerate(action.slots) if s.type is not SlotType.COUNT]
    if len(told) < 3 or any(c.tool == candidates[0].tool for c in scene.calls):
        return False
    held = sum(
        any(i in f.agreement.held for f in found)
        or any(find(action.slots[i], c.view, now=scene.now) for c in scene.index.calls_for(action.slots[i], scene.now))
        for i in told
    )
    return held * 2 < len(told) and candidates[0].score - max(f.base for f in found) > 0.1


def _judge_found(action: Action, found: Sequence[Fit], candidates: Sequence[Candidate], scene: Scene) -> JudgedClaim:
    found = best_first(found)
    wrong = wrong_details(action, found, scene)
    missing = missing_lookup(action, found, candidates, scene) or unidentified(action, [f.call for f in found], scene)
    if missing is not None and not any(x.slot == "ID" for x in wrong):
        return _not_looked_up(action, missing, scene)
    if wrong:
        return wording.misquoted(action, found[0].call, wrong)
    told = _told_as_empty(action, found) or _told_as_found(action, found) or told_beyond(action, found, scene)
    told = told or miscounted(action, found, scene)
    told = told or read_in_part(action, [f.call for f in found if f.agreement.held])
    if told is not None:
        return wording.misquoted(action, found[0].call, [told])
    best = found[0]
    taken = [best] + [f for f in found[1:] if set(f.agreement.held) - set(best.agreement.held)]
    return wording.confirmed(action, taken)


def _not_looked_up(action: Action, missing: Missing, scene: Scene) -> JudgedClaim:
    """The look-up that the claim speaks of failed, or is not there."""
    broken = [c for c in scene.calls if c.tool == missing.tool and c.result.failed]
    if broken:
        return wording.failed(action, broken)
    return wording.never_ran(action, missing.tool, f"no call of {missing.tool} is in the ledger, and {missing.why}")


def _told_as_empty(action: Action, found: Sequence[Fit]) -> Mismatch | None:
    """“The search returned no invoices” against a search that returned some."""
    at = action.trigger.end - action.start
    if action.object is None or not re.match(
        r"\W*(?:returned|found|gave|showed|and found|came back with)?\s*no\b", action.text[at:], re.I
    ):
        return None
    sizes = [s for s in found[0].call.view.sizes if s.depth <= 1 and s.path.startswith(f"{found[0].call.id}.result")]
    full = next((s for s in sizes if s.size), None)
    if full is None or len(found) > 1:
        return None
    return Mismatch("COUNT", "no", full.size, full.path, f"the result lists {full.size}")


def _told_as_found(action: Action, found: Sequence[Fit]) -> Mismatch | None:
    """A number of finds told of a search that found nothing."""
    if any(f.call.result.outcome is not Outcome.NOT_FOUND for f in found):
        return None
    for slot in action.slots:
        value = read_slot(slot) if slot.type is SlotType.COUNT else None
        if isinstance(value, Count) and value.number > 0:
            result = found[0].call.result
            return Mismatch("COUNT", slot.text, 0, result.path, result.reason)
    return None


def _shown(action: Action, others: Sequence[Call], scene: Scene) -> Call | None:
    """Another look-up that shows every telling value of the claim."""
    values = [s for s in action.slots if s.type in _TELLING]
    if not values:
        return None
    hits = [[c for c in others if find(s, c.view, now=scene.now)] for s in values]
    return hits[0][0] if all(hits) else None


def _judge_absent(action: Action, candidates: Sequence[Candidate], others: Sequence[Call], scene: Scene) -> JudgedClaim:
    shown = _shown(action, others, scene)
    if shown is not None:
        found = [Fit(shown, 0.5, _view(action, shown, scene))]
        missing = missing_lookup(action, found, candidates, scene)
        return wording.confirmed(action, found) if missing is None else _not_looked_up(action, missing, scene)
    missing = unidentified(action, others, scene) if others else None
    if missing is not None:
        return _not_looked_up(action, missing, scene)
    best = candidates[0] if candidates else None
    reader = untried_reader(action, scene) if best is None or best.score < _NONE_RAN else None
    if reader is not None:
        return _not_looked_up(action, Missing(reader.tool, "nothing else of this run worked"), scene)
    if best is None or best.score < (_OTHERS_RAN if others else _NONE_RAN):
        why = (
            "another look-up ran, which may have shown it"
            if others
            else "no known tool fits it closely enough to judge"
        )
        return wording.unmatched(action, candidates, why)
    if is_authored(action, scene):
        return wording.unmatched(action, candidates, "the text stands in the reply itself, which needs no tool")
    broken = [c for c in scene.calls if c.tool == best.tool and c.result.failed]
    if broken:
        return wording.failed(action, broken)
    if (
        action.tense is not Tense.PAST
        and not action.trigger.text.lower().endswith("ing")
        and action.trigger.text.lower() not in {"see", "find"}
    ):
        return wording.unmatched(action, candidates, "it states what is usual, and no call shows it")
    return wording.never_ran(action, best.tool, wording.looked_for(action, best.tool, scene.calls))


def _view(action: Action, call: Call, scene: Scene) -> Agreement:
    return agree(action, call.view, now=scene.now)
