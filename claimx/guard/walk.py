"""Walking arguments and results: every scalar with its path and the names above it, JSON inside strings included.

Nothing is passed over in silence: what is nested too deeply to be data, or holds itself, is raised as `TooDeep` for
arguments, which must not run unchecked; in results it is left out, so that nothing can trace to it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimx.values.currencies import CODES, currencies_of
from claimx.values.keys import words_of

#: Containers inside containers beyond this are no record that anybody reads.
DEEPEST = 200
#: Values in the arguments of one call beyond this are no call that anybody means.
MOST_VALUES = 50_000
#: Scalars that are what they are; a string may hold JSON.
_PLAIN = frozenset({int, float, bool})
_SHOWN = (int, float, Mapping, list, tuple, set, frozenset)
#: Whole numbers of more bits cannot be written out (Python refuses beyond 4,300 digits).
LARGEST = 8192
_PLACES = re.compile(r"\[\d+\]")
_CURRENCY_WORDS = frozenset({"currency", "ccy", "cur", "currencies"})
#: Names under which a currency may stand, or a unit of anything else.
_UNIT_NAMES = frozenset({"unit", "units", "uom", "denomination"})
#: Currencies by their ISO 4217 numbers.
_NUMBERED = {
    "840": "USD", "978": "EUR", "826": "GBP", "392": "JPY", "756": "CHF", "124": "CAD", "36": "AUD", "036": "AUD", "156": "CNY", "356": "INR",
    "752": "SEK", "578": "NOK", "208": "DKK", "985": "PLN", "949": "TRY", "986": "BRL", "484": "MXN", "710": "ZAR", "702": "SGD", "344": "HKD",
}  # fmt: skip
#: The containers that a value is inside of, the nearest first; kept alive, so that none is taken for another.
_Chain = tuple[object, "_Chain | None"]
_Child = tuple[str, tuple[str, ...], Any]


class TooDeep(ValueError):
    """A value that cannot be walked to its end. The message says where and why."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar. `keys` are the names above it, outermost first; `currency` stands beside it in its record."""

    path: str
    keys: tuple[str, ...]
    value: Any
    currency: str | None = None

    @property
    def key(self) -> str:
        """The nearest name above the value."""
        return self.keys[-1] if self.keys else ""


@dataclass(frozen=True, slots=True)
class Record:
    """An object with its path."""

    path: str
    fields: Mapping[str, Any]


def opened(value: Any) -> Any:
    """Return the JSON that a whole string holds when it is an object, an array or a string, else the value as it is.

    >>> opened('{"ok": true}'), opened("[not json"), opened('"[1]"')
    ({'ok': True}, '[not json', [1])
    """
    try:
        return _read(value)
    except RecursionError:
        return value


def _read(value: Any) -> Any:
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 1 and text[0] + text[-1] in ("{}", "[]", '""'):
            try:
                inner = json.loads(text)
            except ValueError:
                return value
            return _read(inner) if isinstance(inner, str) else inner
    return value


def walk(value: Any, root: str, *, strict: bool = False) -> Iterator[Leaf | Record]:
    """Yield the records and scalars of a value in reading order; a record comes before what it holds.

    With `strict` a value that holds itself, is nested deeper than `DEEPEST` or larger than `MOST_VALUES` raises
    TooDeep; without it the parts that are too deep or hold themselves are left out.

    >>> [x.path for x in walk({"a": [{"b": 1}]}, "c1.args") if isinstance(x, Leaf)]
    ['c1.args.a[0].b']
    """
    # Of each container that the walk is inside of: what is left of it, the currency there, and the chain of containers.
    stack: list[tuple[Iterator[_Child], str | None, _Chain | None]] = [(iter([(root, (), value)]), None, None)]
    count = 0
    while stack:
        children, currency, inside = stack[-1]
        for path, keys, given in children:
            here = given if type(given) in _PLAIN else _opened(given, path, strict)
            if here is None:
                continue
            count += 1
            if strict and count > MOST_VALUES:
                raise TooDeep(f"there are more than {MOST_VALUES:,} values in it")
            if isinstance(here, int) and here.bit_length() > LARGEST:
                if strict:
                    raise TooDeep(f"the number at {shown(path)} has more digits than any number that is meant")
                continue
            if isinstance(here, str | int | float):
                yield Leaf(path, keys, here, currency)
                continue
            held = _holds(inside, given)
            if held or len(stack) - 1 > DEEPEST:
                if strict:
                    why = "holds itself" if held else f"is nested deeper than {DEEPEST} levels"
                    raise TooDeep(f"the value at {shown(path)} {why}")
                continue
            if isinstance(here, Mapping):
                yield Record(path, here)
                stack.append((_fields(path, keys, here), currency_in(here) or currency, (given, inside)))
            else:
                stack.append((_members(path, keys, here), currency, (given, inside)))
            break
        else:
            stack.pop()


