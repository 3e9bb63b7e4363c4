"""The amounts that a run saw, indexed by size: an amount of a call must be one of them to the cent."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import chain
from typing import Any

from claimx.guard.amount_forms import AMOUNT_TEXT, is_no_number
from claimx.guard.sums import CENT, Worked, shares
from claimx.guard.walk import shown
from claimx.types import SlotType
from claimx.values import Money, near_miss, parse

_NUMBERS = re.compile(r"[$€£¥₹]?\d[\d.,'’]*(?:\s?(?:[$€£¥₹]|[A-Z]{3}\b|[kKmM]\b))?")
#: A longer text is no amount.
_LONGEST = 200
_CENTS = Decimal("0.01")
_SUM = re.compile(r"\d\s*[*/×x^+÷]\s*[$€£¥₹]?\d")


class Amounts:
    """What may be amounts, each with the path where it was seen first.

    With `open_units` a whole number that nothing says the unit of may be minor units, too: where a caller says that
    the amounts are those of the argument that is asked about.
    """

    def __init__(self, *, open_units: bool = False) -> None:
        self._by_size: dict[Decimal, list[tuple[Money, str]]] = defaultdict(list)
        self._finer: dict[Decimal, list[tuple[Money, str]]] = defaultdict(list)
        self._sizes: list[Decimal] = []
        self._open: dict[Decimal, str] = {}
        self._shown: dict[str, str] = {}
        self._open_units = open_units

    def __len__(self) -> int:
        return len(self._shown)

    def add(
        self, raw: object, path: str, *, key: str = "", currency: str | None = None, minor: bool = False
    ) -> Money | None:
        """File a value that may be an amount and return it; what cannot be read as one is passed over.

        `minor` tells that it counts minor units though neither its name nor anything beside it says so.
        """
        money = parse(SlotType.MONEY, raw, key="cents" if minor else key, currency=currency)
        if not isinstance(money, Money) or money.high is not None:
            return None
        size = abs(money.amount)
        if not any(
            m.currency == money.currency and (m.amount < 0) == (money.amount < 0) for m, _ in self._by_size[size]
        ):
            self._by_size[size].append((money, path))
        if money.amount != (cents := money.amount.quantize(_CENTS, ROUND_HALF_UP)) and not money.minor:
            self._finer[abs(cents)].append((money, path))
        if money.other is not None:
            self._by_size[abs(money.other)].append((money, path))
        if isinstance(raw, int) and not money.minor and (self._open_units or currency is not None):
            # `{"amount": 6400, "currency": "usd"}`: interfaces of payments count cents under such names.
            self._open.setdefault(size, path)
        self._shown.setdefault(shown(raw, 40), path)
        return money

    def find(
        self, raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None, currency: str | None = None
    ) -> tuple[str, str] | None:
        """Return path and reason of a seen amount that is the given one, None when there is none.

        Currencies that both name must agree. A negative amount must have been seen negative; what was seen negative (a
        debit, a refund in a statement) may be given without its sign.
        """
        if isinstance(raw, str) and len(raw) > _LONGEST:
            return None
        if isinstance(raw, str) and not AMOUNT_TEXT.fullmatch(raw) and len(_NUMBERS.findall(raw)) > 1:
            return self._find_all(raw, key, schema, currency)
        money = None if is_no_number(raw) else parse(SlotType.MONEY, raw, key=key, schema=schema, currency=currency)
        if not isinstance(money, Money):
            return None
        for seen, path in self._by_size.get(abs(money.amount), ()):
            if _agree(money, seen) and (money.amount >= 0 or seen.amount < 0):
                return path, f"it is {seen.text} there"
        hit = self._find_rounded(money)
        if hit is not None:
            return hit
        if money.minor and isinstance(raw, int) and raw > 0 and Decimal(raw) in self._open and not self._is_major(raw):
            return self._open[Decimal(raw)], f"it is {raw} there, in units that nothing names"
        return None

    def _find_rounded(self, given: Money) -> tuple[str, str] | None:
        """An amount that was seen with more decimals than its currency has."""
        for seen, path in self._finer.get(abs(given.amount), ()):
            if _agree(given, seen) and (given.amount >= 0 or seen.amount < 0):
                return path, f"it is {seen.text} there, rounded"
        return None

    def find_worked_out(
        self,
        raw: object,
        worked: Iterable[Worked],
        said: Iterable[str],
        *,
        key: str,
        schema: Mapping[str, Any] | None,
        currency: str | None,
    ) -> tuple[str, str] | None:
        """Return path and reason of an amount that was worked out and is the given one to the cent; None when there is none. `said` are
        the user's words, which may name a share."""
        if is_no_number(raw) or (isinstance(raw, str) and not AMOUNT_TEXT.fullmatch(raw[:_LONGEST])):
            return None
        money = parse(SlotType.MONEY, raw, key=key, schema=schema, currency=currency)
        if not isinstance(money, Money) or money.amount <= 0:
            return None
        exact = Fraction(money.amount)
        for size, seen, path, why in chain(worked, shares(said, money, self._between)):
            near = abs(size - money.amount) < _CENTS if isinstance(size, Decimal) else abs(size - exact) < CENT
            if near and _agree(money, seen):
                return path, why
        return None

    def _between(self, low: Fraction, high: Fraction) -> Iterator[tuple[Money, str]]:
        """The amounts of a size within two bounds."""
        if len(self._sizes) != len(self._by_size):
            self._sizes = sorted(self._by_size)
        for size in self._sizes[bisect_left(self._sizes, low) : bisect_right(self._sizes, high)]:
            yield from self._by_size[size]

    def _find_all(
        self, raw: str, key: str, schema: Mapping[str, Any] | None, currency: str | None
    ) -> tuple[str, str] | None:
        """Of a text with several numbers each must be an amount of this run; one to be worked out is none."""
        if _SUM.search(raw):
            return None
        hits = [self.find(m.strip(), key=key, schema=schema, currency=currency) for m in _NUMBERS.findall(raw)]
        return hits[0] if all(hits) else None

    def _is_major(self, raw: int) -> bool:
        """Whether this figure was seen as major units as well: with a sign, a word or a fraction."""
        return any(seen.exact and not seen.minor for seen, _ in self._by_size.get(Decimal(raw), ()))

    def near(self, raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None, currency: str | None = None) -> str | None:  # fmt: skip
        """Describe the slip that leads from a seen amount to the given one, None when there is none."""
        if isinstance(raw, str) and len(raw) > _LONGEST:
            return None
        money = parse(SlotType.MONEY, raw, key=key, schema=schema, currency=currency)
        if not isinstance(money, Money):
            return None
        size = abs(money.amount)
        if size in self._by_size:
            seen, path = self._by_size[size][0]
            other = (
                "with another sign" if any(_agree(money, s) for s, _ in self._by_size[size]) else "of another currency"
            )
            return f"{seen.text} at {path} is {other}"
        for factor in (10, 100, 1000):
            for other_size in (size * factor, size / factor):
                if other_size in self._by_size:
                    seen, path = self._by_size[other_size][0]
                    unit = "" if factor != 100 else "; if it counts cents there, say so in the policy's minor_units"
                    open_ = money.minor and not seen.minor and not seen.exact and other_size == size * factor
                    return f"{near_miss(size, other_size)} from {seen.text} at {path}{unit if open_ else ''}"
        return None

    def known(self) -> list[str]:
        """Return the amounts as they were written, in reading order."""
        return list(self._shown)


def _agree(given: Money, seen: Money) -> bool:
    return not (given.shared and seen.shared and given.shared.isdisjoint(seen.shared))
