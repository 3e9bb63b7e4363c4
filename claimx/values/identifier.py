"""Identifiers: order numbers, ticket keys, hashes, masked digits. Case, `#`, hyphens and blanks do not tell two
apart."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because

_NOISE = re.compile(r"[^\w./:@]+|_+|(?<![^\W_])[./:]+|[./:]+(?![^\W_])")
_DOTS = re.compile(r"[./:@]+")
_LEAD = re.compile(
    r"^(?:(?:the|my|your|order|ticket|case|invoice|booking|reservation|confirmation|tracking|transaction|"
    r"pull request|pr|issue|"
    r"account|customer|user|item|product|card|flight|reference|ref|id|no|nr|number)\b[\s:.]*){1,3}(?:#|no\.?\s|number\s|id\s|[\s:])*(?=[^\s])",
    re.I,
)
_ENDING = re.compile(
    r"(?:ending|ends|end)\s+(?:in|with)\s*:?\s*(\w{2,6})$|last\s+(?:\w+\s+)?(?:digits?\s+)?(?:are\s+)?(\d{2,6})$", re.I
)
_MASK = re.compile(
    r"^(?P<head>(?:(?![xX]{2})\w){0,8})[\s-]{0,2}(?P<mask>(?:[*•●·#…]|\.{2,3}|[xX]{2,})[*•●·#…xX.\s-]{0,30})(?P<tail>[A-Za-z0-9]{2,6})$"
)
_CUT = re.compile(r"^(\w[\w-]{4,40})(?:…|\.\.\.)$")
_HASH = re.compile(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{6,64}")
_PREFIXED = re.compile(r"([a-z]+)(\d+)")


@dataclass(frozen=True, slots=True)
class Identifier:
    """An identifier. `core` is its comparable form; `masked` when only its `core` tail (and `head`) are shown."""

    core: str
    text: str
    masked: bool = False
    head: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"id": self.core, "masked": True} if self.masked else {"id": self.core}


def parse_identifier(raw: object) -> Identifier | None:
    """Read an identifier from text, a JSON string or integer, or a record with an `id`.

    >>> parse_identifier("#W2378156").core, parse_identifier("•••• 4471").to_dict()
    ('w2378156', {'id': '4471', 'masked': True})
    """
    if isinstance(raw, Mapping):
        return parse_identifier(raw["id"]) if isinstance(raw.get("id"), str | int) else None
    if isinstance(raw, float) and raw.is_integer() and abs(raw) < 2**53:
        raw = int(raw)
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        return None
    text = unicodedata.normalize("NFKC", str(raw)).replace("...", "…").strip()
    if not text or len(text) > 300:
        return None
    ending = _ENDING.search(text)
    if ending:
        return Identifier((ending.group(1) or ending.group(2)).lower(), str(raw), masked=True)
    body = _LEAD.sub("", text) or text
    mask = _MASK.match(body) if not body.startswith("#") or body.count("#") > 1 else None
    if mask:
        return Identifier(mask.group("tail").lower(), str(raw), masked=True, head=mask.group("head").lower())
    cut = _CUT.match(body)
    if cut:
        return Identifier("", str(raw), masked=True, head=_NOISE.sub("", cut.group(1)).lower())
    core = _NOISE.sub("", body).lower()
    return Identifier(core, str(raw).strip()) if core else None


def same_identifier(claimed: Identifier, recorded: Identifier) -> Comparison:
    """Compare identifiers: equal cores, a masked tail, an abbreviated hash or a number behind a prefix agree.

    >>> same_identifier(parse_identifier("SU-88421"), parse_identifier("SU-88412")).reason
    "'SU-88421' is not 'SU-88412': one digit transposed"
    >>> same_identifier(parse_identifier("#61860"), parse_identifier("TK-0061860")).outcome.value
    'same'
    """
    a, b = claimed.core, recorded.core
    mine, theirs = repr(claimed.text), repr(recorded.text)
    if claimed.masked or recorded.masked:
        return _same_masked(claimed, recorded)
    if a == b:
        return same_because(f"both are {claimed.text!r}")
    dotted = bool(_DOTS.search(a)) and bool(_DOTS.search(b))
    if not dotted:
        parts = _DOTS.split(b if _DOTS.search(b) else a)
        tail = parts[-1] if len(parts) > 1 else ""
        plain_a, plain_b = _DOTS.sub("", a), _DOTS.sub("", b)
        if plain_a == plain_b:
            return same_because(f"both are {mine}")
        if len(tail) >= 2 and tail in (a, b) and any(c.isdigit() for c in tail):
            return same_because(f"{mine} is the last part of {theirs}")
        a, b = plain_a, plain_b
    short, long = sorted((a, b), key=len)
    if short.isdigit() and long.isdigit():
        if short.lstrip("0") == long.lstrip("0") != "":
            return same_because(f"{mine} is {theirs}, leading zeros aside")
        if len(short) == 4 and len(long) >= 12 and long.endswith(short):
            return same_because(f"{mine} are the last digits of {theirs}")
    if len(short) < len(long) and _HASH.fullmatch(long) and long.startswith(short) and len(short) >= 6:
        return same_because(f"{mine} abbreviates {theirs}")
    if len(a) != len(b) or a[:1] == b[:1]:
        behind = _behind_prefix(a, b)
        if behind:
            return (
                same_because(f"{mine} is {theirs}, its prefix aside")
                if behind == "same"
                else unknown_because(f"{mine} and {theirs} carry the same number with other prefixes")
            )
    slip = near_miss(a, b)
    if slip and len(long) >= 2 and (any(c.isdigit() for c in short) or len(short) >= 5):
        return different_because(f"{mine} is not {theirs}: {slip}")
    if _shape(a, claimed.text) != _shape(b, recorded.text):
        return unknown_because(f"{mine} and {theirs} are not of the same kind")
    return different_because(f"{mine} is not {theirs}")


def _same_masked(claimed: Identifier, recorded: Identifier) -> Comparison:
    mine, theirs = repr(claimed.text), repr(recorded.text)
    if claimed.masked and recorded.masked:
        fits = claimed.core.endswith(recorded.core) or recorded.core.endswith(claimed.core)
        fits &= claimed.head.startswith(recorded.head) or recorded.head.startswith(claimed.head)
        shown = bool(claimed.core and recorded.core) or bool(claimed.head and recorded.head)
    else:
        mask, full = (claimed, recorded) if claimed.masked else (recorded, claimed)
        fits, shown = full.core.endswith(mask.core) and full.core.startswith(mask.head), True
        if mask.core.isdigit() and not any(c.isdigit() for c in full.core):
            return unknown_because(f"{mine} and {theirs} are not of the same kind")
    if not shown:
        return unknown_because(f"{mine} and {theirs} show different parts")
    if fits:
        return same_because(f"{mine} shows the end of {theirs}")
    slip = near_miss(claimed.core, recorded.core)
    return different_because(f"{mine} does not fit {theirs}" + (f": {slip}" if slip else ""))


def _behind_prefix(a: str, b: str) -> str | None:
    """Whether two ids hold one number: "same" with a prefix on one side only, "other" with two unlike prefixes."""
    (head_a, number_a), (head_b, number_b) = _split(a), _split(b)
    if not number_a or number_a.lstrip("0") != number_b.lstrip("0") or len(number_a.lstrip("0")) < 2:
        return None
    if not head_a or not head_b or head_a == head_b:
        return "same"
    return None if near_miss(head_a, head_b) else "other"


def _split(core: str) -> tuple[str, str]:
    m = _PREFIXED.fullmatch(core)
    return (m.group(1), m.group(2)) if m else ("", core if core.isdigit() else "")


def _shape(core: str, text: str) -> str:
    """Letters and digits as runs: identifiers of another shape name another kind of thing."""
    head, digits = _split(core)
    if head and len(head) <= 5 and len(digits) >= 2:
        return f"{head}9"
    if core.isdigit():
        return "9" if len(core) <= 4 else f"9{len(core)}"
    if core.isalpha() and not text.isupper():
        return "word"
    return f"x{len(core)}"
