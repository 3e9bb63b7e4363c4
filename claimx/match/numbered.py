"""Numbers that name a thing, apart from those that only count, rate or time one."""

from __future__ import annotations

import re

from claimx.match.fields import Leaf
from claimx.match.view import CallView
from claimx.types import Mismatch, Slot
from claimx.values.keys import parts_of

#: Keys whose numbers name nothing, but where the claim speaks of just that: an exit code, a port.
_NAMELESS = re.compile(
    r"(?:(?:exit|return|status|error|http|response|result|area|country|currency|language|region|dialing|postal|post|zip) (?:code|status)|"
    r"(?:line|page|row|column|port|step|attempt|retry|index|house|street|floor) (?:no|nr|number)|(?:number of|num) .*|pid|port|"
    r"exitcode|returncode|statuscode|.*\b(?:count|duration|elapsed|seconds|minutes|millis|ms|bytes|size|length|offset|lineno|timestamp))"
)
_GENERAL = frozenset("code status number no nr num of".split())
_MOST_CODE = 599
_LINKS = (
    (re.compile(r"\bPRs?\b|\bpull request", re.I), re.compile(r"/pulls?/(\d+)\b")),
    (re.compile(r"\bMRs?\b|\bmerge request", re.I), re.compile(r"/merge_requests/(\d+)\b")),
    (re.compile(r"\b(?:issue|ticket)\b", re.I), re.compile(r"/issues/(\d+)\b")),
)


def can_name(leaf: Leaf, clause: str) -> bool:
    """Whether what stands in a field may be the name of the thing that a clause speaks of."""
    words = parts_of(leaf.key)
    key = " ".join(words)
    if key == "code":
        return not isinstance(leaf.value, int) or leaf.value > _MOST_CODE
    if not _NAMELESS.fullmatch(key):
        return True
    return any(w in clause.lower() for w in words if w not in _GENERAL)


def linked(slot: Slot, view: CallView) -> str | None:
    """Return the path of a link that ends in the number by which a reply names a thing."""
    number = slot.text.strip("#` ")
    if not number.isdigit():
        return None
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and any(number in link.findall(leaf.value) for _, link in _LINKS):
            return leaf.path
    return None


def other_link(slot: Slot, view: CallView, clause: str) -> Mismatch | None:
    """A link to a thing of the told kind, of another number than the one that was told."""
    number = slot.text.strip("#` ")
    if not number.isdigit() or linked(slot, view) is not None:
        return None
    for kind, link in _LINKS:
        if not kind.search(clause):
            continue
        for leaf in view.results:
            shown = link.findall(leaf.value) if isinstance(leaf.value, str) else []
            if len(set(shown)) == 1:
                return Mismatch("ID", slot.text, shown[0], leaf.path, f"its link ends in {shown[0]}, not {number}")
    return None


_LETTERED = re.compile(r"([A-Za-z]{2,6})[ -]?\d{2,}")


def is_of_a_kind(claimed: str, recorded: object) -> bool:
    """Whether two numbers begin with the same letters, and one stands for what the other names under whatever key: trains, flights."""
    told, kept = (_LETTERED.fullmatch(str(x)) for x in (claimed.strip("`*# "), recorded))
    return told is not None and kept is not None and told.group(1).lower() == kept.group(1).lower()
