"""In which form a reply states an action: what a model card reports scores by.

The form is read off the words before the trigger in its line, by rules of thumb over labelled text; it is a way of grouping
examples, never an input of the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from claimx.training.evaluate import Predicted, is_claim, pair

from claimx.annotate.example import Example

FORMS = ("first person", "passive", "result state", "list", "nominal", "elliptic", "other")

_BULLET = re.compile(r"\s*(?:[-*+•–|]|[✅❌✔✓☑]|\(?\d{1,3}[.)]\s|\[[ xX]\])")
_FIRST_PERSON = re.compile(r"\b(?:I|[Ww]e|i)(?:['’](?:ve|m|re|d|ll))?\b[^.;:!?]*$")
_PASSIVE = re.compile(
    r"\b(?:(?:has|have|had)(?:n['’]t)?\s+(?:\w+\s+)?been|was|were|got|gets|getting|being)\b[^.;:,!?]{0,40}$", re.I
)
_STATE = re.compile(r"\b(?:is|are|['’]s|['’]re)\b[^.;:,!?]{0,30}$", re.I)
_NOUN = re.compile(
    r"(?:tion|sion|ment|ance|ence|al|ing|age|ure|lookup|check|search|refund|return|update|transfer|booking)s?$"
)
_SENTENCE = re.compile(r"[.!?]\s|\n")


def form_of(text: str, action: dict[str, Any]) -> str:
    """Name the form of one action.

    >>> form_of("I've cancelled it.", {"trigger": {"text": "cancelled", "start": 5, "end": 14}})
    'first person'
    >>> form_of("Email sent.", {"trigger": {"text": "sent", "start": 6, "end": 10}})
    'elliptic'
    """
    trigger = action["trigger"]
    line_start = text.rfind("\n", 0, trigger["start"]) + 1
    breaks = [m.end() for m in _SENTENCE.finditer(text, line_start, trigger["start"])]
    before = text[breaks[-1] if breaks else line_start : trigger["start"]]
    if _FIRST_PERSON.search(before):
        return "first person"
    if _PASSIVE.search(before):
        return "passive"
    if _STATE.search(before):
        return "result state"
    if _BULLET.match(text, line_start):
        return "list"
    if _NOUN.search(trigger["text"].lower()):
        return "nominal"
    return "elliptic" if len(before.split()) <= 4 else "other"


def score_by_form(examples: Sequence[Example], predictions: Sequence[Predicted]) -> dict[str, dict[str, float]]:
    """Precision and recall of claims by form: recall over labelled claims, precision over those that the model makes."""
    counts = {f: {"gold": 0, "found": 0, "made": 0, "right": 0} for f in FORMS}
    for e, (actions, _) in zip(examples, predictions, strict=True):
        gold, made = [a for a in e.actions if is_claim(a)], [a for a in actions if is_claim(a)]
        pairs = pair(gold, made)
        found, right = {i for i, _ in pairs}, {j for _, j in pairs}
        for i, a in enumerate(gold):
            c = counts[form_of(e.text, a)]
            c["gold"] += 1
            c["found"] += i in found
        for j, a in enumerate(made):
            c = counts[form_of(e.text, a)]
            c["made"] += 1
            c["right"] += j in right
    return {
        f: {
            "claims": c["gold"],
            "p": round(c["right"] / c["made"], 4) if c["made"] else 1.0,
            "r": round(c["found"] / c["gold"], 4) if c["gold"] else 1.0,
        }
        for f, c in counts.items()
    }
