"""Walking arguments and results: every scalar with its path and the names above it, JSON inside strings included.

Nothing is passed over for depth or number: a value that the walk missed would be refused although the run saw it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.values.keys import words_of

#: Containers inside containers beyond this are a loop, not a record.
_DEEPEST = 200
_SCALARS = frozenset({str, int, float, bool})
_CURRENCY = ("currency", "currency_code", "currencyCode", "currency_iso", "iso_code")


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
    if isinstance(value, str):
        text = value.strip()
        if len(text) > 1 and text[0] in "{[" and text[-1] in "}]":
            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return value
    return value


def walk(value: Any, root: str) -> Iterator[Leaf | Record]:
    """Yield the records and scalars of a value in reading order; a record comes before what it holds.

    >>> [x.path for x in walk({"a": [{"b": 1}]}, "c1.args") if isinstance(x, Leaf)]
    ['c1.args.a[0].b']
    """
    stack: list[tuple[str, tuple[str, ...], Any, str | None, int]] = [(root, (), value, None, 0)]
    while stack:
        path, keys, here, currency, depth = stack.pop()
        here = opened(here)
        if type(here) in _SCALARS:
            yield Leaf(path, keys, here, currency)
        elif depth > _DEEPEST or here is None:
            continue
        elif isinstance(here, Mapping):
            yield Record(path, here)
            code = next((here[k] for k in _CURRENCY if isinstance(here.get(k), str)), None)
            near = code if isinstance(code, str) and len(code) <= 4 else currency
            inner = [(f"{path}.{k}", (*keys, str(k)), v, near, depth + 1) for k, v in here.items()]
            stack.extend(reversed(inner))
        elif isinstance(here, list | tuple | set | frozenset):
            items = [(f"{path}[{i}]", keys, v, currency, depth + 1) for i, v in enumerate(here)]
            stack.extend(reversed(items))
        elif isinstance(here, str | int | float):
            yield Leaf(path, keys, here, currency)
        else:
            yield from _other(path, keys, here, currency, depth, stack)


def _other(
    path: str,
    keys: tuple[str, ...],
    value: Any,
    currency: str | None,
    depth: int,
    stack: list[tuple[str, tuple[str, ...], Any, str | None, int]],
) -> Iterator[Leaf]:
    """Objects of other libraries: their fields where they show them, their text otherwise."""
    fields = _fields_of(value)
    if fields is None:
        yield Leaf(path, keys, str(value), currency)
    else:
        stack.append((path, keys, fields, currency, depth + 1))


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
