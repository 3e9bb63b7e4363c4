"""Verbs whose particle makes them another deed: “sent the money back”, “took the posting down”, “put it on hold”."""

from __future__ import annotations

import re

from claimx.types import Action, SlotType
from claimx.verbs import lemma

_MONEY = re.compile(r"\b(?:money|funds?|payment|amount|price|fare|fee|charge|deposit|balance|cash)\b", re.I)
_BACK = re.compile(r"^(?:\W|\w+\s+){0,8}?\W*back\b(?!\s+(?:up|end|office|door|yard|seat|order))", re.I)
_DOWN = re.compile(r"^(?:\W|\w+\s+){0,7}?\W*(?:down|offline)\b(?!\s+(?:the|to)\b)", re.I)
_ON_HOLD = re.compile(r"^(?:\W|\w+\s+){0,8}?\W*on hold\b", re.I)


def phrasal_verb(action: Action) -> str | None:
    """Return the verb family that a trigger has with the particle behind it, None where it has its own."""
    words = action.trigger.text.split()
    base = lemma(words[0]) if words else ""
    rest = action.text[max(0, action.trigger.end - action.start) - sum(len(w) + 1 for w in words[1:]) :].split(". ")[0]
    if base in {"send", "transfer", "give", "pay", "put"} and _BACK.match(rest):
        money = any(s.type is SlotType.MONEY for s in action.slots) or _MONEY.search(action.text)
        return "refund" if money else None
    if base == "take" and _DOWN.match(rest):
        return "delete"
    return None


def is_on_hold(action: Action) -> bool:
    """Whether a claim tells that something was put on hold."""
    words = action.trigger.text.split()
    if not words or lemma(words[0]) not in {"put", "place"}:
        return False
    return bool(_ON_HOLD.match(action.text[max(0, action.trigger.start - action.start) + len(words[0]) :]))
