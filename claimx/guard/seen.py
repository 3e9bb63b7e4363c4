"""What a run has seen: tool results, the user's words, configuration. Calls draw their values from here or are refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.guard import texts
from claimx.guard.amounts import Amounts
from claimx.guard.contacts import Contacts
from claimx.guard.echo import NO_ECHOES, REQUEST, Echoes
from claimx.guard.identifiers import Identifiers, is_cut, squeezed
from claimx.guard.kinds import AMOUNT_TEXT, holds_amount
from claimx.guard.names import holds_chosen, is_free, may_be_phone, may_hold_amount, names_id, says_amount, says_state
from claimx.guard.plain_words import is_plain_word
from claimx.guard.shapes import shape_of
from claimx.guard.walk import Leaf, Record, plain_name, walk
from claimx.types import SlotType
from claimx.values import Value, fold, key_of, lookup_keys, parse, same
from claimx.values.keys import words_of

#: Longer strings are prose: their words are indexed, not the whole.
_SHORT = 80
#: Texts in which an identifier written with blanks (an IBAN) is searched, in characters.
_SQUEEZED = 20_000


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
        self._contacts = Contacts(self.ids, self._find_words)
        self.amounts = Amounts()
        self.count = 0
        self._kinds = [SlotType(k) for k in kinds if k not in ("ID", "MONEY", "CONTACT")]
        self._values: dict[SlotType, list[tuple[Value, str]]] = defaultdict(list)
        self._keyed: dict[Any, str] = {}
        self._texts: list[tuple[str, str, str]] = []
        self._words: dict[str, str] = {}
        self._records: dict[str, list[Record]] = defaultdict(list)

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
        for item in walk(value, source):
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
        for key, v in record.fields.items():
            if isinstance(v, str | int) and not isinstance(v, bool) and names_id(str(key)):
                core = squeezed(str(v))
                if core and core not in echoes:
                    self._records[core].append(record)
            if isinstance(key, str) and any(c.isdigit() for c in key) and squeezed(key) not in echoes:
                self.ids.add(key, f"{record.path}.{key}", named=False)
        if {"exponent", "decimals", "scale", "nanos"} & set(record.fields):
            self.amounts.add(record.fields, record.path)

    def _add_leaf(self, leaf: Leaf, trusted: bool, own: Echoes) -> None:
        value = leaf.value
        if isinstance(value, bool):
            return
        text = str(value)
        echoed = squeezed(text) in own.cores if own.cores else False
        if isinstance(value, str) and (len(text) > _SHORT or " " in text.strip()):
            text = own.without(text) if own.raws else text
            self._add_text(leaf, text, trusted)
        elif not echoed:
            if names_id(leaf.key) or not text.isalpha() or not (says_state(leaf.key) or is_plain_word(text)):
                self.ids.add(_whole(value), leaf.path, named=trusted or names_id(leaf.key))
                self._words.setdefault(fold(text.strip()), leaf.path)
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
        for kind in self._kinds:
            self._add_kind(kind, leaf, text)

    def _add_text(self, leaf: Leaf, text: str, trusted: bool) -> None:
        for token in texts.id_tokens(texts.without_counts(text) if trusted else text):
            self.ids.add(token, leaf.path, named=trusted)
        for name, part in texts.pairs(text):
            if names_id(name):
                self.ids.add(part, leaf.path, named=True)
            elif part[0].isdigit() and says_amount(name):
                self.amounts.add(part, leaf.path, key=name, minor=self._counts_minor(name))
        whole = squeezed(text) if len(text) <= _SQUEEZED else ""
        self._texts.append((leaf.path, fold(text), whole))

    def _counts_minor(self, key: str) -> bool:
        return bool(self._minor) and plain_name(key) in self._minor

    def _add_amount(self, leaf: Leaf, text: str, trusted: bool) -> None:
        """File what may be an amount: a number under a name for money or beside a currency, money in a text. Of the
        user's words and of configuration plain numbers, too."""
        told = may_hold_amount(leaf.key) if trusted else holds_amount(leaf)
        minor = self._counts_minor(leaf.key)
        if not isinstance(leaf.value, str):
            if told or minor:
                self.amounts.add(leaf.value, leaf.path, key=leaf.key, currency=leaf.currency, minor=minor)
        elif any(c.isdigit() for c in text):
            if (told or minor) and not (trusted and not leaf.keys) and len(text) <= 40 and AMOUNT_TEXT.fullmatch(text):
                self.amounts.add(text, leaf.path, key=leaf.key, currency=leaf.currency, minor=minor)
            elif trusted or may_hold_amount(leaf.key):
                for part in texts.amount_texts(text, bare=trusted):
                    self.amounts.add(part, leaf.path, currency=leaf.currency)

    def _add_kind(self, kind: SlotType, leaf: Leaf, text: str) -> None:
        prose = isinstance(leaf.value, str) and len(text) > _SHORT // 2
        parts = texts.date_texts(text) if prose and kind is SlotType.DATE else () if prose else (leaf.value,)
        for part in parts:
            value = parse(kind, part, key=leaf.key, currency=leaf.currency)
            if value is None:
                continue
            key = key_of(value)
            if key is not None and key in self._keyed:
                continue
            if key is not None:
                self._keyed[key] = leaf.path
            self._values[kind].append((value, leaf.path))

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
            hit = self.ids.find(_whole(value)) or (self._find_name(value) if isinstance(value, str) else None)
            if hit is None and isinstance(value, str):
                hit = self._contacts.find_party(value, key)
        elif kind is SlotType.MONEY:
            hit = self.amounts.find(value, key=key, schema=schema, currency=currency)
            if isinstance(value, str) and "%" in value:
                hit = self._find_words(value) or self._find_words(value.replace("%", " percent"))
        elif kind is SlotType.CONTACT:
            hit = self._contacts.find(value, key)
        else:
            hit = self._find_value(kind, value, key, schema, currency)
        return Found(*hit) if hit is not None else None

    def _find_name(self, text: str) -> tuple[str, str] | None:
        """An identifier without digits, as it stands in a field or inside a text. A plain word of the language is none."""
        return None if is_plain_word(text) else self._find_words(text)

    def _find_value(
        self, kind: SlotType, value: Any, key: str, schema: Mapping[str, Any] | None, currency: str | None
    ) -> tuple[str, str] | None:
        given = parse(kind, value, key=key, schema=schema, currency=currency)
        if given is not None:
            for form in lookup_keys(given):
                if form in self._keyed:
                    return self._keyed[form], "it is the same there"
            for seen, path in self._values[kind]:
                found = same(given, seen)
                if found.is_same:
                    return path, found.reason
        return self._find_words(str(value)) if isinstance(value, str) else None

    def _find_words(self, text: str) -> tuple[str, str] | None:
        """A value without digits, or written with blanks, as it stands in a field or inside a text."""
        needle, core = fold(text.strip()), squeezed(text)
        if len(needle) < 2 or (core == needle and core.isdigit()):
            return None
        path = self._words.get(needle)
        if path is not None:
            return path, "it is the same there"
        for path, folded, whole in self._texts:
            at = folded.find(needle)
            while at >= 0:
                end = at + len(needle)
                if not folded[max(0, at - 1) : at].isalnum() and not folded[end : end + 1].isalnum():
                    return path, "it stands in the text there"
                at = folded.find(needle, at + 1)
            if len(core) >= 10 and core in whole and any(c.isdigit() for c in core):
                return path, "it stands in the text there, blanks aside"
        return None

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
        found = self._records.get(squeezed(str(value)), [])
        if field is None:
            return list(found)
        names = {plain_name(field), "id"}
        own = [r for r in found if any(plain_name(str(k)) in names and squeezed(str(v)) == squeezed(str(value)) for k, v in r.fields.items())]  # fmt: skip
        return own or list(found)


def _names_in(item: Leaf | Record, source: str) -> Iterable[str]:
    return item.keys if isinstance(item, Leaf) else item.path.removeprefix(source).split(".")


def _whole(value: Any) -> str:
    """A whole number that JSON turned into a fraction is the number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
