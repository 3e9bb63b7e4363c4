"""Numbers written in words: our own small grammar, since the libraries for it are slow and stop at halves."""

from __future__ import annotations

import re
from decimal import Decimal

_UNITS = {
    "zero": 0, "one": 1, "two": 2, "both": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "once": 1, "twice": 2, "thrice": 3, "single": 1,
}  # fmt: skip
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
SCALES = {
    "hundred": 100, "thousand": 1000, "grand": 1000, "lakh": 10**5, "lakhs": 10**5, "million": 10**6, "crore": 10**7,
    "crores": 10**7, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_GROUPS = {"couple": 2, "pair": 2, "dozen": 12}
_ARTICLES = frozenset({"a", "an"})
_KNOWN = {*_UNITS, *_TENS, *SCALES, *_GROUPS, *_ARTICLES, "half", "and"}
_WORD = re.compile(r"[a-z]+", re.I)
_JOIN = re.compile(r"[\s,-]{1,3}")


def parse_words(text: str) -> Decimal | None:
    """Read the first number written in words, None when there is none.

    >>> parse_words("one thousand two hundred and fifty"), parse_words("a couple of"), parse_words("three and a half")
    (Decimal('1250'), Decimal('2'), Decimal('3.5'))
    """
    found = words_in(text)
    return found[0][0] if found else None


def words_in(text: str) -> list[tuple[Decimal, int, int]]:
    """Return the numbers written in words, each with start and end.

    >>> [f"{v:f}" for v, _, _ in words_in("half a dozen for two, sixty-four dollars and fifty cents")]
    ['6', '2', '64', '50']
    """
    out: list[tuple[Decimal, int, int]] = []
    run: list[tuple[str, int, int]] = []
    for m in _WORD.finditer(text):
        word = m.group().lower()
        joined = run and _JOIN.fullmatch(text, run[-1][2], m.start())
        if word not in _KNOWN or not joined:
            out += _read(run)
            run = []
        if word in _KNOWN:
            run.append((word, m.start(), m.end()))
    return out + _read(run)


def _read(run: list[tuple[str, int, int]]) -> list[tuple[Decimal, int, int]]:
    """Read a run of number words as one number, or several where a new one begins (`two three`)."""
    out: list[tuple[Decimal, int, int]] = []
    total, current = Decimal(0), Decimal(0)
    last, start, end = "", -1, -1
    for i, (word, at, stop) in enumerate(run):
        after = run[i + 1][0] if i + 1 < len(run) else ""
        kind = _kind(word)
        fits = (
            start < 0
            or kind == "scale"
            or (kind == "tens" and last in {"scale", "and"} and current % 100 == 0)
            or (kind == "unit" and last in {"tens", "scale", "and"} and current % 10 == 0)
            or (kind == "group" and last in {"unit", "tens", "article", "half"})
            or kind in {"and", "article", "half"}
        )
        if not fits:
            out.append((total + current, start, end))
            total, current, last, start = Decimal(0), Decimal(0), "", -1
        if kind == "article":
            if start < 0 and (_kind(after) in {"scale", "group"}):
                current, start, end = Decimal(1), at, stop
        elif kind == "half":
            if start < 0 or last in {"article", "and"}:
                current += Decimal("0.5") if start >= 0 else 0
                current = current or Decimal("0.5")
                start, end = (at if start < 0 else start), stop
        elif kind == "unit" or kind == "tens":
            current += _UNITS.get(word, 0) + _TENS.get(word, 0)
            start, end = (at if start < 0 else start), stop
        elif kind == "group":
            size = _GROUPS[word]
            current = Decimal(size) if start < 0 or word != "dozen" else (current * size).normalize() + 0
            start, end = (at if start < 0 else start), stop
        elif kind == "scale" and start >= 0:
            scale = SCALES[word]
            current = max(current, Decimal(1)) * scale if scale == 100 else current
            if scale > 100:
                total, current = total + max(current, Decimal(1)) * scale, Decimal(0)
            end = stop
        last = kind
    if start >= 0:
        out.append((total + current, start, end))
    return out


def _kind(word: str) -> str:
    tables = (("unit", _UNITS), ("tens", _TENS), ("scale", SCALES), ("group", _GROUPS))
    for name, table in tables:
        if word in table:
            return name
    return "article" if word in _ARTICLES else word