def _fields(path: str, keys: tuple[str, ...], record: Mapping[Any, Any]) -> Iterator[_Child]:
    for k, v in tuple(record.items()):
        name = k if type(k) is str else str(k)
        yield f"{path}.{name}", (*keys, name), v


def _members(path: str, keys: tuple[str, ...], items: Collection[Any]) -> Iterator[_Child]:
    for i, v in enumerate(tuple(items)):
        yield f"{path}[{i}]", keys, v


def _opened(value: Any, path: str, strict: bool) -> Any:
    """A scalar, an object or a list for any value: JSON inside a string is read, bytes are text, an object of another
    library is its fields where it shows them, its text otherwise."""
    if isinstance(value, bytes | bytearray):
        value = value.decode("utf-8", "replace")
    if isinstance(value, str):
        try:
            return _read(value)
        except RecursionError:
            if strict:
                raise TooDeep(f"the JSON text at {shown(path)} is nested too deeply to read") from None
            return value
    if value is None or isinstance(value, _SHOWN):
        return value
    fields = _fields_of(value)
    return fields if fields is not None else str(value)


def _holds(chain: _Chain | None, container: object) -> bool:
    while chain is not None:
        if chain[0] is container:
            return True
        chain = chain[1]
    return False


def currency_in(record: Mapping[Any, Any]) -> str | None:
    """Return the currency that a record names, None when it names none.

    >>> currency_in({"total": 5, "transactionCurrency": "EUR"}), currency_in({"currency": "as agreed"})
    ('EUR', None)
    >>> currency_in({"total": 5, "currency": {"code": "EUR"}}), currency_in({"total": 5, "unit": "kg"})
    ('EUR', None)
    """
    for key, value in record.items():
        if not isinstance(key, str) or not (_names_currency(key) or key.lower() in _UNIT_NAMES):
            continue
        if isinstance(value, Mapping):  # `{"currency": {"code": "EUR"}}`
            value = next((value[k] for k in ("code", "iso", "iso_code", "symbol", "id") if k in value), None)
        value = _NUMBERED.get(str(value), value)
        if isinstance(value, str) and (_may_be_currency(value) if _names_currency(key) else value.upper() in CODES):
            return value
    return None


def _may_be_currency(text: str) -> bool:
    return len(text) <= 4 or (len(text) <= 12 and bool(currencies_of(text)))


@lru_cache(maxsize=8192)
def _names_currency(key: str) -> bool:
    return not _CURRENCY_WORDS.isdisjoint(words_of(key)) or key == "iso_code"


def shown(value: object, most: int = 80) -> str:
    """Write a value for a message: on one line, no longer than `most` characters and a word on its length.

    >>> shown("SU-88421"), shown("x" * 5000, 10)
    ('SU-88421', 'xxxxxxxxxx... (5000 characters)')
    """
    text = value if isinstance(value, str) else str(value)
    head = text[:most]
    if not head.isprintable():
        head = "".join(c if c.isprintable() else " " for c in head)
    return head if len(text) <= most else f"{head}... ({len(text)} characters)"


def _fields_of(value: Any) -> dict[str, Any] | None:
    if isinstance(value, type):
        return None
    for name in ("model_dump", "to_dict", "_asdict"):
        shown = getattr(value, name, None)
        if callable(shown):
            try:
                return dict(shown())
            except (TypeError, ValueError):
                return None
    fields = getattr(value, "__dataclass_fields__", None)
    return {f: getattr(value, f) for f in fields} if fields is not None else None


def dotted(path: str) -> str:
    """Return the path of an argument without its root and without places in lists.

    >>> dotted("args.lines[0].sku")
    'lines.sku'
    """
    inner = path.partition(".")[2]
    return _PLACES.sub("", inner) if "[" in inner else inner


@lru_cache(maxsize=8192)
def plain_name(key: str) -> str:
    """Return a field's name in lower case with underscores, so that conventions do not tell two apart.

    >>> plain_name("orderId"), plain_name("order-ID"), plain_name("item2_id")
    ('order_id', 'order_id', 'item_id')
    """
    return "_".join(words_of(key)) or key.lower()
