"""Which tool fits a claim: verb family, object, values, description and parameters against the tool's name.

A score of `FITS` and more lets a tool's absence be held against the agent, `ALONE` where nothing else that ran could have
done it; from `MAY` on a call of it may confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from claimx.match.kinship import NEAR, OWN, kinship
from claimx.match.nouns import BLAND, IMPLIED, STOP, TEXT_WORD, fold_noun, singular, ties_of
from claimx.match.shapes import ToolShape, shape_of
from claimx.types import Action, Candidate, SlotType, Tool
from claimx.verbs import EVENT_NOUNS, FAMILIES, READING, lemma

FITS = 0.6
ALONE = 0.55
MAY = 0.45

_EVENT_OF = {fold_noun(n): f for n, f in EVENT_NOUNS.items()}


@dataclass(frozen=True, slots=True)
class Gist:
    """What a claim speaks of: its verb, the words of its object (head last) and the nouns of its clause."""

    verb: str
    base: str
    literal: tuple[str, ...]
    main: tuple[str, ...]
    clause: frozenset[str]
    clause_words: frozenset[str]
    kinds: frozenset[SlotType]
    object_words: tuple[str, ...] = ()
    #: The last noun of the object that does not merely repeat the event.
    head: str = ""


def gist_of(action: Action) -> Gist:
    """Read a claim's words once for all tools."""
    trigger = action.trigger.text
    base = lemma(trigger.split()[0]) if trigger.split() else action.verb
    target = [w for w in TEXT_WORD.findall(action.object.text) if w.lower() not in STOP] if action.object else []
    pairs = [(singular(w), fold_noun(w)) for w in target]
    # An object that repeats the event ("made a reservation", "processed your return") says nothing of what was acted on.
    pairs = [(s, f) for s, f in pairs if f not in BLAND and s not in BLAND]
    at = action.trigger.start - action.start
    text = action.text
    if 0 <= at <= len(text):
        text = text[:at] + " " + text[at + len(trigger) :]
    words = [w for w in TEXT_WORD.findall(text[:400]) if w.lower() not in STOP and w.lower() not in BLAND]
    clause = {fold_noun(w) for w in TEXT_WORD.findall(text[:400]) if w.lower() not in STOP}
    main = tuple(f for _, f in pairs)
    verb = _verb_of(action, main)
    return Gist(
        verb, base, tuple(s for s, _ in pairs), main, frozenset(clause - set(main) - BLAND), frozenset(singular(w) for w in words),
        frozenset(s.type for s in action.slots), tuple(s for s in (singular(w) for w in target)),
        next((f for f in reversed(main) if _EVENT_OF.get(f) != verb), ""),
    )  # fmt: skip


def _verb_of(action: Action, main: Sequence[str]) -> str:
    """Money that is sent is transferred."""
    if (
        action.verb == "send"
        and any(s.type is SlotType.MONEY for s in action.slots)
        and (not main or main[-1] == "payment")
    ):
        return "transfer"
    return action.verb


class Toolset:
    """The known tools of a run, by how their verbs answer a claim's; sets that come again are read once."""

    def __init__(self, shapes: Sequence[tuple[str, ToolShape]]) -> None:
        self.shapes = shapes
        #: The nouns of all the tools.
        self.nouns: frozenset[str] = frozenset().union(*(s.nouns for _, s in shapes))
        #: Whether one of them makes requests of others: `create_refund_request`.
        self.asks = any("request" in s.families for _, s in shapes)
        self._kin: dict[tuple[str, str], list[tuple[str, ToolShape, tuple[float, str]]]] = {}

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
                    kin = known[shape] = _kin(gist, shape)
                if kin[0]:
                    found.append((name, shape, kin))
            if len(self._kin) < _MOST_ASKED:
                self._kin[asked] = found
        return found


