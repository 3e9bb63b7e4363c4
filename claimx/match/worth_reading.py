"""Which leaves of a call may hold a claimed value, by what is seen of them before they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from claimx.match.fields import Leaf
from claimx.match.squeezing import squeeze
from claimx.match.view import CallView
from claimx.types import Slot
from claimx.values import Count, Identifier, Money, Percent, Value, fold

_SHARE = re.compile(r"accuracy|precision|recall|f1|auc|ratio|fraction|share|probab|confidence", re.I)
#: A date or a point in time alone.
STAMP = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.Z+-]*)?$")
#: A number that is part of a name: MUG-6, v2, room_3.
_NUMBERED = re.compile(r"[A-Za-z][-_#.]?\d")
_NUMBERS = frozenset((int, float))


def worth_reading(slot: Slot, claimed: Value, view: CallView) -> Iterable[int]:
    """The positions of those leaves, in order."""
    if isinstance(claimed, Identifier):
        tail = letters_of(claimed.core)[-4:]
        return [i for i, bare in enumerate(view.bare) if tail in bare]
    if isinstance(claimed, Money):
        return _amounts(claimed, view)
    if isinstance(claimed, Count):
        return [
            i
            for i, x in enumerate(view.leaves)
            if not (isinstance(x.value, str) and (len(x.value) > 12 or _NUMBERED.search(x.value)))
        ]
    if isinstance(claimed, Percent):
        return [
            i
            for i, x in enumerate(view.leaves)
            if not (isinstance(x.value, str) and _NUMBERED.search(x.value)) and not _is_fraction(slot, x)
        ]
    return range(len(view.leaves))


def _amounts(claimed: Money, view: CallView) -> Iterator[int]:
    """The leaves that may hold an amount: numbers near it, and texts that have its digits."""
    is_one = claimed.high is None
    wanted = float(abs(claimed.amount)) if is_one else 0.0
    figures = digits_of(claimed) if is_one else ()
    for i, leaf in enumerate(view.leaves):
        value = leaf.value
        if isinstance(value, str):
            if figures:
                if STAMP.match(value) or not any(p in view.bare[i] for p in figures):
                    continue
            elif not any(c.isdigit() for c in value):
                continue
        elif is_one and type(value) in _NUMBERS and not _is_near(value, wanted):
            continue
        yield i


def _is_near(recorded: float, wanted: float) -> bool:
    """Whether a recorded number may be the claimed amount, in whole or minor units, rounded or not."""
    value = abs(recorded)
    return abs(value - wanted) <= 1 or abs(value - wanted * 100) <= 1 or abs(value - wanted * 1000) <= 1


@lru_cache(maxsize=4096)
def digits_of(claimed: Money) -> tuple[str, ...]:
    """Runs of digits of which a text that holds an amount has one, other signs between them left out."""
    amount = abs(claimed.amount)
    whole = int(amount)
    forms = [str(whole), str(round(amount * 100)), str(whole + 1)]
    if amount == whole:
        forms.append(str(whole - 1))
    if whole >= 1000:
        # 12,500 may be recorded as 12.5k.
        forms.append(str(whole).rstrip("0"))
    return tuple(forms)


@lru_cache(maxsize=8192)
def letters_of(text: str) -> str:
    """A text with its letters and digits alone, folded."""
    return squeeze(fold(text))


def _is_fraction(slot: Slot, leaf: Leaf) -> bool:
    """Whether a recorded share of one is told with its figures unchanged before a percent sign: 0.914 as “0.914%”."""
    m = re.fullmatch(r"0?(\.\d{2,})\s*%", slot.text.strip())
    return m is not None and bool(_SHARE.search(f"{leaf.key} {leaf.value}")) and m.group(1) in str(leaf.value)
