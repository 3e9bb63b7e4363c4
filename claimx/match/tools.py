"""Which tool fits a claim: verb family, object, values, description and parameters against the tool's name.

A score of `FITS` and more lets a tool's absence be held against the agent, `ALONE` where nothing else that ran could have
done it; from `MAY` on a call of it may confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from claimx.match.gist import Gist, gist_of
from claimx.match.kinship import NEAR, OWN
from claimx.match.lazily import lazy
from claimx.match.likeness import BOTH, Asked, kin_of, noun_of
from claimx.match.shapes import ToolShape, shape_of
from claimx.types import Action, Candidate, SlotType, Tool
from claimx.verbs import READING, lemma

FITS = 0.6
ALONE = 0.55
MAY = 0.45
#: Families that many tools of one set carry, so that the verb alone tells little.
COMMON = frozenset("update create add delete set send submit do schedule order request".split())


_TAKES = {kind: f"it takes a {kind.lower()}" for kind in SlotType}


class Toolset:
    """The known tools of a run, by how their verbs answer a claim's; sets that come again are read once."""

    def __init__(self, shapes: Sequence[tuple[str, ToolShape]]) -> None:
        self.shapes = shapes
        #: The nouns of all the tools.
        self.nouns: frozenset[str] = frozenset().union(*(s.nouns for _, s in shapes))
        #: Whether one of them makes requests of others: `create_refund_request`.
        self.asks = any("request" in s.families for _, s in shapes)
        self._kin: dict[tuple[str, str], list[tuple[str, ToolShape, tuple[float, str]]]] = {}
        self._ranked: dict[tuple[object, ...], tuple[Candidate, ...]] = {}

    @lazy
    def words(self) -> frozenset[str]:
        """All the words by which one of the tools may be told."""
        return frozenset().union(*(s.words for _, s in self.shapes))

    def rank(self, action: Action, gist: Gist) -> list[Candidate]:
        """Rank the tools for a claim. Of many claims some ask for the same in words that tools know: those are ranked once."""
        known = self.words
        asked = (
            action.verb, gist.verb, gist.base, gist.literal, gist.main, gist.clause & known, gist.clause_words & known,
            gist.kinds, gist.object_words[-1:],
        )  # fmt: skip
        found = self._ranked.get(asked)
        if found is None:
            found = tuple(rank(action, gist, self))
            if len(self._ranked) < _MOST_RANKED:
                self._ranked[asked] = found
        return list(found)

    def kin_to(self, gist: Gist) -> list[tuple[str, ToolShape, tuple[float, str]]]:
        """The tools whose verb may answer a claim's, each with the kinship and the reason for it."""
        asked = (gist.verb, gist.base)
        found = self._kin.get(asked)
        if found is None:
            known = _kinships(gist.verb, gist.base)
            found = []
            for name, shape in self.shapes:
                kin = known.get(shape)
                if kin is None:
                    kin = known[shape] = kin_of(gist, shape)
                if kin[0]:
                    found.append((name, shape, kin))
            if len(self._kin) < _MOST_ASKED:
                self._kin[asked] = found
        return found


#: Pairs of verbs that a toolset keeps the kin of.
_MOST_ASKED = 1000
#: Rankings that a toolset keeps.
_MOST_RANKED = 128


@lru_cache(maxsize=1024)
def _kinships(verb: str, base: str) -> dict[ToolShape, tuple[float, str]]:
    """The kinships of a verb with the tools met so far, filled as they are met."""
    return {}


@lru_cache(maxsize=64)
def toolset_of(shapes: tuple[tuple[str, ToolShape], ...]) -> Toolset:
    """Return the toolset of named shapes."""
    return Toolset(shapes)


def rank_tools(
    action: Action, tools: Sequence[Tool], *, hints: Mapping[str, Iterable[str]] | None = None, floor: float = 0.25
) -> list[Candidate]:
    """Rank the tools that could have carried a claim out, best first, with scores in 0..1 and the reasons.

    `hints` maps a verb family, an object or "family object" to tool names that carry it.
    """
    return rank(action, gist_of(action), Toolset([(t.name, shape_of(t)) for t in tools]), hints=hints, floor=floor)


def rank(
    action: Action,
    gist: Gist,
    tools: Toolset,
    *,
    hints: Mapping[str, Iterable[str]] | None = None,
    floor: float = 0.25,
) -> list[Candidate]:
    """Rank tools that have been read already; see `rank_tools`."""
    taught = _taught(action, hints)
    asked = Asked(gist)
    scored: list[tuple[str, float, float, float, tuple[str, ...]]] = []
    if taught:
        scored += ((name, OWN, 1.2, 1.0, ("named by a tool hint",)) for name, _ in tools.shapes if name in taught)
    own = 0
    best_noun = best_own = 0.0
    for name, shape, found in tools.kin_to(gist):
        if taught and name in taught:
            continue
        kin, noun, score, reasons = _score(asked, shape, found)
        if kin == OWN:
            own += 1
            best_own = max(best_own, noun)
        if kin >= NEAR and noun > best_noun:
            best_noun = noun
        if score:
            scored.append((name, kin, noun, score, reasons))
    displaced_own, displaced = _displaced_below(best_own), _displaced_below(best_noun)
    out: list[tuple[float, str, tuple[str, ...]]] = []
    for name, kin, noun, score, reasons in scored:
        if (
            kin == OWN
            and noun < 0.85
            and best_own < 0.85
            and action.verb not in READING
            and (own == 1 or action.verb not in COMMON)
        ):
            score, reasons = score * 0.85 / noun, (*reasons, f"no other tool can {action.verb}")
        elif noun < (displaced_own if kin == OWN else displaced):
            # Another tool of the kind names just what the claim speaks of: this one is its sibling.
            score, reasons = score * 0.6, (*reasons, "another tool names its object")
        if score >= floor:
            out.append((-min(score, 1.0), name, reasons))
    out.sort()
    return [Candidate(name, -score, reasons) for score, name, reasons in out]


def _displaced_below(best: float) -> float:
    """How well a tool must name what a claim speaks of, lest the one of its kind that names it best makes it a sibling."""
    if best >= BOTH:
        return 1.05
    if best > 1.0:
        return 0.95
    return 0.8 if best >= 0.92 else 0.0


def _taught(action: Action, hints: Mapping[str, Iterable[str]] | None) -> set[str]:
    if not hints:
        return set()
    target = action.object.text.lower() if action.object else ""
    keys = {action.verb, f"{action.verb} {target}".strip(), target, lemma(action.trigger.text)}
    return {t for k, ts in hints.items() if k.lower() in keys and k for t in ([ts] if isinstance(ts, str) else ts)}


def _score(asked: Asked, shape: ToolShape, kinship: tuple[float, str]) -> tuple[float, float, float, tuple[str, ...]]:
    """Return kinship, noun match, score and reasons of a tool for a claim, from its kinship and the reason for that."""
    kin, why = kinship
    noun, because = noun_of(asked, shape)
    score = kin * min(noun, 1.0)
    reasons: tuple[str, ...] = (why, because)
    for kind in shape.takes:
        if kind in asked.gist.kinds:
            score += 0.04
            reasons = (why, because, _TAKES[kind])
            break
    if noun > 1.0:
        score += 0.05
    return kin, noun, min(score, 1.0), reasons
