"""Whether an uncalled tool speaks of what a claim speaks of, so that its absence can be held against the agent.

A verb alone is not enough: what was sent may have been sent by a tool of another name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from claimx.match.call import Call
from claimx.match.commands import is_generic
from claimx.match.evidence import Scene
from claimx.match.gist import EVENT_OF, Gist, gist_of
from claimx.match.naming import with_kind
from claimx.match.nouns import fold_noun, ties_of
from claimx.match.shapes import ToolShape
from claimx.match.tools import COMMON
from claimx.types import Action, Candidate


def fits_object(action: Action, tool: str, scene: Scene) -> bool:
    """Whether a tool's name, description or parameters have what a claim acts on, or its name leaves that open.

    Where the claim names nothing, a verb that few tools carry is enough.
    """
    shape = next((s for name, s in scene.toolset.shapes if name == tool), None)
    if shape is None or is_generic(tool):
        return True
    return _speaks_of(with_kind(gist_of(action), action, scene.calls, scene.toolset.nouns), shape)


def _speaks_of(gist: Gist, shape: ToolShape) -> bool:
    # A word that is the event itself is no object: "ordered" is no standing order.
    about = {n for n in shape.nouns if not _is_event(n, gist)}
    told = [f for f in gist.main if not _is_event(f, gist)]
    if not about or any(kind in gist.kinds for kind in shape.takes[:1]):
        return True
    known = shape.nouns | shape.description | shape.parameters
    if told:
        named = any(f in known for f in told) or any(_alike(a, b) for a in gist.literal for b in shape.literal)
        if named or not ties_of(told[-1]).isdisjoint(about) or EVENT_OF.get(told[-1]) in shape.families:
            return True
        if not gist.clause.isdisjoint(shape.nouns):
            return True  # "... via email"
    elif not gist.clause.isdisjoint(known) or not gist.clause_words.isdisjoint(shape.literal):
        return True
    if not (shape.verbs - COMMON).isdisjoint(gist.object_words):
        return True
    if gist.base in shape.verbs:
        return gist.base not in COMMON | _LIGHT
    return gist.verb not in COMMON and gist.verb in shape.families


#: Verbs that say little of what was done.
_LIGHT = frozenset("leave put make take get give change".split())


def _alike(a: str, b: str) -> bool:
    """Whether two words are one, or one is made of the other: a review and its reviewers."""
    return a == b or (min(len(a), len(b)) >= 5 and (a.startswith(b) or b.startswith(a)))


def _is_event(noun: str, gist: Gist) -> bool:
    return EVENT_OF.get(noun) == gist.verb or noun == fold_noun(gist.base)


def is_just_this(action: Action, candidates: Sequence[Candidate], scene: Scene, other: Call) -> bool:
    """Whether the best tool has the claim's very verb and object for its name, and another call made that object before.

    A dashboard that was created is not thereby shared.
    """
    best = next((s for name, s in scene.toolset.shapes if candidates and name == candidates[0].tool), None)
    gist = gist_of(action)
    if best is None or not gist.literal or gist.base not in best.verbs or gist.base in COMMON | _LIGHT:
        return False
    made = other.shape.families[:1] in {("create",), ("add",), ("save",)} and gist.literal[-1] in other.shape.literal
    return made and gist.literal[-1] in best.literal and candidates[0].score >= 0.95


def other_write(action: Action, tool: str, scene: Scene, taken: Iterable[str]) -> Call | None:
    """Return a call that changed something and may be what a claim tells of, rather one that no claim has taken.

    What a claim that names nothing tells of is in none that another claim has taken, and so is a change to a part of what
    the tool updates.
    """
    known = set(taken)
    done = [c for c in scene.calls if not c.reads and not c.is_internal and not c.result.failed]
    left = [c for c in done if c.id not in known]
    shape = next((s for name, s in scene.toolset.shapes if name == tool), None)
    updates = action.verb == "update" and shape is not None and "update" in shape.verbs
    return next(iter(left or (done if action.object is not None and not updates else [])), None)
