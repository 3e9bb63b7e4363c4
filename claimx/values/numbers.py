"""Numbers as people and machines write them: digits in several groupings, signs, k and m, fractions, number words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from claimx.values.number_words import SCALES, words_in

_MINUS = "-−‒–—﹣－"
_GAP = " \u00a0\u202f\u2009'’"
_DIGITS = re.compile(
    rf"(?P<sign>[{_MINUS}+])?[ ]?(?P<symbol>[A-Z]{{0,3}}[$€£¥₹₩₽₺₪₫฿₴₦]|(?:USD|EUR|GBP|CHF|INR|Rs\.?)\s?)?"
    rf"[ ]?(?P<inner>[{_MINUS}+])?"
    rf"(?P<body>\d{{1,40}}(?:[.,{_GAP}]\d{{1,40}}){{0,14}}|(?<![\d.])\.\d{{1,40}})(?P<exponent>[eE][+-]?\d{{1,2}}(?![\w.]))?"
    r"\s?(?P<fraction>[½¼¾⅓⅔])?"
    r"(?:[ ]?(?P<suffix>thousand|million|billion|trillion|lakhs?|crores?|hundred|grand|dozen|bn|mn|mm|[kmb])"
    r"(?![A-Za-z]))?",
    re.I,
)
_LONE_FRACTION = re.compile(r"[½¼¾⅓⅔]")
_FRACTIONS = {"½": Decimal("0.5"), "¼": Decimal("0.25"), "¾": Decimal("0.75"), "⅓": Decimal(1) / 3, "⅔": Decimal(2) / 3}
_SUFFIXES = {"k": 1000, "m": 10**6, "mn": 10**6, "mm": 10**6, "b": 10**9, "bn": 10**9, "dozen": 12, **SCALES}
_SEPARATOR = re.compile(rf"([.,{_GAP}])")
#: Beyond this many digits a number is no amount that anybody states, and arithmetic on it is only a cost.
_MAX_DIGITS = 40
_ABOUT = re.compile(r"\b(?:about|around|approx(?:imately)?|roughly|nearly|almost|circa|some|close to)\b|[~≈]", re.I)
_OVER = re.compile(r"\b(?:over|more than|at least|upwards of|from|minimum)\b|\d\s?\+|[>≥]", re.I)
_UNDER = re.compile(r"\b(?:under|less than|at most|up to|no more than|within|maximum|below)\b|[<≤]", re.I)


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. `step` is the size of the last digit shown (100 in `1.2k`), `other` a second reading
    (`1.250`)."""

    value: Decimal
    step: Decimal
    start: int
    end: int
    other: Decimal | None = None


def parse_number(text: str) -> Decimal | None:
    """Read the first number of a text, digits before words; None when there is none.

    Grouping is read from its shape: `1,250.00`, `1.250,00`, `1 250,00`, `1'250.00` and `1,25,000` all work; a lone
    separator with exactly three digits behind it groups (`1,250`), unless it is a point (`1.250`), a decimal point
    first.

    >>> [str(parse_number(t)) for t in ("1,250.00", "1.250,00", "1 250,5", "2,50,000", "−3.5", "4k", "sixty-four")]
    ['1250.00', '1250.00', '1250.5', '250000', '-3.5', '4000', '64']
    """
    found = first_number(text)
    return found.value if found else None


def first_number(text: str) -> Number | None:
    """Return the first number of a text, digits before words."""
    return next(digits_in(text), None) or next(iter(_from_words(text)), None)


def numbers_in(text: str) -> list[Number]:
    """Return every number of a text in reading order, written in digits or words.

    >>> [str(n.value) for n in numbers_in("sixty-four dollars and 50 cents")]
    ['64', '50']
    """
    found = [*digits_in(text), *_from_words(text)]
    return sorted(found, key=lambda n: n.start)


def _from_words(text: str) -> list[Number]:
    return [
        Number(v, Decimal(1) if v == v.to_integral_value() else Decimal("0.5"), s, e)
        for v, s, e in words_in(text[:400])
    ]


def digits_in(text: str) -> Iterator[Number]:
    """Yield the numbers that are written in digits."""
    text = text[:400]
    at = 0
    while m := _DIGITS.search(text, at):
        read = _read_digits(m.group("body"))
        if read is None:
            at = m.end("body")
            continue
        value, step, other, used = read
        whole = used == len(m.group("body"))
        end = m.start("body") + used
        if whole and m.group("exponent"):
            power = int(m.group("exponent")[1:])
            value, step, other, end = value.scaleb(power), min(step.scaleb(power), Decimal(1)), None, m.end("exponent")
        if whole and m.group("fraction"):
            value, step, end = value + _FRACTIONS[m.group("fraction")], Decimal("0.01"), m.end("fraction")
        if whole and m.group("suffix"):
            scale = _SUFFIXES[m.group("suffix").lower()]
            value, step, end = value * scale, step * scale, m.end("suffix")
            other = other * scale if other is not None else None
        number = Number(value, step, m.start("body"), end, other)
        minus = [g for g in ("sign", "inner") if m.group(g) and m.group(g) != "+" and _is_sign(text, m.start(g))]
        if minus:
            number = replace(number, value=-value, start=m.start(minus[0]))
        yield number
        at = end
    if at == 0 and (lone := _LONE_FRACTION.search(text)):
        yield Number(_FRACTIONS[lone.group()], Decimal("0.01"), lone.start(), lone.end())


