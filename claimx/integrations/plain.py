"""Values of any framework as plain JSON data: what a ledger can keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import Any

_DEEP = 12


def plain(value: Any, _depth: int = 0) -> Any:
    """Return a value as JSON data; objects by their own `model_dump`, as dataclasses, or as text.

    >>> plain({"when": (1, 2), "kind": None})
    {'when': [1, 2], 'kind': None}
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value.value if isinstance(value, Enum) else value
    if _depth > _DEEP:
        return str(value)
    if isinstance(value, Enum):
        return plain(value.value, _depth + 1)
    if isinstance(value, Mapping):
        return {str(k): plain(v, _depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v, _depth + 1) for v in value]
    if isinstance(value, bytes):
        return f"[{len(value)} bytes]"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name), _depth + 1) for f in dataclasses.fields(value)}
    dump = getattr(value, "model_dump", None)
    if callable(dump):
        return plain(dump(mode="json"), _depth + 1)
    return str(value)


def text_of(content: Any) -> str:
    """Return the text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return "" if content is None else str(content)
    texts = (
        b if isinstance(b, str) else b.get("text") if isinstance(b, Mapping) else getattr(b, "text", None)
        for b in content
    )
    return "\n".join(t for t in texts if isinstance(t, str))
