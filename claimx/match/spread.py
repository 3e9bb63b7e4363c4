"""Numbers of finds that several look-ups hold together: three flights of two searches."""

from __future__ import annotations

from collections.abc import Sequence

from claimx.match.counts import counted
from claimx.match.evidence import Fit, Scene
from claimx.match.gist import gist_of
from claimx.match.nouns import fold_noun
from claimx.match.view import read_slot
from claimx.types import Action, Mismatch, SlotType
from claimx.values import Count
from claimx.values.keys import parts_of

#: Numbers past which things are estimated rather than counted.
_MOST = 200


def told_beyond(action: Action, found: Sequence[Fit], scene: Scene) -> Mismatch | None:
    """Return the mismatch where a claim counts more finds than all its look-ups list together, None where that is open.

    Fewer may be told: those that suit, or those without the ones found twice.
    """
    n = counted(action)
    slots = [(i, s) for i, s in enumerate(action.slots) if s.type is SlotType.COUNT]
    if n is None or not 2 <= n <= _MOST or len(slots) != 1 or action.object is None:
        return None
    i, slot = slots[0]
    value = read_slot(slot)
    if not isinstance(value, Count) or value.vague or value.number != n or any(i in f.agreement.held for f in found):
        return None
    gist = gist_of(action)
    total, last = 0, ""
    looked = [c for c in scene.calls if c.reads and not c.result.failed]
    if not gist.head or len(looked) != len({f.call.id for f in found}):
        # Another look-up may have shown the rest.
        return None
    for call in looked:
        lists = [s for s in call.view.sizes if s.path.startswith(f"{call.id}.result") and s.depth <= 2]
        named = [s for s in lists if s.key and gist.head in {fold_noun(w) for w in parts_of(s.key)}]
        named = named or [s for s in lists if len(lists) == 1 and s.depth <= 1]
        if len(named) != 1 or call.is_cut(scene.options.result_cap) or call.deeds:
            return None
        if any(
            type(x.value) is int and x.value >= n and "." not in x.path.partition(".result.")[2]
            for x in call.view.results
        ):
            # A total beside a page of the finds.
            return None
        total, last = total + named[0].size, named[0].path
    if not last or n <= total:
        return None
    many = f"{len(looked)} look-ups list {total} together" if len(looked) > 1 else f"the result lists {total}"
    return Mismatch("COUNT", slot.text, total, last, many)
