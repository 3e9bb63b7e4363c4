"""What a value looks like by itself, whatever its field is called: an identifier, an address, or nothing to trace.

Only forms that nobody writes by accident count: dates, versions, sizes, colours, file names, standards and names of
models hold digits, too, and a call may choose them freely.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from claimx.guard.field_names import SITES
from claimx.types import SlotType
from claimx.values.currencies import CODES
from claimx.values.keys import words_of

_UUID = re.compile(r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?", re.I)
_MAIL = re.compile(
    r"(?:[^<>@\n]{0,80}<)?\s*(?:mailto:)?[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}(?:\?\S*)?\s*>?", re.I
)
_URL = re.compile(
    r"(?P<scheme>[a-z][a-z0-9+.-]{1,9})://(?:[^\s/?#@]*@)?(?P<host>\[[^\]\s]+\]|[^\s/?#:@]+)(?::\d+)?(?P<rest>\S*)",
    re.I,
)
_SCHEME = re.compile(r"(https?|wss?|ftp):[/\\]*(?=[^\s/\\])", re.I)
#: Schemes whose host is the name of a store, not of a machine near by.
_STORES = frozenset({"s3", "gs", "az", "abfs", "abfss", "wasb", "wasbs"})
_PHONE = re.compile(r"(?:tel:)?\+\d[\d\s().\-/]{6,24}|\(\d{2,4}\)\s?\d[\d\s.\-]{5,12}|\d{3}[\s.-]\d{3}[\s.-]\d{4}")
_CARD = re.compile(r"\d{4}(?:[ -]\d{4}){2}(?:[ -]\d{1,7})|\d{4}[ -]\d{6}[ -]\d{5}")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", re.I)
#: The same with points or hyphens between its parts.
_IBAN_PARTED = re.compile(r"[A-Z]{2}\d{2}(?:[.-][A-Z0-9]{4}){2,7}(?:[.-][A-Z0-9]{1,3})?", re.I)
_SOCIAL = re.compile(r"\d{3}-\d{2}-\d{4}")
_CARD_PARTED = re.compile(r"\d{4}(?:\.\d{4}){3}")
_DIGITS = re.compile(r"#?(?:0\d{5,33}|(?!\d+0{4})\d{8,34})")
_PREFIXED = re.compile(r"#?([A-Z]{1,8})(?:[-_#/ ]\d{4,}|\d{5,})(?:[-_/]\d+)*")
_GROUPED = re.compile(r"#?([A-Z][A-Z0-9]{0,7})(?:[-_#][A-Z0-9]+)*[-_#](?=[A-Z0-9]*\d)[A-Z0-9]{4,}")
_KEYED = re.compile(r"[a-z]{2,12}_((?=[A-Za-z]*\d)[A-Za-z0-9]{4,64})")
_TOKEN = re.compile(r"[A-Za-z0-9]{10,128}")
_DATE = re.compile(
    r"(?:19|20)\d{2}[-./]?(?:0[1-9]|1[0-2])[-./]?(?:0[1-9]|[12]\d|3[01])(?:[T _-]?[\d:.]{0,15}(?:Z|[+-]\d{2}:?\d{2})?)?"
    r"|(?:0[1-9]|[12]\d|3[01])[./-]?(?:0[1-9]|1[0-2])[./-]?(?:19|20)\d{2}"
)
#: What stands before the number of a standard, an encoding, a period or a notice that everybody knows.
_KNOWN = frozenset(
    "iso iec rfc ietf utf ucs sha aes rsa md din en ansi ieee ecma iec nist fips pci hipaa wcag cve cwe ghsa pep http https tls ssl "
    "gmt utc fy cy q h w kw cw cet est pst win cp latin ascii base hex rgb rgba hsl v ver version build port top gpt ".split()
)
_LOCAL = re.compile(
    r"localhost|(?!\d+$|0x|\[)[^.]+|.*\.(?:local|localhost|internal|test)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|0\.0\.0\.0|\[::1?\]"
)
_BARE_SITE = re.compile(
    r"(?://)?(?P<host>(?:[a-z0-9-]{1,63}\.){1,5}[a-z]{2,24}|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?P<rest>(?:/\S*)?)", re.I
)
_MONEY = re.compile(
    r"[+\-−]?(?:(?P<sign>[A-Z]{0,3}[$€£¥₹₩₽₺₪₫฿₴₦])|(?P<before>[A-Z]{3})\s)?\s?[+\-−]?\d[\d.,'’\u00a0\u202f]*\s?[kKmM]?\s?(?P<behind>[A-Z]{3})?"
)
_PERIOD = re.compile(r"(?:19|20)\d{2}(?:(?:[-_/]\d{1,2}){0,2}|\d{2}(?:[-_/]?\d{2})?)(?:[-_/][a-z]+)?", re.I)
_WORD_NUMBER = re.compile(r"([A-Za-z]+)[-_#]?(.+)")
#: Categories of characters that nobody sees: format, control, marks over letters.
_UNSEEN = frozenset({"Cf", "Cc", "Mn", "Me"})
_SPACES = dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u2009\u200a\u3000"))
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹣－", "-"))
#: More than this is prose.
_LONGEST = 400


def shape_of(text: str) -> SlotType | None:
    """Return ID or CONTACT for a text that is, as a whole, an identifier or a way to reach somebody; else None.

    >>> [str(shape_of(t)) for t in ("SU-88421", "ann@example.com", "https://shop.example/a", "DE89 3704 0044 0532 0130 00")]
    ['ID', 'CONTACT', 'CONTACT', 'ID']
    >>> [shape_of(t) for t in ("2026-03-14", "v1.2.3", "ISO-27001", "report-2026.pdf", "us-east-1", "1920x1080", "gpt-4o-mini")]
    [None, None, None, None, None, None, None]
    """
    return _shape_of(text) if len(text) <= 2 * _LONGEST else None


@lru_cache(maxsize=16384)
def _shape_of(text: str) -> SlotType | None:
    text = plain_text(text)
    if not 5 <= len(text) <= _LONGEST:
        return None
    if "@" in text and _MAIL.fullmatch(text):
        return SlotType.CONTACT
    if "://" in text or _SCHEME.match(text):
        m = _URL.fullmatch(_as_browsers_read(text))
        local = m is not None and m["scheme"].lower() not in _STORES and _LOCAL.fullmatch(m["host"].lower())
        return SlotType.CONTACT if m and not local else None
    if len(text) > 128 or not any(c.isdigit() for c in text) or _DATE.fullmatch(text):
        return None
    if _PHONE.fullmatch(text):
        return SlotType.CONTACT
    return SlotType.ID if _is_id(text) else None


def plain_text(text: str) -> str:
    """Return a text as its reader sees it: no invisible characters, wide forms as plain ones, foreign letters as Latin ones.

    >>> plain_text("\uff33U-88\u200b412"), plain_text("\u0405U-88412")
    ('SU-88412', 'XU-88412')
    """
    text = text.strip()
    if text.isascii() and text.isprintable():
        return text
    text = unicodedata.normalize("NFKC", text.translate(_SPACES))
    seen = (c for c in text if unicodedata.category(c) not in _UNSEEN)
    return (
        "".join(c if c.isascii() or not c.isalpha() else "X" if c.isupper() else "x" for c in seen)
        .translate(_DASHES)
        .strip()
    )


def is_firm_shape(text: str) -> bool:
    """Whether a word is an address, a UUID, an IBAN or a card's number: forms that are nothing else, also beside other words.

    >>> [is_firm_shape(t) for t in ("ann@example.com", "DE89370400440532013000", "HP-4520")]
    [True, True, False]
    """
    text = plain_text(text)
    iban = _IBAN.fullmatch(text) and len(text) >= 15
    return shape_of(text) is SlotType.CONTACT or bool(
        _UUID.fullmatch(text) or iban or (text.isdecimal() and is_card(int(text)))
    )


def is_money(text: str) -> bool:
    """Whether a text is, as a whole, an amount with the sign or the code of a currency.

    >>> [is_money(t) for t in ("$6,400", "6400 USD", "EUR 12.50", "64", "12 PM", "M 12")]
    [True, True, True, False, False, False]
    """
    m = _MONEY.fullmatch(text.strip())
    return m is not None and (bool(m["sign"]) or (m["before"] or m["behind"] or "") in CODES)


def bare_site(text: str, key: str) -> tuple[str, str] | None:
    """Return host and rest of a web address without its scheme under a field that holds one; None for anything else.

    >>> bare_site("www.Shop.example/a", "callback"), bare_site("//shop.example", "webhook_url"), bare_site("main.py", "path")
    (('shop.example', '/a'), ('shop.example', ''), None)
    """
    words = words_of(key)
    if not words or words[-1] not in SITES or len(text) > 2 * _LONGEST:
        return None
    m = _BARE_SITE.fullmatch(plain_text(text))
    if m is None or _LOCAL.fullmatch(m["host"].lower()):
        return None
    return m["host"].lower().removeprefix("www."), m["rest"]


def tells_no_record(text: str) -> bool:
    """Whether letters with a number are a standard, an encoding or a period: `SHA-256`, `Q1-2026`, `2026`."""
    m = _WORD_NUMBER.fullmatch(text)
    return _is_period(text) or (m is not None and (m[1].lower() in _KNOWN or _is_period(m[2])))


def is_card(number: int) -> bool:
    """Whether a whole number is the number of a payment card: its length, its first digit and its check digit (ISO 7812).

    >>> is_card(4111111111111111), is_card(4111111111111112), is_card(1773482400000)
    (True, False, False)
    """
    digits = str(number)
    if not 14 <= len(digits) <= 16 or digits[0] not in "3456":
        return False
    doubled = (int(d) * 2 if i % 2 else int(d) for i, d in enumerate(reversed(digits)))
    return sum(d - 9 if d > 9 else d for d in doubled) % 10 == 0


def host_and_rest(text: str) -> tuple[str, str] | None:
    """Return the host of a web address, `www.` aside, and what follows it; None for anything else.

    >>> host_and_rest("https://www.Shop.example:8080/a?b=1")
    ('shop.example', '/a?b=1')
    """
    m = _URL.fullmatch(_as_browsers_read(plain_text(text)))
    return (m["host"].lower().removeprefix("www.").rstrip("."), m["rest"]) if m else None


def _as_browsers_read(text: str) -> str:
    """A web address with any number of strokes of either kind behind its scheme."""
    return _SCHEME.sub(r"\1://", text.replace("\\", "/"), count=1)


def _is_id(text: str) -> bool:
    if (
        _UUID.fullmatch(text)
        or _SOCIAL.fullmatch(text)
        or _CARD.fullmatch(text)
        or _DIGITS.fullmatch(text)
        or _CARD_PARTED.fullmatch(text)
    ):
        return True
    if (_IBAN.fullmatch(text) or _IBAN_PARTED.fullmatch(text)) and sum(c.isdigit() for c in text) >= 6:
        return True
    for form in (_PREFIXED, _GROUPED):
        m = form.fullmatch(text)
        if m:
            number = text.lstrip("#")[len(m[1]) :].lstrip("#-_/ ")
            known = m[1].lower() in _KNOWN and not (len(m[1]) == 1 and len(number) > 5)
            return not known and not _is_period(number)
    m = _KEYED.fullmatch(text)
    if m:
        return _is_mixed(m[1]) if not m[1].isdigit() else not _is_period(m[1])
    return _TOKEN.fullmatch(text) is not None and _is_mixed(text)


def _is_period(digits: str) -> bool:
    """A year, or a date: behind a word it tells when, not which. `2026-0013` is the number of something in its year."""
    return _PERIOD.fullmatch(digits) is not None


def _is_mixed(token: str) -> bool:
    """Whether letters and digits alternate as in a key made by a machine, not as in a word with a number behind it."""
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(token))
    digits = sum(c.isdigit() for c in token)
    if token.isupper():
        return turns >= 1 and digits >= 5
    return turns >= 3 and digits >= 3
