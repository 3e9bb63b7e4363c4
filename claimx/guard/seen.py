"""What a run has seen: tool results, the user's words, configuration. Calls draw their values from here or are refused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.guard import texts
from claimx.guard.amounts import Amounts
from claimx.guard.identifiers import Identifiers, is_cut, squeezed
from claimx.guard.kinds import may_hold_amount, names_id
from claimx.guard.walk import Leaf, Record, plain_name, walk
from claimx.types import SlotType
from claimx.values import Contact, Value, fold, key_of, lookup_keys, parse, same

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

    `kinds` names the further kinds of values (dates, people, ...) that look-ups will ask for.
    """

    def __init__(self, kinds: Collection[str] = ()) -> None:
        self.ids = Identifiers()
        self.amounts = Amounts()
        self.count = 0
        self._kinds = [SlotType(k) for k in kinds if k not in ("ID", "MONEY", "CONTACT")]
        self._contacts: dict[Any, str] = {}
        self._values: dict[SlotType, list[tuple[Value, str]]] = defaultdict(list)
        self._keyed: dict[Any, str] = {}
        self._texts: list[tuple[str, str, str]] = []
        self._words: dict[str, str] = {}
        self._records: dict[str, list[Record]] = defaultdict(list)

    def add(self, value: Any, source: str, *, trusted: bool = False, echoes: Collection[str] = ()) -> None:
        """Take in a value with the path it stands under: `c1.result`, `user`, `config`.

        `trusted` is set for the user's words and configuration, in which lone numbers count as amounts and
        identifiers; `echoes` holds identifiers (letters and digits alone) that prove nothing here, because the call
        itself brought them.
        """
        for item in walk(value, source):
            if isinstance(item, Record):
                self._add_record(item, echoes)
            else:
                self.count += 1
                self._add_leaf(item, trusted, echoes)

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

    def _add_leaf(self, leaf: Leaf, trusted: bool, echoes: Collection[str]) -> None:
        value = leaf.value
        if isinstance(value, bool):
            return
        text = str(value)
        if isinstance(value, str) and (len(text) > _SHORT or " " in text.strip()):
            self._add_text(leaf, text, trusted, echoes)
        elif squeezed(text) not in echoes:
            self.ids.add(_whole(value), leaf.path, named=trusted or names_id(leaf.key))
            self._words.setdefault(fold(text.strip()), leaf.path)
            tokens = () if is_cut(text) or not isinstance(value, str) else texts.id_tokens(text)
            for token in tokens:
                if token != text:
                    self.ids.add(token, leaf.path, named=trusted)
        self._add_amount(leaf, text, trusted)
        if isinstance(value, str) and ("@" in text or any(c.isdigit() for c in text)):
            self._add_contact(leaf, text)
        for kind in self._kinds:
            self._add_kind(kind, leaf, text)

    def _add_text(self, leaf: Leaf, text: str, trusted: bool, echoes: Collection[str]) -> None:
        for token in texts.id_tokens(text):
            if squeezed(token) in echoes:
                text = text.replace(token, " ")
            else:
                self.ids.add(token, leaf.path, named=trusted)
        for name, part in texts.pairs(text):
            if names_id(name):
                if squeezed(part) not in echoes:
                    self.ids.add(part, leaf.path, named=True)
            elif part[0].isdigit() and may_hold_amount(name):
                self.amounts.add(part, leaf.path, key=name)
        whole = squeezed(text) if len(text) <= _SQUEEZED else ""
        self._texts.append((leaf.path, fold(text), whole))

    def _add_amount(self, leaf: Leaf, text: str, trusted: bool) -> None:
        if not may_hold_amount(leaf.key):
            return
        if not isinstance(leaf.value, str):
            self.amounts.add(leaf.value, leaf.path, key=leaf.key, currency=leaf.currency)
        elif any(c.isdigit() for c in text):
            if len(text) <= 24 and " " not in text.strip():
                self.amounts.add(text, leaf.path, key=leaf.key, currency=leaf.currency)
            else:
                for part in texts.amount_texts(text, bare=trusted):
                    self.amounts.add(part, leaf.path, currency=leaf.currency)

    def _add_contact(self, leaf: Leaf, text: str) -> None:
        for part in texts.address_texts(text):
            value = parse(SlotType.CONTACT, part, key=leaf.key)
            key = key_of(value) if isinstance(value, Contact) else None
            if key is not None:
                self._contacts.setdefault(key, leaf.path)

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
            hit = self.ids.find(_whole(value)) or (self._find_words(value) if isinstance(value, str) else None)
        elif kind is SlotType.MONEY:
            hit = self.amounts.find(value, key=key, schema=schema, currency=currency)
        elif kind is SlotType.CONTACT:
            hit = self._find_contact(value, key)
        else:
            hit = self._find_value(kind, value, key, schema, currency)
        return Found(*hit) if hit is not None else None

    def _find_contact(self, value: Any, key: str) -> tuple[str, str] | None:
        contact = parse(SlotType.CONTACT, value, key=key)
        if not isinstance(contact, Contact) or contact.masked:
            return None
        cores = (contact.core, *contact.others)
        paths = [self._contacts.get((contact.kind, core)) for core in cores]
        if any(p is None for p in paths):
            return None
        return str(paths[0]), f"it is {contact.core} there"

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


def _whole(value: Any) -> str:
    """A whole number that JSON turned into a fraction is the number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
