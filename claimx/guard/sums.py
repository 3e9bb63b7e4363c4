"""Amounts that nobody stated and that still follow: a share that the user named, the total of a list, of the records that a
call names, or of several of one thing. Nothing else is worked out: any sum of what was seen would be nearly any amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from claimx.guard.names import says_amount
from claimx.guard.spoken import shares_in
from claimx.guard.walk import Leaf, Record
from claimx.types import SlotType
from claimx.values import Money, parse
from claimx.values.keys import words_of

#: Names of the count of one line of an order.
_COUNTS = frozenset(
    "qty quantity count units pieces nights guests seats boxes packs bottles copies licenses licences tonnes tons kg kilos litres liters".split()
)
#: More records than a call names by hand.
_MOST = 200
CENT = Fraction(1, 100)
#: An amount, one that it follows from, where that was seen, and how.
Worked = tuple[Fraction | Decimal, Money, str, str]


class Series:
    """The amounts of one field in each list of a run's results, and how each list adds up."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[Money, Decimal, int]] = {}
        self._mixed: set[str] = set()

    def add(self, money: Money, path: str) -> None:
        """File an amount that stands in a record of a list."""
        head, bracket, tail = path.rpartition("[")
        if not bracket:
            return
        name = f"{head}[]{tail.partition(']')[2]}"
        first, total, count = self._sums.get(name, (money, Decimal(0), 0))
        self._sums[name] = first, total + money.amount, count + 1
        if money.currency != first.currency:
            self._mixed.add(name)

    def totals(self) -> Iterator[Worked]:
        """Yield the total of each list with two or more amounts of one currency."""
        for path, (first, total, count) in self._sums.items():
            if count > 1 and path not in self._mixed:
                yield total, first, path, "they add up to it there"


def shares(
    said: Iterable[str], given: Money, between: Callable[[Fraction, Fraction], Iterable[tuple[Money, str]]]
) -> Iterator[Worked]:
    """Yield the shares of what was seen that the user's words name and that come near an amount; `between` gives the amounts
    within two bounds."""
    amount = Fraction(given.amount)
    for share, word in dict(pair for text in said for pair in shares_in(text)).items():
        for money, path in between((amount - CENT) / share, (amount + CENT) / share):
            yield abs(Fraction(money.amount)) * share, money, path, f"it is {word} of {money.text} there"


def totals_of(records: Sequence[tuple[str, Sequence[Record]]]) -> Iterator[Worked]:
    """Yield what the records that a call names come to: of each field for amounts, once and times the record's own count."""
    sums: dict[str, list[tuple[Fraction, Money, str]]] = defaultdict(list)
    for _, found in records[:_MOST]:
        own: dict[str, tuple[Fraction, Money, str]] = {}
        for record in found:
            for name, money in _amounts_in(record):
                own.setdefault(name, (Fraction(money.amount), money, record.path))
                count = _count_in(record.fields)
                if count is not None:
                    own.setdefault(f"{name} x", (Fraction(money.amount) * count, money, record.path))
        for name, amount in own.items():
            sums[name].append(amount)
    for name, parts in sums.items():
        if (
            len(parts) == len(records)
            and (len(parts) > 1 or name.endswith(" x"))
            and len({m.currency for _, m, _ in parts}) == 1
        ):
            yield (
                sum((a for a, _, _ in parts), Fraction(0)),
                parts[0][1],
                parts[0][2],
                "the records that the call names add up to it",
            )


def multiples_of(records: Sequence[tuple[str, Sequence[Record]]], counts: Sequence[int]) -> Iterator[Worked]:
    """Yield what several of the one thing that a call names cost; `counts` are the counts of the call that the user said, too."""
    if len(records) != 1:
        return
    for record in records[0][1]:
        for name, money in _amounts_in(record):
            for count in counts:
                if not _is_total(name):
                    yield Fraction(money.amount) * count, money, record.path, f"it is {count} times {money.text} there"


def _amounts_in(record: Record) -> Iterator[tuple[str, Money]]:
    currency = next((str(v) for k, v in record.fields.items() if str(k).lower() in ("currency", "currency_code")), None)
    held = ((f"{k}.{inner}", v) for k, r in record.fields.items() if isinstance(r, Mapping) for inner, v in r.items())
    for k, v in (*record.fields.items(), *held):
        if (
            isinstance(k, str)
            and isinstance(v, int | float | str | Decimal)
            and not isinstance(v, bool)
            and says_amount(k)
        ):
            money = parse(SlotType.MONEY, v, key=k, currency=currency)
            if isinstance(money, Money) and money.high is None:
                yield k, money


def _is_total(name: str) -> bool:
    return not {"total", "subtotal", "balance"}.isdisjoint(words_of(name))


def _count_in(fields: Mapping[str, object]) -> int | None:
    return next(
        (v for k, v in fields.items() if isinstance(v, int) and not isinstance(v, bool) and v > 1 and is_count(str(k))),
        None,
    )


def is_count(key: str) -> bool:
    """Whether a field counts things of one kind.

    >>> is_count("quantity"), is_count("page_count"), is_count("nights")
    (True, False, True)
    """
    words = words_of(key)
    return bool(words) and words[-1] in _COUNTS and "page" not in words


def counts_in(items: Sequence[Leaf | Record]) -> list[int]:
    """Return the counts that a call states."""
    return [
        x.value
        for x in items
        if isinstance(x, Leaf) and type(x.value) is int and 1 < x.value <= 1000 and is_count(x.key)
    ]
