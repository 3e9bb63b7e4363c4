"""Calls that failed and were made up for: tried again with the same thing, or with what was wrong in it mended."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher

from claimx.match.call import Call

#: What a call is told that was made the wrong way: the next one may name the same thing otherwise.
_MISNAMED = re.compile(
    r"invalid|malformed|unknown|not found|no such|missing|required|must be|expected|schema|valid|unrecogni[sz]ed|does not exist|doesn't exist",
    re.I,
)
#: How like two values must be for one to be the other, mended.
_LIKE = 0.7
_WORD = re.compile(r"\w+")


def made_up_for(failed: Call, calls: Sequence[Call]) -> bool:
    """Whether a later call of the same tool made up for a failed one, or may have done so; `calls` are all of that tool."""
    later = [c for c in calls if c.index > failed.index and not c.result.failed]
    if not later:
        return False
    args = failed.entry.args
    if (
        not isinstance(args, Mapping)
        or not args
        or _MISNAMED.search(f"{failed.entry.error or ''} {failed.entry.result}"[:600])
    ):
        return True
    if any(not isinstance(c.entry.args, Mapping) or c.entry.args.keys() != args.keys() for c in later):
        return True
    # What all calls have in common tells none of them apart.
    telling = [k for k in args if any(c.entry.args[k] != args[k] for c in later)]
    return not telling or any(any(_is_like(args[k], c.entry.args[k]) for k in telling) for c in later)


def _is_like(a: object, b: object) -> bool:
    if a == b:
        return True
    x, y = str(a).lower(), str(b).lower()
    # Two numbers of a kind are two things, however alike.
    if any(c.isdigit() for c in x + y):
        return False
    mine, theirs = _WORD.findall(x), _WORD.findall(y)
    if len(mine) != len(theirs) or len(mine) < 2:
        return _is_mended(x, y)
    # What two addresses or paths have in common (a domain, a folder) tells nothing: the parts that differ must be alike.
    return all(a == b or _is_mended(a, b, 3) for a, b in zip(mine, theirs, strict=True))


def _is_mended(x: str, y: str, least: int = 4) -> bool:
    return min(len(x), len(y)) >= least and SequenceMatcher(None, x, y).ratio() >= _LIKE
