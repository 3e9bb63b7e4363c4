"""E-mail addresses, phone numbers, web addresses and handles."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because
from claimx.values.keys import words_of

_EMAIL = re.compile(r"(?<![\w.+%'-])[\w.+%'*-]{1,64}@[\w*-]{1,63}(?:\.[\w*-]{1,63}){1,6}")
_SPOKEN = re.compile(
    r"^([\w.+-]{1,64})\s+(?:at|\[at\]|\(at\))\s+([\w-]{1,63})\s+(?:dot|\[dot\]|\(dot\)|\.)\s+([a-z]{2,10})$", re.I
)
_URL = re.compile(
    r"^(?:[a-z][a-z+]{1,9}://)?(?:www\.)?(?P<host>[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}|localhost)(?::\d{1,5})?(?P<path>[/?#]\S*)?$",
    re.I,
)
_PHONE = re.compile(
    r"^(?:tel:)?(?:\+|\(|\d|[*xX•])[\d\s().\-/*xX•–]{4,24}(?:\s*(?:x|ext\.?|extension)\s*(?P<ext>\d{1,6}))?$", re.I
)
_VANITY = re.compile(r"^\+?1?[\s-]*(?:\(?8\d\d\)?)[\s-][A-Z\d][A-Z\d-]{6,11}$")
_LAST_DIGITS = re.compile(r"(?:ending|ends)\s+(?:in|with)\s+(\d{2,6})$|last\s+(?:\w+\s+)?digits?\s+(\d{2,6})$", re.I)
_NO_PHONE = re.compile(
    r"^\d{4}-\d{1,2}-\d{1,2}|^\d{1,3}(?:\.\d{1,3}){3}$|^\d+[.]\d{1,2}$|^\d{1,2}[/.]\d{1,2}[/.]\d{2,4}$"
)
_HANDLE = re.compile(r"^@[\w.-]{2,40}$")
_PHONE_KEYS = frozenset(
    {
        "phone",
        "tel",
        "telephone",
        "mobile",
        "cell",
        "fax",
        "sms",
        "whatsapp",
        "number",
        "to",
        "from",
        "recipient",
        "contact",
    }
)


@dataclass(frozen=True, slots=True)
class Contact:
    """A way to reach somebody. `kind` is email, phone, url or handle; `core` its comparable form; `others` the
    further ones that stand in the same text; `masked` when parts are hidden."""

    kind: str
    core: str
    text: str
    others: frozenset[str] = frozenset()
    masked: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "contact": self.core}


def parse_contact(raw: object, *, key: str = "", region: str = "US") -> Contact | None:
    """Read an e-mail address, a phone number, a web address or a handle; `region` completes national phone numbers.

    >>> parse_contact("(555) 010-4477").core == parse_contact("+15550104477").core
    True
    >>> parse_contact("Ann <Ann@Example.com>").core, parse_contact("https://www.Example.com/a/").core
    ('ann@example.com', 'example.com/a')
    """
    if isinstance(raw, Mapping):
        names = ("email", "address", "emailAddress", "phone", "phone_number", "url")
        inner = next((raw[k] for k in names if isinstance(raw.get(k), str)), None)
        return parse_contact(inner, key=key, region=region) if inner is not None else None
    if isinstance(raw, int) and not isinstance(raw, bool):
        if not 10**6 <= raw < 10**15 or (key and _PHONE_KEYS.isdisjoint(words_of(key))):
            return None
        raw = str(raw)
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:600]
    emails = [m.group().lower().strip("'.") for m in _EMAIL.finditer(text)] if "@" in text and "://" not in text else []
    if emails:
        return Contact("email", emails[0], text, frozenset(emails[1:]), "*" in emails[0])
    spoken = _SPOKEN.match(text)
    if spoken:
        return Contact("email", f"{spoken[1]}@{spoken[2]}.{spoken[3]}".lower(), text)
    if _HANDLE.match(text):
        return Contact("handle", text.lower(), text)
    last = _LAST_DIGITS.search(text)
    if last:
        return Contact("phone", last.group(1) or last.group(2), text, masked=True)
    if (_PHONE.match(text) and sum(c.isdigit() for c in text) >= 3 and not _NO_PHONE.match(text)) or _VANITY.match(
        text
    ):
        return _phone(text, region)
    m = _URL.match(text.strip("<>()., "))
    if m and any(c.isalpha() for c in m.group("host")):
        path = unquote((m.group("path") or "").split("#")[0]).rstrip("/")
        return Contact("url", m.group("host").lower() + path, text)
    return None


def _phone(text: str, region: str) -> Contact | None:
    masked = re.search(r"[*xX•]{2,}", text)
    if masked:
        tail = re.sub(r"\D", "", text[masked.end() :])
        return Contact("phone", tail, text, masked=True) if tail else None
    if sum(c.isdigit() for c in text) < 5 and not _VANITY.match(text):
        return Contact("phone", re.sub(r"\D", "", text), text) if re.fullmatch(r"\d{3}", text) else None
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        digits = re.sub(r"\D", "", text)
        return Contact("phone", digits, text) if digits else None
    return Contact("phone", str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164)), text)


def same_contact(claimed: Contact, recorded: Contact) -> Comparison:
    """Compare ways to reach somebody of the same kind.

    >>> same_contact(parse_contact("bob@example.com"), parse_contact("alice@example.com")).outcome.value
    'different'
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    if claimed.kind != recorded.kind:
        return unknown_because(f"{mine} and {theirs} are not of the same kind")
    if claimed.core == recorded.core:
        return same_because(f"both are {claimed.core}")
    if {claimed.core, *claimed.others} & {recorded.core, *recorded.others}:
        return same_because(f"{mine} is among {theirs}")
    comparison = {"phone": _same_phone, "url": _same_url, "email": _same_email}.get(claimed.kind)
    found = comparison(claimed, recorded) if comparison else None
    if found is not None:
        return found
    slip = near_miss(claimed.core, recorded.core)
    return different_because(f"{mine} is not {theirs}" + (f": {slip}" if slip else ""))


