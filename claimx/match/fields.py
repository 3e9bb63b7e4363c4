"""Walking a call's arguments and result: every leaf with its key and path, JSON inside strings included."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, TypeGuard

from claimx.types import LedgerEntry

#: Leaves read of one value, and depth; what lies beyond is passed over.
MAX_LEAVES = 4000
MAX_DEPTH = 12
_WRAPPERS = frozenset(
    (
        "result",
        "data",
        "output",
        "response",
        "body",
        "payload",
        "content",
        "structuredContent",
        "value",
        "return_value",
    )
)
#: What stands in an envelope beside what it holds.
_ENVELOPE = frozenset((*_WRAPPERS, "type", "role", "id", "tool_use_id", "is_error", "isError"))


class Leaf(NamedTuple):
    """A scalar in a record. `key` is the nearest name above it, `path` leads from the entry's id, `currency` is what
    stands beside it; `depth` counts the containers around it. Thousands are made a run, so it is no dataclass."""

    path: str
    key: str
    value: Any
    currency: str | None = None
    depth: int = 0


class ListSize(NamedTuple):
    """A list in a record, with its length."""

    path: str
    key: str
    size: int
    depth: int = 0


_NUMBERS = frozenset((int, float, bool))
#: How a text may begin in which JSON is to be read.
_OPENING = frozenset("{[ \n")
_DIGIT = re.compile(r"\d")
_SCALARS = frozenset((str, int, float, bool, type(None)))
#: What is no object, told at a glance: most of what a record holds.
_PLAIN = frozenset((str, int, float, bool, list, tuple, type(None)))


def is_object(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value is an object of JSON, or behaves like one."""
    kind = type(value)
    return kind is dict or (kind not in _PLAIN and isinstance(value, Mapping))


def parsed(value: Any) -> Any:
    """Return the JSON inside a string when the whole string is an object or array, else the value as it is.

    >>> parsed('{"ok": true}'), parsed("[not json")
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


def unwrapped(value: Any, depth: int = 0) -> Any:
    """Take away the envelopes in which protocols put results: JSON in strings, text blocks, lone wrapper keys.

    >>> unwrapped({"content": [{"type": "text", "text": "{\\"a\\": 1}"}]})
    {'a': 1}
    """
    value = parsed(value)
    if depth > 4:
        return value
    if isinstance(value, list) and value and all(is_object(b) and b.get("type") == "text" for b in value):
        texts = [b.get("text", "") for b in value]
        return unwrapped(texts[0] if len(texts) == 1 else "\n".join(map(str, texts)), depth + 1)
    if is_object(value):
        if any(k not in _ENVELOPE for k in value):
            return value
        named = [k for k in value if k in _WRAPPERS]
        if len(named) == 1 and not (value.get("isError") or value.get("is_error")):
            return unwrapped(value[named[0]], depth + 1)
    return value


def leaves_of(value: Any, root: str) -> tuple[list[Leaf], list[ListSize]]:
    """Return the scalars and the list sizes of a value, in reading order; paths start with `root`.

    >>> [l.path for l in leaves_of({"a": [{"b": 1}]}, "c1.args")[0]]
    ['c1.args.a[0].b']
    """
    leaves: list[Leaf] = []
    sizes: list[ListSize] = []
    _walk(value, root, "", None, 0, leaves, sizes)
    return leaves, sizes


def _walk(
    value: Any, path: str, key: str, currency: str | None, depth: int, leaves: list[Leaf], sizes: list[ListSize]
) -> None:
    if depth > MAX_DEPTH or len(leaves) >= MAX_LEAVES or value is None:
        return
    kind = type(value)
    if kind in _NUMBERS or (kind is str and value[:1] not in _OPENING):
        leaves.append(Leaf(path, key, value, currency, depth))
        return
    if isinstance(value, str):
        value = parsed(value)
    if is_object(value):
        code = value.get("currency") or value.get("currency_code")
        near = code if isinstance(code, str) and len(code) <= 4 else currency
        deeper = depth + 1
        for k, v in value.items():
            if v is None:
                continue
            kind = type(v)
            # Most of what an object holds is a leaf, which needs no walk of its own.
            if (kind in _NUMBERS or (kind is str and v[:1] not in _OPENING)) and deeper <= MAX_DEPTH:
                if len(leaves) < MAX_LEAVES:
                    leaves.append(Leaf(f"{path}.{k}", str(k), v, near, deeper))
                continue
            _walk(v, f"{path}.{k}", str(k), near, deeper, leaves, sizes)
            if kind not in _SCALARS and (kind is list or is_object(v)) and isinstance(k, str) and _DIGIT.search(k):
                leaves.append(Leaf(f"{path}.{k}", "key", k, None, depth + 1))
    elif isinstance(value, list | tuple):
        sizes.append(ListSize(path, key, len(value), depth))
        for i, v in enumerate(value):
            _walk(v, f"{path}[{i}]", key, currency, depth + 1, leaves, sizes)
    else:
        leaves.append(Leaf(path, key, value, currency, depth))


def schema_of(parameters: Mapping[str, Any] | None, key: str) -> Mapping[str, Any] | None:
    """The schema of one argument, looked up by its name at any depth of `properties`."""
    if not isinstance(parameters, Mapping):
        return None
    properties = parameters.get("properties", parameters)
    if isinstance(properties, Mapping):
        found = properties.get(key)
        if isinstance(found, Mapping):
            return found
    return None


#: Levels that are kept of what is nested too deeply.
_LEVELS = 60


def shallow(entry: LedgerEntry) -> LedgerEntry:
    """Return a call without what lies deeper in its arguments and result than a check can go."""
    return replace(entry, args=_cut(entry.args, _LEVELS), result=_cut(entry.result, _LEVELS))


def _cut(value: Any, levels: int) -> Any:
    if not isinstance(value, Mapping | list | tuple):
        return value
    if not levels:
        return "<nested too deeply>"
    if isinstance(value, Mapping):
        return {k: _cut(v, levels - 1) for k, v in value.items()}
    return [_cut(v, levels - 1) for v in value]
