"""Money told as moved by a call that does something else: a cancelled order is refunded, a closed ticket is not."""

from __future__ import annotations

from claimx.match.evidence import Fit
from claimx.match.kinship import BRINGS, kinship
from claimx.match.nouns import fold_noun
from claimx.types import Action, SlotType

_MOVES = frozenset({"refund", "charge", "pay"})
#: Deeds that end or change an order, where money follows by itself.
_SETTLES = frozenset({"cancel", "exchange", "book", "order", "transfer", "pay"})


def says_nothing_of_money(action: Action, fit: Fit) -> bool:
    """Whether a call only might bring a payment along, and neither its arguments nor its result speak of one.

    An amount that the claim names has to stand in such a call; without an amount, deeds that settle an order are believed.
    """
    if action.verb not in _MOVES or fit.call.deeds:
        return False
    if max((kinship(action.verb, f) for f in fit.call.shape.families), default=0.0) != BRINGS:
        return False
    kinds = {action.slots[i].type for i in (*fit.agreement.held, *fit.agreement.wrong)}
    if SlotType.MONEY in kinds:
        return False
    words = {fold_noun(action.verb), fold_noun(action.trigger.text.lower())}
    if not words.isdisjoint(fit.call.said | fit.call.told):
        return False
    if any(s.type is SlotType.MONEY for s in action.slots):
        return True
    return not kinds and _SETTLES.isdisjoint(fit.call.shape.families)
