"""Events that a look-up shows as done already: a claim in the passive may merely tell of them."""

from __future__ import annotations

import re
from collections.abc import Set

from claimx.match.call import Call
from claimx.match.evidence import Scene
from claimx.match.fields import Leaf
from claimx.match.gist import EVENT_OF, Gist, gist_of
from claimx.match.nouns import fold_noun
from claimx.types import Action
from claimx.values import Phase, phase_of, state_class
from claimx.values.keys import parts_of
from claimx.verbs import lemma

_STATE_KEY = re.compile(r"status|state|stage|phase", re.I)
#: What every record says of itself.
_KEPT = frozenset("create update modify add generate record log change request open send".split())
_WHEN = frozenset({"at", "on", "date", "time"})


def shown_state(action: Action, scene: Scene) -> str | None:
    """Return the path at which a look-up shows what a claim names as done: its very state, a field called after the deed
    (`cancelled: true`, `placed_at`), or that the record of the event itself is complete (`refund.state: completed`)."""
    if phase_of(action.trigger.text) is Phase.OPEN:
        return None
    gist = gist_of(action)
    said = state_class(action.trigger.text)
    events = {f for f in gist.main if EVENT_OF.get(f) == gist.verb}
    for c in scene.calls:
        if c.reads and not c.result.failed:
            for leaf in c.view.results:
                if _says_state(leaf, said) or (_is_called_after(leaf, gist.base) and _is_about(gist, c)):
                    return leaf.path
                if events and _is_complete(leaf, events, c.shape.nouns):
                    return leaf.path
    return None


def _says_state(leaf: Leaf, said: object) -> bool:
    value = leaf.value
    return (
        said is not None
        and isinstance(value, str)
        and len(value) < 40
        and bool(_STATE_KEY.search(leaf.key))
        and state_class(value) == said
    )


def _is_called_after(leaf: Leaf, base: str) -> bool:
    """Whether a field says that a deed is done: `cancelled: true`, `placed_at`; a number, as of `returned: 10`, counts results."""
    words, value = parts_of(leaf.key), leaf.value
    if not words or base in _KEPT or value in (None, False, "", 0) or str(value).lower() in _NO:
        return False
    if isinstance(value, str) and phase_of(value) in (Phase.OPEN, Phase.FAILED):
        return False
    if len(words) == 1 and isinstance(value, int | float) and value is not True:
        return False
    return words[0] != base and lemma(words[0]) == base and _WHEN.issuperset(words[1:])


def _is_about(gist: Gist, call: Call) -> bool:
    """Whether a look-up speaks of what the claim does: the `issued_at` of an invoice tells of no refund."""
    named = call.shape.nouns | call.told
    return not gist.main or not named.isdisjoint(gist.main) or (gist.head in _GOODS and not named.isdisjoint(_GOODS))


#: What is sent goes by any of these.
_GOODS = frozenset({"order", "parcel", "product"})


_NO = frozenset({"false", "no", "none", "null", "0", "n/a", "never"})


def _is_complete(leaf: Leaf, events: Set[str], about: Set[str]) -> bool:
    """Whether a record of the claim's event, or the look-up made for such records, says that it is complete."""
    if not isinstance(leaf.value, str) or len(leaf.value) > 40 or not _STATE_KEY.search(leaf.key):
        return False
    if phase_of(leaf.value) is not Phase.DONE or state_class(leaf.value) != state_class("completed"):
        return False
    holder = {fold_noun(w) for w in parts_of(leaf.path.rpartition(".")[0].partition(".")[2])}
    return not events.isdisjoint(holder) or (leaf.depth <= 1 and not events.isdisjoint(about))
