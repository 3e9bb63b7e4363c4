"""Where a call holds a claimed value: in a field, in a list's length, in a sum, in the prose of a result."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from claimx.match.hundredths import cents
from claimx.match.numbered import linked
from claimx.match.view import CallView, read_slot
from claimx.match.worth_reading import STAMP, digits_of, letters_of, worth_reading
from claimx.types import Slot, SlotType
from claimx.values import (
    Contact,
    Count,
    Date,
    Identifier,
    Money,
    Name,
    Person,
    Value,
    compare,
    fold,
    key_of,
    may_be_same_name,
    same,
)

#: Addresses of machines and versions, whatever they were taken for.
DOTTED = re.compile(r"v?\d+(?:\.\d+){2,}")
_GOES_ON = re.compile(r"[-.][a-z0-9]")
#: Characters that stand escaped in a record's raw form.
ESCAPED = re.compile(r"['\"\\\n]|[^\x00-\x7f]")
_PROSE_NUMBER = re.compile(r"(?<![\w.])[$€£¥₹]?\s?\d[\d,]*(?:\.\d+)?")
_PROSE_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|(?:[a-z]{3,9} \d{1,2}(?:, \d{4})?)")
_MEASURED = (SlotType.MONEY, SlotType.PERCENT, SlotType.DURATION, SlotType.TIME, SlotType.DATE)
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()


def find(slot: Slot, view: CallView, *, now: datetime | None = None) -> str | None:
    """Return the path at which a call holds a slot's value, under its own name or another, None when it holds it nowhere."""
    asked = (slot.type, slot.text, now)
    if asked not in view.found:
        view.found[asked] = _find_or_alias(slot, view, now)
    return view.found[asked]


def _find_or_alias(slot: Slot, view: CallView, now: datetime | None) -> str | None:
    found = _find(slot, view, now)
    if found is None and view.rule is not None:
        others = (replace(slot, text=a, type=SlotType.NAME) for a in view.aliases_of(slot.text))
        found = next((p for a in others if (p := _find(a, view, now)) is not None), None)
    return found


def _find(slot: Slot, view: CallView, now: datetime | None) -> str | None:
    if slot.type is not SlotType.ID and DOTTED.fullmatch(slot.text):
        slot = replace(slot, type=SlotType.ID)
    claimed = read_slot(slot, now)
    if claimed is None:
        return _find_text(slot, view)
    if not view.is_escaped and not _may_hold(claimed, view):
        return None
    if slot.type is SlotType.NAME and slot.text.startswith("#"):
        bare = slot.text.lstrip("#").lower()
        path = next((x.path for x in view.leaves if str(x.value).lstrip("#").lower() == bare), None)
        return path or _find_text(slot, view)
    leaves = view.leaves
    if isinstance(claimed, Name):
        hits = (i for i, x in view.names if may_be_same_name(claimed, x) and same(claimed, x).is_same)
        at = next(hits, None)
        return leaves[at].path if at is not None else _find_text(slot, view)
    core = letters_of(claimed.core) if isinstance(claimed, Identifier) else ""
    for i in worth_reading(slot, claimed, view):
        if core and core == view.bare[i]:
            return leaves[i].path
        recorded = view.read(slot.type, i, now)
        if recorded is not None and _quick(claimed, recorded) and same(claimed, recorded).is_same:
            return leaves[i].path
    if isinstance(claimed, Count):
        return next((s.path for s in view.sizes if s.size == claimed.number), None)
    return _find_text(slot, view)


def find_sum(slot: Slot, view: CallView, *, now: datetime | None = None) -> str | None:
    """Return the path of the like-named amounts of a result that a claimed amount is the total of."""
    claimed = read_slot(slot, now)
    key = view.sums.get(abs(claimed.amount)) if isinstance(claimed, Money) else None
    return f"{view.entry.id}.result..{key} (sum)" if key is not None else None


def needles_of(claimed: Value) -> tuple[str, ...] | None:
    """Letters and digits of which the text of a call that holds a value shows some, None where they cannot be told."""
    if isinstance(claimed, Identifier):
        core = letters_of(claimed.core)[-4:]
        return (core,) if len(core) >= 2 else None
    if isinstance(claimed, Contact):
        core = letters_of(claimed.core)
        return (core[-4:], core[:4]) if len(core) >= 4 else None
    return None


