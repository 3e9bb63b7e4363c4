"""The values of a claim that the calls behind it contradict."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.amounts import is_sum_of
from claimx.match.changes import old_values, wrong_change
from claimx.match.evidence import Fit, Scene
from claimx.match.finding import find
from claimx.match.groups import left_out_of_group
from claimx.match.hundredths import cents
from claimx.match.labelled import other_amount
from claimx.match.misread import misread
from claimx.match.view import MONEY_KEY, read_slot
from claimx.match.weekdays import wrong_weekday
from claimx.types import Action, Mismatch, Slot, SlotType
from claimx.values import Money
from claimx.verbs import READING

#: Types whose value in a call's arguments counts even where another call shows the claimed value.
_BINDING = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT, SlotType.PERCENT)


def wrong_details(action: Action, good: Sequence[Fit], scene: Scene) -> list[Mismatch]:
    """Return the mismatches of a claim whose calls worked, the best call first."""
    best = good[0]
    reading = action.verb in READING
    before = old_values(action)
    wrong = wrong_change(action, best.call, best.agreement.held, scene.calls, scene.now) if before else []
    # What the user told of the old value is no misquote of the agent's.
    wrong = [
        m
        for m in wrong
        if not (
            scene.user
            and any(action.slots[i].text == m.claimed and m.claimed.lower() in scene.user.lower() for i in before)
        )
    ]
    told = {m.claimed for m in wrong}
    for i, slot in enumerate(action.slots):
        if slot.text in told or (i in before and i not in best.agreement.wrong):
            continue
        if any(i in f.agreement.held for f in good):
            continue
        elsewhere = _seen_elsewhere(slot, best, scene)
        said = best.agreement.wrong.get(i)
        if said is None and slot.type is SlotType.DATE:
            said = next(
                (m for f in good if (m := wrong_weekday(slot, f.call.view, now=scene.now, reading=reading))), None
            )
            if said is not None:
                wrong.append(said)
                continue
        if said is None:
            near = None if elsewhere else _misread(slot, action, good, scene)
            if near is None and not elsewhere:
                near = left_out_of_group(slot, best.call, scene.calls) or other_amount(slot, action, scene.calls)
            if near is not None:
                wrong.append(near)
            continue
        in_args = f"{best.call.id}.args" in said.path
        if elsewhere and (not in_args or action.verb in READING or slot.type not in _BINDING):
            continue
        if slot.type is SlotType.MONEY and (is_sum_of(slot, best.call.view) or _is_part(action, slot, said)):
            continue
        is_amount = _AMOUNT.search(said.path) or action.verb[:6] in said.path.rpartition(".")[2]
        if slot.type is SlotType.MONEY and not is_amount and not _misread(slot, action, good, scene):
            # A price among others: what was charged may be a sum or a difference of them.
            continue
        wrong.append(said)
    absent = _not_addressed(action, best, scene) if not wrong else None
    return [absent] if absent is not None else wrong


#: Words for a part of a sum, with the number of such parts that make it.
_PARTS = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10, "50%": 2, "25%": 4, "20%": 5, "10%": 10}
_PAID_OUT = re.compile(r"\.(?:amount|refund\w*|paid|charge\w*|credit\w*|value|sum)(?:_\w+)?$", re.I)


def _is_part(action: Action, slot: Slot, said: Mismatch) -> bool:
    """Whether an amount is told as a part of the recorded one: half of a total of 44.50 is 22.25."""
    claimed, whole = read_slot(slot), cents(said.recorded)
    wanted = cents(abs(claimed.amount)) if isinstance(claimed, Money) else None
    if not wanted or not whole or _PAID_OUT.search(said.path):
        return False
    text = action.text.lower()
    return any(w in text and abs(wanted * n - whole) <= n for w, n in _PARTS.items())


_AMOUNT = re.compile(r"args\.(?:\w*amount\w*|refund\w*|value|sum|cents|total)$", re.I)


#: Numbers of objects of a payment service whose amounts are all in minor units.
_PAYMENT_OBJECT = re.compile(r"(?:in|ii|re|ch|pi|py|po|tr|txn|sub|si|price|cs|plink|cn|pyr|il)_\w+$")


def _counts_minor_units(best: Fit) -> bool:
    """Whether a result is an object of such a service: its number and its kind stand side by side."""
    told = {x.key: x.value for x in best.call.view.results if x.depth == 1 and isinstance(x.value, str)}
    return "object" in told and _PAYMENT_OBJECT.match(told.get("id", "")) is not None


def minor_units(action: Action, best: Fit) -> str | None:
    """Say where an amount is recorded a hundredfold under a name that does not tell whether it counts minor units."""
    if _counts_minor_units(best):
        return None
    for i, slot in enumerate(action.slots):
        if slot.type is not SlotType.MONEY or i in best.agreement.held:
            continue
        claimed = read_slot(slot)
        wanted = cents(abs(claimed.amount)) if isinstance(claimed, Money) else None
        for leaf in best.call.view.args:
            if (
                wanted
                and MONEY_KEY.search(leaf.key)
                and not isinstance(leaf.value, bool)
                and cents(leaf.value) == wanted * 100
            ):
                return f"{leaf.path} is {leaf.value!r}, the reply says {slot.text!r}: minor units or a hundred times as much"
    return None


_TO = re.compile(r"(?:\b(?:to|and|with|cc|including|copying)|,)\s+(?:[A-Z]\w+\s)?$")


def _not_addressed(action: Action, best: Fit, scene: Scene) -> Mismatch | None:
    """One of several people told as addressed whom the call's list of recipients lacks, and nothing in the run names."""
    if action.verb not in {"send", "notify", "schedule", "add"} or not best.agreement.held:
        return None
    people = [(i, s) for i, s in enumerate(action.slots) if s.type in (SlotType.PERSON, SlotType.CONTACT)]
    if len(people) < 2 or not any(i in best.agreement.held and ".args." in best.agreement.held[i] for i, _ in people):
        return None
    listed = [x for x in best.call.view.args if _RECIPIENT.search(x.key) and isinstance(x.value, str)]
    for i, s in people:
        if i in best.agreement.held or _seen_elsewhere(s, best, scene):
            continue
        if listed and _TO.search(action.text[: max(0, s.start - action.start)]):
            names = ", ".join(str(x.value) for x in listed[:5])
            return Mismatch(str(s.type), s.text, names, listed[0].path, f"{s.text!r} is not among the recipients")
    return None


_RECIPIENT = re.compile(r"(?:^|_)(?:to|cc|bcc)$|recipient|attendee|invitee|participant|email", re.I)


def _misread(slot: Slot, action: Action, good: Sequence[Fit], scene: Scene) -> Mismatch | None:
    for f in good:
        found = misread(
            slot,
            f.call.view,
            scene.calls,
            now=scene.now,
            near=tuple(f.agreement.held.values()),
            reading=action.verb in READING,
            clause=action.text,
        )
        if found is not None:
            return found
    return None


def _seen_elsewhere(slot: Slot, best: Fit, scene: Scene) -> bool:
    if scene.user and slot.text.lower().strip("#") in scene.user.lower() and slot.type is not SlotType.COUNT:
        return True
    return any(find(slot, c.view, now=scene.now) for c in scene.index.calls_for(slot, scene.now) if c is not best.call)
