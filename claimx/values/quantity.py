"""Counts and percentages: how many, and what share."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sized
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.keys import described, words_of
from claimx.values.numbers import Number, decimal_of, first_number, is_cut_to, is_roughly, numbers_in, rounds_to

_NONE = re.compile(r"^(?:no|none|nil|not a single|no \w+)$", re.I)
_ONE = re.compile(r"^(?:an?|another|a single|the only|only one)(?:\s+\w+)?$", re.I)
_VAGUE = re.compile(r"^(?:a\s+)?(?:few|several|multiple|many|some|various|numerous|handful|number)\b", re.I)
_OUT_OF = re.compile(r"\s*(?:/|of|out of)\s*(?:the\s+)?", re.I)
_RANGE = re.compile(r"\s*(?:-|–|to|or)\s*", re.I)
_COMMAND_TAG = re.compile(r"^(?:INSERT 0|UPDATE|DELETE|SELECT|COPY|MERGE|FETCH) (\d{1,18})$")
_COUNT_KEYS = (
    "count",
    "total",
    "total_count",
    "totalCount",
    "length",
    "size",
    "num",
    "number",
    "rows",
    "row_count",
    "affected_rows",
)
_LIST_KEYS = ("items", "results", "data", "rows", "records", "entries")


@dataclass(frozen=True, slots=True)
class Count:
    """How many. `vague` when only a lower bound is said (`several`), `others` are further numbers of the same text."""

    number: Decimal
    text: str
    step: Decimal = Decimal(1)
    vague: bool = False
    high: Decimal | None = None
    others: frozenset[Decimal] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"number": _json(self.number)}
        if self.high is not None:
            out["to_number"] = _json(self.high)
        if self.vague:
            out["at_least"] = True
        return out


def _json(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


@dataclass(frozen=True, slots=True)
class Percent:
    """A percentage, in percent. `other` is the second reading of a bare number that may be a fraction or a
    percentage."""

    percent: Decimal
    text: str
    step: Decimal = Decimal(1)
    other: Decimal | None = None
    high: Decimal | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"percent": f"{self.percent:f}"}
        if self.high is not None:
            out["to_percent"] = f"{self.high:f}"
        return out


def parse_count(raw: object) -> Count | None:
    """Read how many from digits, words, a number, the length of a list, or a record that holds one of these.

    >>> [str(parse_count(x).number) for x in ("both", "all six", "a dozen", "12/15", ["a", "b"], {"count": 4})]
    ['2', '6', '12', '12', '2', '4']
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, str):
        return _parse_count_text(raw.strip()[:200])
    if isinstance(raw, Mapping):
        for name in _COUNT_KEYS:
            if isinstance(raw.get(name), int) and not isinstance(raw[name], bool):
                return parse_count(raw[name])
        held = next((raw[k] for k in _LIST_KEYS if isinstance(raw.get(k), list)), None)
        if held is None and raw and all(isinstance(v, Mapping) for v in raw.values()):
            held = raw
        return Count(Decimal(len(held)), f"{len(held)} items") if held is not None else None
    if isinstance(raw, list | tuple | set | frozenset) and isinstance(raw, Sized):
        return Count(Decimal(len(raw)), f"{len(raw)} items")
    number = decimal_of(raw)
    return Count(number, str(raw)) if number is not None else None


def _parse_count_text(text: str) -> Count | None:
    tag = _COMMAND_TAG.match(text)
    if tag:
        return Count(Decimal(tag.group(1)), text)
    if _NONE.match(text):
        return Count(Decimal(0), text)
    numbers = numbers_in(text)
    if not numbers:
        if _VAGUE.match(text):
            return Count(Decimal(2), text, vague=True)
        return Count(Decimal(1), text) if _ONE.match(text) else None
    first, rest = numbers[0], numbers[1:]
    high = None
    if rest and _OUT_OF.fullmatch(text, first.end, rest[0].start):
        rest = rest[1:]
    elif rest and _RANGE.fullmatch(text, first.end, rest[0].start) and abs(rest[0].value) > first.value:
        high, rest = abs(rest[0].value), rest[1:]
    others = {n.value for n in rest} | ({first.other} if first.other is not None else set())
    return Count(first.value, text, first.step, high=high, others=frozenset(o for o in others if o is not None))


