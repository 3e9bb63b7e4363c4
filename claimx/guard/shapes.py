"""What a value looks like by itself, whatever its field is called: an identifier, an address, or nothing to trace.

Only forms that nobody writes by accident count: dates, versions, sizes, colours, file names, standards and names of
models hold digits, too, and a call may choose them freely.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from claimx.types import SlotType

_UUID = re.compile(r"\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?", re.I)
_MAIL = re.compile(r"(?:[^<>@\n]{0,80}<)?\s*(?:mailto:)?[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}\s*>?", re.I)
_URL = re.compile(r"[a-z][a-z+.-]{1,9}://(?:[^\s/?#@]*@)?(?P<host>[^\s/?#:@]+)(?::\d+)?(?P<rest>\S*)", re.I)
_PHONE = re.compile(r"(?:tel:)?\+\d[\d\s().\-/]{6,24}|\(\d{2,4}\)\s?\d[\d\s.\-]{5,12}|\d{3}[\s.-]\d{3}[\s.-]\d{4}")
_CARD = re.compile(r"\d{4}(?:[ -]\d{4}){2}(?:[ -]\d{1,7})|\d{4}[ -]\d{6}[ -]\d{5}")
_IBAN = re.compile(r"[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", re.I)
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
    r"localhost|[^.]+|.*\.(?:local|localhost|internal|test)|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|0\.0\.0\.0|\[::1?\]"
)
#: More than this is prose.
_LONGEST = 400


@lru_cache(maxsize=16384)
def shape_of(text: str) -> SlotType | None:
    """Return ID or CONTACT for a text that is, as a whole, an identifier or a way to reach somebody; else None.

    >>> [str(shape_of(t)) for t in ("SU-88421", "ann@example.com", "https://shop.example/a", "DE89 3704 0044 0532 0130 00")]
    ['ID', 'CONTACT', 'CONTACT', 'ID']
    >>> [shape_of(t) for t in ("2026-03-14", "v1.2.3", "ISO-27001", "report-2026.pdf", "us-east-1", "1920x1080", "gpt-4o-mini")]
    [None, None, None, None, None, None, None]
    """
    text = text.strip()
    if not 5 <= len(text) <= _LONGEST:
        return None
    if "@" in text and _MAIL.fullmatch(text):
        return SlotType.CONTACT
    if "://" in text:
        m = _URL.fullmatch(text)
        return SlotType.CONTACT if m and not _LOCAL.fullmatch(m["host"].lower()) else None
    if len(text) > 128 or not any(c.isdigit() for c in text) or _DATE.fullmatch(text):
        return None
    if _PHONE.fullmatch(text):
        return SlotType.CONTACT
    return SlotType.ID if _is_id(text) else None


def host_and_rest(text: str) -> tuple[str, str] | None:
    """Return the host of a web address, `www.` aside, and what follows it; None for anything else.

    >>> host_and_rest("https://www.Shop.example:8080/a?b=1")
    ('shop.example', '/a?b=1')
    """
    m = _URL.fullmatch(text.strip())
    return (m["host"].lower().removeprefix("www.").rstrip("."), m["rest"]) if m else None


def _is_id(text: str) -> bool:
    if _UUID.fullmatch(text) or _CARD.fullmatch(text) or _DIGITS.fullmatch(text):
        return True
    if _IBAN.fullmatch(text) and sum(c.isdigit() for c in text) >= 6:
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
    """A year, or a date without marks: behind a word it tells when, not which."""
    return bool(re.fullmatch(r"(?:19|20)\d{2}(?:[-_/]?\d{1,2}){0,2}(?:[-_/][a-z]+)?", digits, re.I))


def _is_mixed(token: str) -> bool:
    """Whether letters and digits alternate as in a key made by a machine, not as in a word with a number behind it."""
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(token))
    digits = sum(c.isdigit() for c in token)
    if token.isupper():
        return turns >= 1 and digits >= 5
    return turns >= 3 and digits >= 3
