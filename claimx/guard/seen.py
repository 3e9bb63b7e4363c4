"""What a run has seen: tool results, the user's words, configuration. Calls draw their values from here or are refused."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from claimx.guard import texts
from claimx.guard.amount_forms import AMOUNT_TEXT, answer_alone, holds_amount
from claimx.guard.amounts import Amounts
from claimx.guard.contacts import Contacts
from claimx.guard.echo import NO_ECHOES, REQUEST, Echoes
from claimx.guard.further_kinds import FurtherKinds
from claimx.guard.identifiers import Identifiers, as_whole, is_cut, squeezed
from claimx.guard.names import (
    holds_chosen,
    is_free,
    is_numbered,
    may_be_phone,
    may_hold_amount,
    names_id,
    says_amount,
    says_state,
)
from claimx.guard.passages import Passages
from claimx.guard.plain_words import is_plain_word
from claimx.guard.records import Records
from claimx.guard.shapes import shape_of
from claimx.guard.spoken import amounts_in_words, is_said, spelled_ids
from claimx.guard.sums import Series, counts_in, multiples_of, totals_of
from claimx.guard.tables import cells
from claimx.guard.walk import Leaf, Record, plain_name, walk
from claimx.types import SlotType
from claimx.values.keys import words_of

#: Longer strings are prose: their words are indexed, not the whole.
_SHORT = 80
_BLANK = re.compile(r"[ \n\t]")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a value was seen, and how the two agree."""

    path: str
    reason: str


