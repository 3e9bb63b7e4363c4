"""What identifies somebody by its form alone: network addresses, accounts and cards, streets, plates, coordinates, dates of
birth, and the user names in web addresses."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from datetime import date
from enum import StrEnum

from claimx.values.keys import words_of


class Form(StrEnum):
    """What a text is, which says how its stand-in is made."""

    IP4 = "ip4"
    IP6 = "ip6"
    MAC = "mac"
    IBAN = "iban"
    CARD = "card"
    ADDRESS = "address"
    PLATE = "plate"
    COORDINATE = "coordinate"
    HANDLE = "handle"


_IP4 = re.compile(r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?!\w|\.\d)")
_IP6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?!\w|:\w|\.\d)")
_MAC = re.compile(r"(?<![\w:-])[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?![\w:-])")
_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?!\w)")
_CARD = re.compile(r"(?<![\w.,])\d(?:[ -]?\d){12,18}(?![\w]|[.,]\d)")
_COORDINATES = re.compile(
    r"(?<![\w.])-?\d{1,3}\.\d{3,}(?=\s?°?\s?[NSns]?\s?[,;/ ]\s?-?\d{1,3}\.\d{3,})|(?<=[\d°NSns,;/ ])-?(?<![\w.])\d{1,3}\.\d{3,}(?=\s?°)"
)
_SECOND = re.compile(r"\s?°?\s?[NSns]?\s?[,;/ ]\s?-?(\d{1,3}\.\d{3,})")
#: Words that say what kind of way it is, or which part of a house: they stay, so that an address is read as one.
WAYS = frozenset(
    "street st road rd avenue ave lane ln drive dr boulevard blvd court ct place pl square sq terrace ter way close crescent "
    "cres parkway pkwy highway hwy row walk gardens grove hill mews quay circle cir trail alley loop plaza rise wharf apt "
    "apartment suite ste unit flat floor fl room po box straße strasse str gasse weg platz allee ufer damm ring chaussee rue "
    "av bd quai impasse allée chemin route cours calle avenida paseo carrer via viale piazza corso rua bis north south east "
    "west n s e w de la le du des del di the of".split()
)
_LONG = "Street|Road|Avenue|Lane|Boulevard|Drive|Court|Place|Square|Terrace|Way|Close|Crescent|Parkway|Highway|Row|Walk|Gardens|Grove|Hill|Mews|Quay|Circle|Trail|Alley|Loop|Plaza|Rise|Wharf"
_SHORT = "St|Rd|Ave|Ln|Blvd|Dr|Ct|Pl|Sq|Ter|Cres|Pkwy|Hwy|Cir"
_UNIT = r"(?:,?\s+(?:(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room)\.?\s?#?|#)\s?[\dA-Z]{1,5}\b)?"
_CAPITAL = r"[A-ZÀ-Þ][\w'’.-]*"
_STREETS = re.compile(
    rf"(?<![\w.,$€£])(?:\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})?,?\s+(?:(?:\d{{1,3}}(?:st|nd|rd|th)|{_CAPITAL})\s+){{1,4}}?(?:{_LONG}|(?:{_SHORT})\b\.?)(?!\w){_UNIT}"
    r"|\d{1,5}[a-z]?\s+(?:[a-z][a-z'-]+\s+){1,2}?(?:street|avenue|boulevard|lane|road|blvd)(?!\w)"
    rf"|\d{{1,4}}(?:\s?(?:bis|ter))?,?\s+(?:rue|avenue|av\.|boulevard|bd\.?|place|quai|impasse|allée|chemin|route|cours)\s+(?:(?:de|du|des|la|le)\s+|l['’]|d['’])*{_CAPITAL}(?:[\s-]{_CAPITAL}){{0,3}})"
    r"|(?<!\w)(?:[A-ZÄÖÜ][\wäöüß-]*(?:straße|strasse|str\.|str|gasse|weg|platz|allee|ufer|damm|chaussee)|(?:[A-ZÄÖÜ][\wäöüß-]*\s)?(?:Straße|Strasse|Allee|Platz|Weg|Gasse))\s+\d{1,4}(?:\s?[a-z]\b|(?!\w))"
    rf"|(?<!\w)(?:Calle|Avenida|Plaza|Paseo|Carrer|Via|Viale|Piazza|Corso|Rua)\s+(?:(?:de|del|la|los|las|di|do|da)\s+)*{_CAPITAL}(?:\s{_CAPITAL}){{0,3}},?\s+(?:n[º°o.]\s?)?\d{{1,4}}(?!\w)"
    r"|(?<!\w)P\.?\s?O\.?\s+Box\s+\d{1,6}(?!\w)"
    r"|(?<!\w)[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}(?!\w)|(?<=[a-z],\s)[A-Z]{2}\s\d{5}(?:-\d{4})?(?!\w)"
)
_PLATE = r"(?=[A-Z0-9 -]*\d)(?=[A-Z0-9 -]*[A-ZÄÖÜ])[A-ZÄÖÜ0-9]{1,4}(?:[ -]?[A-Z0-9]{1,4}){1,2}(?!\w)"
_PLATES = re.compile(
    rf"(?i:\b(?:licen[cs]e[ -]plates?|number[ -]plates?|plates?|registration|kennzeichen)(?:\s(?:number|no\.?|is))?[:#]?\s)({_PLATE})"
    r"|(?<!\w)([A-Z]{2}\d{2} [A-Z]{3}|[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?)(?!\w)"
)
_URL = re.compile(r"(?i)\b(?:[a-z][a-z+.-]{1,12}://|www\.)[^\s<>\"'`\])}]+")
_USERINFO = re.compile(r"://([^/@:\s]+)(?::([^/@\s]*))?@")
_IN_PATH = re.compile(
    r"(?i)/(?:users?|u|profiles?|people|in|members?|accounts?|customers?|home|by|author)/@?([^/?#&\s]+)|/[@~]([^/?#&\s]+)"
    r"|[?&;](?:user(?:_?name|_?id)?|uid|u|login|handle|author|owner|account|name|customer)=@?([^&#;\s]+)"
    r"|//(?:www\.)?(?:github|gitlab|twitter|x|instagram|facebook|t|tiktok|threads|medium|reddit|pinterest|vimeo|soundcloud)\.(?:com|me|net)/([A-Za-z][\w.-]+)"
)
#: Parts of web addresses that stand where user names do and are nobody's.
_NOBODY = frozenset(
    "me self all new edit admin root login logout signup settings search help about api www index home support user users "
    "current default guest system test null none list export import orgs topics explore features".split()
)
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = "(?i:" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in _MONTHS) + r")\.?"
#: Dates with a year, in the forms they are written in.
DATES = re.compile(
    r"(?<![\d.])(?P<iso_y>(?:19|20)\d{2})(?P<iso_s>[-/])(?P<iso_m>\d{2})(?P=iso_s)(?P<iso_d>\d{2})(?!\d)"
    rf"|(?<![\d.])(?P<dm_d>\d{{1,2}})(?P<dm_o>st|nd|rd|th)?\.?\s(?:of\s)?(?P<dm_m>{_MONTH}),?\s(?P<dm_y>(?:19|20)\d{{2}})(?!\d)"
    rf"|(?<!\w)(?P<md_m>{_MONTH})\s(?P<md_d>\d{{1,2}})(?P<md_o>st|nd|rd|th)?,?\s(?P<md_y>(?:19|20)\d{{2}})(?!\d)"
    r"|(?<![\d./-])(?P<n_a>\d{1,2})(?P<n_s>[./-])(?P<n_b>\d{1,2})(?P=n_s)(?P<n_y>(?:19|20)\d{2})(?!\d)"
)
_BIRTH = re.compile(r"(?i)\b(?:born|births?|birthdate|birthday|dob|d\.o\.b|geboren|geburtsdatum|née?)\b")
#: How far behind a word of birth its date may stand, in characters.
_NEAR = 40


def forms_in(text: str) -> Iterator[tuple[Form, str]]:
    """Yield what of a text identifies somebody by its form; no stretch is given twice, longer readings go first."""
    for url in _URL.finditer(text):
        yield from ((Form.HANDLE, h) for h in handles_in(url.group()))
    bare = text
    for form, start, end in _spans(text):
        if bare[start:end] == text[start:end]:
            bare = bare[:start] + "\0" * (end - start) + bare[end:]
            yield form, text[start:end]


def _spans(text: str) -> Iterator[tuple[Form, int, int]]:
    for m in _IP4.finditer(text):
        if all(int(p) < 256 for p in m.group().split(".")) and not m.group().startswith(("0.0.0.", "127.", "255.")):
            yield Form.IP4, *m.span()
    for m in _IP6.finditer(text):
        found = m.group() if m.group().endswith("::") else m.group().rstrip(":")
        if _is_ip6(found):
            yield Form.IP6, m.start(), m.start() + len(found)
    for m in _MAC.finditer(text):
        yield Form.MAC, *m.span()
    for m in _IBAN.finditer(text):
        if 15 <= len(re.sub(r"\W", "", m.group())) <= 34 and is_iban(m.group()):
            yield Form.IBAN, *m.span()
    for m in _CARD.finditer(text):
        if is_card(m.group()):
            yield Form.CARD, *m.span()
    for m in _STREETS.finditer(text):
        yield Form.ADDRESS, *m.span()
    for m in _PLATES.finditer(text):
        yield Form.PLATE, *m.span(1 if m.group(1) else 2)
    for m in _COORDINATES.finditer(text):
        start = m.start() + m.group().startswith("-")
        yield Form.COORDINATE, start, m.end()
        second = _SECOND.match(text, m.end())
        if second:
            yield Form.COORDINATE, *second.span(1)


def _is_ip6(text: str) -> bool:
    try:
        address = ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return len(text) > 6 and any(c.isdigit() for c in text) and not address.is_loopback and not address.is_unspecified


def is_iban(text: str) -> bool:
    """Whether the check digits hold (ISO 13616), or the digits are so many that nothing else is meant."""
    bare = re.sub(r"\W", "", text).upper()
    digits = sum(c.isdigit() for c in bare)
    moved = "".join(str(int(c, 36)) for c in bare[4:] + bare[:4])
    return int(moved) % 97 == 1 or (digits >= 12 and bare[:2].isalpha())


def is_card(text: str) -> bool:
    """Whether a card number's check digit holds (Luhn), 13 to 19 digits."""
    digits = [int(c) for c in text if c.isdigit()][::-1]
    doubled = [d if i % 2 == 0 else (2 * d - 9 if d > 4 else 2 * d) for i, d in enumerate(digits)]
    return 13 <= len(digits) <= 19 and sum(doubled) % 10 == 0