def _same_phone(claimed: Contact, recorded: Contact) -> Comparison | None:
    a, b = re.sub(r"\D", "", claimed.core), re.sub(r"\D", "", recorded.core)
    short, long = sorted((a, b), key=len)
    if claimed.masked or recorded.masked:
        if long.endswith(short):
            return same_because(f"{claimed.text!r} shows the last digits of {recorded.text!r}")
        return None
    # A region that was guessed puts its code before a foreign national number, and a trunk zero stands for one.
    national = [re.sub(r"\D", "", c.text).lstrip("0") for c in (claimed, recorded)]
    for number, full in ((national[0], b), (national[1], a), (short, long)):
        if len(number) >= 7 and full.endswith(number):
            return same_because(f"{claimed.text!r} is {recorded.text!r}, its prefix aside")
    return None


def _same_url(claimed: Contact, recorded: Contact) -> Comparison | None:
    a, b = claimed.core, recorded.core
    plain = a.split("?")[0].rstrip("/"), b.split("?")[0].rstrip("/")
    if plain[0] == plain[1] and ("?" not in a or "?" not in b):
        return same_because(f"{claimed.text!r} leads to {recorded.text!r}")
    if "/" not in plain[0] and b.startswith((a + "/", a + "?")):
        return same_because(f"{claimed.text!r} is the site of {recorded.text!r}")
    if a.startswith((b + "/", b + "?")):
        return unknown_because(f"{claimed.text!r} goes further than {recorded.text!r}")
    return None


def _same_email(claimed: Contact, recorded: Contact) -> Comparison | None:
    for x in (claimed, recorded):
        other = recorded if x is claimed else claimed
        if x.masked:
            pattern = "".join("[^@]*" if p.startswith("*") else re.escape(p) for p in re.findall(r"\*+|[^*]+", x.core))
            if re.fullmatch(pattern, other.core):
                return same_because(f"{claimed.text!r} fits {recorded.text!r}")
    (user_a, _, host_a), (user_b, _, host_b) = claimed.core.partition("@"), recorded.core.partition("@")
    if host_a == host_b and user_a.split("+")[0] == user_b.split("+")[0]:
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} differ in their tag only")
    return None
