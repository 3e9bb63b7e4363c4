"""Amounts told under a label that a result's words give another amount: “total paid: $41.20” told as $42.10."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.nouns import STOP, singular
from claimx.types import Action, Mismatch, Slot, SlotType
from claimx.values import compare

_LABELLED = re.compile(
    r"((?:[A-Za-z]+[ _]){1,5}?[A-Za-z]+)\s*(?:is|was|of|comes to|[:=])\s*((?:[$€£¥₹]|[A-Z]{3} )\s?\d[\d,]*(?:\.\d+)?)"
)
_WORD = re.compile(r"[A-Za-z]+")
#: Words that a label must share with the claim.
_SHARED = 2


def other_amount(slot: Slot, action: Action, calls: Sequence[Call]) -> Mismatch | None:
    """Return the mismatch where results give the amount that a claim names another figure, and none gives the claimed one."""
    if slot.type is not SlotType.MONEY:
        return None
    said = _words(action.text)
    found = None
    for call in calls:
        if sum(w in call.view.raw for w in said) < _SHARED or call.result.failed:
            continue
        for leaf in call.view.results:
            for label, amount in _LABELLED.findall(leaf.value[:4000]) if isinstance(leaf.value, str) else ():
                words = _words(label)
                if len(words) < _SHARED or not words <= said:
                    continue
                held = compare(SlotType.MONEY, slot.text, amount)
                if not held.is_different:
                    return None
                why = f"{label.strip()!r} is {amount}: {held.reason}"
                found = found or Mismatch("MONEY", slot.text, amount, leaf.path, why)
    return found


def _words(text: str) -> set[str]:
    return {singular(w) for w in _WORD.findall(text.replace("_", " ")) if w.lower() not in STOP}
