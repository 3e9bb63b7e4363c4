"""Text that a reply offers as an example: what it tells was not done, but could be said."""

from __future__ import annotations

import re

from claimx.types import Action

_TEXT = r"(?:e-?mail|message|reply|answer|response|text|note|letter|wording|template|script|sms|post)"
#: What stands before an example on its line.
_SAMPLE = re.compile(
    rf"\b(?:example|sample|suggested|proposed|model)\s+{_TEXT}\b(?![^.!?\n]{{0,40}}\b(?:was|is|were|has been) sent\b)[^.!?\n]{{0,40}}:[^\n]*$|"
    rf"\b{_TEXT}\b[^.!?\n:]{{0,20}}\b(?:you|they|he|she|we|one) (?:could|can|might|may)\b[^.!?\n:]{{0,30}}:[^\n]*$",
    re.I,
)
_SUPPOSING = ("pretend", "imagine", "suppose")
#: What makes a whole sentence one that only supposes.
_SUPPOSED = re.compile(
    rf"(?:^|[.!?]\s+|\n)\W*(?:let['’]?s )?(?:{'|'.join(_SUPPOSING)})\s+(?:that\s+)?(?:i|we)\b[^.!?\n]*$", re.I
)


def is_sample(action: Action, reply: str) -> bool:
    """Whether a claim stands in a text offered as an example, or in a sentence that asks to suppose it."""
    before = reply[max(0, action.trigger.start - 400) : action.trigger.start]
    line = before.rpartition("\n")[2]
    if ":" in line and _SAMPLE.search(line):
        return True
    low = before.lower()
    return any(w in low for w in _SUPPOSING) and _SUPPOSED.search(before) is not None
