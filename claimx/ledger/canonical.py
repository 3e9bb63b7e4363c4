"""One byte form for any JSON value (RFC 8785), and digests tagged with their algorithm.

What a tool takes and returns is any Python object; `plain` makes JSON of it that every reader keeps as it is.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import hmac
from collections.abc import Mapping, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

import rfc8785

from claimx.errors import LedgerError

#: The largest integer that every JSON reader keeps (RFC 7493, section 2.2); larger ones are written as text.
MAX_INTEGER = 2**53 - 1
#: Nested deeper than this is no data of a tool.
MAX_DEPTH = 64


def canonical(value: Any) -> bytes:
    """Return the RFC 8785 form of a JSON value. Raises LedgerError for what JSON can't carry.

    >>> canonical({"b": 64.0, "a": [None, "é"]}).decode()
    '{"a":[null,"é"],"b":64}'
    """
    try:
        return rfc8785.dumps(value)
    except (rfc8785.CanonicalizationError, UnicodeError, RecursionError) as e:
        raise LedgerError(f"no canonical form: {e}") from e


def digest_of(value: Any, *, key: bytes | None = None) -> str:
    """Return the digest of a JSON value's canonical form; with a key an HMAC, which can't be guessed from likely values.

    >>> digest_of({"a": 1})[:18]
    'sha256:015abd7f5cc'
    """
    data = canonical(value)
    if key is not None:
        return "hmac-sha256:" + hmac.digest(key, data, "sha256").hex()
    return "sha256:" + hashlib.sha256(data).hexdigest()


def plain(value: Any) -> Any:
    """Return a value as JSON that reads back equal everywhere. Never raises, and shares nothing with what it was given.

    Integers beyond 2^53 and numbers that JSON lacks become text; so do decimals, dates, ids and paths. Bytes become
    base64, records (dataclasses, named tuples, pydantic models) objects, sets sorted lists. Of any other object only
    its type is kept, so that no handle or secret gets in by its repr.

    >>> plain({"amount": Decimal("8.45"), 1: {2, 1}, "big": 2**60})
    {'amount': '8.45', '1': [1, 2], 'big': '1152921504606846976'}
    """
    return _plain(value, 0, ())


def _plain(value: Any, depth: int, above: tuple[int, ...]) -> Any:
    if value is None or value is True or value is False:
        return value
    try:
        if isinstance(value, Enum):
            return _plain(value.value, depth, above)
        if isinstance(value, str):
            return str.__str__(value).encode("utf-8", "backslashreplace").decode()
        if isinstance(value, int):
            return int(value) if abs(value) <= MAX_INTEGER else str(int(value))
        if isinstance(value, float):
            # A whole float beyond 2^53 would come back as an integer that has no canonical form.
            return float(value) if abs(value) <= MAX_INTEGER else str(float(value))
        if depth >= MAX_DEPTH:
            return f"<deeper than {MAX_DEPTH} levels>"
        if id(value) in above:
            return "<contains itself>"
        return _container(value, depth, (*above, id(value)))
    except Exception:  # an object may raise anything while it is looked at
        return f"<unreadable {_type_name(value)}>"


def _container(value: Any, depth: int, above: tuple[int, ...]) -> Any:
    if isinstance(value, Mapping):
        return _object(value, depth + 1, above)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return _object(value._asdict(), depth + 1, above)
    if isinstance(value, list | tuple):
        return [_plain(v, depth + 1, above) for v in value]
    if isinstance(value, Set):
        return sorted((_plain(v, depth + 1, above) for v in value), key=canonical)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return _object(fields, depth + 1, above)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | UUID | PurePath | timedelta):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return "base64:" + base64.b64encode(bytes(value)).decode()
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    for method in ("model_dump", "tolist"):  # pydantic models; numpy arrays and scalars
        give = getattr(value, method, None)
        if callable(give) and not isinstance(value, type):
            return _plain(give(), depth + 1, above)
    return f"<{_type_name(value)}>"


def _object(value: Mapping[Any, Any], depth: int, above: tuple[int, ...]) -> Any:
    pairs = [(_key(k, depth, above), _plain(v, depth, above)) for k, v in value.items()]
    found = dict(pairs)
    return found if len(found) == len(pairs) else [[k, v] for k, v in pairs]


def _key(key: Any, depth: int, above: tuple[int, ...]) -> str:
    text = _plain(key, depth, above)
    return text if isinstance(text, str) else canonical(text).decode()


def _type_name(value: Any) -> str:
    kind = value if issubclass(type(value), type) else type(value)
    return f"{kind.__module__}.{kind.__qualname__}"