def may_be_short(claimed: Money) -> bool:
    """Whether an amount may be recorded in thousands or millions."""
    return abs(claimed.amount) >= 1000


def _may_hold(claimed: Value, view: CallView) -> bool:
    """A cheap look before all leaves are read: what a call holds leaves its letters and digits in its text."""
    if isinstance(claimed, Money) and claimed.high is None:
        return view.shows(figures_of(claimed)) or (may_be_short(claimed) and view.has_short)
    if isinstance(claimed, Identifier):
        return letters_of(claimed.core)[-4:] in view.squeezed
    if isinstance(claimed, Contact):
        core = letters_of(claimed.core)
        return core[-4:] in view.squeezed or core[:4] in view.squeezed
    if isinstance(claimed, Person):
        return any(w in view.raw for w in claimed.words)
    if isinstance(claimed, Count) and not claimed.vague and claimed.high is None:
        n = claimed.number
        if n == int(n) and 0 <= n <= 12 and _SMALL[int(n)] in view.raw:
            return True
        return str(int(n)) in view.squeezed or str(int(n) + 1) in view.squeezed or any(s.size == n for s in view.sizes)
    return True


@lru_cache(maxsize=4096)
def figures_of(claimed: Money) -> frozenset[str]:
    """The figures by which an amount may be recorded: as it is, rounded, in minor units."""
    amount = abs(claimed.amount)
    whole = int(amount)
    return frozenset(
        map(str, (whole, whole + 1, max(0, whole - 1), round(amount * 100), round(amount * 10), round(amount * 1000)))
    )


def _quick(claimed: Value, recorded: Value) -> bool:
    """A cheap look before the full comparison: counts without a point agree or not by their key alone."""
    if type(claimed) is not type(recorded):
        return False
    if isinstance(claimed, Count) and isinstance(recorded, Count):
        return "." in claimed.text or "." in recorded.text or key_of(claimed) == key_of(recorded)
    return True


@lru_cache(maxsize=8192)
def _needle(text: str) -> str:
    return fold(text.strip("#*`\"' ")).replace("’", "'")


def _find_text(slot: Slot, view: CallView) -> str | None:
    needle = _needle(slot.text)
    if len(needle) < 2 and slot.type is SlotType.ID:
        return linked(slot, view)
    if len(needle) < 2 or slot.type is SlotType.COUNT:
        return None
    if slot.type in _MEASURED:
        return _find_in_prose(slot, view, needle)
    if needle not in view.raw and not view.is_escaped and not ESCAPED.search(needle):
        return None
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


def _find_in_prose(slot: Slot, view: CallView, needle: str) -> str | None:
    """Values inside longer texts: a result that is a sentence, a document, a log."""
    amount = read_slot(slot) if slot.type is SlotType.MONEY else None
    figures = digits_of(amount) if isinstance(amount, Money) and amount.high is None else ()
    for i, leaf in enumerate(view.leaves):
        if not isinstance(leaf.value, str) or len(leaf.value) <= 12:
            continue
        if figures and (STAMP.match(leaf.value) or not any(p in view.bare[i] for p in figures)):
            continue
        low = fold(leaf.value[:20_000])
        if needle in low:
            return leaf.path
        if slot.type is SlotType.MONEY:
            if not isinstance(amount, Money):
                continue
            about = round(abs(amount.amount) * 100)
            for m in _PROSE_NUMBER.finditer(low):
                n = cents(m.group().strip("$€£¥₹ "))
                if n is not None and abs(n - about) <= 100 and compare(SlotType.MONEY, slot.text, m.group()).is_same:
                    return leaf.path
        elif slot.type is SlotType.DATE:
            wanted = read_slot(slot)
            if not isinstance(wanted, Date) or not (wanted.month and wanted.day) or str(wanted.day) not in low:
                continue
            if any(compare(SlotType.DATE, slot.text, m.group()).is_same for m in _PROSE_DATE.finditer(low)):
                return leaf.path
    return None
