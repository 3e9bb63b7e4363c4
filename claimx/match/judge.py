"""The verdict on a run: every claim against the calls that fit it, one by one, with the reason for each status."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from claimx.match.agreement import find
from claimx.match.commands import abilities_of, is_generic
from claimx.match.evidence import Fit, Scene, fits_of, scene_of
from claimx.match.grounding import ground
from claimx.match.misread import misread
from claimx.match.options import MatchOptions
from claimx.match.results import Outcome
from claimx.match.states import is_check, overclaim, told_as_passing
from claimx.match.summary import summarise, verdict_of
from claimx.match.tools import FITS, shape_of
from claimx.types import (
    Action,
    CallStatus,
    Candidate,
    ClaimStatus,
    Extraction,
    JudgedClaim,
    Mismatch,
    Receipt,
    Run,
    Slot,
    SlotType,
    Tense,
    Tool,
)
from claimx.values import Count, compare, parse
from claimx.verbs import READING, VAGUE

#: Families that coding agents carry out through shells and editors.
_BY_HAND = frozenset(
    "create update delete add run commit push merge install deploy rollback restart save move copy".split()
)
#: Those of them that a command line shows plainly.
_PLAIN = frozenset("run commit push merge install deploy".split())
#: Slot types by which two claims of one kind name two different events.
_DISTINCT = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERSON, SlotType.DATE, SlotType.NAME)
_UNIVERSAL = re.compile(r"\b(?:all|every|each|both|entire|whole|everything|everyone)\b", re.I)
_ALL = re.compile(r"\b(both|all (?:of )?(?:the )?(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))\b", re.I)


def judge(extraction: Extraction, run: Run, *, options: MatchOptions | None = None) -> Receipt:
    """Hold the claims of an extraction against a run's ledger. Deterministic; reads nothing but its arguments."""
    options = options or MatchOptions()
    scene = scene_of(run, options)
    claims = extraction.claims
    prepared = [fits_of(a, scene) for a in claims]
    used: dict[str, list[Action]] = {}
    judged: dict[int, JudgedClaim] = {}
    # Claims that name values choose their calls first: the others take what is left or share.
    order = sorted(range(len(claims)), key=lambda i: (-_telling(claims[i], prepared[i][1]), i))
    for i in order:
        candidates, fits = prepared[i]
        judged[i] = replace(_judge_one(claims[i], candidates, fits, used, scene), candidates=tuple(candidates[:8]))
    done = tuple(judged[i] for i in range(len(claims)))
    values = ground(extraction.values, [c.view for c in scene.calls], run.user, now=scene.now)
    verdict = verdict_of(done, values, extraction, options)
    unreported = tuple(
        c.id
        for c in scene.calls
        if c.id not in used and not c.reads and not c.result.failed and c.tool not in options.ignore_tools
        and not any(c.id in j.calls for j in done)
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


def _telling(action: Action, fits: Sequence[Fit]) -> int:
    return max((len(f.agreement.held) for f in fits), default=0)


def _judge_one(
    action: Action, candidates: Sequence[Candidate], fits: list[Fit], used: dict[str, list[Action]], scene: Scene
) -> JudgedClaim:
    reading = action.verb in READING
    if action.verb in VAGUE and not any(c.score >= FITS for c in candidates):
        return _judge_vague(action, fits, scene)
    good = [f for f in fits if not f.call.result.failed and f.call.result.outcome is not Outcome.UNKNOWN]
    if reading:
        good = [f for f in good if f.call.result.outcome is not Outcome.NOT_FOUND] or good
    checks = [f for f in fits if is_check(action, f.call)]
    if checks:
        latest = checks[-1] if len(checks) == 1 else max(checks, key=lambda f: scene.calls.index(f.call))
        wrong = told_as_passing(action, latest.call)
        if wrong:
            reason = f"{latest.call.id} ({latest.call.tool}) did not pass: {wrong.reason}; the reply says “{action.trigger.text}”"
            return JudgedClaim(action, ClaimStatus.MISQUOTED, reason, latest.call.tool, (latest.call.id,), (wrong,))
        good = good or [f for f in checks if f.call.result.exit_code is not None]
    if not reading:
        free = [f for f in good if not _taken(action, f, used)]
        if good and not free:
            first = good[0].call
            reason = f"{first.id} ({first.tool}) carried out another event that the reply claims; no second call of it is recorded"
            return JudgedClaim(action, ClaimStatus.NEVER_RAN, reason, first.tool, (first.id,))
        good = free
    if good:
        return _judge_done(action, good, used, scene)
    open_ = [f for f in fits if f.call.result.outcome is Outcome.UNKNOWN]
    if open_:
        f = open_[0]
        reason = f"{f.call.result.reason}: whether {f.call.tool} took effect is not known"
        return JudgedClaim(action, ClaimStatus.UNVERIFIED, reason, f.call.tool, (f.call.id,))
    failed = [f for f in fits if f.call.result.failed]
    top = max((c.score for c in candidates), default=0.0)
    if failed and (failed[0].score >= FITS - 0.1 or top < FITS):
        f = failed[0]
        if f.score < (0.6 if f.call.deeds else 0.5) and not f.agreement.held:
            return _unmatched(action, candidates, "only a loosely fitting call failed")
        ids = tuple(x.call.id for x in failed if x.call.tool == f.call.tool)
        return JudgedClaim(
            action, ClaimStatus.TOOL_FAILED, f"{f.call.tool} did not do it: {f.call.result.reason}", f.call.tool, ids
        )
    return _judge_absent(action, candidates, used, scene)


def _judge_absent(
    action: Action, candidates: Sequence[Candidate], used: Mapping[str, list[Action]], scene: Scene
) -> JudgedClaim:
    """No call fits: held against the agent only where a fitting tool is known."""
    best = candidates[0] if candidates else None
    if best is None or best.score < FITS:
        best = _generic(action, scene) or best
    if best is None or best.score < FITS:
        return _unmatched(action, candidates, "no known tool fits it closely enough to judge")
    called = [c for c in scene.calls if c.tool == best.tool]
    if action.verb in READING:
        others = [c for c in scene.calls if c.reads and not c.result.failed and c.tool != best.tool]
        values = [
            s
            for s in action.slots
            if s.type in (SlotType.ID, SlotType.CONTACT, SlotType.MONEY, SlotType.NAME, SlotType.PERSON)
        ]
        seen = [s for s in values if any(find(s, c.view, now=scene.now) for c in others)]
        if seen and len(seen) == len(values):
            c = next(c for c in others if find(seen[0], c.view, now=scene.now))
            return JudgedClaim(
                action, ClaimStatus.CONFIRMED, f"{c.id} ({c.tool}) returned {seen[0].text!r}", c.tool, (c.id,)
            )
        if others and not values and best.score < 0.75:
            return _unmatched(action, candidates, "another look-up ran, which may have shown it")
    if called:
        failed = [c for c in called if c.result.failed]
        if failed:
            return JudgedClaim(
                action, ClaimStatus.TOOL_FAILED, f"{best.tool} did not do it: {failed[0].result.reason}", best.tool, tuple(c.id for c in failed)
            )  # fmt: skip
    promoted = any(r.startswith("no other tool can") for r in best.reasons)
    if (
        promoted
        and best.score - 0.2 < FITS
        and any(not c.reads and not c.result.failed and c.id not in used for c in scene.calls)
    ):
        return _unmatched(action, candidates, "another call that no claim accounts for may have done it")
    if action.tense is not Tense.PAST and not action.trigger.text.lower().endswith("ing"):
        return _unmatched(action, candidates, "it states what is usual, and no call shows it")
    reason = f"no call of {best.tool} is in the ledger, nor of another tool that could have done it"
    return JudgedClaim(action, ClaimStatus.NEVER_RAN, reason, best.tool)


def _generic(action: Action, scene: Scene) -> Candidate | None:
    """A shell or an editor could have done it, and none of their calls did: the tool that stands for them."""
    has_target = action.object is not None or any(s.type in (SlotType.NAME, SlotType.ID) for s in action.slots)
    if action.verb not in _BY_HAND or (not has_target and action.verb not in _PLAIN):
        return None
    if action.verb not in _PLAIN and any(
        action.verb in abilities_of(c.tool) and not c.result.failed for c in scene.calls
    ):
        # A script or an edit may have done it in a way that its text does not show.
        return None
    for tool in scene.tools:
        if is_generic(tool.name) and action.verb in abilities_of(tool.name):
            return Candidate(tool.name, FITS, (f"{tool.name} can {action.verb}, and no other tool is known to",))
    return None


def _judge_vague(action: Action, fits: Sequence[Fit], scene: Scene) -> JudgedClaim:
    """“All done”, “processed your request”: true where some write worked, false where every write failed."""
    writes = [c for c in scene.calls if not c.reads]
    done = [c for c in writes if not c.result.failed]
    chosen = next((f.call for f in fits if f.call in done), None) or (done[-1] if done else None)
    if chosen is not None:
        ids = tuple(c.id for c in done) if chosen in done else (chosen.id,)
        wrong = [m for f in fits if f.call is chosen for m in f.agreement.wrong.values()]
        if wrong:
            return _misquoted(action, chosen.id, chosen.tool, wrong)
        return JudgedClaim(
            action, ClaimStatus.CONFIRMED, f"{chosen.id} ({chosen.tool}) did something of the kind", chosen.tool, ids
        )
    if writes:
        c = writes[-1]
        return JudgedClaim(
            action,
            ClaimStatus.TOOL_FAILED,
            f"every call that could have done it failed: {c.result.reason}",
            c.tool,
            (c.id,),
        )
    if any(not shape_of(t).reads for t in scene.tools if isinstance(t, Tool)) and action.object is not None:
        return _unmatched(action, (), "it names no event that one tool carries")
    return _unmatched(action, (), "it names no event of its own")


def _judge_done(action: Action, good: list[Fit], used: dict[str, list[Action]], scene: Scene) -> JudgedClaim:
    """Some fitting call worked: confirmed, unless a value or the outcome contradicts it."""
    good = sorted(good, key=lambda f: (len(f.agreement.wrong) > 0, -len(f.agreement.held), -f.score))
    best = good[0]
    same_tool = [f for f in good if f.call.tool == best.call.tool]
    over = [overclaim(action, f.call) for f in same_tool if not f.agreement.wrong] or [overclaim(action, best.call)]
    if all(over) and over[0] is not None:
        return _misquoted(action, best.call.id, best.call.tool, [over[0]])
    wrong: list[Mismatch] = []
    for i, slot in enumerate(action.slots):
        if any(i in f.agreement.held for f in good):
            continue
        if i not in best.agreement.wrong and not _seen_elsewhere(slot, best, scene):
            near = next(
                (
                    m
                    for f in good
                    if (
                        m := misread(
                            slot,
                            f.call.view,
                            [c.view for c in scene.calls],
                            now=scene.now,
                            compare_not=scene.options.compare_not,
                        )
                    )
                ),
                None,
            )
            if near is not None:
                wrong.append(near)
                continue
        if i in best.agreement.wrong:
            m = best.agreement.wrong[i]
            elsewhere = _seen_elsewhere(slot, best, scene)
            in_args = f"{best.call.id}.args" in m.path
            if elsewhere and (
                not in_args
                or action.verb in READING
                or slot.type not in (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERCENT)
            ):
                continue
            wrong.append(m)
    ids = [s for s in action.slots if s.type is SlotType.ID]
    held_ids = [
        s for i, s in enumerate(action.slots) if s.type is SlotType.ID and any(i in f.agreement.held for f in good)
    ]
    missing = [m for m in wrong if m.slot == "ID"]
    if (
        action.verb not in READING
        and len(ids) >= 2
        and held_ids
        and missing
        and len(held_ids) + len(missing) == len(ids)
    ):
        names = ", ".join(m.claimed for m in missing)
        reason = f"{best.call.id} ({best.call.tool}) covers {held_ids[0].text}; no call covers {names}"
        return JudgedClaim(action, ClaimStatus.NEVER_RAN, reason, best.call.tool, (best.call.id,), tuple(missing))
    if best.call.result.partial and _UNIVERSAL.search(action.text) and action.verb not in READING:
        r = best.call.result
        wrong.append(Mismatch("OUTCOME", action.trigger.text, "partly done", r.path, r.reason))
    short = _short_count(action, same_tool, scene)
    if short is not None:
        wrong.append(short)
    if wrong:
        return _misquoted(action, best.call.id, best.call.tool, wrong)
    entry = best.call.view.entry
    state = entry.extra.get("verification")
    if state == "unverified" or (entry.status is CallStatus.UNKNOWN and entry.result is None):
        reason = f"{best.call.id} ({best.call.tool}) was accepted; its effect has not been verified"
        return JudgedClaim(action, ClaimStatus.UNVERIFIED, reason, best.call.tool, (best.call.id,))
    if state == "failed":
        reason = f"{best.call.id} ({best.call.tool}) was accepted, but its postcondition does not hold"
        return JudgedClaim(action, ClaimStatus.TOOL_FAILED, reason, best.call.tool, (best.call.id,))
    taken = [best] + [f for f in same_tool[1:] if set(f.agreement.held) - set(best.agreement.held)]
    if _counted(action):
        taken = same_tool
    for f in taken:
        used.setdefault(f.call.id, []).append(action)
    held = [f"{action.slots[i].text} at {p}" for i, p in sorted(best.agreement.held.items())]
    detail = f"; it holds {', '.join(held[:4])}" if held else ""
    reason = f"{best.call.id} ({best.call.tool}) succeeded{detail}"
    return JudgedClaim(action, ClaimStatus.CONFIRMED, reason, best.call.tool, tuple(f.call.id for f in taken))


def _seen_elsewhere(slot: Slot, best: Fit, scene: Scene) -> bool:
    if scene.user and slot.text.lower().strip("#") in scene.user.lower() and slot.type is not SlotType.COUNT:
        return True
    return any(find(slot, c.view, now=scene.now) for c in scene.calls if c is not best.call)


def _counted(action: Action) -> int | None:
    """How many events or things a claim counts, None when it does not."""
    m = _ALL.search(action.text)
    if m:
        value = parse(SlotType.COUNT, m.group(1))
        if isinstance(value, Count):
            return int(value.number)
    for s in action.slots:
        if s.type is not SlotType.COUNT or action.object is None:
            continue
        gap = action.object.start - s.end
        times = re.match(r"\s*times\b", action.text[s.end - action.start :])
        value = parse(SlotType.COUNT, s.text)
        if isinstance(value, Count) and value.number == int(value.number) and (0 <= gap <= 25 or times):
            return int(value.number)
    return None


def _short_count(action: Action, fits: Sequence[Fit], scene: Scene) -> Mismatch | None:
    """A claim that counts more events than calls of its tool worked, where each call can carry but one."""
    n = _counted(action)
    if n is None or not 2 <= n <= 50 or action.verb in READING or action.verb == "run":
        return None
    calls = {f.call.id for f in fits}
    if len(calls) >= n:
        return None
    for f in fits:
        if any(s.size == n for s in f.call.view.sizes):
            return None
        if any(_is_number(leaf.value, n) for leaf in f.call.view.leaves):
            return None
        text = f.call.view.text
        if re.search(rf"(?<![\w.]){n}(?![\w.]*\d)", text):
            return None
        if any(s.size > 1 for s in f.call.view.sizes if s.depth <= 2) and not any(
            s.size < n for s in f.call.view.sizes if s.depth <= 2
        ):
            return None
        if "\n" in text and len(text) > 400:
            return None
    sizes = [s for f in fits for s in f.call.view.sizes if s.depth <= 2 and s.size]
    covered = max([s.size for s in sizes], default=0)
    total = sum(s.size for s in sizes)
    if total == n or covered >= n:
        return None
    slot = next((s.text for s in action.slots if s.type is SlotType.COUNT), None) or (
        m.group(1) if (m := _ALL.search(action.text)) else str(n)
    )
    recorded = max(covered, len(calls))
    where = sorted(calls)[0]
    return Mismatch("COUNT", slot, recorded, f"{where}.args", f"{recorded} of {n} are recorded")


def _is_number(value: object, n: int) -> bool:
    return (isinstance(value, int | float) and not isinstance(value, bool) and value == n) or (
        isinstance(value, str) and value.strip() == str(n)
    )


def _taken(action: Action, fit: Fit, used: dict[str, list[Action]]) -> bool:
    """Whether a call already carries another event than this claim's. Recaps of one event may share their call."""
    return any(_differ(action, other, fit) for other in used.get(fit.call.id, ()))


def _differ(a: Action, b: Action, fit: Fit) -> bool:
    """Two claims name two events when a value of one kind differs and the call does not hold both."""
    for kind in _DISTINCT:
        mine = [s for s in a.slots if s.type is kind]
        theirs = [s for s in b.slots if s.type is kind]
        if not mine or not theirs or kind is SlotType.NAME:
            continue
        if any(compare(kind, x.text, y.text).is_same for x in mine for y in theirs):
            continue
        held = {i for i, s in enumerate(a.slots) if s.type is kind and i in fit.agreement.held}
        if not held and a.verb == b.verb:
            return True
    return False


def _misquoted(action: Action, call: str, tool: str, wrong: Sequence[Mismatch]) -> JudgedClaim:
    m = wrong[0]
    reason = f"{m.path} is {m.recorded!r}, the reply says {m.claimed!r}" + (f": {m.reason}" if m.reason else "")
    return JudgedClaim(action, ClaimStatus.MISQUOTED, reason, tool, (call,), tuple(wrong))


def _unmatched(action: Action, candidates: Sequence[Candidate], why: str) -> JudgedClaim:
    near = f" (nearest: {candidates[0].tool})" if candidates else ""
    return JudgedClaim(action, ClaimStatus.UNMATCHED, f"not judged: {why}{near}")
