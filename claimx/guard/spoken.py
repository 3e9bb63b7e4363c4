"""What a person says in words: identifiers spelled letter by letter, amounts in number words, shares of what was seen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from claimx.values.number_words import words_in

_DIGITS = {
    w: str(n)
    for n, words in enumerate(("zero oh", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"))
    for w in words.split()
}
_TIMES = {"double": 2, "triple": 3}
_JOINERS = frozenset({"dash", "hyphen", "minus", "slash"})
_SPELLED = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
#: Between two letters that are spelled out.
_GAP = re.compile(r"[\s,-]{1,3}")
#: Shorter ones are words that happen to stand side by side.
_FEWEST = 4
_MONEY_WORD = re.compile(
    r"\s?(?:dollars?|bucks|euros?|pounds?|quid|cents?|pence|rupees?|yen|francs?|usd|eur|gbp)\b", re.I
)
_COUNTED = re.compile(
    r"\s?-?\s?(?:items?|pieces?|units?|days?|weeks?|months?|years?|hours?|minutes?|nights?|people|guests?|times|percent|per cent|orders?|"
    r"tickets?|of\b)", re.I
)  # fmt: skip
_PERCENT = re.compile(r"(?<![\w.])(\d{1,2}(?:\.\d{1,2})?)\s?(?:%|percent\b|per cent\b|pct\b)", re.I)
_SHARES = {
    "half": Fraction(1, 2), "halves": Fraction(1, 2), "50/50": Fraction(1, 2), "third": Fraction(1, 3), "two thirds": Fraction(2, 3),
    "quarter": Fraction(1, 4), "three quarters": Fraction(3, 4), "hälfte": Fraction(1, 2), "moitié": Fraction(1, 2), "mitad": Fraction(1, 2),
}  # fmt: skip
_SHARE = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(map(re.escape, _SHARES), key=len, reverse=True))})(?!\w)", re.I)
#: `a quarter past five`, `the third of May`, `the third item`: no shares.
_NO_SHARE = re.compile(
    r"\s*(?:past|to \w+|an? hours?|hours?|day|of (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|dozen)", re.I
)
_ORDINAL = re.compile(r"\b(?:the|my|your|our|this|that|on|every)\s+$", re.I)


def spelled_ids(text: str) -> Iterator[str]:
    """Yield the identifiers that are spelled out: letters and digits one by one, digits as words.

    >>> list(spelled_ids("It's S U dash eight eight four two one, or X K 4 P 9 Q. I am a fan."))
    ['SU88421', 'XK4P9Q']
    """
    run, end, times = "", 0, 1
    for m in _SPELLED.finditer(text):
        word = m.group().lower()
        near = _GAP.fullmatch(text, end, m.start()) is not None
        sign = m.group() if len(word) == 1 else _DIGITS.get(word, "")
        if run and not near:
            yield from _long_enough(run)
            run, times = "", 1
        if sign:
            run, times = run + sign * times, 1
        elif word in _TIMES:
            times = _TIMES[word]
        elif not (run and word in _JOINERS):
            yield from _long_enough(run)
            run, times = "", 1
        end = m.end()
    yield from _long_enough(run)


def _long_enough(run: str) -> Iterator[str]:
    if len(run) >= _FEWEST and any(c.isdigit() for c in run):
        yield run


def amounts_in_words(text: str) -> Iterator[str]:
    """Yield the amounts that are written in words, small ones only with a word for money behind them.

    >>> list(amounts_in_words("pay twenty dollars for the two mugs, or sixty-four"))
    ['20 dollars', '64']
    """
    for value, _, end in words_in(text):
        unit = _MONEY_WORD.match(text, end)
        if unit or (value >= 10 and not _COUNTED.match(text, end)):
            yield f"{value:f}{unit.group() if unit else ''}"


def is_said(count: int, texts: Iterable[str]) -> bool:
    """Whether a person names a number, in digits or in words.

    >>> is_said(3, ["three mugs"]), is_said(3, ["3 mugs"]), is_said(3, ["13 mugs for 3.50"])
    (True, True, False)
    """
    digits = re.compile(rf"(?<![\w.,]){count}(?![\w]|[.,]\d)")
    return any(digits.search(t) or any(v == count for v, _, _ in words_in(t)) for t in texts)


def shares_in(text: str) -> Iterator[tuple[Fraction, str]]:
    """Yield the shares that a person names, with the words for them; of a percentage what is left and what it comes to on top, too.

    >>> [(str(s), w) for s, w in shares_in("refund half of it, with 20% off the rest")]
    [('1/2', 'half'), ('1/5', '20%'), ('4/5', '20%'), ('6/5', '20%')]
    >>> list(shares_in("the third one, at a quarter past five"))
    []
    """
    for m in _SHARE.finditer(text):
        word = m.group().lower()
        ordinal = word == "third" and _ORDINAL.search(text[max(0, m.start() - 12) : m.start()])
        if not ordinal and not _NO_SHARE.match(text, m.end()):
            yield _SHARES[word], m.group()
            if _SHARES[word] != Fraction(1, 2):
                yield 1 - _SHARES[word], m.group()
    for m in _PERCENT.finditer(text):
        share = Fraction(Decimal(m.group(1))) / 100
        if share:
            yield share, m.group()
            yield 1 - share, m.group()
            yield 1 + share, m.group()
