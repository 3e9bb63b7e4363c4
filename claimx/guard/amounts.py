"""The amounts that a run saw, indexed by size: an amount of a call must be one of them to the cent."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from claimx.types import SlotType
from claimx.values import Money, near_miss, parse


class Amounts:
    """What may be amounts, each with the path where it was seen first."""

    def __init__(self) -> None:
        self._by_size: dict[Decimal, list[tuple[Money, str]]] = defaultdict(list)
        self._bare: dict[Decimal, str] = {}
        self._shown: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._shown)

    def add(self, raw: object, path: str, *, key: str = "", currency: str | None = None) -> None:
        """File a value that may be an amount; what cannot be read as one is passed over."""
        money = parse(SlotType.MONEY, raw, key=key, currency=currency)
        if not isinstance(money, Money) or money.high is not None:
            return
        size = abs(money.amount)
        if not any(m.currency == money.currency for m, _ in self._by_size[size]):
            self._by_size[size].append((money, path))
        if money.other is not None:
            self._by_size[abs(money.other)].append((money, path))
        if not money.minor and not money.exact:
            self._bare.setdefault(size, path)
        self._shown.setdefault(str(raw)[:40], path)

    def find(
        self, raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None, currency: str | None = None
    ) -> tuple[str, str] | None:
        """Return path and reason of a seen amount that is the given one, None when there is none.

        Signs are ignored, currencies that both name must agree. A whole number that nothing says the unit of is the
        same minor units, too.
        """
        money = parse(SlotType.MONEY, raw, key=key, schema=schema, currency=currency)
        if not isinstance(money, Money):
            return None
        for seen, path in self._by_size.get(abs(money.amount), ()):
            if not (money.shared and seen.shared and money.shared.isdisjoint(seen.shared)):
                return path, f"it is {seen.text} there"
        if money.minor and isinstance(raw, int) and Decimal(abs(raw)) in self._bare:
            return self._bare[Decimal(abs(raw))], f"it is {raw} there, in units that nothing names"
        return None

    def near(self, raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None) -> str | None:
        """Describe the slip that leads from a seen amount to the given one, None when there is none."""
        money = parse(SlotType.MONEY, raw, key=key, schema=schema)
        if not isinstance(money, Money):
            return None
        size = abs(money.amount)
        for factor in (10, 100, 1000):
            for other in (size * factor, size / factor):
                if other in self._by_size:
                    seen, path = self._by_size[other][0]
                    return f"{near_miss(size, other)} from {seen.text} at {path}"
        if size in self._by_size:
            seen, path = self._by_size[size][0]
            return f"{seen.text} at {path} is of another currency"
        return None

    def known(self) -> list[str]:
        """Return the amounts as they were written, in reading order."""
        return list(self._shown)
