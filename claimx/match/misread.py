"""Values told from a record that holds almost the same: a swapped digit, a shifted day, an amount that no sum explains.

Used only for values that stand nowhere in the run, neither in a call nor in the user's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

from claimx.match.agreement import CallView
from claimx.types import Mismatch, Slot, SlotType
from claimx.values import Contact, Date, Identifier, Money, near_miss, parse
from claimx.values.numbers import decimal_of

_MONEY_KEY = re.compile(
    r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|sum|deposit|fare", re.I
)
#: Money leaves looked at when an amount may be derived; past this many nothing is concluded.
_MOST = 160


def misread(
    slot: Slot,
    view: CallView,
    everything: Sequence[CallView],
    *,
    now: datetime | None = None,
    compare_not: frozenset[str] = frozenset(),
) -> Mismatch | None:
    """Return the record's value that a slot misreads, None when the call holds nothing close enough to say so."""
    claimed = parse(slot.type, slot.text, now=now)
    if compare_not:
        kept = [tuple(x for x in leaves if x.key not in compare_not) for leaves in (view.args, view.results)]
        view = replace(view, args=kept[0], results=kept[1], parsed={})
    if isinstance(claimed, Identifier) and len(claimed.core) >= 4:
        return _identifier(slot, claimed, view)
    if isinstance(claimed, Contact) and claimed.kind == "email":
        return _contact(slot, claimed, view)
    if isinstance(claimed, Date):
        return _date(slot, claimed, view)
    if isinstance(claimed, Money):
        return _money(slot, claimed, view, everything)
    return None


def _identifier(slot: Slot, claimed: Identifier, view: CallView) -> Mismatch | None:
    if not any(c.isdigit() for c in claimed.core):
        return None
    for leaf in view.leaves:
        if not isinstance(leaf.value, str | int) or isinstance(leaf.value, bool) or len(str(leaf.value)) > 60:
            continue
        other = parse(SlotType.ID, leaf.value)
        if isinstance(other, Identifier):
            slip = near_miss(claimed.core, other.core)
            if slip:
                return Mismatch("ID", slot.text, leaf.value, leaf.path, slip)
    return None


def _contact(slot: Slot, claimed: Contact, view: CallView) -> Mismatch | None:
    host = claimed.core.rpartition("@")[2]
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and "@" in leaf.value and len(leaf.value) < 200:
            other = parse(SlotType.CONTACT, leaf.value)
            if isinstance(other, Contact) and other.kind == "email" and other.core != claimed.core:
                slip = near_miss(claimed.core, other.core)
                if slip or other.core.rpartition("@")[2] == host:
                    return Mismatch("CONTACT", slot.text, leaf.value, leaf.path, slip or "another address")
    return None


def _calendar(d: Date) -> date | None:
    if d.year is None or d.month is None or d.day is None:
        return None
    try:
        return date(d.year, d.month, d.day)
    except ValueError:
        return None


def _date(slot: Slot, claimed: Date, view: CallView) -> Mismatch | None:
    wanted = _calendar(claimed)
    if wanted is None:
        return None
    best: tuple[int, Mismatch] | None = None
    for leaf in view.leaves:
        if not isinstance(leaf.value, str) or not re.match(r"\d{4}-\d{2}-\d{2}", leaf.value):
            continue
        other = parse(SlotType.DATE, leaf.value[:10])
        day = _calendar(other) if isinstance(other, Date) else None
        if day is None:
            continue
        off = abs((day - wanted).days)
        if 0 < off <= 31 and (best is None or off < best[0]):
            best = (off, Mismatch("DATE", slot.text, leaf.value, leaf.path, f"{off} day{'s' if off > 1 else ''} off"))
    return best[1] if best else None


def _money(slot: Slot, claimed: Money, view: CallView, everything: Sequence[CallView]) -> Mismatch | None:
    """An amount that is no recorded one, nor the sum, difference or small multiple of recorded ones."""
    wanted = abs(claimed.amount)
    numbers: set[Decimal] = set()
    for v in everything:
        for leaf in v.leaves:
            if isinstance(leaf.value, str) and not re.fullmatch(r"[^\d]{0,4}-?[\d.,]+[^\d]{0,4}", leaf.value.strip()):
                if re.search(r"\d", leaf.value) and re.search(r"[$€£]|\d\.\d\d", leaf.value):
                    numbers |= {
                        abs(n)
                        for m in re.findall(r"\d[\d,]*(?:\.\d+)?", leaf.value[:4000])
                        if (n := decimal_of(m)) is not None
                    }
                continue
            number = decimal_of(leaf.value)
            if number is not None and number:
                numbers.add(abs(number))
    if len(numbers) > _MOST or _derivable(wanted, numbers):
        return None
    leaves = [x for x in view.leaves if _MONEY_KEY.search(x.key) and decimal_of(x.value)]
    if not leaves:
        return None
    nearest = min(leaves, key=lambda x: abs(abs(decimal_of(x.value) or Decimal(0)) - wanted))
    return Mismatch("MONEY", slot.text, nearest.value, nearest.path, "no recorded amount, sum or difference gives it")


def _derivable(wanted: Decimal, numbers: set[Decimal]) -> bool:
    if wanted in numbers or wanted * 100 in numbers:
        return True
    small = [Decimal(n) for n in range(2, 21)]
    for a in numbers:
        if (
            wanted - a in numbers
            or a - wanted in numbers
            or wanted + a in numbers
            or any(a * k == wanted for k in small)
        ):
            return True
        for b in numbers:
            if wanted - a - b in numbers or abs(a - b) * 2 == wanted or a * b == wanted:
                return True
            if any(abs(a * k - b) == wanted or a * k + b == wanted for k in small[:4]):
                return True
    shown = round(wanted, 2)
    return any(abs(a - shown) < Decimal("0.01") for a in numbers)
