"""What a text may hold that a call could use: tokens that look like identifiers, amounts, addresses, dates."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"[^\W_](?:[\w.\-/#@:]*[^\W_])?")
_EMAIL = re.compile(r"(?<![\w.+%'-])[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d\s().\-/]{5,22}\d(?![\w])")
_SIGNS = "$€£¥₹₩₽₺₪₫฿₴₦"
#: Currency codes are read in capitals only: "are 64" is no amount.
_MARKED = re.compile(
    rf"(?:[A-Z]{{0,3}}[{_SIGNS}]|\b[A-Z]{{3}})\s?\d[\d.,'’]*(?:\s?[kmKM]\b)?"
    rf"|\d[\d.,'’]*\s?(?:[{_SIGNS}¢]|[A-Z]{{3}}\b|(?i:dollars?|euros?|pounds?|cents?|pence)\b)"
    r"|(?<![\w.,])\d[\d,]*\.\d{2}(?![\d.])"
    r"|\b(?i:charge[sd]?|amount|total|subtotal|refund(?:ed)?|price|cost|fee|paid|balance|credit|deposit)\b"
    rf"[^\d{_SIGNS}]{{0,14}}?(?P<bare>\d[\d.,]*)",
)
_BARE = re.compile(r"(?<![\w.,/:#-])\d[\d,]*(?:\.\d+)?(?![\w/:]|[.,-]\d)")
_PAIR = re.compile(r"([A-Za-z]\w{0,40})[\"']?\s*[:=]\s*[\"']?(\w[\w./:#@-]*)")
_DATE = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.Z+-]*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    r"|(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:\s+\d{1,2}(?:st|nd|rd|th)?\b)?(?:,?\s+\d{4})?"
    r"|\b(?:today|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b",
    re.I,
)


def id_tokens(text: str) -> Iterator[str]:
    """Yield the words of a text that hold a digit, with what joins their parts.

    >>> list(id_tokens("Order #SU-88421, placed 3/4 by ann."))
    ['SU-88421', '3/4']
    """
    for m in _TOKEN.finditer(text):
        token = m.group()
        if any(c.isdigit() for c in token):
            yield token


def amount_texts(text: str, *, bare: bool) -> Iterator[str]:
    """Yield the amounts of a text: with a sign, a code, two decimals or a word for money before them; `bare` asks for
    lone numbers, too.

    >>> list(amount_texts("Charge of 64 on 3 items, fee $2.50", bare=False))
    ['64', '$2.50']
    """
    for m in _MARKED.finditer(text):
        yield (m.group("bare") or m.group()).rstrip(".,'’")
    if bare:
        yield from (m.group() for m in _BARE.finditer(text))


def address_texts(text: str) -> Iterator[str]:
    """Yield the e-mail addresses and phone numbers of a text."""
    if "@" in text:
        yield from (m.group() for m in _EMAIL.finditer(text))
    for m in _PHONE.finditer(text):
        if sum(c.isdigit() for c in m.group()) >= 7:
            yield m.group()


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield names with the values behind them in a text that is a record after all: YAML, a cut-off JSON object, a log.

    >>> list(pairs("- id_: '26'\\n  \\"total\\": 12.50, state=new"))
    [('id_', '26'), ('total', '12.50'), ('state', 'new')]
    """
    yield from ((m.group(1), m.group(2).rstrip(".:")) for m in _PAIR.finditer(text))


def date_texts(text: str) -> Iterator[str]:
    """Yield what may be dates in a text."""
    yield from (m.group() for m in _DATE.finditer(text))
