"""Stand-ins for what is known by its form: of the same length, valid where it can be, and nobody's.

Network addresses come from the ranges set apart for documentation (RFC 5737, RFC 3849); where none is of the length asked for,
from ranges that no one is reached under (RFC 1918, RFC 1122, RFC 4193).
"""

from __future__ import annotations

import random
import re
import string
from datetime import date

from claimx.redact.forms import DATES, WAYS, Form, dates_of
from claimx.redact.stand_ins import StandIns

_WORD = re.compile(r"[^\W\d_]+")


class FormStandIns:
    """Makes stand-ins for forms with the same key as those for names and codes, so that a name in an address is the name."""

    def __init__(self, make: StandIns) -> None:
        self._make = make
        self._made: dict[tuple[Form, str], str] = {}
        self._taken: set[tuple[Form, str]] = set()

    def of(self, form: Form, text: str) -> str:
        """The stand-in of a text, as long as the text; spaces and hyphens inside of numbers do not count."""
        match form:
            case Form.ADDRESS:
                return self._worded(text, WAYS)
            case Form.HANDLE:
                return self._worded(text, frozenset())
            case Form.COORDINATE:
                return self._coordinate(text)
            case Form.CARD:
                return self._make.digits(text)
            case _:
                return _spaced(form, self._fresh(form, text), text)

    def birth(self, day: date) -> date:
        """Another day of birth, in the same month, so that it is as long however it is written."""
        rng = self._make.rng("birth", day.isoformat())
        days = range(1, 10) if day.day < 10 else range(10, 29)
        return date(
            rng.choice([y for y in range(1942, 2005) if y != day.year]),
            day.month,
            rng.choice([d for d in days if d != day.day]),
        )

    def _worded(self, text: str, kept: frozenset[str]) -> str:
        """Words exchanged one by one but for those that are kept, numbers one by one."""

        def own(m: re.Match[str]) -> str:
            word = m.group()
            if word.casefold() in kept:
                return word
            if len(word) < 2:
                return self._letter(word)
            tail = next((t for t in _TAILS if kept and word.lower().endswith(t) and len(word) > len(t) + 1), "")
            return self._make.word(word[: len(word) - len(tail)]) + word[len(word) - len(tail) :]

        return re.sub(r"\d+", lambda m: self._make.digits(m.group()), _ordinals(_WORD, own, text))

    def _letter(self, letter: str) -> str:
        rng = self._make.rng("letter", letter.casefold())
        if not letter.isascii():
            return letter
        made = rng.choice([c for c in string.ascii_lowercase if c != letter.casefold()])
        return made.upper() if letter.isupper() else made

    def _coordinate(self, text: str) -> str:
        whole, _, rest = text.partition(".")
        low, high = {1: (1, 9), 2: (10, 89)}.get(len(whole), (100, 179))
        rng = self._make.rng("degrees", whole)
        number = rng.choice([n for n in range(low, high + 1) if str(n) != whole])
        return f"{number}.{self._make.digits(rest)}"

    def _fresh(self, form: Form, text: str) -> str:
        """A keyed stand-in of the bare text that no other text of this run has."""
        bare = _bare(form, text)
        known = self._made.get((form, bare))
        if known is not None:
            return known
        rng = self._make.rng(form, bare)
        for _ in range(1000):
            made = self._draw(form, bare, rng)
            if made != bare and (form, made) not in self._taken:
                break
        self._taken.add((form, made))
        self._made[form, bare] = made
        return made

    def _draw(self, form: Form, bare: str, rng: random.Random) -> str:
        match form:
            case Form.IP4:
                return _ip4(len(bare), rng)
            case Form.IP6:
                return _ip6(len(bare), rng)
            case Form.MAC:
                return "02" + _hex(rng, len(bare) - 2)
        # Accounts and plates: digits by their table, so that "ending in 4417" still fits; letters drawn.
        kept = 2 if form is Form.IBAN else 0
        letters = [
            rng.choice(string.ascii_uppercase) if c.isalpha() and i >= kept else c for i, c in enumerate(bare.upper())
        ]
        return self._make.digits("".join(letters))


