"""Walking arguments and results: every scalar with its path and the names above it, JSON inside strings included.

Nothing is passed over in silence: what is nested too deeply to be data, or holds itself, is raised as `TooDeep` for
arguments, which must not run unchecked; in results it is left out, so that nothing can trace to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimx.values.keys import words_of

#: Containers inside containers beyond this are no record that anybody reads.
DEEPEST = 200
#: Values in the arguments of one call beyond this are no call that anybody means.
MOST_VALUES = 50_000
_SCALARS = frozenset({str, int, float, bool})
_CURRENCY_WORDS = frozenset({"currency", "ccy", "currencies"})
#: The containers that a value is inside of, the nearest first; kept alive, so that none is taken for another.
_Chain = tuple[object, "_Chain | None"]


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
    """Return the JSON that a whole string holds when it is an object or array, else the value as it is.

    >>> opened('{"ok": true}'), opened("[not json")
    ({'ok': True}, '[not json')
    """
    try:
        return _read(value)
    except RecursionError:
        return value


def _read(value: Any) -> Any:
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 1 and text[0] in "{[" and text[-1] in "}]":
            try:
                return json.loads(text)
            except ValueError:
                return value
    return value


@dataclass(slots=True)
class _Place:
    """Where the walk stands: the path, the names and the currency above it, and the containers that it is inside of."""

    path: str
    keys: tuple[str, ...]
    value: Any
    currency: str | None = None
    depth: int = 0
    inside: _Chain | None = None


def walk(value: Any, root: str, *, strict: bool = False) -> Iterator[Leaf | Record]:
    """Yield the records and scalars of a value in reading order; a record comes before what it holds.

    With `strict` a value that holds itself, is nested deeper than `DEEPEST` or larger than `MOST_VALUES` raises
    TooDeep; without it the parts that are too deep or hold themselves are left out.

    >>> [x.path for x in walk({"a": [{"b": 1}]}, "c1.args") if isinstance(x, Leaf)]
    ['c1.args.a[0].b']
    """
    stack = [_Place(root, (), value)]
    count = 0
    while stack:
        at = stack.pop()
        try:
            here = _read(at.value)
        except RecursionError:
            if strict:
                raise TooDeep(f"the JSON text at {shown(at.path)} is nested too deeply to read") from None
            here = at.value
        if type(here) in _SCALARS or (isinstance(here, str | int | float)):
            count += 1
            if strict and count > MOST_VALUES:
                raise TooDeep(f"there are more than {MOST_VALUES:,} values in it")
            yield Leaf(at.path, at.keys, here, at.currency)
        elif here is None:
            continue
        elif at.depth > DEEPEST or _holds(at.inside, here):
            if strict:
                why = "holds itself" if _holds(at.inside, here) else f"is nested deeper than {DEEPEST} levels"
                raise TooDeep(f"the value at {shown(at.path)} {why}")
        else:
            inside = (here, at.inside)
            if isinstance(here, Mapping):
                yield Record(at.path, here)
                near = currency_in(here) or at.currency
                inner = [_Place(f"{at.path}.{k}", (*at.keys, str(k)), v, near, at.depth + 1, inside) for k, v in here.items()]  # fmt: skip
                stack.extend(reversed(inner))
            elif isinstance(here, list | tuple | set | frozenset):
                items = [_Place(f"{at.path}[{i}]", at.keys, v, at.currency, at.depth + 1, inside) for i, v in enumerate(here)]  # fmt: skip
                stack.extend(reversed(items))
            elif isinstance(here, bytes | bytearray):
                text = here.decode("utf-8", "replace")
                stack.append(_Place(at.path, at.keys, text, at.currency, at.depth + 1, inside))
            elif (fields := _fields_of(here)) is not None:
                # An object of another library: its fields where it shows them, its text otherwise.
                stack.append(_Place(at.path, at.keys, fields, at.currency, at.depth + 1, inside))
            else:
                yield Leaf(at.path, at.keys, str(here), at.currency)


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
    """
    for key, value in record.items():
        if isinstance(key, str) and isinstance(value, str) and len(value) <= 4 and _names_currency(key):
            return value
    return None


@lru_cache(maxsize=8192)
def _names_currency(key: str) -> bool:
    return not _CURRENCY_WORDS.isdisjoint(words_of(key)) or key == "iso_code"


def shown(value: object, most: int = 80) -> str:
    """Write a value for a message: on one line, no longer than `most` characters and a word on its length.

    >>> shown("SU-88421"), shown("x" * 5000, 10)
    ('SU-88421', 'xxxxxxxxxx... (5000 characters)')
    """
    text = value if isinstance(value, str) else str(value)
    head = "".join(c if c.isprintable() else " " for c in text[:most])
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


def plain_name(key: str) -> str:
    """Return a field's name in lower case with underscores, so that conventions do not tell two apart.

    >>> plain_name("orderId"), plain_name("order-ID"), plain_name("item2_id")
    ('order_id', 'order_id', 'item_id')
    """
    return "_".join(words_of(key)) or key.lower()
