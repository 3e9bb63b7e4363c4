"""What the ledger says a thing is: a claim speaks of “the lantern”, a look-up lists it among the order's items."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from claimx.match.call import Call
from claimx.match.gist import Gist
from claimx.match.nouns import fold_noun, singular
from claimx.types import Action, SlotType
from claimx.values import fold
from claimx.values.keys import parts_of

#: Keys under which records write what a thing is called.
_NAME_KEY = re.compile(r"^(?:name|title|label|product|item|description|summary|subject)$|_(?:name|title)$", re.I)
_INDEX = re.compile(r"\[\d+\]$")
#: Containers that say nothing of what they hold.
_BLANK = frozenset("result results data record records entry entries list rows values options output response".split())


def with_kind(gist: Gist, action: Action, calls: Sequence[Call], named: Set[str]) -> Gist:
    """Return the gist with the noun under which the ledger keeps the claim's object, where no known tool names it itself.

    `named` are the nouns of all known tools.
    """
    if action.object is not None and gist.main:
        thing = action.object.text
    elif not gist.main and len(names := [s.text for s in action.slots if s.type is SlotType.NAME]) == 1:
        thing = names[0]
    else:
        return gist
    if gist.main and gist.main[-1] in named:
        return gist
    kind = _kind_of(fold(thing.strip("*`\"' ")), calls)
    if kind is None:
        return gist
    return replace(gist, literal=(*gist.literal, kind), main=(*gist.main, fold_noun(kind)))


def _kind_of(thing: str, calls: Sequence[Call]) -> str | None:
    """The singular noun of the list or field that holds a thing by its name, None where no record names it."""
    if len(thing) < 3:
        return None
    for call in calls:
        if thing not in call.view.raw or call.result.failed:
            continue
        for leaf in call.view.leaves:
            if not isinstance(leaf.value, str) or len(leaf.value) > 80 or not _NAME_KEY.search(leaf.key):
                continue
            if singular(fold(leaf.value)) != singular(thing):
                continue
            container = _INDEX.sub("", leaf.path.rpartition(".")[0]).rpartition(".")[2]
            words = [w for w in parts_of(container) if not w.isdigit()]
            if words and words[-1] not in _BLANK and container != call.id:
                return singular(words[-1])
    return None
