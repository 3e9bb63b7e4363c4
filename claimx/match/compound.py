"""Objects of several parts: “the front door and the garage” need a call for each part, or one that covers both."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.evidence import Fit
from claimx.match.nouns import STOP, TEXT_WORD, fold_noun
from claimx.types import Action, Mismatch
from claimx.values.keys import parts_of

_AND = re.compile(r"\s*(?:,\s*and\b|,|\band\b|&|\bas well as\b|\bplus\b)\s*", re.I)
_ALL = frozenset("all every each both everything entire whole".split())


def parts_without_call(action: Action, fits: Sequence[Fit]) -> list[Mismatch]:
    """Return the named parts of an object that no call speaks of, where another part has a call that names it alone.

    `fits` are the calls that worked, of one tool.
    """
    if action.object is None:
        return []
    parts = [p for p in _AND.split(action.object.text) if p.strip()]
    named = [(p, {w.lower() for w in TEXT_WORD.findall(p) if w.lower() not in STOP}) for p in parts]
    if len(named) < 2 or not all(words for _, words in named):
        return []
    targets = [
        (leaf, set(parts_of(str(leaf.value)))) for f in fits for leaf in f.call.view.args if isinstance(leaf.value, str)
    ]
    if any(words & _ALL for _, words in targets):
        return []
    told = " ".join(f.call.view.text for f in fits)
    covered = [any(words <= said for _, said in targets) for _, words in named]
    if not any(covered) or all(covered):
        return []
    seen = [
        c or any(w in told or fold_noun(w) in told for w in words) for c, (_, words) in zip(covered, named, strict=True)
    ]
    path = next(
        leaf.path for leaf, said in targets for (_, words), c in zip(named, covered, strict=True) if c and words <= said
    )
    return [
        Mismatch("NAME", part, None, path, f"no call names {part}")
        for ok, (part, _) in zip(seen, named, strict=True)
        if not ok
    ]
