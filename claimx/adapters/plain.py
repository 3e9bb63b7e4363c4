"""Objects of other people's libraries as plain JSON values: models, dataclasses, attributes, whatever holds fields."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time, timedelta
from enum import Enum
from typing import Any

MAX_DEPTH = 40


def to_plain(value: Any, depth: int = 0) -> Any:
    """Return a value as dicts, lists and scalars. Plain JSON is given back as it is; bytes become a note of their size.

    >>> to_plain({"a": (1, b"xyz")})
    {'a': [1, '<3 bytes>']}
    """
    if value is None or type(value) in (str, bool, int, float):
        return value
    if depth > MAX_DEPTH:
        return "<nested too deeply>"
    if isinstance(value, Enum):
        return to_plain(value.value, depth + 1)
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, Mapping):
        return {k if isinstance(k, str) else str(k): to_plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, bytes | bytearray):
        return f"<{len(value)} bytes>"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if hasattr(value, "get_span_context") and hasattr(value, "to_json"):
        # A span of OpenTelemetry's SDK: its own writing knows what its fields mean.
        return json.loads(value.to_json())
    fields = _fields_of(value)
    if fields is not None:
        return {k: to_plain(v, depth + 1) for k, v in fields.items()}
    if isinstance(value, Iterable):
        return [to_plain(v, depth + 1) for v in value]
    return str(value)


def _fields_of(value: Any) -> Mapping[str, Any] | None:
    """Return the fields of an object: those of a model (with extras), a dataclass, attrs, or its own attributes."""
    cls = type(value)
    declared = getattr(cls, "model_fields", None)
    if isinstance(declared, Mapping):
        extra = getattr(value, "model_extra", None)
        return {**{k: getattr(value, k, None) for k in declared}, **(extra if isinstance(extra, Mapping) else {})}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name, None) for f in dataclasses.fields(value)}
    attrs = getattr(cls, "__attrs_attrs__", None)
    if attrs is not None:
        return {a.name: getattr(value, a.name, None) for a in attrs}
    if isinstance(value, Iterable | type) or callable(value):
        return None
    held = getattr(value, "__dict__", None)
    if not isinstance(held, Mapping):
        return None
    names = {k.lstrip("_") for k in held}
    return {k: getattr(value, k, held.get(f"_{k}")) for k in sorted(names)}


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping as it is, an empty one for anything else."""
    if type(value) is dict:
        return value
    return value if isinstance(value, Mapping) else {}


def sequence(value: Any) -> list[Any]:
    """Return a list as it is, an empty one for anything else."""
    return value if isinstance(value, list) else []


def text(value: Any) -> str | None:
    """Return a string that is not empty, None for anything else."""
    return value if isinstance(value, str) and value else None


def word(data: Any, key: str) -> str | None:
    """Return a field that is a string, None for anything else."""
    if type(data) is not dict and not isinstance(data, Mapping):
        return None
    value = data.get(key)
    return value if type(value) is str or isinstance(value, str) else None


def first(data: Mapping[str, Any], *keys: str) -> Any:
    """Return the first of several fields that is there and not None."""
    return next((data[k] for k in keys if data.get(k) is not None), None)