def _is_sign(text: str, at: int) -> bool:
    """A dash after a letter, digit or currency sign joins or ranges (`SU-88`, `3-5`, `$3-5`); elsewhere it is a
    minus."""
    before = text[:at].rstrip(" ")[-1:] if at else ""
    return not before or not before.isalnum() or (before.isalpha() and text[at - 1] == " ") or before in "$€£¥"


def _read_digits(body: str) -> tuple[Decimal, Decimal, Decimal | None, int] | None:
    """Read the longest head of `body` that is one number: its value, step, second reading and length."""
    pieces = _SEPARATOR.split(body)
    # Three groups or more that are no grouping (`1,2,3`, `12.05.2024`) are a list: its first member is the number.
    lengths = range(len(pieces), 0, -2) if len(set(pieces[1::2])) > 1 else (len(pieces), 1)
    for n in lengths:
        read = _read_pieces(pieces[:n])
        if read is not None:
            value, decimals, other = read
            if len(value.as_tuple().digits) > _MAX_DIGITS:
                return None
            return value, Decimal(1).scaleb(-decimals), other, sum(map(len, pieces[:n]))
    return None


def _read_pieces(pieces: list[str]) -> tuple[Decimal, int, Decimal | None] | None:
    groups, marks = pieces[::2], pieces[1::2]
    if not marks:
        return Decimal(groups[0]), 0, None
    last, tail = marks[-1], groups[-1]
    joined = Decimal("".join(groups))
    if _is_grouping(groups, marks):
        if len(marks) == 1 and last == ".":
            return Decimal(f"{groups[0]}.{tail}"), len(tail), joined
        return joined, 0, None
    if last in ".," and last not in marks[:-1] and tail and (len(marks) == 1 or _is_grouping(groups[:-1], marks[:-1])):
        return Decimal(f"{''.join(groups[:-1]) or '0'}.{tail}"), len(tail), None
    return None


def _is_grouping(groups: list[str], marks: list[str]) -> bool:
    if len(set(marks)) > 1 or not 1 <= len(groups[0]) <= 3 or groups[0][0] == "0":
        return False
    if all(len(g) == 3 for g in groups[1:]):
        return True
    indian = marks[0] == "," and len(marks) > 1 and len(groups[0]) <= 2
    return indian and len(groups[-1]) == 3 and all(len(g) == 2 for g in groups[1:-1])


def decimal_of(raw: object) -> Decimal | None:
    """Read a JSON number or numeric text; booleans, nan, infinities and absurdly long numbers are None.

    >>> decimal_of(6.4), decimal_of("1,250.00"), decimal_of(True)
    (Decimal('6.4'), Decimal('1250.00'), None)
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int):
        return Decimal(raw) if abs(raw) < 10**_MAX_DIGITS else None
    if isinstance(raw, float | Decimal):
        value = Decimal(str(raw))
        return value if value.is_finite() and (not value or abs(value.adjusted()) <= _MAX_DIGITS) else None
    return parse_number(raw) if isinstance(raw, str) else None


def rounds_to(source: Decimal, shown: Decimal, step: Decimal | None = None) -> bool:
    """Whether `shown` is `source` rounded to `step`, by default the digits that `shown` has. A whole number that is not
    itself rounded (`12` for `10`) never agrees.

    >>> rounds_to(Decimal("3.456"), Decimal("3.46")), rounds_to(Decimal("12"), Decimal("10"))
    (True, False)
    >>> rounds_to(Decimal(1234), Decimal(1200), Decimal(100))
    True
    """
    if source == shown:
        return True
    if step is None:
        exponent = shown.as_tuple().exponent
        step = Decimal(1).scaleb(min(exponent, 0) if isinstance(exponent, int) else 0)
    return (source % step != 0) and abs(source - shown) <= step / 2


def is_cut_to(source: Decimal, shown: Decimal, step: Decimal) -> bool:
    """Whether `shown` is `source` with its last digits cut off rather than rounded.

    >>> is_cut_to(Decimal("64.90"), Decimal("64"), Decimal(1))
    True
    """
    return 0 < abs(source) - abs(shown) < step


def is_roughly(text: str, shown: Decimal, source: Decimal) -> bool:
    """Whether the words around a number (`about`, `over`, `up to`) let it stand for `source`.

    >>> is_roughly("about 50", Decimal(50), Decimal(52)), is_roughly("over 50", Decimal(50), Decimal(52))
    (True, True)
    >>> is_roughly("50", Decimal(50), Decimal(52))
    False
    """
    if not shown:
        return False
    off = (source - shown) / abs(shown)
    if _ABOUT.search(text):
        return abs(off) <= Decimal("0.1")
    if _OVER.search(text):
        return 0 <= off <= Decimal("0.25")
    return bool(_UNDER.search(text)) and Decimal("-0.25") <= off <= 0
