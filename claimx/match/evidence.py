"""Which calls of the ledger speak to a claim, and how well each fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from claimx.match.agreement import Agreement, agree
from claimx.match.call import Call
from claimx.match.commands import abilities_of, is_generic, is_patcher
from claimx.match.handwork import touches_other
from claimx.match.kinship import APART, BRINGS, LOOSE, OWN, kinship
from claimx.match.naming import with_kind
from claimx.match.options import MatchOptions
from claimx.match.outward import answers, is_outward, starts
from claimx.match.pages import is_wide
from claimx.match.shapes import ToolShape, shape_of
from claimx.match.sides import may_state, states
from claimx.match.tools import MAY, Gist, gist_of, rank_shapes
from claimx.types import Action, Candidate, CompletionState, Run, SlotType, Tool
from claimx.verbs import READING, VAGUE

#: What it adds to a call's fit that it holds a value of the claim, by type; for look-ups only what identifies counts.
_WEIGHT = {
    SlotType.ID: 0.12, SlotType.CONTACT: 0.12, SlotType.MONEY: 0.1, SlotType.DATE: 0.06, SlotType.TIME: 0.05,
    SlotType.NAME: 0.06, SlotType.PERSON: 0.06, SlotType.PERCENT: 0.05, SlotType.DURATION: 0.03, SlotType.COUNT: 0.02,
}  # fmt: skip
_MOST = 0.25
_IDENTIFYING = (SlotType.ID, SlotType.CONTACT, SlotType.MONEY)


@dataclass(frozen=True, slots=True)
class Fit:
    """How a call fits a claim: score 0..1, what it says of the claim's values, and whether it names the claim's object."""

    call: Call
    score: float
    agreement: Agreement
    names: bool = False
    base: float = 0.0

    def holds(self, slots: Sequence[object], kinds: Sequence[SlotType] = _IDENTIFYING) -> bool:
        return any(getattr(slots[i], "type", None) in kinds for i in self.agreement.held)


@dataclass(frozen=True, slots=True)
class Scene:
    """A run prepared for judging."""

    calls: tuple[Call, ...]
    tools: tuple[Tool, ...]
    shapes: tuple[tuple[str, ToolShape], ...]
    now: datetime | None
    options: MatchOptions
    user: str | None
    reply: str = ""

    def before(self, action: Action, width: int = 60) -> str:
        """The text in front of a claim's trigger, back to the start of its sentence or line."""
        start = max(0, action.trigger.start - width)
        return re.split(r"[.!?\n]\s|\n", self.reply[start : action.trigger.start])[-1]

    def sentence(self, action: Action) -> str:
        """The sentence or line around a claim."""
        rest = self.reply[action.trigger.end : action.trigger.end + 200]
        return self.before(action, 200) + action.trigger.text + re.split(r"[.!?](?:\s|$)|[;\n]", rest)[0]

    def is_first_person(self, action: Action) -> bool:
        """Whether the claim says “I” or “we”."""
        return bool(_FIRST.search(self.before(action)))

    @property
    def writes(self) -> list[Call]:
        return [c for c in self.calls if not c.reads]


_FIRST = re.compile(r"\b(?:i|we|i['’](?:ve|m|d)|we['’](?:ve|re|d))\b", re.I)


def scene_of(run: Run, options: MatchOptions) -> Scene:
    """Open up a run's calls once for all its claims. The ledger's own tools are added to the known ones."""
    known = {t.name: t for t in run.tools}
    for e in run.ledger:
        known.setdefault(e.tool, Tool(e.tool))
    calls = tuple(Call(e, known[e.tool], i) for i, e in enumerate(run.ledger))
    shapes = tuple((t.name, shape_of(t)) for t in known.values())
    return Scene(calls, tuple(known.values()), shapes, _time_of(run.now), options, run.user, run.reply)


def _time_of(now: str | None) -> datetime | None:
    if not now:
        return None
    try:
        return datetime.fromisoformat(now)
    except ValueError:
        return None


