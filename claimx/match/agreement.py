"""Holding a claim's values against one call: what its arguments and result confirm, and what they contradict."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from claimx.match.fields import Leaf, ListSize, leaves_of, schema_of, unwrapped
from claimx.types import LedgerEntry, Mismatch, Slot, SlotType, Tool
from claimx.values import Count, Date, Money, Value, compare, fold, is_minor_key, key_of, parse, same
from claimx.values.numbers import decimal_of

#: Keys under which a value of the type stands when it plays the part that the claim speaks of.
_ROLES: dict[SlotType, re.Pattern[str]] = {
    SlotType.MONEY: re.compile(r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|minor|sum|value|deposit|fare", re.I),
    SlotType.ID: re.compile(r"(?:^|_)(?:id|ids|number|no|nr|ref|reference|code|key|sku|pnr|uuid|hash|sha|ticket|order|invoice|booking|reservation|"
                            r"confirmation|transaction|tracking|account|case|claim|policy|card|last4|last_four)(?:$|_)|id$|Id$", re.I),
    SlotType.DATE: re.compile(r"date|day|start|end|due|when|time|until|from|departure|arrival|checkin|checkout|deadline|(?:_|^)(?:at|on)$", re.I),
    SlotType.TIME: re.compile(r"time|start|end|when|hour|(?:_|^)at$|slot", re.I),
    SlotType.CONTACT: re.compile(r"mail|(?:^|_)to$|recipient|phone|number|contact|address|cc|url|link|invitee|attendee|participants", re.I),
    SlotType.PERSON: re.compile(r"(?:^|_)to$|recipient|assignee|attendee|invitee|owner|beneficiary|payee|(?:first|last|full|customer|user|patient|contact)_?name$|^name$|participants|customer$|doctor|provider", re.I),
    SlotType.PERCENT: re.compile(r"percent|pct|rate|discount|share|brightness|level|volume|%|ratio|fraction", re.I),
    SlotType.DURATION: re.compile(r"duration|timeout|length|minutes|hours|days|seconds|ms$|nights|period|interval|delay|eta", re.I),
    SlotType.COUNT: re.compile(r"count|quantity|qty|number_of|num_|^n$|(?:_|^)total(?:_|$)|updated|deleted|created|modified|affected|sent|processed|passed|failed|imported|removed|added|"
                               r"seats|guests|people|party|nights|bags|passengers|copies|rows|items|matches|results|temperature|level|volume|baggages", re.I),
}  # fmt: skip
_CURRENCY_KEYS = ("currency", "currency_code")


@dataclass(frozen=True, slots=True)
class CallView:
    """A call opened up for comparison: leaves of arguments and result, lists with their sizes, texts folded."""

    entry: LedgerEntry
    args: tuple[Leaf, ...]
    results: tuple[Leaf, ...]
    sizes: tuple[ListSize, ...]
    text: str
    parameters: Mapping[str, Any] | None = None
    parsed: dict[tuple[str, int], Value | None] = field(default_factory=dict)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return self.args + self.results


def view_of(entry: LedgerEntry, tool: Tool | None = None) -> CallView:
    """Open a call up. Free text results are one leaf."""
    args, arg_sizes = leaves_of(entry.args if entry.captured else None, f"{entry.id}.args")
    results, sizes = leaves_of(unwrapped(entry.result) if entry.captured else None, f"{entry.id}.result")
    text = fold("\n".join(str(leaf.value) for leaf in (*args, *results))[:60_000])
    return CallView(entry, tuple(args), tuple(results), (*arg_sizes, *sizes), text, tool.parameters if tool else None)


def _read(view: CallView, kind: SlotType, index: int, leaf: Leaf, now: datetime | None) -> Value | None:
    at = (kind, index)
    if at not in view.parsed:
        schema = schema_of(view.parameters, leaf.key)
        raw = leaf.value
        if isinstance(raw, str) and len(raw) > 200:
            view.parsed[at] = None
        else:
            view.parsed[at] = parse(kind, raw, key=leaf.key, schema=schema, now=now, currency=leaf.currency)
    return view.parsed[at]


@dataclass(slots=True)
class Agreement:
    """What one call says of a claim's slots: those it holds (with paths), those it contradicts, those it is silent on."""

    held: dict[int, str] = field(default_factory=dict)
    wrong: dict[int, Mismatch] = field(default_factory=dict)

    @property
    def weight(self) -> float:
        return len(self.held) - 1.5 * len(self.wrong)


def agree(
    slots: Sequence[Slot], view: CallView, *, now: datetime | None = None, compare_not: frozenset[str] = frozenset()
) -> Agreement:
    """Hold every slot against a call. `compare_not` names fields that must never be compared."""
    out = Agreement()
    for i, slot in enumerate(slots):
        path = find(slot, view, now=now)
        if path is not None:
            out.held[i] = path
    for i, slot in enumerate(slots):
        if i in out.held:
            continue
        rivals = [s for j, s in enumerate(slots) if j in out.held and s.type is slot.type]
        wrong = contradiction(slot, view, rivals, now=now, compare_not=compare_not)
        if wrong is not None:
            out.wrong[i] = wrong
    return out