def same_count(claimed: Count, recorded: Count) -> Comparison:
    """Compare numbers of things: whole numbers must be equal, decimals may be rounded.

    >>> same_count(parse_count("both"), parse_count(["a"])).reason
    'both is not 1 items'
    """
    a, b = claimed.number, recorded.number
    if claimed.vague:
        enough = b >= a
        return (
            same_because(f"{recorded.text} is {claimed.text}")
            if enough
            else different_because(f"{recorded.text} is not {claimed.text}")
        )
    if a == b and claimed.high == recorded.high:
        return same_because(f"both are {claimed.text}")
    if claimed.high is not None and a <= b <= claimed.high:
        return same_because(f"{recorded.text} lies within {claimed.text}")
    if ({a} | claimed.others) & ({b} | recorded.others):
        return same_because(f"{recorded.text} holds {claimed.text}")
    if recorded.vague or recorded.others or claimed.others or recorded.high is not None:
        return unknown_because(f"{recorded.text} leaves open whether it means {claimed.text}")
    if rounds_to(b, a, claimed.step) or is_roughly(claimed.text, a, b):
        return same_because(f"{recorded.text} rounds to {claimed.text}")
    return different_because(f"{claimed.text} is not {recorded.text}")


def parse_percent(raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None) -> Percent | None:
    """Read a percentage: `15%`, `fifteen percent`, `half`, `150 bps`, or a bare number that its key may tell from a
    fraction.

    >>> parse_percent("15%").percent, parse_percent(0.15).percent, parse_percent(15, key="discount_percent").percent
    (Decimal('15'), Decimal('15.00'), Decimal('15'))
    """
    number: Number | Decimal | None
    if isinstance(raw, str):
        text = raw.strip()[:100]
        low = text.lower()
        number = first_number(text)
        part = _part(low)
        if part is not None:
            return Percent(part, text, Decimal("0.01"))
        if number is None:
            return None
        if "bps" in low or "basis point" in low:
            return Percent(number.value / 100, text, number.step / 100)
        if re.search(r"%|per\s?cent|pct|percentage", low):
            second = next((n for n in numbers_in(text) if n.start >= number.end), None)
            joined = second is not None and re.fullmatch(r"\s*%?\s*(?:-|–|to|and)\s*", text[number.end : second.start])
            return Percent(number.value, text, number.step, high=abs(second.value) if joined and second else None)
        value, step = number.value, number.step
    else:
        found = decimal_of(raw)
        if found is None:
            return None
        text, value, step = str(raw), found, Decimal(0)
    words = {*words_of(key), *words_of(described(schema))}
    if {"bps", "basis"} & words:
        return Percent(value / 100, text, step / 100)
    if {"fraction", "ratio", "decimal", "proportion"} & words and abs(value) <= 1:
        return Percent(value * 100, text, step)
    if {"percent", "pct", "percentage"} & words:
        return Percent(value, text, step, other=value * 100 if 0 < abs(value) < 1 else None)
    if abs(value) <= 1:
        return Percent(value * 100, text, step, other=value)
    return Percent(value, text, step)


def _part(text: str) -> Decimal | None:
    """`half`, `a third`, `two-thirds`, `three quarters` as percent."""
    m = re.fullmatch(
        r"(?:a |an |one |by )?(?P<n>two|three)?[\s-]?(?P<d>half|thirds?|quarters?|fifths?|tenths?)(?: of .*)?", text
    )
    if not m:
        return None
    over = {"half": 2, "third": 3, "quarter": 4, "fifth": 5, "tenth": 10}[m.group("d").rstrip("s")]
    return (Decimal({"two": 2, "three": 3}.get(m.group("n") or "", 1)) * 100 / over).quantize(Decimal("0.01"))


def same_percent(claimed: Percent, recorded: Percent) -> Comparison:
    """Compare percentages; a rounded one agrees with its source, a sign says only up or down.

    A bare number up to one is a share unless its key says otherwise: told unchanged before a percent sign, it can't be
    told from a slip by a factor of 100.

    >>> same_percent(parse_percent("33%"), parse_percent(0.3333)).outcome.value
    'same'
    >>> same_percent(parse_percent("0.914%"), parse_percent(0.914)).outcome.value
    'unknown'
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    a = abs(claimed.percent)
    shares = recorded.other is not None and abs(recorded.other) < abs(recorded.percent)
    read = (recorded.percent,) if shares and claimed.other is None else (recorded.percent, recorded.other)
    for b in (abs(x) for x in read if x is not None):
        if a == b or rounds_to(b, a, claimed.step or None) or a == abs(claimed.other or a + 1) == b:
            return same_because(f"{mine} is {theirs}")
        if claimed.high is not None and a <= b <= claimed.high:
            return same_because(f"{theirs} lies within {mine}")
        if is_roughly(claimed.text, a, b):
            return same_because(f"{theirs} is {mine}")
    if shares and claimed.other is None and abs(recorded.other or 0) == a:
        return unknown_because(
            f"{theirs} may be a share of one, {abs(recorded.percent).normalize():f} %, or {mine} itself"
        )
    if claimed.other is not None and abs(claimed.other) in {
        abs(x) for x in (recorded.percent, recorded.other) if x is not None
    }:
        return same_because(f"{mine} is {theirs}")
    if claimed.step and is_cut_to(abs(recorded.percent), a, claimed.step):
        return unknown_because(f"{mine} may be {theirs} cut off")
    return different_because(f"{mine} is not {theirs}")
