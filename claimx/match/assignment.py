"""Which call answers for which claim: one call carries one event, and recaps of one event share their call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from claimx.match.contradiction import alike_ids
from claimx.match.evidence import Fit
from claimx.match.gist import gist_of
from claimx.types import Action, Slot, SlotType
from claimx.values import compare, fold, near_miss

#: Slot types by which two claims of one kind name two different events.
_DISTINCT = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERSON, SlotType.DATE)
#: Claims of different words that one call is held to carry at most: with more, the first ones speak for the rest.
_MOST_CARRIED = 12


@dataclass(slots=True)
class Assignment:
    """The calls that claims have taken so far."""

    taken: dict[str, dict[tuple[str, ...], Action]] = field(default_factory=dict)

    def take(self, action: Action, fits: Sequence[Fit]) -> None:
        for f in fits:
            carried = self.taken.setdefault(f.call.id, {})
            if len(carried) < _MOST_CARRIED:
                carried.setdefault(_signature(action), action)

    def is_free(self, action: Action, fit: Fit) -> bool:
        """Whether a call may carry this claim beside those that it carries already."""
        carried = self.taken.get(fit.call.id)
        return not carried or not any(_differ(action, other, fit) for other in carried.values())

    def carries(self, call_id: str) -> bool:
        return call_id in self.taken


def _signature(action: Action) -> tuple[str, ...]:
    """What sets a claim apart from other claims of its call; recaps of one event share it."""
    return (
        action.verb,
        action.object.text if action.object else "",
        *(s.text for s in action.slots if s.type in _DISTINCT),
    )


@lru_cache(maxsize=8192)
def _agree(kind: SlotType, a: str, b: str) -> bool:
    return compare(kind, a, b).is_same


def _differ(a: Action, b: Action, fit: Fit) -> bool:
    """Two claims name two events when a value of one kind differs and the call does not hold both."""
    if a.verb != b.verb:
        return False
    for kind in _DISTINCT:
        mine = [s for s in a.slots if s.type is kind]
        theirs = [s for s in b.slots if s.type is kind]
        if not mine or not theirs:
            continue
        if any(_agree(kind, x.text, y.text) for x in mine for y in theirs):
            continue
        if kind is SlotType.ID and (_slipped(mine, fit) or _extends(mine, fit) or not _alike(mine, theirs)):
            continue
        if not any(s.type is kind and i in fit.agreement.held for i, s in enumerate(a.slots)):
            return True
    return _other_object(a, b, fit)


def _alike(mine: Sequence[Slot], theirs: Sequence[Slot]) -> bool:
    """Whether ids are of one form, so that they name two things of a kind: a confirmation number is no second order."""
    return any(alike_ids(x.text, y.text) for x in mine for y in theirs)


def _slipped(ids: Sequence[Slot], fit: Fit) -> bool:
    """Whether an id is one of the call's with two digits swapped: the same event, misquoted."""
    return any(_is_slip(s.text, str(leaf.value)) for s in ids for leaf in fit.call.view.args)


def _extends(ids: Sequence[Slot], fit: Fit) -> bool:
    """Whether an id is one of the call's with something put behind it: a reference number made of the order's."""
    known = [fold(str(leaf.value)).strip("#") for leaf in fit.call.view.args if len(str(leaf.value)) >= 4]
    return any(fold(s.text).strip("#*` ").startswith((f"{k}-", f"{k}/", f"{k}_")) for s in ids for k in known)


@lru_cache(maxsize=16384)
def _is_slip(told: str, recorded: str) -> bool:
    return "transposed" in (near_miss(told.strip("#").lower(), recorded.strip("#").lower()) or "")


def _own_values(a: Action, b: Action, fit: Fit) -> bool:
    """Whether the call holds a value of the one claim that the other does not state."""
    shared = {s.text for s in b.slots}
    return any(a.slots[i].text not in shared for i in fit.agreement.held)


def _other_object(a: Action, b: Action, fit: Fit) -> bool:
    """Two objects, of which the call's arguments name the other alone: the address was updated, not the phone number."""
    mine, theirs = gist_of(a).head, gist_of(b).head
    if not mine or not theirs or mine == theirs or fit.call.deeds or fit.names:
        return False
    if mine in fit.call.shape.nouns:
        return False
    return (
        (theirs in fit.call.said or theirs in fit.call.shape.nouns)
        and mine not in fit.call.told
        and not _own_values(a, b, fit)
    )
