"""Identifiers: order numbers, ticket keys, hashes, masked digits. Case, `#`, hyphens and blanks do not tell two apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because

_NOISE = re.compile(r"[\s#\-_./:\"'`*()\[\]]+")
_MASK = re.compile(r"(?:[*•xX·.…]{2,}[\s-]*|ending(?: in)?\s*|ends in\s*|last (?:four|4)(?: digits)?\s*)+(\d{2,6})$", re.I)
_LEAD = re.compile(r"^(?:no|nr|number|id|ref|reference|order|ticket|case|invoice|booking|pr|issue|card)[\s#:.]+", re.I)
_HASH = re.compile(r"[0-9a-f]{7,40}")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier. `core` is its comparable form; `masked` when only its last digits are shown."""

    core: str
    text: str
    masked: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.core, "masked": self.masked} if self.masked else {"id": self.core}


def parse_identifier(raw: object) -> Identifier | None:
    """Read an identifier from text or a JSON string or integer.

    >>> parse_identifier("#W2378156").core, parse_identifier("•••• 4471").masked
    ('w2378156', True)
    """
    if isinstance(raw, bool) or raw is None or isinstance(raw, float) and not raw.is_integer():
        return None
    if isinstance(raw, float):
        raw = int(raw)
    if not isinstance(raw, str | int):
        return None
    text = str(raw).strip()
    if not text or len(text) > 300:
        return None
    masked = _MASK.search(text)
    if masked:
        return Identifier(masked.group(1), text, masked=True)
    core = _NOISE.sub("", _LEAD.sub("", text)).lower()
    return Identifier(core, text) if core else None


def same_identifier(claimed: Identifier, recorded: Identifier) -> Comparison:
    """Compare identifiers: equal cores, a masked tail, an abbreviated hash or a number behind a prefix agree.

    >>> same_identifier(parse_identifier("SU-88421"), parse_identifier("SU-88412")).reason
    "'SU-88421' is not 'SU-88412': two neighbouring characters are swapped"
    """
    a, b = claimed.core, recorded.core
    if a == b:
        return same_because(f"both are {claimed.text!r}")
    if claimed.masked or recorded.masked or (len(a) == 4 and a.isdigit() and len(b) > 8):
        if b.endswith(a) or a.endswith(b):
            return same_because(f"{claimed.text!r} are the last digits of {recorded.text!r}")
        return different_because(f"{recorded.text!r} does not end in {claimed.text!r}")
    short, long = sorted((a, b), key=len)
    if len(short) >= 7 and _HASH.fullmatch(short) and _HASH.fullmatch(long) and long.startswith(short):
        return same_because(f"{claimed.text!r} abbreviates {recorded.text!r}")
    if short.isdigit() and len(short) >= 3 and re.fullmatch(r"[a-z]+0*" + short, long):
        return same_because(f"{claimed.text!r} is {recorded.text!r} without its prefix")
    slip = near_miss(a, b)
    if slip:
        return different_because(f"{claimed.text!r} is not {recorded.text!r}: {slip}")
    if _shape(a) != _shape(b):
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} are not of the same kind")
    return different_because(f"{claimed.text!r} is not {recorded.text!r}")


def _shape(core: str) -> str:
    """Letters and digits as runs: identifiers of another shape name another kind of thing."""
    prefix = re.match(r"[a-z]*", core)
    head = prefix.group() if prefix else ""
    if head and len(head) <= 5 and core[len(head) :].isdigit():
        return f"{head}9{len(core) - len(head)}"
    if core.isdigit():
        return f"9{len(core)}"
    return f"x{len(core)}"
