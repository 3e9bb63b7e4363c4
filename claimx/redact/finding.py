"""What of a run identifies somebody: by the extractor, by form, and by the names of the fields that hold it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from claimx.redact.forms import WAYS, Form, births_in, forms_in, is_handle
from claimx.types import Extraction, Run, SlotType
from claimx.values.keys import words_of

#: Dates and times of day: they stay, and nothing inside them is exchanged.
PROTECTED = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\b\d{1,2}:\d{2}(?::\d{2})?\b"
    r"|\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\b|\b(?:19|20)\d{2}/\d{2}/\d{2}\b"
)
EMAIL = re.compile(r"[A-Za-z0-9_.+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
PHONE = re.compile(
    r"(?<![\w.])(?:\+\d{1,3}[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{2,5}(?:[ .-]\d{2,5}){1,4}(?!\w|\.\d)|\+\d{8,15}"
)
MONEY = re.compile(
    r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|PLN)\b)\s?-?(\d[\d,.]*\d|\d)"
    r"|(?<![\w.,])(\d[\d,.]*\d|\d)\s?(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|CAD|AUD|INR|SEK|NOK|DKK|PLN|dollars?|euros?|pounds?)\b)"
)
CODE = re.compile(
    r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b"
    r"|\b(?:\d{4}[ -]){3}\d{1,7}\b|#\d{3,}\b|\b[A-Za-z]{1,8}[-_#]\d[\dA-Za-z-]{2,}\b|\b[A-Z]{1,4}\d{4,}[A-Z]?\b|\b\d{6,}\b"
    r"|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b|\b(?=[A-Z0-9]*\d[A-Z0-9]*\d)(?=\d*[A-Z])[A-Z0-9]{7,}\b|\b\d{2,6}-\d{3,}\b"
)
NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_DEGREES = re.compile(r"-?\d{1,3}\.\d{3,}")
_LOWER = re.compile(r"[a-z]")
_FRACTION = re.compile(r"-?\d[\d,]*\.\d{1,2}")
_FIELD = re.compile(r"[A-Za-z_$][A-Za-z_$]*\d?")
_NAME = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
#: Words of a name that are no one's own.
COMMON = frozenset(
    "dr mr mrs ms miss prof sir madam herr frau mx de del der den van von la le el bin ibn al da di du dos das y and team "
    "support agent customer user guest the of for".split()
)
#: Names that are words, too: they are exchanged where a name was found, not wherever the word stands.
_WORDS_TOO = frozenset(
    "will mark may april june august grace hope bill rose frank art rich chase max bob rob jack sue pat drew skip ray dean "
    "faith joy dawn summer autumn penny crystal iris violet miles page reed stone wood hill lake ford king price cook baker "
    "long short young brown black white green gray banks parks wells west north case first last order home sun sea don ali".split()
)
_PERSON_KEYS = frozenset(
    "customer recipient guest passenger patient owner assignee contact attendee attendees employee candidate driver sender "
    "payee beneficiary holder member subscriber tenant student client author host organizer requester reporter invitee person "
    "people consignee shipper cardholder traveler traveller first last full surname nickname username".split()
)
_NAME_KEYS = frozenset({"name", "names"})
_ADDRESS_KEYS = frozenset({"address", "street", "line1", "line2", "addr"})
_HANDLE_KEYS = frozenset({"username", "login", "handle", "nickname", "screenname"})
_PLATE_KEYS = frozenset({"plate", "plates", "registration", "kennzeichen"})
_POSTAL_KEYS = frozenset({"zip", "zipcode", "postcode", "postal"})
_COORDINATE_KEYS = frozenset({"lat", "latitude", "lon", "lng", "long", "longitude", "coordinates", "coords", "latlng"})
#: Keys of identifiers that are written with blanks.
_SPACED_KEYS = frozenset({"iban", "card", "passport", "account", "vin", "ssn", "licence", "license"})
_ID_KEYS = frozenset(
    "id ids number no num ref reference code confirmation tracking sku order account invoice ticket booking case pnr iban card "
    "serial vin plate passport ssn token key uuid guid container waybill policy claim transaction receipt".split()
)
_MONEY_KEY = re.compile(
    r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|minor|sum|deposit|fare|due",
    re.I,
)


@dataclass(slots=True)
class Found:
    """What was found in a run, as texts: `names` as whole names, `amounts` as numbers, `forms` with what they are, and
    days of birth."""

    names: set[str] = field(default_factory=set)
    codes: set[str] = field(default_factory=set)
    contacts: set[str] = field(default_factory=set)
    amounts: set[str] = field(default_factory=set)
    forms: dict[str, Form] = field(default_factory=dict)
    births: set[date] = field(default_factory=set)

    @property
    def name_words(self) -> set[str]:
        """The words of all names that may be exchanged wherever they stand."""
        words = {w for n in self.names for w in _NAME.findall(n)}
        return {w for w in words if len(w) > 1 and w.casefold() not in COMMON and w.casefold() not in _WORDS_TOO}


def leaves(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every scalar of a JSON value with the name of the field that holds it, and keys that are values, under no name.

    A fractional number beside a currency is an amount whatever its field is called: its name is given as "amount".
    """
    if isinstance(value, Mapping):
        beside = any("currency" in str(k).lower() for k in value)
        for k, v in value.items():
            if is_value(k):
                yield "", k
            yield from leaves(v, "amount" if beside and _FRACTION.fullmatch(str(v)) else str(k))
    elif isinstance(value, list | tuple):
        for v in value:
            yield from leaves(v, key)
    elif value is not None:
        yield key, value


