"""What a text may hold that a call could use: tokens that look like identifiers, amounts, addresses, dates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from claimx.guard.shapes import host_and_rest
from claimx.values.currencies import CODES

_TOKEN = re.compile(r"[^\W_](?:[\w.\-/#@:]*[^\W_])?")
_LATIN_TOKEN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_.\-/#@:]*[A-Za-z0-9])?")
_EMAIL = re.compile(r"(?<![\w.+%'-])[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_PHONE = re.compile(r"(?<![\w.])\+?\(?\d[\d\s().\-/]{5,22}\d(?![\w])")
_SIGNS = "$€£¥₹₩₽₺₪₫฿₴₦"
_NOT_CODES = {"ALL", "TOP", "TRY", "CUP", "PEN", "BAM"}
_CODE = "|".join(sorted(CODES - _NOT_CODES))
_UNIT = rf"(?:[{_SIGNS}¢]|(?:{_CODE})\b|(?i:dollars?|bucks|euros?|pounds?|quid|cents?|pence|rupees?|yen|francs?)\b)"
_MONEY_NOUN = r"(?i:charge[sd]?|amount|total|subtotal|refund(?:ed)?|price|cost|fee|paid|balance|credit|deposit|rent|owed?|owing|due|pay(?:ment)?)"
#: Between a word for money and its amount stands no word that makes the number something else: "paid in 2024".
_LINK = rf"(?:(?!\b(?i:in|since|on|for|no|number|id|order|ticket|invoice|until|before|after|from|ref|reference)\b)[^\d{_SIGNS}#]){{0,14}}?"
#: Currency codes are read in capitals only: "are 64" is no amount.
_MARKED = re.compile(
    rf"[-−]?(?:[A-Z]{{0,3}}[{_SIGNS}]|\b(?:{_CODE}))\s?[-−]?\d[\d.,'’]*(?:\s?[kmKM]\b)?"
    rf"|(?:(?<![\w)])[-−])?(?<!\w)(?<![A-Za-z_][-−])(?<!\d[.,'’])\d[\d.,'’]*\s?{_UNIT}(?!\s?(?<=[{_SIGNS}]\s)\d|(?<=[{_SIGNS}])\d)"
    r"|(?<![\w.,-])[-−]?\d[\d,]*\.\d{2}(?![\d.])"
    rf"|\b{_MONEY_NOUN}\b{_LINK}(?P<bare>(?:\b(?:{_CODE})\s?)?\d[\d.,]*(?:\s?{_UNIT})?)",
)
_BARE = re.compile(r"(?<![\w.,/:#])(?:(?<!-)-)?(?<!\w-)\d(?:[\d,]*\d)?(?:\.\d+)?(?:[kK]\b)?(?![\w/:]|[.,-]\d|\s?%)")
#: Before a number in a person's words: what makes it the name or the time of something.
_NUMBER_OF = re.compile(
    r"(?:\b(?:order|ticket|invoice|account|case|booking|reservation|flight|room|seat|gate|unit|apt|apartment|suite|no|nr|number|id|ref|reference|"
    r"code|zip|postcode|version|step|chapter|page|section|line|item|sku|phone|tel|extension|ext|pin|box|floor|platform|bus|"
    r"train|highway|route|aged?|ending(?: in)?|ends(?: in)?|digits|customer|user|policy|card|serial|claim|tracking|shipment|"
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|since|year)"
    r"[\s:.]*(?:is|was|no\.?|number|id|#)?|#)[\s:]*$",
    re.I,
)
_SMALL = re.compile(r"(?<![\w.,/:#-])\d{1,4}(?![\w/:#]|[.,-]\d)")
#: Behind the letters of an identifier: `HB-20417`, `SU 88421`.
_NAMED = re.compile(r"\b[A-Z]{2,6}\s$|(?<![A-Za-z])[A-Za-z]{1,8}[-_#]$")
_IN_YEAR = re.compile(r"\b(?:in|of|from|by|until|during|since|before|after|the year)\s+$", re.I)
_YEAR = re.compile(r"(?:19|20)\d{2}")
#: Behind it: what makes it a count.
_COUNT_OF = re.compile(
    r"\s?(?:-\s?)?(?:items?|pieces?|units?|days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|nights?|people|persons?|guests?|"
    r"adults?|kids|children|tickets?|seats?|copies|boxes|mugs?|times|percent|per cent|pct|am|pm|a\.m\.|p\.m\.|o'clock|km|miles?|kg|lbs?|"
    r"street|st|avenue|ave|road|rd|lane|drive|blvd|degrees|points|orders?|parcels?|bags?|rooms?|emails?|messages?|files?|st|nd|rd|th)\b",
    re.I,
)
_PAIR = re.compile(r"([A-Za-z]\w{0,40})[\"']?\s*[:=]\s*[\"']?(\w[\w./:#@-]*)")
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,9}://(?:\[[\da-f:.]+\])?[^\s\"'<>)\]}]*|\bwww\.[^\s\"'<>)\]}]+", re.I)
_DOMAIN = re.compile(r"(?<![\w@/.-])(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,12}(?![\w@])", re.I)
_IPV4 = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]*\d)")
_DAY = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ][\d:.Z+-]*)?|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b|\b\d{1,2}:\d{2}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:,?\s+\d{4})?"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?\b(?:,?\s+\d{4})?",
    re.I,
)
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
    if not text.isascii():
        # Scripts without blanks between words, wide letters and digits.
        for m in _LATIN_TOKEN.finditer(unicodedata.normalize("NFKC", text)):
            if any(c.isdigit() for c in m.group()):
                yield m.group()


def amount_texts(text: str, *, bare: bool) -> Iterator[str]:
    """Yield the amounts of a text: with a sign, a code, two decimals or a word for money before them; `bare` asks for
    lone numbers, too.

    >>> list(amount_texts("Charge of 64 on 3 items, fee $2.50", bare=False))
    ['64', '$2.50']
    """
    rest = text
    for m in _MARKED.finditer(text):
        found = (m.group("bare") or m.group()).rstrip(".,'’")
        if not m.group("bare") or not (_COUNT_OF.match(text, m.end()) or _is_named(text[: m.start("bare")][-40:])):
            yield found
        if bare:
            rest = rest[: m.start()] + " " * (m.end() - m.start()) + rest[m.end() :]
    if bare:
        yield from _plain_numbers(rest)


def _is_named(before: str) -> bool:
    """Whether what stands before a number makes it the end of an identifier; the code of a currency doesn't."""
    m = _NAMED.search(before)
    return m is not None and m.group().strip("-_# \n\t") not in CODES


