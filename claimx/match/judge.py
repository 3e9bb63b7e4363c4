"""The verdict on a run: every claim against the calls that fit it, one by one, with the reason for each status."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from claimx.match import wording
from claimx.match.absence import is_denial, judge_denial
from claimx.match.adoption import adopt
from claimx.match.assignment import Assignment
from claimx.match.call import Call
from claimx.match.evidence import Fit, Scene, fits_of, scene_of
from claimx.match.fields import shallow
from claimx.match.grounding import ground
from claimx.match.lookups import judge_lookup
from claimx.match.missing import Missing
from claimx.match.options import MatchOptions
from claimx.match.rereading import whole
from claimx.match.samples import is_sample
from claimx.match.summary import summarise, verdict_of
from claimx.match.telling import unreported
from claimx.match.tools import FITS
from claimx.match.vague import judge_vague
from claimx.match.writes import judge_write
from claimx.types import (
    Action,
    Candidate,
    ClaimStatus,
    CompletionState,
    Extraction,
    JudgedClaim,
    Receipt,
    Run,
)
from claimx.verbs import READING, VAGUE


def judge(extraction: Extraction, run: Run, *, options: MatchOptions | None = None) -> Receipt:
    """Hold the claims of an extraction against a run's ledger. Deterministic; reads nothing but its arguments.

    Of arguments and results that are nested too deeply to be walked the outer levels are read.
    """
    options = options or MatchOptions()
    try:
        return _judge(extraction, run, options)
    except RecursionError:
        return _judge(extraction, replace(run, ledger=tuple(map(shallow, run.ledger))), options)


def _judge(extraction: Extraction, run: Run, options: MatchOptions) -> Receipt:
    judging = Judging(run, options=options)
    scene = judging.scene
    judged = judging.claims(extraction.claims)
    denials = [j for a in extraction.actions if is_denial(a) and (j := judge_denial(a, scene)) is not None]
    done = tuple(sorted(judged + denials, key=lambda j: j.action.trigger.start))
    values = ground(extraction.values, scene.index, run.user, now=scene.now)
    done = adopt(done, values, scene)
    verdict = verdict_of(done, values, extraction, options)
    named = {c for j in done for c in j.calls} | set(judging.used.taken)
    return Receipt(
        id=run.id,
        verdict=verdict,
        summary=summarise(verdict, done, values, extraction, tools=bool(run.tools or run.ledger)),
        claims=done,
        values=values,
        unreported=unreported(scene, extraction, named, _turn_of(run), judging.fitting),
        language=extraction.language,
    )


def _turn_of(run: Run) -> int | None:
    """The turn that a reply ends: calls of turns before it had replies of their own. None where no turns are kept."""
    told = run.extra.get("turn")
    known = [e.turn for e in run.ledger if isinstance(e.turn, int)]
    return told if isinstance(told, int) else max(known, default=None)


class Judging:
    """A run whose claims are judged all at once or as they come: its calls opened up, and those that claims have taken.

    `used` are the calls that claims judged before have taken.
    """

    def __init__(self, run: Run, *, options: MatchOptions | None = None, used: Assignment | None = None) -> None:
        self.scene = scene_of(run, options or MatchOptions())
        self.used = used or Assignment()
        self.missing = Missing(run)
        #: The calls whose effect is open.
        self.open = [c for c in self.scene.calls if c.entry.state is CompletionState.UNVERIFIED]
        #: The calls that fit the claims judged last, by the `id()` of the claim as it was given.
        self.fitting: dict[int, list[Fit]] = {}

    def claims(self, given: Sequence[Action], *, reply: str | None = None) -> list[JudgedClaim]:
        """Judge claims, in the order given. `reply` is the text that they were read in, None for the run's own reply."""
        scene = self.scene if reply is None else replace(self.scene, reply=reply)
        claims = [whole(a, scene.reply, asks=scene.toolset.asks) for a in given]
        prepared = [fits_of(a, scene) for a in claims]
        # A claim that was read otherwise than it was given is not the same action any more.
        self.fitting = {id(a): fits for a, b, (_, fits) in zip(given, claims, prepared, strict=True) if a is b}
        judged: dict[int, JudgedClaim] = {}
        # Claims that name values choose their calls first, then those that fit best: the others take what is left or share.
        order = sorted(range(len(claims)), key=lambda i: (-_telling(prepared[i][1]), -_best(prepared[i][1]), i))
        for i in order:
            candidates, fits = prepared[i]
            found = _open(_judge_one(claims[i], candidates, fits, self.used, scene), self.open)
            found = self.missing.spare(_doubt(found, scene.options.sure))
            judged[i] = replace(found, action=given[i], candidates=tuple(candidates[:8]))
        return [judged[i] for i in range(len(claims))]


def _open(judged: JudgedClaim, unverified: Sequence[Call]) -> JudgedClaim:
    """What a call bears out stays unverified as long as the system of record does not show it."""
    if judged.status is not ClaimStatus.CONFIRMED:
        return judged
    call = next((c for c in unverified if c.id in judged.calls), None)
    if call is None:
        return judged
    reason = (
        f"{call.id} ({call.tool}) was accepted; it is kept as unverified: the system of record does not show it yet"
    )
    return replace(judged, status=ClaimStatus.UNVERIFIED, reason=reason)


def _doubt(judged: JudgedClaim, sure: float) -> JudgedClaim:
    """Take back what would be held against the agent when the extractor doubts that it was claimed at all."""
    if not judged.is_flagged or judged.action.score >= sure:
        return judged
    share = f"{judged.action.score:.0%}"
    reason = f"not judged: only {share} sure that this is claimed; else {judged.status}: {judged.reason}"
    return replace(judged, status=ClaimStatus.UNMATCHED, reason=reason, mismatches=())


def _telling(fits: Sequence[Fit]) -> int:
    return max((len(f.agreement.held) for f in fits), default=0)


def _best(fits: Sequence[Fit]) -> float:
    return max((f.base for f in fits if not f.call.result.failed), default=0.0)


_OPEN_BOX = re.compile(r"^\s*(?:[-*+]|\d+[.)])?\s*(?:\[ ?\]|☐|⬜)")


def _judge_one(
    action: Action, candidates: Sequence[Candidate], fits: list[Fit], used: Assignment, scene: Scene
) -> JudgedClaim:
    if _OPEN_BOX.search(scene.reply[: action.trigger.start].rpartition("\n")[2]):
        return wording.unmatched(action, candidates, "it stands behind an open box: still to be done")
    if is_sample(action, scene.reply):
        return wording.unmatched(action, candidates, "it stands in a text that is offered as an example")
    if action.verb in READING:
        return judge_lookup(action, candidates, fits, scene)
    if action.verb in VAGUE and not any(c.score >= FITS for c in candidates):
        return judge_vague(action, candidates, fits, scene)
    return judge_write(action, candidates, fits, used, scene)
