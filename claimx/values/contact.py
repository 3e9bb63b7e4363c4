"""E-mail addresses, phone numbers and web addresses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because

_EMAIL = re.compile(r"[\w.+%'-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}")
_SPOKEN = re.compile(r"^([\w.+-]+)\s+(?:at|\[at\]|\(at\))\s+([\w-]+)\s+(?:dot|\[dot\]|\.)\s+([a-z]{2,})$", re.I)
_URL = re.compile(r"^(?:https?://)?(?:www\.)?([\w-]+(?:\.[\w-]+)+(?::\d+)?)(/\S*)?$", re.I)
_PHONE = re.compile(r"^[+(]?[\d\s().\-/]{5,24}(?:(?:x|ext\.?)\s*\d{1,6})?$", re.I)


@dataclass(frozen=True, slots=True)
class Contact:
    """A way to reach somebody. `kind` is email, phone or url; `core` its comparable form."""

    kind: str
    core: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "contact": self.core}


def parse_contact(raw: object, *, region: str = "US") -> Contact | None:
    """Read an e-mail address, a phone number or a web address; `region` completes national phone numbers.

    >>> parse_contact("(555) 010-4477").core == parse_contact("+15550104477").core
    True
    >>> parse_contact("Ann <Ann@Example.com>").core
    'ann@example.com'
    """
    if isinstance(raw, int) and not isinstance(raw, bool):
        raw = str(raw)
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:320]
    m = _EMAIL.search(text)
    if m:
        return Contact("email", m.group().lower().strip("'"), text)
    spoken = _SPOKEN.match(text)
    if spoken:
        return Contact("email", f"{spoken[1]}@{spoken[2]}.{spoken[3]}".lower(), text)
    if _PHONE.match(text) and sum(c.isdigit() for c in text) >= 5:
        return Contact("phone", _phone_core(text, region), text)
    m = _URL.match(text.strip("<>().,"))
    if m and any(c.isalpha() for c in m.group(1)):
        return Contact("url", (m.group(1).lower() + (m.group(2) or "").rstrip("/")), text)
    return None


def _phone_core(text: str, region: str) -> str:
    import phonenumbers

    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return re.sub(r"\D", "", text)
    return str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))


def same_contact(claimed: Contact, recorded: Contact) -> Comparison:
    """Compare ways to reach somebody of the same kind.

    >>> same_contact(parse_contact("bob@example.com"), parse_contact("alice@example.com")).outcome.value
    'different'
    """
    if claimed.kind != recorded.kind:
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} are not of the same kind")
    if claimed.core == recorded.core:
        return same_because(f"both are {claimed.core}")
    if claimed.kind == "phone":
        a, b = re.sub(r"\D", "", claimed.core), re.sub(r"\D", "", recorded.core)
        short, long = sorted((a, b), key=len)
        if long.endswith(short.lstrip("0")) and len(short) >= 7:
            return same_because(f"{claimed.text!r} is {recorded.text!r} without its prefix")
    if claimed.kind == "url":
        a, b = claimed.core.split("?")[0], recorded.core.split("?")[0]
        if a == b or (b.startswith(a + "/") and "/" not in a):
            return same_because(f"{claimed.text!r} leads to {recorded.text!r}")
    slip = near_miss(claimed.core, recorded.core)
    return different_because(f"{claimed.text!r} is not {recorded.text!r}" + (f": {slip}" if slip else ""))
