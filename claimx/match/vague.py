"""Claims that say little by their verb: “all done”, “processed your request”, “you're all set for Friday”."""

from __future__ import annotations

from collections.abc import Sequence

from claimx.match import wording
from claimx.match.agreement import Agreement
from claimx.match.evidence import Fit, Scene
from claimx.match.finding import find
from claimx.match.gist import gist_of
from claimx.types import Action, Candidate, CompletionState, JudgedClaim, SlotType
from claimx.verbs import lemma

_TOLD = (SlotType.DATE, SlotType.TIME, SlotType.ID, SlotType.MONEY, SlotType.PERSON, SlotType.CONTACT)


def judge_vague(action: Action, candidates: Sequence[Candidate], fits: Sequence[Fit], scene: Scene) -> JudgedClaim:
    """“All done”, “processed your request”: true where some write worked, false where every write failed."""
    writes = scene.writes
    done = [c for c in writes if not c.result.failed]
    fitting = [f for f in fits if f.call in done]
    named = _judge_named(action, candidates, fits, scene)
    if named is not None:
        return named
    if fitting:
        wrong = list(fitting[0].agreement.wrong.values())
        if wrong and not fitting[0].agreement.held and len(fitting) == 1:
            return wording.misquoted(action, fitting[0].call, wrong)
        return wording.confirmed(action, fitting)
    if done:
        done.sort(key=lambda c: c.entry.state is CompletionState.UNVERIFIED)
        return wording.confirmed(action, [Fit(done[-1], 0.5, fits[0].agreement if fits else Agreement())])
    if writes:
        return wording.failed(action, writes[::-1])
    if candidates and _says_something(action):
        return wording.never_ran(
            action, candidates[0].tool, "nothing was done in this run: the ledger holds no call that changes anything"
        )
    return wording.unmatched(action, candidates, "it names no event of its own")


def _says_something(action: Action) -> bool:
    """A vague claim with values, or of a request or task as done, still says that something was done."""
    told = any(s.type in (SlotType.DATE, SlotType.TIME, SlotType.ID, SlotType.MONEY) for s in action.slots)
    return action.tense == "past" and (
        told or action.object is not None or not {lemma(w) for w in action.trigger.text.split()} & {"do", "set", "all"}
    )


def _judge_named(
    action: Action, candidates: Sequence[Candidate], fits: Sequence[Fit], scene: Scene
) -> JudgedClaim | None:
    """A vague verb with a telling object and values: judged where no call that worked has to do with either.

    “You're all set: the viewing with Ada is on 4 May at noon” after a run in which only a newsletter was ordered.
    """
    head = gist_of(action).head
    told = [s for s in action.slots if s.type in _TOLD]
    named = {n for n, shape in scene.toolset.shapes if head in shape.nouns}
    tools = [c.tool for c in candidates if c.tool in named]
    if not head or len(told) < 2 or not tools:
        return None
    done = [c for c in scene.calls if not c.result.failed]
    if any(not c.reads and (head in c.shape.nouns or head in c.fields) for c in done):
        return None
    if any(find(s, c.view, now=scene.now) for s in told for c in done if not c.reads):
        return None
    failed = [f.call for f in fits if f.call.result.failed and f.agreement.held]
    return wording.failed(action, failed) if failed else wording.never_ran(action, tools[0])
