"""What a claim names among the things of a batch that failed."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimx.match.call import Call
from claimx.types import Action, Mismatch, SlotType
from claimx.values import compare, fold


def mended_later(call: Call, calls: Iterable[Call]) -> bool:
    """Whether later calls that worked name each of the things that a batch left over: it was done after all."""
    left = call.result.failed_items or ((call.result.partial,) if call.result.partial else ())
    later = [c for c in calls if c.index > call.index and not c.reads and not c.result.failed and not c.result.partial]
    return bool(left and later) and all(any(_names(c, call, path) for c in later) for path in left)


#: Fields of a record that say what came of it, not which it is.
_TELLS = re.compile(r"status|state|error|reason|message|detail|code|outcome|result|type|kind", re.I)


def _names(later: Call, call: Call, path: str) -> bool:
    """Whether the arguments of a later call hold what names a thing of a batch."""
    told = [
        x for x in call.view.results if x.path.startswith(path) and not _TELLS.search(x.key) and x.value is not None
    ]
    names = {fold(str(x.value)) for x in told if not isinstance(x.value, bool) and len(str(x.value)) > 1}
    return any(fold(str(x.value)) in names for x in later.view.args)


def failed_for(action: Action, call: Call) -> Mismatch | None:
    """Return the mismatch where what a claim names is what failed of a batch, and no record of what worked names it, too."""
    failed = call.result.failed_items
    for slot in action.slots if failed else ():
        if slot.type not in _NAMING:
            continue
        at = [x.path for x in call.view.results if x.depth > 1 and compare(slot.type, slot.text, x.value).is_same]
        hits = [next((f for f in failed if p.startswith(f"{f}.")), None) for p in at]
        if hits and all(hits):
            return Mismatch(
                "OUTCOME", action.trigger.text, "failed", str(hits[0]), f"{slot.text!r} is among what failed"
            )
    return None


_NAMING = (SlotType.ID, SlotType.CONTACT, SlotType.PERSON, SlotType.NAME)
