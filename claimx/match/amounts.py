"""Amounts that no record explains: a slipped digit or point, or no sum and no difference of what was recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from claimx.match.call import Call
from claimx.match.fields import Leaf
from claimx.match.hundredths import cents, is_lone
from claimx.match.view import MONEY_KEY, NAMES_RECORD, CallView, read_slot
from claimx.types import Mismatch, Slot
from claimx.values import Money

_MARKED = re.compile(r"[$€£]\s?(\d[\d,]*(?:\.\d+)?)")
#: Numbers of a run past which almost any amount is some sum of them, so that only slips are told.
_MOST = 60


def misread_amount(
    slot: Slot, claimed: Money, view: CallView, everything: Sequence[Call], near: Sequence[str] = ()
) -> Mismatch | None:
    """Return the recorded amount that a claimed one misreads, None when it may have been derived."""
    wanted = cents(abs(claimed.amount))
    if wanted is None or any(MONEY_KEY.search(x.key) for x in view.kept_back):
        return None
    numbers: set[int] = set().union(*(call.view.numbers for call in everything))
    if wanted in numbers or wanted * 100 in numbers or _is_sum(wanted, numbers):
        return None
    own = list(_amounts(view))
    for n, leaf in own:
        slip = _slip(wanted, n)
        if slip:
            return Mismatch("MONEY", slot.text, leaf.value, leaf.path, slip)
    beside = [(n, x) for n, x in own if any(p.rpartition(".")[0] == x.path.rpartition(".")[0] for p in near)]
    if len({n for n, _ in beside}) == 1:
        return Mismatch("MONEY", slot.text, beside[0][1].value, beside[0][1].path, "another amount stands beside it")
    hashed = view.entry.args is None and "args_digest" in view.entry.extra
    if len(numbers) > _MOST or not own or hashed or _derivable(wanted, numbers):
        return None
    nearest = min(own, key=lambda x: abs(x[0] - wanted))[1]
    return Mismatch("MONEY", slot.text, nearest.value, nearest.path, "no recorded amount, sum or difference gives it")


def is_sum_of(slot: Slot, view: CallView) -> bool:
    """Whether two amounts of one call give the claimed one as their sum or difference: a price and its fee."""
    claimed = read_slot(slot)
    wanted = cents(abs(claimed.amount)) if isinstance(claimed, Money) else None
    numbers = {n for n, _ in _amounts(view)}
    return wanted is not None and any(abs(wanted - a) in numbers and abs(wanted - a) != a for a in numbers)


def _amounts(view: CallView) -> Iterator[tuple[int, Leaf]]:
    """The leaves of a call that play the part of an amount, and the marked amounts of its prose."""
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and not is_lone(leaf.value):
            if len(leaf.value) < 600:
                yield from ((n, leaf) for m in _MARKED.findall(leaf.value) if (n := cents(m)))
        elif MONEY_KEY.search(leaf.key) and not NAMES_RECORD.search(leaf.key) and not isinstance(leaf.value, bool):
            n = cents(leaf.value)
            if n:
                yield n, leaf


def _slip(a: int, b: int) -> str | None:
    for factor in (10, 100):
        if a == b * factor or b == a * factor:
            return f"off by a factor of {factor}"
    if abs(a - b) % 9 == 0 and len(str(a)) == len(str(b)):
        x, y = str(a), str(b)
        at = [i for i in range(len(x)) if x[i] != y[i]]
        if len(at) == 2 and at[1] == at[0] + 1 and x[at[0]] == y[at[1]]:
            return "one digit transposed"
    if round(a / 10) == b or round(b / 10) == a:
        return "off by a factor of 10"
    return None


def _is_sum(wanted: int, numbers: set[int]) -> bool:
    """Whether two recorded numbers, or a small multiple of one, give the amount."""
    return any(
        wanted - a in numbers
        or a - wanted in numbers
        or (wanted % a == 0 and wanted // a <= 20)
        or abs(a - wanted) <= 1
        for a in numbers
    )


def _derivable(wanted: int, numbers: set[int]) -> bool:
    for a in numbers:
        for b in numbers:
            if wanted - a - b in numbers or abs(a - b) * 2 == wanted or a * b == wanted * 100:
                return True
            if any(abs(a * k - b) == wanted or a * k + b == wanted for k in (2, 3, 4, 5)):
                return True
    return False
