"""Amounts told under another field's name: “the available balance is 900” where `available` is 800 and `booked` is 900."""

from __future__ import annotations

import re

from claimx.match.call import Call
from claimx.match.fields import Leaf
from claimx.match.nouns import TEXT_WORD, fold_noun
from claimx.types import Mismatch, Slot
from claimx.values import same
from claimx.values.keys import words_of

#: Where the words of another value end.
_CUT = re.compile(r"[,;.!?()\n\d|]+")
#: Words in front of a value that may name it.
_NEAR = 4
_SAYS_NOTHING = frozenset({"amount", "value", "total", "number", "id", "usd", "eur", "gbp", "cent", "price"})


def under_another_name(slot: Slot, path: str, call: Call, reply: str) -> Mismatch | None:
    """Return the field that a value is told as, where the call holds the value under another one beside it.

    `path` is where the call holds the value. Only the words right in front of the value count as its name.
    """
    index = next((i for i, x in enumerate(call.view.leaves) if x.path == path), None)
    if index is None or ".result" not in path:
        return None
    leaf = call.view.leaves[index]
    said = {
        fold_noun(w)
        for w in TEXT_WORD.findall(_CUT.split(reply[max(0, slot.start - 80) : slot.start].rstrip("$€£¥ "))[-1])[-_NEAR:]
    }
    own = _names(leaf)
    if not said or own & said:
        return None
    named = []
    for i, other in enumerate(call.view.leaves):
        if other.path.rpartition(".")[0] != path.rpartition(".")[0] or other.path == path:
            continue
        if (_names(other) - own - _SAYS_NOTHING) & said:
            named.append((i, other))
    if len(named) != 1:
        return None
    i, other = named[0]
    mine, theirs = call.view.read(slot.type, index, None), call.view.read(slot.type, i, None)
    if mine is None or theirs is None or type(mine) is not type(theirs) or not same(mine, theirs).is_different:
        return None
    return Mismatch(str(slot.type), slot.text, other.value, other.path, f"{slot.text} stands at {path}")


def _names(leaf: Leaf) -> set[str]:
    return {fold_noun(w) for w in words_of(leaf.key)}
