"""What an argument's name and schema say about its value: minor units, a currency, a unit of time, a zone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MINOR = frozenset({"cent", "cents", "minor", "pence", "penny", "pennies", "centimes", "paise", "subunits"})
_SCHEMA_MINOR = re.compile(
    r"\b(?:cents?|pence|pennies|paise|minor[ -](?:currency[ -])?units?|"
    r"(?:smallest|minor)[ -](?:currency[ -])?(?:unit|denomination))\b"
)
_SCHEMA_MAJOR = re.compile(
    r"\b(?:not|never|rather than|instead of)\s+(?:in\s+)?(?:cents?|pence|minor)|"
    r"\b(?:dollars|euros|pounds) and (?:cents|pence)|"
    r"\b(?:including|with|plus) (?:cents|pence)|\bmajor (?:currency )?units?\b"
)

#: Shells whose names are one word, or known by another.
_SHELL = re.compile(r"PowerShell|\b(?:pwsh|zsh)\b")


@lru_cache(maxsize=16384)
def parts_of(name: str) -> tuple[str, ...]:
    """Split a name in any convention into lower-case words and numbers.

    >>> parts_of("mcp__github__createPullRequest"), parts_of("orders.cancel-v2")
    (('mcp', 'github', 'create', 'pull', 'request'), ('orders', 'cancel', 'v', '2'))
    >>> parts_of("PowerShell")
    ('powershell',)
    """
    return tuple(w.lower() for w in _PART.findall(_SHELL.sub("powershell", name)))


@lru_cache(maxsize=4096)
def words_of(key: str) -> tuple[str, ...]:
    """Split a field's name into lower-case words, numbers left out.

    >>> words_of("amountCents"), words_of("refund.total-minor_units"), words_of("HTTPTimeoutMs")
    (('amount', 'cents'), ('refund', 'total', 'minor', 'units'), ('http', 'timeout', 'ms'))
    """
    return tuple(w for w in parts_of(key[:200]) if not w.isdigit())


def described(schema: Mapping[str, Any] | None) -> str:
    """Return what a JSON schema says of its value, in lower case."""
    if not isinstance(schema, Mapping):
        return ""
    return " ".join(str(schema[k]) for k in ("title", "description", "format", "unit") if schema.get(k))[:400].lower()


def is_minor_key(key: str, schema: Mapping[str, Any] | None = None) -> bool:
    """Whether an argument's name, or its schema's description, says that it counts minor units.

    >>> is_minor_key("amount_cents"), is_minor_key("totalMinor"), is_minor_key("percent"), is_minor_key("unit_price")
    (True, True, False, False)
    >>> [is_minor_key("amount", {"description": d}) for d in ("Amount in cents", "in dollars, not cents")]
    [True, False]
    """
    if not _MINOR.isdisjoint(words_of(key)):
        return True
    text = described(schema)
    return bool(text) and bool(_SCHEMA_MINOR.search(text)) and not _SCHEMA_MAJOR.search(text)


def is_micro_key(key: str) -> bool:
    """Whether an argument counts millionths of a currency unit, as advertising interfaces do.

    >>> is_micro_key("budget_amount_micros"), is_micro_key("amount")
    (True, False)
    """
    return "micros" in words_of(key)
