"""Denials that a look-up must back: “I found no open invoices” after no search at all, or after one that found some.

What an agent denies is no claim; only these two cases are held against it, and only where nothing else explains them.
"""

from __future__ import annotations

import re

from claimx.match import wording
from claimx.match.evidence import Fit, Scene, fits_of
from claimx.match.gist import gist_of
from claimx.match.nouns import fold_noun
from claimx.types import Action, Actor, JudgedClaim, Mismatch, Modality, Tense
from claimx.values.keys import parts_of
from claimx.verbs import READING, lemma

_DENIED = frozenset("find locate see return show come turn".split())
#: What a tool must score for its never having been called to count.
_SURE = 0.9
_QUALIFIED = re.compile(r"\b(?:no|any|a|an)\s+((?:[\w'-]+\s+){0,3})$", re.I)


def is_denial(action: Action) -> bool:
    """Whether an action says that the agent looked and found nothing."""
    return (
        action.modality is Modality.NEGATED
        and action.actor is Actor.AGENT
        and action.tense is Tense.PAST
        and action.verb in READING
        and action.object is not None
        and lemma(action.trigger.text.split()[0]) in _DENIED
    )


def judge_denial(action: Action, scene: Scene) -> JudgedClaim | None:
    """Return what is held against a denial, None when nothing is."""
    candidates, fits = fits_of(action, scene)
    if not candidates or candidates[0].score < _SURE:
        return None
    if not any(c.reads or c.deeds for c in scene.calls):
        tool = candidates[0].tool
        return wording.never_ran(action, tool, f"nothing was looked up in this run: no call of {tool} is in the ledger")
    found = [f for f in fits if not f.call.result.failed]
    if len(found) != 1 or len([c for c in scene.calls if c.reads]) != 1:
        return None
    wrong = _contradicted(action, found[0])
    return wording.misquoted(action, found[0].call, [wrong]) if wrong is not None else None


def _contradicted(action: Action, fit: Fit) -> Mismatch | None:
    """The list that shows what was denied: of the things denied, and searched with just the words of the denial."""
    if action.object is None or set(fit.agreement.held) != set(range(len(action.slots))):
        return None
    head = gist_of(action).head
    ahead = _QUALIFIED.search(action.text[: max(0, action.object.start - action.start)])
    asked = {w for leaf in fit.call.view.args for w in parts_of(str(leaf.value))}
    if not ahead or not set(parts_of(ahead.group(1))) <= asked:
        return None
    for size in fit.call.view.sizes:
        named = {fold_noun(w) for w in parts_of(size.key)} if size.key else fit.call.shape.nouns
        if size.size and size.depth <= 2 and size.path.startswith(f"{fit.call.id}.result") and head in named:
            return Mismatch("COUNT", "no", size.size, size.path, f"the result lists {size.size}")
    return None
