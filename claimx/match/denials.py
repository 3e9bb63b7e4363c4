"""Results that deny in words just what their tool is there for: “already shipped: not cancelled”."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import Any

from claimx.match.fields import is_object
from claimx.match.outcomes import Outcome, Result
from claimx.match.own_flags import deed_of, waits
from claimx.match.wording_of_results import kind_of, short

#: Fields of a result that say something in words, and characters up to which a text says one thing.
_SAYING = ("message", "detail", "details", "msg", "note", "info", "text", "reason")
_MOST = 300
#: Whatever is denied only for the time being, or of a condition.
_OPEN = re.compile(r"\b(?:yet|until|unless|if|before|still|pending|queued|again|in future|other)\b", re.I)


def read_denial(value: Any, verbs: Collection[str], path: str) -> Result | None:
    """Return the failure where a short text, or the message of a result, denies one of the verbs and affirms none, or a flag
    called after one is off: `renewed: false`."""
    if is_object(value):
        if len(value) == 1 and is_object(inner := next(iter(value.values()))):
            return read_denial(inner, verbs, f"{path}.{next(iter(value))}")
        off = next((k for k, v in value.items() if v is False and deed_of(str(k)) in verbs and not waits(value)), None)
        if off is not None:
            said = " ".join(v for v in value.values() if isinstance(v, str))
            return Result(kind_of(said), f"{path}.{off} is false", f"{path}.{off}")
        key = next((k for k in value if str(k).lower() in _SAYING and isinstance(value[k], str)), None)
        return None if key is None else read_denial(value[key], verbs, f"{path}.{key}")
    if not isinstance(value, str) or not 0 < len(value) <= _MOST or _OPEN.search(value):
        return None
    for verb in verbs:
        denied, told = _patterns(verb)
        if denied.search(value) and not told.search(denied.sub("", value)):
            kind = kind_of(value)
            return Result(
                Outcome.PERMANENT_FAILURE if kind is Outcome.RETRYABLE_FAILURE else kind,
                f"{path} says {short(value)!r}",
                path,
            )
    return None


@lru_cache(maxsize=1024)
def _patterns(verb: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A verb's participle behind a word that denies it, and the participle alone."""
    stem = re.escape(verb[:-1] if verb.endswith(("e", "y")) else verb)
    done = rf"{stem}\w{{0,2}}(?:e|i)?d\b" if verb not in _IRREGULAR else rf"{_IRREGULAR[verb]}\b"
    no = r"(?:not|never|cannot|can't|can’t|couldn't|couldn’t|wasn't|wasn’t|isn't|isn’t|weren't|hasn't been|hasn’t been|won't|no longer)"
    return re.compile(rf"\b{no}\s+(?:be(?:en)?\s+)?(?:\w+ly\s+)?{done}", re.I), re.compile(rf"\b{done}", re.I)


_IRREGULAR = {
    "send": "sent", "pay": "paid", "set": "set", "make": "made", "write": "written", "put": "put", "book": "booked", "give": "given", "hold": "held",
    "submit": "submitted", "begin": "begun", "run": "run", "buy": "bought", "sell": "sold", "lend": "lent", "freeze": "frozen", "take": "taken",
}  # fmt: skip
