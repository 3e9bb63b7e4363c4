"""The verdict on a run: every claim against the calls that fit it, one by one, with the reason for each status."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimx.match.absence import is_denial, judge_denial
from claimx.match.adoption import adopt
from claimx.match.assignment import Assignment
from claimx.match.evidence import Fit, Scene, fits_of, scene_of
from claimx.match.fields import shallow
from claimx.match.grounding import ground
from claimx.match.lookups import judge_lookup
from claimx.match.options import MatchOptions
from claimx.match.summary import summarise, verdict_of
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
    Slot,
    SlotType,
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
    scene = scene_of(run, options)
    given = extraction.claims
    claims = [_whole(a, run.reply) for a in given]
    prepared = [fits_of(a, scene) for a in claims]
    used = Assignment()
    judged: dict[int, JudgedClaim] = {}
    # Claims that name values choose their calls first, then those that fit best: the others take what is left or share.
    order = sorted(range(len(claims)), key=lambda i: (-_telling(prepared[i][1]), -_best(prepared[i][1]), i))
    for i in order:
        candidates, fits = prepared[i]
        found = _open(_judge_one(claims[i], candidates, fits, used, scene), scene)
        found = _doubt(found, options.sure)
        judged[i] = replace(found, action=given[i], candidates=tuple(candidates[:8]))
    denials = [j for a in extraction.actions if is_denial(a) and (j := judge_denial(a, scene)) is not None]
    done = tuple(sorted([judged[i] for i in range(len(claims))] + denials, key=lambda j: j.action.trigger.start))
    values = ground(extraction.values, scene.calls, run.user, now=scene.now)
    done = adopt(done, values, scene)
    verdict = verdict_of(done, values, extraction, options)
    named = {c for j in done for c in j.calls}
    turn = _turn_of(run)
    unreported = tuple(
        c.id
        for c in scene.calls
        if (turn is None or c.entry.turn in (None, turn)) and not c.reads and not c.result.failed and c.id not in named and not used.carries(c.id)
        and c.tool not in options.ignore_tools
    )  # fmt: skip
    return Receipt(
        id=run.id,
        verdict=verdict,
        summary=summarise(verdict, done, values, extraction),
        claims=done,
        values=values,
        unreported=unreported,
        language=extraction.language,
    )


def _turn_of(run: Run) -> int | None:
    """The turn that a reply ends: calls of turns before it had replies of their own. None where no turns are kept."""
    told = run.extra.get("turn")
    known = [e.turn for e in run.ledger if isinstance(e.turn, int)]
    return told if isinstance(told, int) else max(known, default=None)


def _open(judged: JudgedClaim, scene: Scene) -> JudgedClaim:
    """What a call bears out stays unverified as long as the system of record does not show it."""
    if judged.status is not ClaimStatus.CONFIRMED:
        return judged
    call = next((c for c in scene.calls if c.id in judged.calls and c.entry.state is CompletionState.UNVERIFIED), None)
    if call is None:
        return judged
    reason = (
        f"{call.id} ({call.tool}) was accepted; it is kept as unverified: the system of record does not show it yet"
    )
    return replace(judged, status=ClaimStatus.UNVERIFIED, reason=reason)


_ONE_WORD = (SlotType.ID, SlotType.NAME, SlotType.CONTACT)


def _whole(action: Action, reply: str) -> Action:
    """Widen names and numbers that an extractor cut inside of a word: “HX” of “HX-204B” names nothing."""
    slots = tuple(_widened(s, reply) if s.type in _ONE_WORD else s for s in action.slots)
    return action if slots == action.slots else replace(action, slots=slots)


def _widened(slot: Slot, reply: str) -> Slot:
    start, end = slot.start, slot.end
    if reply[start:end] != slot.text or not slot.text:
        return slot
    while start and slot.text[0].isalnum() and reply[start - 1].isalnum():
        start -= 1
    while end < len(reply) and reply[end - 1].isalnum() and reply[end].isalnum():
        end += 1
    return slot if end - start == len(slot.text) else replace(slot, text=reply[start:end], start=start, end=end)


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


def _judge_one(
    action: Action, candidates: Sequence[Candidate], fits: list[Fit], used: Assignment, scene: Scene
) -> JudgedClaim:
    if action.verb in READING:
        return judge_lookup(action, candidates, fits, scene)
    if action.verb in VAGUE and not any(c.score >= FITS for c in candidates):
        return judge_vague(action, candidates, fits, scene)
    return judge_write(action, candidates, fits, used, scene)