#: Pairs of verbs that a toolset keeps the kin of.
_MOST_ASKED = 1000


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
    asked = _Asked(gist)
    scored: list[tuple[str, float, float, float, tuple[str, ...]]] = [
        (name, OWN, 1.2, 1.0, ("named by a tool hint",)) for name, _ in tools.shapes if name in taught
    ]
    own = 0
    best_noun = best_own = 0.0
    for name, shape, found in tools.kin_to(gist):
        if name in taught:
            continue
        kin, noun, score, reasons = _score(asked, shape, found)
        if kin == OWN:
            own += 1
            best_own = max(best_own, noun)
        if kin >= NEAR and noun > best_noun:
            best_noun = noun
        if score:
            scored.append((name, kin, noun, score, reasons))
    out: list[tuple[float, str, tuple[str, ...]]] = []
    for name, kin, noun, score, reasons in scored:
        if (
            kin == OWN
            and noun < 0.85
            and best_own < 0.85
            and action.verb not in READING
            and (own == 1 or action.verb not in _COMMON)
        ):
            score, reasons = score * 0.85 / noun, (*reasons, f"no other tool can {action.verb}")
        elif _is_displaced(noun, best_own if kin == OWN else best_noun):
            # Another tool of the kind names just what the claim speaks of: this one is its sibling.
            score, reasons = score * 0.6, (*reasons, "another tool names its object")
        if score >= floor:
            out.append((-min(score, 1.0), name, reasons))
    out.sort()
    return [Candidate(name, -score, reasons) for score, name, reasons in out]


#: A noun match where the name has both what the claim's verb puts somewhere and what it puts it on.
_BOTH = 1.2


def _is_displaced(noun: float, best: float) -> bool:
    """Whether another tool of the kind names what the claim speaks of so much better that this one is its sibling."""
    return (best >= 0.92 and noun < 0.8) or (best > 1.0 and noun < 0.95) or (best >= _BOTH and noun < 1.05)


def _taught(action: Action, hints: Mapping[str, Iterable[str]] | None) -> set[str]:
    if not hints:
        return set()
    target = action.object.text.lower() if action.object else ""
    keys = {action.verb, f"{action.verb} {target}".strip(), target, lemma(action.trigger.text)}
    return {t for k, ts in hints.items() if k.lower() in keys and k for t in ([ts] if isinstance(ts, str) else ts)}


def _score(asked: _Asked, shape: ToolShape, kinship: tuple[float, str]) -> tuple[float, float, float, tuple[str, ...]]:
    """Return kinship, noun match, score and reasons of a tool for a claim, from its kinship and the reason for that."""
    kin, why = kinship
    noun, because = _noun(asked, shape)
    score = kin * min(noun, 1.0)
    reasons: tuple[str, ...] = (why, because)
    for kind in shape.takes:
        if kind in asked.gist.kinds:
            score += 0.04
            reasons = (why, because, f"it takes a {kind.lower()}")
            break
    if noun > 1.0:
        score += 0.05
    return kin, noun, min(score, 1.0), reasons


def _kin(gist: Gist, shape: ToolShape) -> tuple[float, str]:
    literal = gist.base in shape.verbs
    if shape.families and (gist.base in _ANEW or (gist.base in _SHIFTED and gist.verb in {"schedule", "book"})):
        if "update" in shape.families[:1]:
            return OWN, f"{gist.base!r} changes what stands already"
        if not literal and shape.families[0] == gist.verb and "create" in shape.verbs:
            return NEAR, f"{gist.base!r} can be a deed of {shape.families[0]!r}"
    made = _made_of(gist, shape)
    if made:
        return NEAR, f"it makes the {made}"
    if literal and ((gist.verb in READING) == shape.reads or gist.verb not in FAMILIES):
        return OWN, f"its name says {gist.base!r}"
    if not shape.families:
        if gist.verb in shape.description_families:
            return 0.75, f"its description speaks of {gist.verb}"
        return 0.5, "its name has no verb"
    best = max((kinship(gist.verb, f) - (0.1 if i else 0.0) for i, f in enumerate(shape.families)), default=0.0)
    if best < NEAR and gist.verb in shape.description_families and (gist.verb in READING) == shape.reads:
        return 0.65, f"its description speaks of {gist.verb}"
    if best <= 0:
        return 0.0, ""
    if best >= OWN:
        return best, f"{gist.verb!r} is its deed"
    return best, f"{gist.verb!r} can be a deed of {shape.families[0]!r}"


#: Families that many tools of one set carry, so that the verb alone tells little.
_COMMON = frozenset("update create add delete set send submit do schedule order request".split())
#: Verbs that speak of a change to what stands already.
_ANEW = frozenset("reschedule rebook reassign postpone reorder rename relocate".split())
#: Verbs that do so of what is fixed for a time.
_SHIFTED = frozenset("move shift push push_back bring_forward delay change switch".split())


_EVENT_END = ("ment", "tion", "sion", "al", "ance", "ence", "ing", "age", "ure")


