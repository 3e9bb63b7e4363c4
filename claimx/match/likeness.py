"""How a tool's verb and nouns answer those of a claim: the two parts of its score, each with its reason."""

from __future__ import annotations

from dataclasses import replace

from claimx.match.gist import EVENT_OF, Gist
from claimx.match.kinship import NEAR, OWN, kinship
from claimx.match.nouns import IMPLIED, fold_noun, ties_of
from claimx.match.shapes import ToolShape
from claimx.verbs import FAMILIES, READING

#: A noun match where the name has both what the claim's verb puts somewhere and what it puts it on.
BOTH = 1.2


def kin_of(gist: Gist, shape: ToolShape) -> tuple[float, str]:
    literal = gist.base in shape.verbs
    if shape.families and (gist.base in _ANEW or (gist.base in _SHIFTED and gist.verb in {"schedule", "book"})):
        if "update" in shape.families[:1]:
            return OWN, f"{gist.base!r} changes what stands already"
        if not literal and shape.families[0] == gist.verb and "create" in shape.verbs:
            return NEAR, f"{gist.base!r} can be a deed of {shape.families[0]!r}"
    if _only_prepares(gist, shape):
        return 0.0, ""
    if gist.base == "hold" and "hold" in shape.literal:
        return OWN, "its name says 'hold'"
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


def _only_prepares(gist: Gist, shape: ToolShape) -> bool:
    """Whether a tool does less than a claim to have sent something, or sends it another way: a draft, a forward for a reply."""
    if gist.verb in {"send", "notify"} and "draft" in shape.literal and shape.families[:1] != ("send",):
        return True
    return gist.base in _ANSWERS and not shape.verbs.isdisjoint(_ANSWERS - {gist.base})


_ANSWERS = frozenset({"reply", "forward"})
#: Verbs that speak of a change to what stands already.
_ANEW = frozenset("reschedule rebook reassign postpone reorder rename relocate".split())
#: Verbs that do so of what is fixed for a time.
_SHIFTED = frozenset("move shift push push_back bring_forward delay change switch".split())


_EVENT_END = ("ment", "tion", "sion", "al", "ance", "ence", "ing", "age", "ure")


def _made_of(gist: Gist, shape: ToolShape) -> str:
    """The event, made by a tool, of a verb that no table knows: `create_fulfilment` of “fulfilled”."""
    if not _may_be_made(gist) or not shape.families or shape.families[0] not in _MAKING:
        return ""
    stem = gist.base[:-2]
    return next(
        (n for n in sorted(shape.literal) if n != gist.base and n.startswith(stem) and n.endswith(_EVENT_END)), ""
    )


def _may_be_made(gist: Gist) -> bool:
    """Whether a claim's verb is one that no table knows, whose event a tool may make."""
    return gist.verb not in FAMILIES and len(gist.base) >= 6


_MAKING = frozenset("create add submit request".split())


class Asked:
    """What a claim asks of tools, worked out once for all of them."""

    __slots__ = ("event", "folded", "gist", "implied", "is_plain", "literal", "main", "repeats", "ties", "words")

    def __init__(self, gist: Gist) -> None:
        self.gist = gist
        self.main = gist.main
        self.literal = gist.literal
        #: Whether words of the object merely repeat the event.
        self.repeats = any(EVENT_OF.get(f) == gist.verb for f in gist.main)
        self.implied = IMPLIED.get(gist.base)
        self.folded = fold_noun(gist.base)
        self.event = EVENT_OF.get(gist.main[-1]) if gist.main else None
        self.ties = ties_of(gist.main[-1]) if gist.main else frozenset()
        #: Whether a tool that has none of the claim's words can only be about something else.
        self.is_plain = (
            bool(gist.main) and not self.repeats and gist.main[-1] not in _ATTACHED and not _may_be_made(gist)
        )
        self.words = frozenset(
            (
                *gist.main,
                *gist.literal,
                *gist.clause,
                *self.ties,
                gist.base,
                gist.verb,
                self.folded,
                self.implied or gist.base,
            )
        )

    def of(self, shape: ToolShape) -> Asked:
        """What is asked of a tool whose name does not have the words that merely repeat the event."""
        gist = self.gist
        keep = [i for i, f in enumerate(gist.main) if EVENT_OF.get(f) != gist.verb or f in shape.nouns]
        if len(keep) == len(gist.main):
            return self
        return Asked(
            replace(gist, main=tuple(gist.main[i] for i in keep), literal=tuple(gist.literal[i] for i in keep))
        )


def noun_of(asked: Asked, shape: ToolShape) -> tuple[float, str]:
    """How well a tool's name and definition name what a claim speaks of, 1 for the very word."""
    if asked.is_plain and shape.nouns and asked.words.isdisjoint(shape.words) and asked.event not in shape.families:
        return 0.65, f"it is about {shape.about}, which the claim does not name"
    if asked.repeats:
        asked = asked.of(shape)
    gist, main, literal = asked.gist, asked.main, asked.literal
    if asked.implied and asked.implied in shape.nouns and not (main and main[-1] in shape.nouns):
        return 1.0, f"{gist.base!r} acts on {asked.implied}"
    if main:
        if literal[-1] in shape.literal:
            same = [w for w in literal if w in shape.literal]
            if gist.verb == "add" and gist.base not in literal and gist.base in shape.literal:
                return BOTH, f"both name {', '.join((gist.base, *same))}"
            return (1.08 if len(same) > 1 else 1.0), f"both name {', '.join(same)}"
        if main[-1] in shape.nouns:
            return 0.92, f"both name {main[-1]}"
        if asked.event in shape.families:
            return 0.92, f"{main[-1]} is its event"
        if len(main) > 1:
            same = [w for w in literal if w in shape.literal] or [f for f in main if f in shape.nouns]
            if same:
                return 0.88, f"both name {same[0]}"
        if main[-1] in _ATTACHED and shape.families[:1] == ("create",) and main[-1] not in shape.parameters:
            return 0.2, f"it makes a new {shape.about}, to which no {main[-1]} is added"
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


#: What is put to something that stands already.
_ATTACHED = frozenset({"comment", "reply", "attachment", "reaction"})


def _names_self(asked: Asked, shape: ToolShape) -> bool:
    """Whether a tool's name has the claim's verb as a noun: `refund` of “I refunded you”."""
    base = asked.gist.base
    return (
        base in shape.literal or base in shape.verbal or asked.gist.verb in shape.literal or asked.folded in shape.nouns
    )