def find(slot: Slot, view: CallView, *, now: datetime | None = None) -> str | None:
    """Return the path at which a call holds a slot's value, None when it holds it nowhere."""
    claimed = parse(slot.type, slot.text, now=now)
    if claimed is None:
        return _find_text(slot, view)
    for i, leaf in enumerate(view.leaves):
        if slot.type is SlotType.MONEY and isinstance(leaf.value, str) and not re.search(r"\d", leaf.value):
            continue
        if slot.type is SlotType.COUNT and isinstance(leaf.value, str) and len(leaf.value) > 12:
            continue
        recorded = _read(view, slot.type, i, leaf, now)
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
        if _ROLES[SlotType.MONEY].search(leaf.key):
            number = decimal_of(leaf.value) if not isinstance(leaf.value, str) else None
            if number is not None:
                by_key.setdefault(leaf.key, []).append(number)
    for key, numbers in by_key.items():
        if 2 <= len(numbers) <= 60 and sum(numbers) == abs(claimed.amount):
            return f"{view.entry.id}.result..{key} (sum)"
    return None


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


def contradiction(
    slot: Slot,
    view: CallView,
    rivals: Sequence[Slot] = (),
    *,
    now: datetime | None = None,
    compare_not: frozenset[str] = frozenset(),
) -> Mismatch | None:
    """Return how a call contradicts a slot, None when it holds nothing comparable.

    Only values that play the same part count (by their key), arguments before the result. `rivals` are slots of the
    same type that the call does hold: their values answer for themselves and contradict nobody.
    """
    role = _ROLES.get(slot.type)
    claimed = parse(slot.type, slot.text, now=now)
    if claimed is None:
        return None
    if slot.type is SlotType.NAME:
        return _name_contradiction(slot, view)
    if role is None:
        return None
    n_args = len(view.args)
    best: tuple[int, Mismatch] | None = None
    for i, leaf in enumerate(view.leaves):
        in_args = i < n_args
        if leaf.key in compare_not or (not in_args and leaf.depth > 2):
            continue
        if not role.search(leaf.key) and not (slot.type is SlotType.MONEY and is_minor_key(leaf.key)):
            continue
        if slot.type is SlotType.COUNT and (not in_args or len(view.args) > 12) and leaf.depth > 1:
            continue
        recorded = _read(view, slot.type, i, leaf, now)
        if recorded is None or type(recorded) is not type(claimed):
            continue
        if any(
            compare(slot.type, r.text, leaf.value, key=leaf.key, now=now, currency=leaf.currency).is_same
            for r in rivals
        ):
            continue
        found = same(claimed, recorded)
        if not found.is_different:
            continue
        if slot.type is SlotType.ID and not _alike(slot.text, str(leaf.value)):
            continue
        if slot.type is SlotType.COUNT and not _count_speaks(slot, leaf):
            continue
        rank = (0 if in_args else 10) + leaf.depth + (0 if "differ" in found.reason or "swapped" in found.reason else 1)
        wrong = Mismatch(str(slot.type), slot.text, leaf.value, leaf.path, found.reason)
        if best is None or rank < best[0]:
            best = (rank, wrong)
    return best[1] if best else None


def _alike(a: str, b: str) -> bool:
    """Identifiers contradict each other only when they look alike: same letters in front, about the same length."""
    x, y = re.sub(r"[\s#\-_]", "", a.lower()), re.sub(r"[\s#\-_]", "", b.lower())
    if abs(len(x) - len(y)) > 1:
        return False
    head = [re.match(r"[a-z]*", s).group() for s in (x, y)]  # type: ignore[union-attr]
    mixed = [any(c.isdigit() for c in s) for s in (x, y)]
    if not all(mixed):
        return False
    return head[0] == head[1] or (len(x) == len(y) and not x.isdigit() and not y.isdigit())


def _count_speaks(slot: Slot, leaf: Leaf) -> bool:
    return isinstance(leaf.value, int | float) and not isinstance(leaf.value, bool)


def _name_contradiction(slot: Slot, view: CallView) -> Mismatch | None:
    """Channels, files and airport codes have a shape by which two of them can be told apart; other names have not."""
    text = slot.text.strip("`'\"")
    shapes = (
        (text.startswith("#"), lambda v: v.startswith("#"), r"channel|room|to"),
        (
            bool(re.fullmatch(r"[A-Z]{3}", text)),
            lambda v: bool(re.fullmatch(r"[A-Z]{3}", v)),
            r"origin|destination|from|to|airport",
        ),
    )
    for fits, alike, keys in shapes:
        if not fits:
            continue
        leaves = [x for x in view.args if isinstance(x.value, str) and re.search(keys, x.key, re.I)]
        if leaves and all(alike(x.value) for x in leaves) and len(leaves) <= 2:
            other = leaves[-1]
            return Mismatch("NAME", slot.text, other.value, other.path, f"{slot.text!r} is not {other.value!r}")
    return None