def fits_of(action: Action, scene: Scene) -> tuple[list[Candidate], list[Fit]]:
    """Return the ranked tools and the calls that may have carried a claim out, best first."""
    gist = with_kind(gist_of(action), action, scene.calls, scene.shapes)
    candidates = rank_shapes(action, gist, scene.shapes, hints=scene.options.tool_hints)
    by_tool = {c.tool: c.score for c in candidates}
    fits = []
    for call in scene.calls:
        base = _deed_score(gist, call) if call.deeds else by_tool.get(call.tool, 0.0)
        if base <= 0 and (call.reads or gist.verb in READING or gist.verb in VAGUE):
            continue
        if call.is_internal and gist.head not in {"task", "plan", "todo", "note", "subscription"}:
            continue
        if call.deeds and touches_other(action, gist, call):
            continue
        names = bool(gist.head) and gist.head in call.fields and gist.head not in call.shape.nouns
        if names and not call.deeds and base < 0.85:
            # An argument is called what the claim speaks of.
            kin = max((kinship(gist.verb, f) for f in call.shape.families), default=0.0)
            base_or_named = max(base, kin * 0.85)
        else:
            base_or_named = base
        stated = states(gist, action, call) if base < 0.85 and may_state(gist, action, call) else None
        if base_or_named + _MOST < MAY and stated is None:
            continue
        agreement = agree(action, call.view, now=scene.now, compare_not=scene.options.compare_not)
        score = max(base_or_named, base + _value_weight(action, agreement))
        if stated is not None:
            names = True
            score = max(score, BRINGS + 0.02)
        if action.verb in READING and gist.head and gist.head in call.told:
            names = True
        if score >= MAY:
            fits.append(Fit(call, min(score, 1.0), agreement, names, base))
    fits.sort(key=lambda f: (-f.score, -len(f.agreement.held), f.call.index))
    return candidates, fits


#: Calls that are looked at in full for one claim.
_LOOKED_AT = 16


def best_first(fits: Sequence[Fit]) -> list[Fit]:
    """Order calls that worked: those that contradict nothing, then those that hold most of the claim's values, then those
    whose effect is not open."""
    ordered = sorted(fits, key=lambda f: (-len(f.agreement.held), -f.score, _is_open(f)))
    head = sorted(
        ordered[:_LOOKED_AT], key=lambda f: (len(f.agreement.wrong) > 0, -len(f.agreement.held), -f.score, _is_open(f))
    )
    return head + ordered[_LOOKED_AT:]


def _is_open(fit: Fit) -> bool:
    """Whether the effect of a call is kept as unverified: of two alike the other bears a claim out."""
    return fit.call.entry.state is CompletionState.UNVERIFIED


def _value_weight(action: Action, agreement: Agreement) -> float:
    kinds = {action.slots[i].type for i in agreement.held}
    if action.verb in READING:
        kinds &= set(_IDENTIFYING)
    return min(_MOST, sum(_WEIGHT[k] for k in kinds))


def _deed_score(gist: Gist, call: Call) -> float:
    """Score a generic call by what it did, on the scale of tool names."""
    best = 0.0
    main = set(gist.main)
    if gist.verb in {"copy", "move"} and is_patcher(call.tool):
        return 0.0
    outward = is_outward(gist)
    for fam, nouns in call.deeds:
        if outward and not answers(gist, fam, nouns):
            continue
        kin = OWN if fam == "enable" and starts(gist) else kinship(gist.verb, fam)
        about = main & nouns or gist.clause & nouns
        if fam == "run" and gist.verb in _HANDWORK and "script" not in nouns and not about:
            # A check that ran has changed nothing.
            continue
        if (gist.verb, fam) in APART and fam == "delete":
            continue
        if {gist.verb, fam} <= _HANDWORK:
            kin = max(kin, 0.7)
        if not kin or (kin <= LOOSE and fam not in _HANDWORK):
            continue
        if main & nouns or (gist.base in nouns):
            score = kin
        elif gist.clause & nouns:
            score = kin * 0.85
        else:
            score = kin * (0.75 if not main or gist.verb not in READING else 0.65)
        best = max(best, score)
    return best


_HANDWORK = frozenset("update create add delete rollback move save do copy set".split())


def could_do(action: Action, call: Call) -> bool:
    """Whether a generic call may have done a thing in a way that its text does not show: a script, a browser."""
    if call.result.failed:
        return False
    if is_wide(call):
        return True
    if not is_generic(call.tool) or (action.verb not in abilities_of(call.tool) and action.verb not in VAGUE):
        return False
    shown = [f for f, nouns in call.deeds if f in _HANDWORK or (f == "run" and "script" in nouns) or f == action.verb]
    return bool(shown) or not call.deeds
