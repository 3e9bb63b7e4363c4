"""The ways to reach somebody that a run saw: e-mail addresses, phone numbers, sites, postal addresses."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from claimx.guard import texts
from claimx.guard.identifiers import Identifiers
from claimx.guard.names import is_place
from claimx.guard.shapes import bare_site, host_and_rest, shape_of
from claimx.types import SlotType
from claimx.values import Contact, key_of, parse

_DIGIT_RUNS = re.compile(r"\d+")
_NAMES = re.compile(r"[^\W\d_]{3,}")
_PARTS = re.compile(r"[/?&=#;,]+")
#: Words of postal addresses that name no place by themselves.
_STREETS = frozenset(
    "street str avenue ave road lane drive boulevard blvd place square court way suite apt apartment unit floor house building room strasse "
    "straße rue calle via the and usa united states".split()
)
#: Where a value was seen, and how the two agree.
Hit = tuple[str, str]


class Contacts:
    """Addresses, each with the path where it was seen first. `ids` are the identifiers of the same run, `find_words`
    finds words in its texts."""

    def __init__(self, ids: Identifiers, find_words: Callable[[str], Hit | None]) -> None:
        self._ids = ids
        self._find_words = find_words
        self._parties: dict[Any, str] = {}
        self._hosts: dict[str, str] = {}
        self._numbers: dict[str, str] = {}
        self._dialled: dict[str, list[tuple[str, str]]] = defaultdict(list)

    def add(self, text: str, path: str, *, key: str = "") -> None:
        """File the addresses in a text; `key` is the name of the field that it stands in."""
        for part in texts.address_texts(text):
            value = parse(SlotType.CONTACT, part, key=key)
            form = key_of(value) if isinstance(value, Contact) else None
            if form is not None:
                self._parties.setdefault(form, path)
                if isinstance(value, Contact) and value.kind == "phone" and (digits := _dialled(part)[0]):
                    self._dialled[digits[-7:]].append((part.strip(), path))
        for host in texts.hosts(text):
            self._hosts.setdefault(host, path)
        if " " in text.strip() or is_place(key):
            for number in _DIGIT_RUNS.findall(text):
                self._numbers.setdefault(number, path)

    def find(self, value: Any, key: str) -> Hit | None:
        """Return where an address was seen, None when it was not."""
        if isinstance(value, str):
            site = host_and_rest(value) or bare_site(value, key)
            if site is not None:
                return self._find_site(*site)
        return self.find_party(value, key) or (self._find_place(value) if isinstance(value, str) else None)

    def find_party(self, value: Any, key: str) -> Hit | None:
        """An e-mail address or a phone number; of several in one text all must have been seen."""
        contact = parse(SlotType.CONTACT, value, key=key)
        if not isinstance(contact, Contact) or contact.masked or contact.kind not in ("email", "phone"):
            return None
        if contact.kind == "email" and texts.has_other_address(str(value)):
            return None
        paths = [self._parties.get((contact.kind, core)) for core in (contact.core, *contact.others)]
        if all(paths):
            return str(paths[0]), f"it is {contact.core} there"
        return self._find_number(str(value)) if contact.kind == "phone" else None

    def _find_number(self, text: str) -> Hit | None:
        """A phone number that is written with its country's code on one side and with the zero of its own country on the other."""
        digits, abroad = _dialled(text)
        for seen, path in self._dialled.get(digits[-7:], ()):
            other, other_abroad = _dialled(seen)
            long, short = (digits, other) if abroad else (other, digits)
            if (
                abroad is not other_abroad
                and len(short) >= 8
                and long.endswith(short)
                and 1 <= len(long) - len(short) <= 3
            ):
                return path, f"it is {seen} there"
        return None

    def _find_site(self, host: str, rest: str) -> Hit | None:
        """A web address whose site this run saw, and with it all that looks like an identifier in the rest."""
        path = self._hosts.get(host)
        if path is None:
            return None
        for part in _PARTS.split(unquote(rest)):
            if shape_of(part) is SlotType.ID and self._ids.find(part) is None:
                return None
            if shape_of(part) is SlotType.CONTACT and self.find(part, "") is None:
                return None
        return path, f"it is on {host}, which stands there"

    def _find_place(self, text: str) -> Hit | None:
        """A postal address: as it stands, or all its numbers and most of its names in addresses and texts of this run."""
        if shape_of(text) is not None:
            return None
        hit = self._find_words(text)
        if hit is not None:
            return hit
        paths = [self._numbers.get(number) for number in _DIGIT_RUNS.findall(text)]
        if not paths or not all(paths):
            return None
        names = [n for n in _NAMES.findall(text[:300]) if n.lower() not in _STREETS]
        known = sum(self._find_words(n) is not None for n in names)
        return (str(paths[-1]), "its numbers and names stand there") if 2 * known >= len(names) else None


def _dialled(text: str) -> tuple[str, bool | None]:
    """The digits of a phone number without the zeros before them, and whether it is written for callers from abroad (None where
    nothing shows it)."""
    text = text.strip()
    digits = "".join(c for c in text if c.isdigit())
    abroad = True if text.startswith(("+", "00")) else False if digits.startswith("0") else None
    return digits.lstrip("0"), abroad