def handles_in(url: str) -> Iterator[str]:
    """Yield the user names and passwords that a web address carries."""
    for m in [*_USERINFO.finditer(url), *_IN_PATH.finditer(url)]:
        for part in m.groups():
            if part and is_handle(part.rstrip(".,;:!?")):
                yield part.rstrip(".,;:!?")


def is_handle(text: str) -> bool:
    """Whether a text may be somebody's user name: no everyday word of web addresses, no number."""
    return len(text) >= 3 and text.casefold() not in _NOBODY and any(c.isalpha() for c in text) and " " not in text


def births_in(text: str, *, key: str = "") -> Iterator[tuple[date, ...]]:
    """Yield the dates that a text, or the field that holds it, says somebody was born on; two where day and month may be
    either."""
    whole = not {"birth", "dob", "birthday", "birthdate", "born"}.isdisjoint(words_of(key))
    ends = [m.end() for m in _BIRTH.finditer(text)]
    for m in DATES.finditer(text):
        if whole or any(0 <= m.start() - e <= _NEAR for e in ends):
            yield tuple(dates_of(m))


def dates_of(m: re.Match[str]) -> list[date]:
    """The days that a match of DATES may mean: one, or two where day and month may be either."""
    g = m.groupdict()
    if g["n_y"]:
        tries = [(g["n_y"], g["n_a"], g["n_b"]), (g["n_y"], g["n_b"], g["n_a"])]
        if g["n_s"] == ".":
            tries = tries[1:]
    elif g["iso_y"]:
        tries = [(g["iso_y"], g["iso_m"], g["iso_d"])]
    else:
        form = "dm" if g["dm_y"] else "md"
        month = next(i for i, name in enumerate(_MONTHS, 1) if g[f"{form}_m"].lower()[:3] == name[:3])
        tries = [(g[f"{form}_y"], str(month), g[f"{form}_d"])]
    out = []
    for year, month_, day in tries:
        try:
            out.append(date(int(year), int(month_), int(day)))
        except ValueError:
            continue
    return out
