"""Which calls of the ledger speak to a claim, and how well each fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from claimx.match.agreement import Agreement, CallView, agree, view_of
from claimx.match.commands import deeds_of
from claimx.match.options import MatchOptions
from claimx.match.results import Result, classify_result
from claimx.match.tools import FITS, MAY, ToolShape, is_near, nouns_of, rank_tools, shape_of
from claimx.types import Action, Candidate, Run, SlotType, Tool
from claimx.verbs import READING, VAGUE

_TELLING = frozenset({SlotType.ID, SlotType.CONTACT, SlotType.MONEY, SlotType.DATE, SlotType.NAME, SlotType.PERSON})


@dataclass(frozen=True, slots=True)
class Call:
    """A recorded call, opened up and classified."""

    view: CallView
    result: Result
    shape: ToolShape
    deeds: tuple[tuple[str, frozenset[str]], ...]

    @property
    def id(self) -> str:
        return self.view.entry.id

    @property
    def tool(self) -> str:
        return self.view.entry.tool

    @property
    def reads(self) -> bool:
        """Whether the call only looked something up."""
        if self.deeds:
            return all(f in READING for f, _ in self.deeds)
        return self.shape.reads


@dataclass(frozen=True, slots=True)
class Fit:
    """How a call fits a claim: score 0..1, and what it says of the claim's values."""

    call: Call
    score: float
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class Scene:
    """A run prepared for judging."""

    calls: tuple[Call, ...]
    tools: tuple[Tool, ...]
    now: datetime | None
    options: MatchOptions
    user: str | None


def scene_of(run: Run, options: MatchOptions) -> Scene:
    """Open up a run's calls once for all its claims. The ledger's own tools are added to the known ones."""
    known = {t.name: t for t in run.tools}
    for e in run.ledger:
        known.setdefault(e.tool, Tool(e.tool))
    calls = []
    for e in run.ledger:
        shape = shape_of(known[e.tool])
        deeds = deeds_of(e)
        reads = all(f in READING for f, _ in deeds) if deeds else shape.reads
        calls.append(Call(view_of(e, known[e.tool]), classify_result(e, reading=reads), shape, deeds))
    return Scene(tuple(calls), tuple(known.values()), _time_of(run.now), options, run.user)


def _time_of(now: str | None) -> datetime | None:
    if not now:
        return None
    try:
        return datetime.fromisoformat(now)
    except ValueError:
        return None


def fits_of(action: Action, scene: Scene) -> tuple[list[Candidate], list[Fit]]:
    """Return the ranked tools and the calls that may have carried a claim out, best first."""
    candidates = rank_tools(action, scene.tools, hints=scene.options.tool_hints)
    by_tool = {c.tool: c.score for c in candidates}
    top = max(by_tool.values(), default=0.0)
    shapes = {c.shape.name: c.shape for c in scene.calls} | {t.name: shape_of(t) for t in scene.tools}
    exact = {t for t, s in by_tool.items() if s >= FITS and action.verb in shapes[t].families[:1]}
    fits = []
    for call in scene.calls:
        base = _deed_score(action, call.deeds) if call.deeds else by_tool.get(call.tool, 0.0)
        if base <= 0:
            continue
        if (
            exact
            and base < 0.55
            and not call.deeds
            and action.verb not in READING
            and action.verb not in call.shape.families
        ):
            # A tool made for just this was at hand: a merely related one does not stand in for it.
            continue
        agreement = agree(action.slots, call.view, now=scene.now, compare_not=scene.options.compare_not)
        telling = sum(action.slots[i].type in _TELLING for i in agreement.held)
        if action.verb in READING:
            # A look-up that shows a place or a name need not be the one that is meant.
            telling = sum(
                action.slots[i].type in (SlotType.ID, SlotType.CONTACT, SlotType.MONEY) for i in agreement.held
            )
        score = base + min(0.2, 0.1 * telling) - (0.05 if agreement.wrong else 0.0)
        if score >= MAY and (base >= top - 0.25 or telling):
            fits.append(Fit(call, min(score, 1.0), agreement))
    fits.sort(key=lambda f: (-f.score, -f.agreement.weight))
    return candidates, fits


def _deed_score(action: Action, deeds: Sequence[tuple[str, frozenset[str]]]) -> float:
    """Score a generic call by what it did, on the scale of tool names."""
    main, rest = nouns_of(action)
    best = 0.0
    for fam, nouns in deeds:
        if action.verb == fam:
            score = 0.5
        elif action.verb in VAGUE and fam not in READING:
            score = 0.4
        elif (
            (is_near(action.verb, fam) and (fam in READING) == (action.verb in READING))
            or {action.verb, fam} <= {"update", "create", "add", "delete", "rollback", "move", "save", "do"}
            or (fam == "run" and action.verb in {"verify", "get", "calculate"})
        ):
            score = 0.35
        else:
            continue
        if set(main) & nouns:
            score += 0.3
        elif set(rest) & nouns or not main:
            score += 0.15
        best = max(best, score)
    return best


def scores_of(candidates: Sequence[Candidate]) -> Mapping[str, float]:
    """Scores by tool name."""
    return {c.tool: c.score for c in candidates}
