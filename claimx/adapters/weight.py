"""How much a JSON value weighs, so that what is kept stays bounded, and what nobody reads is not kept at all."""

from __future__ import annotations

from typing import Any

#: Values nested more deeply than this are told by a note.
MAX_DEPTH = 120


def weight(value: Any) -> int:
    """Return about how many characters a value holds."""
    return held(value)[1]


def held(value: Any) -> tuple[Any, int]:
    """Return a value with its weight; a note instead of one that is nested more deeply than anybody reads."""
    try:
        return value, _weight(value, 0)
    except RecursionError:
        return "<nested too deeply>", 20


def _weight(value: Any, depth: int) -> int:
    if isinstance(value, str):
        return len(value)
    if depth > MAX_DEPTH:
        raise RecursionError
    if isinstance(value, dict):
        inner = (len(v) if type(v) is str else _weight(v, depth + 1) for v in value.values())
        return sum(inner) + 16 * len(value) + 8
    if isinstance(value, list | tuple):
        return sum(_weight(v, depth + 1) for v in value) + 8
    return 8
