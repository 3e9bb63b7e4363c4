"""Which calls of the ledger speak to a claim, and how well each fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from claimx.match.agreement import Agreement, agree
from claimx.match.bare_nouns import bare_noun_fit
from claimx.match.beside import beside, has_neighbours
from claimx.match.call import Call
from claimx.match.command_table import ONLY
from claimx.match.commands import abilities_of, is_editor, is_generic
from claimx.match.deeds import CHANGES, deed_score, may_edit
from claimx.match.gist import gist_of
from claimx.match.handwork import touches_other
from claimx.match.index import Index
from claimx.match.kinship import BRINGS, kinship
from claimx.match.naming import with_kind
from claimx.match.options import MatchOptions
from claimx.match.pages import is_wide
from claimx.match.shapes import shape_of
from claimx.match.sides import may_state, states
from claimx.match.tools import MAY, Toolset, rank, toolset_of
from claimx.types import Action, Candidate, CompletionState, Run, SlotType, Tool
from claimx.values.keys import parts_of
from claimx.verbs import READING, VAGUE

#: What it adds to a call's fit that it holds a value of the claim, by type; for look-ups only what identifies counts.
_WEIGHT = {
    SlotType.ID: 0.12, SlotType.CONTACT: 0.12, SlotType.MONEY: 0.1, SlotType.DATE: 0.06, SlotType.TIME: 0.05,
    SlotType.NAME: 0.06, SlotType.PERSON: 0.06, SlotType.PERCENT: 0.05, SlotType.DURATION: 0.03, SlotType.COUNT: 0.02,
}  # fmt: skip
_MOST = 0.25
_IDENTIFYING = (SlotType.ID, SlotType.CONTACT, SlotType.MONEY)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a call fits a claim: score 0..1, what it says of the claim's values, and whether it names the claim's object.

    A fit equals itself alone: many are looked for in lists of others.
    """

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
    toolset: Toolset
    now: datetime | None
    options: MatchOptions
    user: str | None
    reply: str = ""
    index: Index = field(default_factory=lambda: Index(()))
    #: The calls that decided something by an argument.
    deciding: frozenset[int] = frozenset()

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

    def said_beside(self, call: Call) -> str:
        """What the other calls hold and the user said, folded."""
        return " ".join([*(c.view.text for c in self.calls if c is not call), (self.user or "").lower()])

    @property
    def writes(self) -> list[Call]:
        return [c for c in self.calls if not c.reads]


_FIRST = re.compile(r"\b(?:i|we|i['’](?:ve|m|d)|we['’](?:ve|re|d))\b", re.I)


def scene_of(run: Run, options: MatchOptions) -> Scene:
    """Open up a run's calls once for all its claims. The ledger's own tools are added to the known ones."""
    known = {t.name: t for t in run.tools}
    for e in run.ledger:
        known.setdefault(e.tool, Tool(e.tool))
    shapes = {t.name: shape_of(t) for t in known.values()}
    calls = tuple(Call(e, known[e.tool], i, options.rule_of(e.tool), shapes[e.tool]) for i, e in enumerate(run.ledger))
    toolset = toolset_of(tuple(shapes.items()))
    return Scene(
        calls,
        tuple(known.values()),
        toolset,
        _time_of(run.now),
        options,
        run.user,
        run.reply,
        Index(calls),
        frozenset(c.index for c in calls if c.decides),
    )


def _time_of(now: str | None) -> datetime | None:
    if not now:
        return None
    try:
        return datetime.fromisoformat(now)
    except ValueError:
        return None


def fits_of(action: Action, scene: Scene) -> tuple[list[Candidate], list[Fit]]:
    """Return the ranked tools and the calls that may have carried a claim out, best first."""
    gist = with_kind(gist_of(action), action, scene.calls, scene.toolset.nouns)
    hints = scene.options.tool_hints
    candidates = rank(action, gist, scene.toolset, hints=hints) if hints else scene.toolset.rank(action, gist)
    if not may_edit(gist):
        candidates = [c for c in candidates if not is_editor(c.tool)]
    by_tool = {c.tool: c.score for c in candidates}
    holders = [scene.index.may_hold(s, scene.now) for s in action.slots]
    known = [h for h in holders if h is not None]
    possible = frozenset().union(*known) if len(known) == len(holders) else None
    stating = may_state(gist, action, scene.index) | scene.deciding
    named = scene.index.with_field(gist.head) if gist.head else set()
    things = scene.index.by_thing.get(gist.main[-1], ()) if gist.main else ()
    at = {
        *things,
        *stating,
        *named,
        *scene.index.by_deed,
        *(i for c in candidates for i in scene.index.by_tool.get(c.tool, ())),
    }
    fits, told_beside = [], has_neighbours(action)
    for call in (scene.calls[i] for i in sorted(at)):
        base = deed_score(gist, call) if call.deeds else by_tool.get(call.tool, 0.0)
        if call.index in things:
            base = max(base, bare_noun_fit(gist, call))
        if base <= 0 and call.index not in stating and (call.reads or gist.verb in READING or gist.verb in VAGUE):
            continue
        if call.is_internal and gist.head not in {"task", "plan", "todo", "note", "subscription"}:
            continue
        if call.deeds and touches_other(action, gist, call):
            continue
        if told_beside and beside(action, call) is not None:
            continue
        names = call.index in named and gist.head not in call.shape.nouns
        if names and not call.deeds and base < 0.85:
            # An argument is called what the claim speaks of.
            kin = max((kinship(gist.verb, f) for f in call.shape.families), default=0.0)
            base_or_named = max(base, kin * 0.85)
        else:
            base_or_named = base
        stated = states(gist, action, call) if base < 0.85 and call.index in stating and not call.reads else None
        if base_or_named + _MOST < MAY and stated is None:
            continue
        agreement, score = None, base_or_named
        if possible is None or call.index in possible:
            may_hold = [h is None or call.index in h for h in holders]
            agreement = agree(action, call.view, now=scene.now, may_hold=may_hold)
            score = max(base_or_named, base + _value_weight(action, agreement))
        if stated is not None:
            names = True
            score = max(score, BRINGS + 0.02)
        if action.verb in READING and gist.head and gist.head in call.told:
            names = True
        if score >= MAY:
            agreement = agreement or Agreement(action, call.view, now=scene.now)
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


def could_do(action: Action, call: Call) -> bool:
    """Whether a generic call may have done a thing in a way that its text does not show: a script, a browser."""
    if call.result.failed:
        return False
    if is_wide(call):
        return True
    if not is_generic(call.tool) and action.verb in CHANGES and "file" in call.shape.nouns:
        # A tool that writes files writes whatever a claim tells of their text.
        return not CHANGES.isdisjoint(call.shape.families)
    if action.verb in CHANGES and {"apply", "diff"} <= set(parts_of(call.tool)):
        return True
    if not is_generic(call.tool) or (action.verb not in abilities_of(call.tool) and action.verb not in VAGUE):
        return False
    told = [(f, nouns) for f, nouns in call.deeds if ONLY not in nouns]
    shown = [f for f, nouns in told if f in CHANGES or (f == "run" and "script" in nouns) or f == action.verb]
    return bool(shown) or not call.deeds
