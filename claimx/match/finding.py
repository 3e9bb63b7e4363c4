"""Where a call holds a claimed value: in a field, in a list's length, in a sum, in the prose of a result."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from claimx.match.fields import Leaf
from claimx.match.view import CallView, read_leaf
from claimx.types import Slot, SlotType
from claimx.values import Count, Date, Money, Value, compare, fold, key_of, parse, same
from claimx.values.numbers import decimal_of

_MONEY_KEY = re.compile(
    r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|minor|sum|value|deposit|fare",
    re.I,
)


#: Addresses of machines and versions, whatever they were taken for.
_DOTTED = re.compile(r"v?\d+(?:\.\d+){2,}")


def find(slot: Slot, view: CallView, *, now: datetime | None = None) -> str | None:
    """Return the path at which a call holds a slot's value, None when it holds it nowhere."""
    if _DOTTED.fullmatch(slot.text) and slot.type is not SlotType.ID:
        slot = replace(slot, type=SlotType.ID)
    claimed = parse(slot.type, slot.text, now=now)
    if claimed is None:
        return _find_text(slot, view)
    for i, leaf in enumerate(view.leaves):
        if slot.type is SlotType.NAME and slot.text.startswith("#"):
            if str(leaf.value).lstrip("#").lower() == slot.text.lstrip("#").lower():
                return leaf.path
            continue
        if slot.type is SlotType.MONEY and isinstance(leaf.value, str) and not re.search(r"\d", leaf.value):
            continue
        if slot.type is SlotType.COUNT and isinstance(leaf.value, str) and len(leaf.value) > 12:
            continue
        if slot.type is SlotType.PERCENT and _is_fraction(slot, leaf):
            continue
        recorded = read_leaf(view, slot.type, i, leaf, now)
        if recorded is not None and _quick(claimed, recorded) and same(claimed, recorded).is_same:
            return leaf.path
    if slot.type is SlotType.COUNT and isinstance(claimed, Count):
        for size in view.sizes:
            if size.size == claimed.number:
                return size.path
    if slot.type is SlotType.MONEY and isinstance(claimed, Money):
        path = _sum_of(claimed, view)
        if path:
            return path
    return _find_text(slot, view)


def _quick(claimed: Value, recorded: Value) -> bool:
    """A cheap look before the full comparison: identifiers and contacts share their last characters or nothing."""
    if type(claimed) is not type(recorded):
        return False
    a, b = key_of(claimed), key_of(recorded)
    if isinstance(claimed, Money | Count) and a != b:
        return isinstance(claimed, Money) or "." in claimed.text or "." in recorded.text
    return True


def _sum_of(claimed: Money, view: CallView) -> str | None:
    """An amount may be a total over the like-named prices of one call, or the difference of two of them."""
    by_key: dict[str, list[Decimal]] = {}
    for leaf in view.results:
        if _MONEY_KEY.search(leaf.key):
            number = decimal_of(leaf.value) if not isinstance(leaf.value, str) else None
            if number is not None:
                by_key.setdefault(leaf.key, []).append(number)
    for key, numbers in by_key.items():
        if 2 <= len(numbers) <= 60 and sum(numbers) == abs(claimed.amount):
            return f"{view.entry.id}.result..{key} (sum)"
    return None


def _is_fraction(slot: Slot, leaf: Leaf) -> bool:
    """Whether a recorded share of one is told with its figures unchanged before a percent sign: 0.914 as “0.914%”."""
    m = re.fullmatch(r"(0?\.\d{2,})\s*%", slot.text.strip())
    return (
        bool(m)
        and bool(_SHARE.search(f"{leaf.key} {leaf.value}"))
        and m is not None
        and m.group(1).lstrip("0") in str(leaf.value)
    )


_SHARE = re.compile(r"accuracy|precision|recall|f1|auc|ratio|fraction|share|probab|confidence", re.I)
_GOES_ON = re.compile(r"[-.][a-z0-9]")


def _find_text(slot: Slot, view: CallView) -> str | None:
    needle = fold(slot.text.strip("#*`\"' ")).replace("’", "'")
    if len(needle) < 2 or slot.type in (SlotType.COUNT,):
        return None
    if slot.type in (SlotType.MONEY, SlotType.PERCENT, SlotType.DURATION, SlotType.TIME, SlotType.DATE):
        return _find_in_prose(slot, view, needle)
    at = view.text.find(needle)
    while at >= 0:
        end = at + len(needle)
        left = at == 0 or not (view.text[at - 1].isalnum() and needle[0].isalnum())
        right = end == len(view.text) or not (view.text[end].isalnum() and needle[-1].isalnum())
        # An id or a channel does not end before a hyphen: "ops" is not "ops-test", 12.4 is not 12.4.1.
        if right and _GOES_ON.match(view.text, end) and (slot.type is SlotType.ID or slot.text.startswith("#")):
            right = False
        if left and right:
            return next(
                (leaf.path for leaf in view.leaves if needle in fold(str(leaf.value))), f"{view.entry.id}.result"
            )
        at = view.text.find(needle, at + 1)
    return None


_PROSE_NUMBER = re.compile(r"(?<![\w.])[$€£¥₹]?\s?\d[\d,]*(?:\.\d+)?")


def _find_in_prose(slot: Slot, view: CallView, needle: str) -> str | None:
    """Values inside longer texts: a result that is a sentence, a document, a log."""
    for leaf in view.leaves:
        if not isinstance(leaf.value, str) or len(leaf.value) <= 12:
            continue
        low = fold(leaf.value[:20_000])
        if needle in low:
            return leaf.path
        if slot.type is SlotType.MONEY:
            for m in _PROSE_NUMBER.finditer(low):
                if compare(SlotType.MONEY, slot.text, m.group()).is_same:
                    return leaf.path
        if slot.type is SlotType.DATE:
            wanted = parse(SlotType.DATE, slot.text)
            if isinstance(wanted, Date) and wanted.month and wanted.day:
                for m in re.finditer(r"\d{4}-\d{2}-\d{2}|(?:[a-z]{3,9} \d{1,2}(?:, \d{4})?)", low):
                    if compare(SlotType.DATE, slot.text, m.group()).is_same:
                        return leaf.path
    return None