def is_value(key: object) -> bool:
    """Whether a key of a mapping is no name of a field but a value by which something is kept: an address, an id."""
    return isinstance(key, str) and not _FIELD.fullmatch(key)


def find(run: Run, readings: Iterable[tuple[str, Extraction]], *, terms: Iterable[str] = ()) -> Found:
    """Find what identifies somebody. `readings` are texts of the run with what the extractor found in each; `terms` are
    further names that must go."""
    out = Found(names=set(terms))
    for _, reading in readings:
        for slot in [*(s for a in reading.actions for s in a.slots), *reading.values]:
            _sort(slot.type, slot.text, out)
    record = {k: v for k, v in run.to_dict().items() if k not in ("id", "tools")}
    either: list[tuple[date, ...]] = []
    for key, value in leaves(record):
        if isinstance(value, str):
            out.forms |= {text: form for form, text in forms_in(value)}
            _by_form(value, out)
            either += births_in(value, key=key)
        _by_key(key, value, out)
    out.births = {days[0] for days in either if len(days) == 1}
    out.births |= {d for days in either if out.births.isdisjoint(days) for d in days}
    out.names = {n for n in out.names if _NAME.search(n)}
    return out


def _sort(kind: SlotType, text: str, out: Found) -> None:
    match kind:
        case SlotType.PERSON if any(c.isupper() for c in text):
            out.names.add(text)
        case SlotType.ID:
            out.codes.add(text.lstrip("#"))
        case SlotType.MONEY:
            out.amounts.update(NUMBER.findall(text))
        case SlotType.CONTACT if text.startswith("@") and is_handle(text[1:]):
            out.forms[text[1:]] = Form.HANDLE
        case SlotType.CONTACT:
            out.contacts.add(text)


def _by_form(text: str, out: Found) -> None:
    bare = PROTECTED.sub(lambda m: " " * len(m.group()), text)
    out.contacts.update(EMAIL.findall(bare))
    for m in MONEY.finditer(bare):
        out.amounts.add((m.group(1) or m.group(2)).rstrip(".,"))
    bare = MONEY.sub(lambda m: " " * len(m.group()), EMAIL.sub(" ", bare))
    out.contacts.update(m.group() for m in PHONE.finditer(bare) if sum(c.isdigit() for c in m.group()) >= 7)
    for m in CODE.finditer(bare):
        out.codes.add(m.group().lstrip("#"))


def _by_key(key: str, value: Any, out: Found) -> None:
    words = {*words_of(key), key.lower().replace("_", "")}
    if isinstance(value, bool) or not key:
        return
    number = isinstance(value, int | float)
    text = str(value)
    if words & _COORDINATE_KEYS and _DEGREES.fullmatch(text):
        out.forms[text.lstrip("-")] = Form.COORDINATE
        return
    if words & _POSTAL_KEYS and any(c.isdigit() for c in text) and 4 <= len(text) <= 10:
        out.forms[text] = Form.ADDRESS
        return
    if _MONEY_KEY.search(key) and not words & {"id", "code", "type", "count", "currency"}:
        if number or NUMBER.fullmatch(text):
            out.amounts.add(text.lstrip("-"))
        return
    if number:
        if words & _ID_KEYS and isinstance(value, int) and abs(value) >= 1000:
            out.codes.add(str(abs(value)))
        return
    if len(text) > 80 or PROTECTED.fullmatch(text):
        return
    if words & _ID_KEYS and any(c.isdigit() for c in text) and len(text) >= 3 and " " not in text.strip():
        out.codes.add(text.lstrip("#"))
    elif words & _PLATE_KEYS and any(c.isdigit() for c in text) and len(text) <= 12:
        out.forms[text] = Form.PLATE
    elif words & _SPACED_KEYS and sum(c.isdigit() for c in text) >= 4 and len(text) <= 42 and not _LOWER.search(text):
        out.forms.setdefault(text, Form.IBAN if text[:2].isalpha() and text[2:4].isdigit() else Form.CARD)
    elif words & _HANDLE_KEYS and is_handle(text):
        out.forms[text] = Form.HANDLE
    elif words & _ADDRESS_KEYS and "@" not in text and any(c.isalpha() for c in text):
        _address(text, out)
    elif (words & _PERSON_KEYS and _is_name(text, 1)) or (words & _NAME_KEYS and len(words) == 1 and _is_name(text, 2)):
        out.names.add(text)


def _address(text: str, out: Found) -> None:
    """An address is exchanged as a whole and part by part, so that a reply may name its street alone."""
    if out.forms.setdefault(text, Form.ADDRESS) is not Form.ADDRESS:
        return
    for part in re.split(r"\s*[,;\n]\s*", text):
        for name in (part, part.strip("0123456789 ")):
            told = [w for w in _NAME.findall(name) if w.casefold() not in WAYS and w[:1].isupper() and len(w) > 2]
            if told and len(name) >= 4:
                out.forms.setdefault(name, Form.ADDRESS)


def _is_name(text: str, least: int) -> bool:
    words = text.split()
    return least <= len(words) <= 4 and all(
        w[:1].isupper() and w.strip(".,'’").replace("-", "").isalpha() for w in words
    )