class Seen:
    """The values of one run. Values are added as they come; a look-up never changes anything.

    `kinds` names the further kinds of values (dates, people, ...) that look-ups will ask for, `minor_units` the fields
    that count cents though nothing says so.
    """

    def __init__(self, kinds: Collection[str] = (), *, minor_units: Collection[str] = ()) -> None:
        self._minor = frozenset(map(plain_name, minor_units))
        self.ids = Identifiers()
        self._passages = Passages()
        self._contacts = Contacts(self.ids, self._passages.find)
        self.amounts = Amounts()
        self.count = 0
        self._further = FurtherKinds(kinds)
        self._records = Records()
        self._series = Series()
        self._said: list[str] = []

    def add(
        self,
        value: Any,
        source: str,
        *,
        trusted: bool = False,
        echoes: Echoes = NO_ECHOES,
        repeats: Echoes = NO_ECHOES,
        quoted: Echoes = NO_ECHOES,
    ) -> None:
        """Take in a value with the path it stands under: `c1.result`, `user`, `config`.

        `trusted` is set for the user's words and configuration, in which lone numbers count as amounts and
        identifiers; `echoes` proves nothing here, because the call itself brought it; `repeats` proves nothing where
        the value repeats the request (`query`, `filters`), `quoted` where it is a text.
        """
        alone = answer_alone(value)
        for item in walk(value if alone is None else alone[1], source if alone is None else f"{source}.{alone[0]}"):
            own = echoes
            if repeats.cores and any(not REQUEST.isdisjoint(words_of(k)) for k in _names_in(item, source)):
                own = repeats
            elif quoted.cores and isinstance(item, Leaf) and (not item.keys or is_free(item.key)):
                own = own.joined(quoted.shaped() if holds_chosen(item.key) else quoted)
            if isinstance(item, Record):
                self._add_record(item, own.cores)
            else:
                self.count += 1
                self._add_leaf(item, trusted, own)

    def _add_record(self, record: Record, echoes: Collection[str]) -> None:
        self._records.add(record, echoes)
        for key in record.fields:
            if isinstance(key, str) and any(c.isdigit() for c in key) and squeezed(key) not in echoes:
                self.ids.add(key, f"{record.path}.{key}", named=False)
        if {"exponent", "decimals", "scale", "nanos"} & set(record.fields):
            self.amounts.add(record.fields, record.path)

    def _add_leaf(self, leaf: Leaf, trusted: bool, own: Echoes) -> None:
        value = leaf.value
        if isinstance(value, bool):
            return
        text = str(value)
        if trusted and isinstance(value, str) and not leaf.keys:
            self._said.append(text)
            for spelled in spelled_ids(text):
                self.ids.add(spelled, leaf.path, named=True)
        echoed = squeezed(text) in own.cores if own.cores else False
        if isinstance(value, str) and (len(text) > _SHORT or _BLANK.search(text.strip())):
            text = own.without(text) if own.raws else text
            self._add_text(leaf, text, trusted)
        elif not echoed:
            if names_id(leaf.key) or not text.isalpha() or not (says_state(leaf.key) or is_plain_word(text)):
                self.ids.add(as_whole(value), leaf.path, named=trusted or is_numbered(leaf.key))
                if isinstance(value, str) and leaf.keys:
                    self.ids.add_under(leaf.key, text)
                self._passages.add_word(text, leaf.path)
            tokens = () if is_cut(text) or not isinstance(value, str) else texts.id_tokens(text)
            for token in tokens:
                if token != text:
                    self.ids.add(token, leaf.path, named=trusted)
        if echoed:
            return
        self._add_amount(leaf, text, trusted)
        if (
            isinstance(value, str) and ("@" in text or "." in text or "://" in text or any(c.isdigit() for c in text))
        ) or (isinstance(value, int) and may_be_phone(leaf.key)):
            self._contacts.add(text, leaf.path, key=leaf.key)
        self._further.add(leaf, text)

    def _add_text(self, leaf: Leaf, text: str, trusted: bool) -> None:
        for token in texts.id_tokens(texts.without_counts(text) if trusted else text):
            self.ids.add(token, leaf.path, named=trusted)
        for name, part in texts.pairs(text):
            if names_id(name):
                self.ids.add(part, leaf.path, named=True)
            elif part[0].isdigit() and says_amount(name):
                self.amounts.add(part, leaf.path, key=name, minor=self._counts_minor(name))
        for name, part in () if trusted else cells(text):
            if names_id(name):
                self.ids.add(part, leaf.path, named=True)
            elif any(c.isdigit() for c in part) and says_amount(name) and AMOUNT_TEXT.fullmatch(part):
                self.amounts.add(part, leaf.path, key=name, minor=self._counts_minor(name))
        self._passages.add_text(text, leaf.path)

    def _counts_minor(self, key: str) -> bool:
        return bool(self._minor) and plain_name(key) in self._minor

    def _add_amount(self, leaf: Leaf, text: str, trusted: bool) -> None:
        """File what may be an amount: a number under a name for money or beside a currency, money in a text. Of the
        user's words and of configuration plain numbers, too."""
        told = may_hold_amount(leaf.key) if trusted else holds_amount(leaf)
        minor = self._counts_minor(leaf.key)
        if not isinstance(leaf.value, str):
            if told or minor:
                self._file_amount(leaf, leaf.value, minor, trusted)
        elif any(c.isdigit() for c in text):
            if (told or minor) and not (trusted and not leaf.keys) and len(text) <= 40 and AMOUNT_TEXT.fullmatch(text):
                self._file_amount(leaf, text, minor, trusted)
            elif trusted or may_hold_amount(leaf.key):
                for part in texts.amount_texts(text, bare=trusted):
                    self.amounts.add(part, leaf.path, currency=leaf.currency)

        if trusted and isinstance(leaf.value, str) and not leaf.keys:
            for part in amounts_in_words(text):
                self.amounts.add(part, leaf.path)

    def _file_amount(self, leaf: Leaf, raw: Any, minor: bool, trusted: bool) -> None:
        money = self.amounts.add(raw, leaf.path, key=leaf.key, currency=leaf.currency, minor=minor)
        if money is not None and not trusted:
            self._series.add(money, leaf.path)

    def work_out(self, leaf: Leaf, call: Sequence[Leaf | Record], schema: Mapping[str, Any] | None) -> Found | None:
        """Return what an amount of a call follows from though nobody stated it (`claimx.guard.sums`), None when from nothing.
        `call` are the arguments as walked."""
        named = [
            (str(x.value), r)
            for x in call
            if isinstance(x, Leaf) and names_id(x.key) and (r := self.records(x.value, field=x.key))
        ]
        counts = [n for n in counts_in(call) if is_said(n, self._said)]
        worked = chain(self._series.totals(), totals_of(named), multiples_of(named, counts))
        hit = self.amounts.find_worked_out(
            leaf.value, worked, self._said, key=leaf.key, schema=schema, currency=leaf.currency
        )
        return Found(*hit) if hit is not None else None

    def find(
        self,
        kind: SlotType,
        value: Any,
        *,
        key: str = "",
        schema: Mapping[str, Any] | None = None,
        currency: str | None = None,
    ) -> Found | None:
        """Return where a call's value was seen, None when nothing in this run holds it."""
        hit: tuple[str, str] | None
        if kind is SlotType.ID:
            hit = self.ids.find(as_whole(value)) or (self._find_name(value) if isinstance(value, str) else None)
            if hit is None and isinstance(value, str):
                hit = self._contacts.find_party(value, key)
        elif kind is SlotType.MONEY:
            hit = self.amounts.find(value, key=key, schema=schema, currency=currency)
            if isinstance(value, str) and "%" in value:
                hit = self._passages.find(value) or self._passages.find(value.replace("%", " percent"))
        elif kind is SlotType.CONTACT:
            hit = self._contacts.find(value, key)
        else:
            hit = self._further.find(kind, value, key, schema, currency)
            if hit is None and isinstance(value, str):
                hit = self._passages.find(value)
        return Found(*hit) if hit is not None else None

    def _find_name(self, text: str) -> tuple[str, str] | None:
        """An identifier without digits, as it stands in a field or inside a text. A plain word of the language is none."""
        return None if is_plain_word(text) else self._passages.find(text)

    def holds(self, value: object) -> bool:
        """Whether a value was seen, whatever it is."""
        if isinstance(value, str):
            kinds: tuple[SlotType, ...] = (SlotType.CONTACT if shape_of(value) is SlotType.CONTACT else SlotType.ID,)
        else:
            kinds = (SlotType.ID, SlotType.MONEY)
        return any(self.find(kind, value) is not None for kind in kinds)

    def records(self, value: Any, *, field: str | None = None) -> list[Record]:
        """Return the records of this run that hold an identifier in a field of their own, in reading order.

        With `field` those come first that hold it under this name or under `id`, and the others are left out where
        there are such.
        """
        return self._records.find(value, field)


def _names_in(item: Leaf | Record, source: str) -> Iterable[str]:
    return item.keys if isinstance(item, Leaf) else item.path.removeprefix(source).split(".")