def _made_of(gist: Gist, shape: ToolShape) -> str:
    """The event, made by a tool, of a verb that no table knows: `create_fulfilment` of “fulfilled”."""
    if gist.verb in FAMILIES or len(gist.base) < 6 or not shape.families or shape.families[0] not in _MAKING:
        return ""
    stem = gist.base[:-2]
    return next(
        (n for n in sorted(shape.literal) if n != gist.base and n.startswith(stem) and n.endswith(_EVENT_END)), ""
    )


_MAKING = frozenset("create add submit request".split())


class _Asked:
    """What a claim asks of tools, worked out once for all of them."""

    __slots__ = ("event", "folded", "gist", "implied", "literal", "main", "repeats", "ties")

    def __init__(self, gist: Gist) -> None:
        self.gist = gist
        self.main = gist.main
        self.literal = gist.literal
        #: Whether words of the object merely repeat the event.
        self.repeats = any(_EVENT_OF.get(f) == gist.verb for f in gist.main)
        self.implied = IMPLIED.get(gist.base)
        self.folded = fold_noun(gist.base)
        self.event = _EVENT_OF.get(gist.main[-1]) if gist.main else None
        self.ties = ties_of(gist.main[-1]) if gist.main else frozenset()

    def of(self, shape: ToolShape) -> _Asked:
        """What is asked of a tool whose name does not have the words that merely repeat the event."""
        gist = self.gist
        keep = [i for i, f in enumerate(gist.main) if _EVENT_OF.get(f) != gist.verb or f in shape.nouns]
        if len(keep) == len(gist.main):
            return self
        return _Asked(
            replace(gist, main=tuple(gist.main[i] for i in keep), literal=tuple(gist.literal[i] for i in keep))
        )


def _noun(asked: _Asked, shape: ToolShape) -> tuple[float, str]:
    """How well a tool's name and definition name what a claim speaks of, 1 for the very word."""
    if asked.repeats:
        asked = asked.of(shape)
    gist, main, literal = asked.gist, asked.main, asked.literal
    if asked.implied and asked.implied in shape.nouns and not (main and main[-1] in shape.nouns):
        return 1.0, f"{gist.base!r} acts on {asked.implied}"
    if main:
        if literal[-1] in shape.literal:
            same = [w for w in literal if w in shape.literal]
            if gist.verb == "add" and gist.base not in literal and gist.base in shape.literal:
                return _BOTH, f"both name {', '.join((gist.base, *same))}"
            return (1.08 if len(same) > 1 else 1.0), f"both name {', '.join(same)}"
        if main[-1] in shape.nouns:
            return 0.92, f"both name {main[-1]}"
        if asked.event in shape.families:
            return 0.92, f"{main[-1]} is its event"
        if len(main) > 1:
            same = [w for w in literal if w in shape.literal] or [f for f in main if f in shape.nouns]
            if same:
                return 0.88, f"both name {same[0]}"
        if not asked.ties.isdisjoint(shape.nouns):
            return 0.79, f"{main[-1]} goes with {shape.about}"
        if gist.verb == "add" and gist.base in shape.literal:
            return 0.93, f"{gist.base!r} names what is put there"
        if _names_self(asked, shape) or _made_of(gist, shape):
            return 0.85, f"{gist.base!r} names what it acts on"
        if not shape.nouns:
            return 0.85, "its name says no object"
        if not gist.clause.isdisjoint(shape.nouns):
            hit = sorted(gist.clause & shape.nouns)
            return 0.78, f"the clause names {', '.join(hit[:3])}"
        if main[-1] in shape.description or main[-1] in shape.parameters:
            return 0.78, f"its definition names {main[-1]}"
        return 0.65, f"it is about {shape.about}, which the claim does not name"
    if _names_self(asked, shape):
        return 1.0, f"{gist.base!r} names what it acts on"
    if gist.object_words and gist.object_words[-1] in shape.literal:
        return 1.0, f"both name {gist.object_words[-1]}"
    if not gist.clause_words.isdisjoint(shape.literal):
        return 0.93, "the clause names its object"
    if not shape.nouns:
        return 0.9, "neither names an object"
    if not gist.clause.isdisjoint(shape.nouns):
        hit = sorted(gist.clause & shape.nouns)
        return 0.86, f"the clause names {', '.join(hit[:3])}"
    return 0.76, "the claim names no object"


def _names_self(asked: _Asked, shape: ToolShape) -> bool:
    """Whether a tool's name has the claim's verb as a noun: `refund` of “I refunded you”."""
    base = asked.gist.base
    return (
        base in shape.literal or base in shape.verbal or asked.gist.verb in shape.literal or asked.folded in shape.nouns
    )