def _plain_numbers(text: str) -> Iterator[str]:
    """The numbers in a person's words that may be amounts: no part of a phone number, a date or an identifier, no year,
    no count, not what an order or a street is called.

    >>> list(_plain_numbers("In 2024 I bought 3 items for 64, order 88421; call 555 010 4477"))
    ['64']
    """
    for find in (_EMAIL, _URL, _PHONE, _DAY):
        text = find.sub(lambda m: " " * len(m.group()), text)
    for m in _BARE.finditer(text):
        before = text[max(0, m.start() - 40) : m.start()]
        if _NUMBER_OF.search(before) or _NAMED.search(before) or _COUNT_OF.match(text, m.end()):
            continue
        if _YEAR.fullmatch(m.group()) and _IN_YEAR.search(before):
            continue
        yield m.group()


def without_counts(text: str) -> str:
    """Take out of a person's words the numbers that say how much, how many or in which year: none of them names a record.

    >>> without_counts("In 2024 I bought 3 mugs for $64, order 12")
    'In   I bought   mugs for   order 12'
    """
    text = _MARKED.sub(lambda m: m.group() if m.group("bare") else " ", text)
    return _SMALL.sub(lambda m: " " if _counts(text, m) else m.group(), text)


def _counts(text: str, m: re.Match[str]) -> bool:
    year = _YEAR.fullmatch(m.group()) and _IN_YEAR.search(text[max(0, m.start() - 40) : m.start()])
    return bool(year) or _COUNT_OF.match(text, m.end()) is not None


def address_texts(text: str) -> Iterator[str]:
    """Yield the e-mail addresses and phone numbers of a text."""
    if "@" in text:
        yield from (m.group() for m in _EMAIL.finditer(text))
    for m in _PHONE.finditer(text):
        if sum(c.isdigit() for c in m.group()) >= 7:
            yield m.group()


def has_other_address(text: str) -> bool:
    """Whether a text names a mailbox in a way that is none of its plain addresses: what a mail server reads and no check does.

    >>> [has_other_address(t) for t in ("Ann <ann@example.com>", "ann@example.com\\x00@evil.example", "ann@example.com, m%40evil.example")]
    [False, True, True]
    """
    rest = unicodedata.normalize("NFKC", _EMAIL.sub(" ", text))
    return "@" in rest or "%40" in rest


def hosts(text: str) -> Iterator[str]:
    """Yield the hosts that a text names, in web addresses or alone.

    >>> list(hosts("see https://www.Shop.example/a or help.example.org."))
    ['shop.example', 'help.example.org']
    """
    if "://" in text:
        sites = (host_and_rest(m.group()) for m in _URL.finditer(text))
        yield from (site[0] for site in sites if site is not None)
    if "." in text:
        yield from (m.group().lower().removeprefix("www.") for m in _DOMAIN.finditer(text))
        yield from _IPV4.findall(text)


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield names with the values behind them in a text that is a record after all: YAML, a cut-off JSON object, a log.

    >>> list(pairs("- id_: '26'\\n  \\"total\\": 12.50, state=new"))
    [('id_', '26'), ('total', '12.50'), ('state', 'new')]
    """
    yield from ((m.group(1), m.group(2).rstrip(".:")) for m in _PAIR.finditer(text))


def date_texts(text: str) -> Iterator[str]:
    """Yield what may be dates in a text."""
    yield from (m.group() for m in _DATE.finditer(text))
