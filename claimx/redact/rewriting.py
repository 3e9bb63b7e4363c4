"""Putting stand-ins in: the same stand-in for the same value in reply, user's words, arguments, results and whatever else
a run carries. Every text keeps its length, so that offsets into it stay true."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any

from claimx.redact.amounts import ScaleError, number_of, places
from claimx.redact.finding import COMMON, MONEY, NUMBER, PROTECTED, Found, is_value
from claimx.redact.form_stand_ins import FormStandIns, exchange_births
from claimx.redact.forms import Form
from claimx.redact.stand_ins import StandIns

_WORD = re.compile(r"[^\W\d_]+")
#: Fields that say how a record is read, not what it holds; a run's own id and those of calls are kept, too.
STRUCTURE = frozenset({"tool", "tools", "status", "type", "started_at", "ended_at", "now", "parent_id"})


#: Hosts that say nothing of whose address it is.
_COMMON_HOSTS = frozenset(
    "gmail.com outlook.com hotmail.com yahoo.com icloud.com gmx.de web.de proton.me example.com example.org example.net".split()
)


class Rewriter:
    """Exchanges what was found; `scale` multiplies amounts, None exchanges their digits instead."""

    def __init__(self, found: Found, stand_ins: StandIns, *, scale: Fraction | None = None) -> None:
        self.found = found
        self.make = stand_ins
        self.scale = scale
        self._amounts = {a for text in found.amounts if (a := number_of(text)) is not None}
        self.used: dict[str, str] = {}

    @cached_property
    def _table(self) -> dict[str, str]:
        """Every text that is exchanged as a whole, with its stand-in."""
        out: dict[str, str] = {}
        for name in sorted(self.found.names, key=len, reverse=True):
            out[name] = self._name(name)
        for word in sorted(self.found.name_words):
            out.setdefault(word, self.make.word(word))
        for text in self.found.contacts:
            out[text] = self._contact(text)
        for text in self.found.codes:
            out.setdefault(text, self.make.code(text))
        return _in_every_case(out)

    @cached_property
    def _forms(self) -> dict[str, str]:
        """What is known by its form, with stand-ins that go before all others; accounts and plates without blanks, too."""
        make = FormStandIns(self.make)
        out: dict[str, str] = {}
        for text, form in sorted(self.found.forms.items()):
            out[text] = make.of(form, text)
            if form in (Form.IBAN, Form.CARD, Form.PLATE):
                bare = re.sub(r"[ -]", "", text)
                out.setdefault(bare, make.of(form, bare))
        return _in_every_case(out)

    @cached_property
    def _form_pattern(self) -> re.Pattern[str]:
        known = "|".join(re.escape(t) for t in sorted(self._forms, key=len, reverse=True)) or r"(?!)"
        return re.compile(rf"(?<![^\W_])(?:{known})(?![^\W_]|(?<=\d)\.\d)")

    @cached_property
    def _births(self) -> dict[date, date]:
        make = FormStandIns(self.make)
        return {day: make.birth(day) for day in self.found.births}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        known = "|".join(re.escape(t) for t in sorted(self._table, key=len, reverse=True)) or r"(?!)"
        # What is protected or an amount is matched first and dealt with apart.
        return re.compile(
            rf"(?P<kept>{PROTECTED.pattern})|(?<![^\W_])(?P<known>{known})(?![^\W_])|(?P<money>{_named(MONEY.pattern)})"
        )

    def _name(self, name: str) -> str:
        words = _WORD.sub(lambda m: self._own(m.group()), name)
        return re.sub(r"\b[^\W\d_](?=\.|\b)", lambda m: self.make.known_initial(m.group()) or m.group(), words)

    def _own(self, word: str) -> str:
        return word if len(word) < 2 or word.casefold() in COMMON else self.make.word(word)

    def _contact(self, text: str) -> str:
        """An address keeps its form: words of names become those of their stand-ins, the last label of a host stays."""
        if "@" not in text:
            return self.make.digits(text)
        local, _, host = text.partition("@")
        labels = host.split(".")
        kept = labels if host.lower() in _COMMON_HOSTS else labels[-1:]
        changed = [_WORD.sub(lambda m: self._own(m.group()), x) for x in labels[: len(labels) - len(kept)]]
        made = _WORD.sub(lambda m: self._own(m.group()), local)
        return self.make.digits(f"{made}@{'.'.join([*changed, *kept])}")

    def text(self, text: str) -> str:
        """Exchange everything in a text; the result has the same length."""

        def exchanged(m: re.Match[str]) -> str:
            if m.group("kept") is not None:
                return m.group()
            if m.group("known") is not None:
                made = self._table[m.group()]
            else:
                made = NUMBER.sub(lambda n: self.amount_text(n.group()), m.group())
            if made != m.group():
                self.used[m.group()] = made
            return made

        def rest(start: int, end: int) -> str:
            """What stands between two forms; looking behind sees the text in front, looking ahead stops."""
            parts, at = [], start
            for m in self._pattern.finditer(text, start, end):
                parts += [text[at : m.start()], exchanged(m)]
                at = m.end()
            return "".join([*parts, text[at:end]])

        out, at = [], 0
        for m in self._form_pattern.finditer(text):
            made = self.used[m.group()] = self._forms[m.group()]
            out += [rest(at, m.start()), made]
            at = m.end()
        return exchange_births("".join([*out, rest(at, len(text))]), self._births, self.used)

    def amount_text(self, text: str) -> str:
        """A written amount in the same form: as many digits, the same signs."""
        bare = text.rstrip(".,")
        tail = text[len(bare) :]
        if self.scale is None:
            return self.make.digits(bare) + tail
        value = number_of(bare)
        if value is None:
            return text
        digits = re.sub(r"\D", "", bare)
        point = len(digits) - places(bare)
        scaled = value * self.scale * Fraction(10) ** (len(digits) - point)
        if scaled.denominator != 1 or len(str(scaled.numerator)) > len(digits):
            raise ScaleError(text)
        fresh = iter(str(scaled.numerator).zfill(len(digits)))
        return "".join(next(fresh) if c.isdigit() else c for c in bare) + tail

    def number(self, value: int | float) -> int | float:
        """A JSON number that is one of the amounts, exchanged; any other as it is."""
        exact = Fraction(repr(abs(value)))
        made: int | float
        degrees = self._forms.get(repr(abs(value))) if isinstance(value, float) else None
        if degrees is not None:
            self.used[repr(abs(value))] = degrees
            return -float(degrees) if value < 0 else float(degrees)
        if isinstance(value, int) and self.found.forms.get(str(abs(value))) is not None:
            made = int(self._forms[str(abs(value))])
            self.used[str(abs(value))] = str(made)
            return -made if value < 0 else made
        if not any(exact in (a, a * 100, a / 100) for a in self._amounts):
            code = str(abs(value))
            if isinstance(value, int) and code in self._table:
                made = int(self._table[code])
                return -made if value < 0 else made
            return value
        if self.scale is None:
            made = type(value)(self.make.digits(repr(abs(value))))
        else:
            scaled = exact * self.scale
            if scaled.denominator not in (1, 2, 4, 5, 10, 20, 25, 50, 100):
                raise ScaleError(repr(value))
            if isinstance(value, int):
                if scaled.denominator != 1:
                    raise ScaleError(repr(value))
                made = scaled.numerator
            else:
                made = float(scaled)
        self.used[repr(abs(value))] = repr(made)
        return -made if value < 0 else made

    def json(self, value: Any, *, key: str = "") -> Any:
        """Exchange everything in a JSON value; names of fields stay, keys that are values do not."""
        if isinstance(value, str):
            lone = NUMBER.fullmatch(value)
            if lone and number_of(value) in self._amounts and value not in self._table and value not in self._forms:
                made = self.amount_text(value)
                self.used[value] = made
                return made
            return self.text(value)
        if isinstance(value, bool) or value is None:
            return value
        if isinstance(value, int | float):
            return self.number(value) if value == value and abs(value) != float("inf") else value
        if isinstance(value, Mapping):
            return {self.text(k) if is_value(k) else k: self.json(v, key=str(k)) for k, v in value.items()}
        return [self.json(v, key=key) for v in value]

    def record(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Exchange everything in a run's or a labelled reply's JSON shape."""
        out: dict[str, Any] = {}
        for key, value in record.items():
            if key in STRUCTURE or key == "id":
                out[key] = value
            elif key == "ledger":
                out[key] = [self._entry(e) for e in value]
            elif key in ("actions", "values"):
                out[key] = value
            else:
                out[key] = self.json(value, key=key)
        text = out.get("text", out.get("reply"))
        if isinstance(text, str):
            for key in ("actions", "values"):
                if key in out:
                    out[key] = _requoted(out[key], text)
        return out

    def _entry(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        return {k: v if k in STRUCTURE or k == "id" else self.json(v, key=k) for k, v in entry.items()}


def _in_every_case(table: dict[str, str]) -> dict[str, str]:
    """Add the stand-ins of texts in lower and upper case; nothing whose length would change."""
    out = dict(table)
    for text, made in table.items():
        for change in (str.lower, str.upper):
            if len(change(text)) == len(text) and len(text) > 3:
                out.setdefault(change(text), change(made))
    return {k: v for k, v in out.items() if len(k) > 1 and len(k) == len(v)}


def _named(pattern: str) -> str:
    """A pattern with its groups unnumbered, to stand inside another."""
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)


def _requoted(value: Any, text: str) -> Any:
    """Labels with their quotes read off the new text, which is as long as the old one."""
    if isinstance(value, Mapping):
        out = {k: _requoted(v, text) for k, v in value.items()}
        if isinstance(out.get("start"), int) and isinstance(out.get("end"), int) and "text" in out:
            out["text"] = text[out["start"] : out["end"]]
        return out
    return [_requoted(v, text) for v in value] if isinstance(value, list) else value
