"""Numbers as people and machines write them: digits in several groupings, number words, k and m."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

_UNITS = {
    "zero": 0, "no": 0, "none": 0, "one": 1, "a": 1, "an": 1, "single": 1, "once": 1, "two": 2, "both": 2, "twice": 2, "pair": 2,
    "couple": 2, "three": 3, "thrice": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "dozen": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_SCALES = {
    "hundred": 100, "thousand": 1000, "grand": 1000, "lakh": 100_000, "lakhs": 100_000, "million": 10**6,
    "crore": 10**7, "crores": 10**7, "billion": 10**9,
}  # fmt: skip
_SUFFIX = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9}

_MINUS = "-−‒–—﹣－"
_SPACES = "\u0020\u00a0\u202f\u2009'’"
_DIGITS = re.compile(rf"(?P<sign>[{_MINUS}+])?\s?(?P<body>\d(?:[\d.,{_SPACES}]{{0,40}}\d)?)\s?(?P<suffix>k|mn?|bn?)?(?![a-zA-Z])", re.I)
_WORDS = re.compile(r"[a-z]+", re.I)


def parse_number(text: str) -> Decimal | None:
    """Read the first number of a text, digits before words; None when there is none.

    Grouping is read from its shape: `1,250.00`, `1.250,00`, `1 250,00` and `1,25,000` all work; a lone separator with
    exactly three digits behind it groups (`1,250`), unless it is a point (`1.250`), which stays a decimal point.

    >>> [str(parse_number(t)) for t in ("1,250.00", "1.250,00", "1 250,5", "2,50,000", "−3.5", "4k", "sixty-four")]
    ['1250.00', '1250.00', '1250.5', '250000', '-3.5', '4000', '64']
    """
    m = _DIGITS.search(text[:200])
    if m:
        value = _read_digits(m.group("body"))
        if value is not None:
            if m.group("suffix"):
                value *= _SUFFIX[m.group("suffix").lower()]
            return -value if m.group("sign") and m.group("sign") != "+" and _is_sign(text, m.start()) else value
    return parse_words(text)


def _is_sign(text: str, at: int) -> bool:
    """A dash after a letter or digit joins or ranges (`SU-88`, `3-5`); elsewhere it is a minus."""
    return at == 0 or not text[at - 1].isalnum()


def _read_digits(body: str) -> Decimal | None:
    for s in _SPACES:
        if s in body:
            head, *groups = body.split(s)
            if not head.strip(".,") or any(not g[:3].isdigit() or len(g.split(",")[0].split(".")[0]) != 3 for g in groups):
                body = head
                break
            body = body.replace(s, "")
    points, commas = body.count("."), body.count(",")
    if points and commas:
        decimal = "." if body.rfind(".") > body.rfind(",") else ","
        group = "," if decimal == "." else "."
        body = body.replace(group, "").replace(decimal, ".")
    elif commas:
        tail = body.rsplit(",", 1)[1]
        body = body.replace(",", "") if commas > 1 or len(tail) == 3 else body.replace(",", ".")
    elif points > 1:
        body = body.replace(".", "") if all(len(g) == 3 for g in body.split(".")[1:]) else body.split(".")[0]
    try:
        return Decimal(body)
    except InvalidOperation:
        return None


def parse_words(text: str) -> Decimal | None:
    """Read a number written in words, None when there is none.

    >>> parse_words("one thousand two hundred and fifty"), parse_words("a couple of"), parse_words("three and a half")
    (Decimal('1250'), Decimal('2'), Decimal('3.5'))
    """
    total = current = 0
    seen = half = False
    previous = ""
    for word in _WORDS.findall(text[:200].lower()):
        if word in _UNITS:
            if seen and word in {"a", "an"}:
                previous = word
                continue
            if seen and current % 10 and word not in {"dozen"} and previous not in {"a", "an"}:
                break
            current = current * 12 if word == "dozen" and current else current + _UNITS[word]
            if word in {"couple", "pair"} and previous in {"a", "an"}:
                current = 2
            if word == "dozen" and previous in {"a", "an"}:
                current = 12
            seen = True
        elif word in _TENS:
            current += _TENS[word]
            seen = True
        elif word == "half" and (seen or previous in {"", "a"}):
            half = seen = True
            if previous == "a" and current == 1 and total == 0:
                current = 0
        elif word in _SCALES and seen:
            scale = _SCALES[word]
            if scale == 100:
                current *= 100
            else:
                total += current * scale
                current = 0
        elif word == "and" and seen:
            pass
        elif seen:
            break
        previous = word
    if not seen:
        return None
    return Decimal(total + current) + (Decimal("0.5") if half else 0)


def decimal_of(raw: object) -> Decimal | None:
    """Read a JSON number or numeric text; booleans, nan and infinities are None.

    >>> decimal_of(6.4), decimal_of("1,250.00"), decimal_of(True)
    (Decimal('6.4'), Decimal('1250.00'), None)
    """
    if isinstance(raw, bool) or raw is None:
        return None
    if isinstance(raw, int | float | Decimal):
        value = Decimal(str(raw))
        return value if value.is_finite() else None
    if isinstance(raw, str):
        return parse_number(raw)
    return None


def rounds_to(source: Decimal, shown: Decimal) -> bool:
    """Whether `shown` is `source` rounded to the digits that it shows; a whole number must be within half a unit
    and the source must have a fraction.

    >>> rounds_to(Decimal("3.456"), Decimal("3.46")), rounds_to(Decimal("12"), Decimal("10"))
    (True, False)
    """
    if source == shown:
        return True
    exponent = shown.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) and exponent < 0 else 0
    if source == source.to_integral_value():
        return False
    return abs(source - shown) <= Decimal(1).scaleb(-places) / 2