#: Ends of German names of streets, which say what kind of way it is.
_TAILS = ("straße", "strasse", "str", "gasse", "weg", "platz", "allee", "ufer", "damm", "chaussee")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")


def _ordinals(pattern: re.Pattern[str], own: object, text: str) -> str:
    """Exchange words, letting the letters of an ordinal number ("5th Avenue") stand."""
    kept = {m.start() for m in _ORDINAL.finditer(text)}
    return pattern.sub(lambda m: m.group() if m.start() in kept else own(m), text)  # type: ignore[operator]


def exchange_births(text: str, births: dict[date, date], used: dict[str, str]) -> str:
    """Exchange every date of a text that is one of the days of birth, in the form it is written in; note it in `used`."""

    def exchanged(m: re.Match[str]) -> str:
        day = next((d for d in dates_of(m) if d in births), None)
        if day is None:
            return m.group()
        made, out = births[day], m.group()
        parts: list[tuple[int, int, str]] = []
        for name, start, end in ((k, *m.span(k)) for k, v in m.groupdict().items() if v):
            width = end - start
            if name.endswith("_y"):
                parts.append((start, end, str(made.year)))
            elif name.endswith("_o"):
                parts.append((start, end, _suffix(made.day)))
            elif name.endswith("_d") or (name in ("n_a", "n_b") and name == _day_group(m, day)):
                parts.append((start, end, str(made.day).zfill(width)))
        for start, end, new in parts:
            out = out[: start - m.start()] + new + out[end - m.start() :]
        used[m.group()] = out
        return out

    return DATES.sub(exchanged, text) if births else text


def _day_group(m: re.Match[str], day: date) -> str:
    return "n_b" if m["n_s"] != "." and (int(m["n_a"]), int(m["n_b"])) == (day.month, day.day) else "n_a"


def _suffix(day: int) -> str:
    return "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")


def _bare(form: Form, text: str) -> str:
    if form in (Form.IBAN, Form.PLATE):
        return re.sub(r"[ -]", "", text).upper()
    return re.sub(r"[:-]", "", text).lower() if form is Form.MAC else text.lower()


def _spaced(form: Form, made: str, text: str) -> str:
    """Put a bare stand-in into the spacing and the letter case of the text."""
    if form not in (Form.IP4, Form.IP6):
        fresh = iter(made)
        made = "".join(c if c in " :-" else next(fresh) for c in text)
    return made.lower() if text.islower() else made.upper() if text.isupper() else made


def _ip4(length: int, rng: random.Random) -> str:
    def last(digits: int) -> str:
        return str(rng.randint(*{1: (1, 9), 2: (10, 99), 3: (100, 254)}[digits]))

    heads = {9: ["192.0.2."], 10: ["192.0.2."], 11: ["192.0.2.", "203.0.113."], 12: ["203.0.113.", "198.51.100."],
             13: ["203.0.113.", "198.51.100."], 14: ["198.51.100."]}  # fmt: skip
    if length in heads:
        head = rng.choice([h for h in heads[length] if 1 <= length - len(h) <= 3])
        return head + last(length - len(head))
    if length == 15:
        return f"192.168.{last(3)}.{last(3)}"
    return ".".join(["10" if length == 8 else "0", last(1), last(1), last(1)])


def _ip6(length: int, rng: random.Random) -> str:
    def groups(count: int, digits: int) -> str:
        sizes = [digits // count + (i < digits % count) for i in range(count)]
        return ":".join(rng.choice("123456789abcdef") + _hex(rng, s - 1) for s in sizes)

    if length == 39:
        return "2001:0db8:" + groups(6, 24)
    if length >= 35:
        return "2001:db8:" + groups(6, length - 14)
    if length >= 11:
        count = -(-(length - 9) // 5)
        return "2001:db8::" + groups(count, length - 10 - (count - 1))
    return f"fd{_hex(rng, 2)}::" + groups(1, length - 6)


def _hex(rng: random.Random, count: int) -> str:
    return "".join(rng.choice(string.hexdigits[:16]) for _ in range(count))
