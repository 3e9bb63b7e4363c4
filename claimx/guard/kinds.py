"""What kind of value an argument carries, read off its name and schema, else off its shape: an identifier, an amount, an
address, or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from claimx.guard.amount_forms import AMOUNT_TEXT, NO_NUMBER
from claimx.guard.field_names import (
    ADDRESS_WORDS,
    GENERIC,
    KINDS,
    LOOSE_IDS,
    LOOSEST_IDS,
    PARTIES,
    PHONE_WORDS,
    PLACED,
)
from claimx.guard.names import holds_resource, is_firm, is_free, name_kind, noun_of
from claimx.guard.shapes import bare_site, is_card, is_money, plain_text, shape_of, tells_no_record
from claimx.guard.walk import Leaf, dotted, plain_name
from claimx.types import SlotType
from claimx.values import Money, parse
from claimx.values.keys import words_of

T = TypeVar("T")
#: What stands for the caller or a default, and names no record.
SELF = frozenset(
    "me self @me @here @channel @everyone current default primary none null n/a na all any root latest auto head".split()
)
#: Keys of an object that are identifiers themselves: `{"SKU-12": 2}`.
KEYED = re.compile(r"(?=.*\d)[A-Z][A-Z0-9]*[-_#][A-Z0-9-]+|\d{4,}|[A-Z]{1,5}\d{3,}")
#: A single word that may be an identifier where the field's name says that it names somebody or something.
KEYLIKE = re.compile(r"(?=.*\d)[\w.:/#*•●·…-]{4,60}")
_FORMATS = {"uuid": SlotType.ID, "email": SlotType.CONTACT, "idn-email": SlotType.CONTACT}
_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.\w+")
#: In fields for e-mail addresses other ways to write one are read as one, so that they must have been seen as they are.
_ANY_MAIL = re.compile(r"[^\s@]\s?(?:@|%40|[(\[{]\s?at\s?[)\]}])\s?[^\s@]", re.I)
_MAIL_WORDS = frozenset("email emails mail to cc bcc recipient recipients".split())
_DIGIT = re.compile(r"\d")
_POSTCODE = re.compile(r"\b\d{4,6}\b")
_STREET = re.compile(
    r"\s*\d{1,5}[a-z]?,?\s+(?:[\w.'-]+\s+){1,4}(?:street|st|avenue|ave|road|rd|lane|ln|drive|boulevard|blvd|court|square)\b(?!\s*(?:louis|paul)\b)",
    re.I,
)
#: `cust 1893`, `order #88421`
_WORD_AND_NUMBER = re.compile(r"[A-Za-z]{1,12}[ #:.]{1,3}(?!(?:19|20)\d\d$)\d{3,}")
_PHONE = re.compile(r"\s*\+?[\d(][\d\s().\-/]{5,}")


def kind_of(leaf: Leaf, schema: Mapping[str, Any] | None = None) -> SlotType | None:
    """Return the kind of an argument that provenance is asked of, None for those it is not.

    >>> [str(kind_of(Leaf("a", (k,), v))) for k, v in (("orderId", "x1"), ("amount_cents", 5), ("note", "x"), ("to", "a@b.co"))]
    ['ID', 'MONEY', 'None', 'CONTACT']
    >>> [str(kind_of(Leaf("a", (k,), v))) for k, v in (("customer", "C-12"), ("order", "desc"), ("page", 4), ("note", "SU-88421"))]
    ['ID', 'None', 'None', 'None']
    """
    value = leaf.value
    if value == "" or (isinstance(value, str) and value.strip().lower() in SELF):
        return None
    if names_record(leaf.key):
        return _kind_of_shape("", value)
    key = telling_name(leaf.keys)
    named = name_kind(leaf.key) or name_kind(key)
    if schema is not None:
        named = _FORMATS.get(str(schema.get("format")), named)
    if named is None and leaf.currency is not None and worth(leaf):
        named = SlotType.MONEY
    if isinstance(value, bool):
        return named if is_firm(leaf.key) and not _takes_boolean(schema) else None
    if named is SlotType.MONEY:
        return _kind_under_amount(value)
    if named is SlotType.CONTACT:
        return _kind_under_contact(leaf)
    if named is SlotType.ID:
        return _kind_under_id(key, value)
    return _kind_of_party(key, value) or _kind_of_shape(leaf.key, value)


def worth(leaf: Leaf) -> bool:
    """Whether a field beside a currency tells what something is worth: `value`, `insured_value`."""
    words = words_of(leaf.key)
    return words[-1:] in (("value",), ("worth",)) and (len(words) > 1 or leaf.path == f"args.{leaf.key}")


@lru_cache(maxsize=8192)
def names_record(key: str) -> bool:
    """Whether the key of an object is itself an identifier or an address, as in `{"SKU-12": 2}`.

    >>> [names_record(k) for k in ("SKU-12", "88421", "ann@example.com", "order_id", "SHA-256", "2026", "Q1-2026")]
    [True, True, True, False, False, False, False]
    """
    return shape_of(key) is not None or (KEYED.fullmatch(key) is not None and not tells_no_record(key))


def telling_name(keys: tuple[str, ...]) -> str:
    """Return the nearest name above a value that says something: `{"order": {"value": 5}}` is about an order."""
    return next((k for k in reversed(keys) if k.lower() not in GENERIC or name_kind(k)), keys[-1] if keys else "")


def _kind_under_id(key: str, value: object) -> SlotType | None:
    words = words_of(key)
    last = words[-1:]
    if isinstance(value, int) and -1 <= value <= 0:
        return None  # stands for none
    if isinstance(value, str) and not any(c.isdigit() for c in value) and not KINDS.isdisjoint(words[-2:-1]):
        return None  # `status_id` is closed, `lang_id` is en: kinds, no records
    if isinstance(value, str) and not LOOSE_IDS.isdisjoint(last):
        if not LOOSEST_IDS.isdisjoint(last):
            return shape_of(value)
        return SlotType.ID if any(c.isdigit() for c in value) else None
    return SlotType.ID if isinstance(value, str | int | float) else None


def _kind_under_amount(value: object) -> SlotType | None:
    if not isinstance(value, str):
        return SlotType.MONEY if isinstance(value, int | float) and value != 0 else None
    if NO_NUMBER.fullmatch(value):
        return SlotType.MONEY
    digits = any(c.isdigit() for c in value[:200])
    if digits and not AMOUNT_TEXT.fullmatch(value[:200]):
        # A payment, charge or refund by its number: `"charge": "ch_3P9xKq"`.
        if shape_of(value) is not None:
            return shape_of(value)
        if KEYLIKE.fullmatch(value) and any(c.isalpha() for c in value):
            return SlotType.ID
    money = parse(SlotType.MONEY, value[:200])
    if isinstance(money, Money):
        return SlotType.MONEY if money.amount != 0 else None
    return SlotType.MONEY if digits else None


def _kind_under_contact(leaf: Leaf) -> SlotType | None:
    value, key, text = leaf.value, telling_name(leaf.keys), str(leaf.value)
    words = words_of(key)
    mail = _ANY_MAIL if not _MAIL_WORDS.isdisjoint(words) else _MAIL
    if isinstance(value, str) and mail.search(plain_text(text[:2000])):
        return SlotType.CONTACT
    says = text.lstrip().startswith("+") or not PHONE_WORDS.isdisjoint(words) or _is_dialled_at_home(text)
    if says and _PHONE.fullmatch(text):
        return SlotType.CONTACT
    # An account that money goes to, or a user that something is shared with.
    if not PARTIES.isdisjoint(words) and KEYLIKE.fullmatch(text) and shape_of(text) is not SlotType.CONTACT:
        return SlotType.ID
    return _kind_of_party(key, value) or _kind_of_shape(key, value)


def _is_dialled_at_home(text: str) -> bool:
    """Whether digits begin as phone numbers do in their own country, and are no date: `030 5550199`."""
    return text.lstrip(" (").startswith("0") and sum(c.isdigit() for c in text) >= 7 and not _is_plain(text.strip())


def _kind_of_party(key: str, value: object) -> SlotType | None:
    """The kind of a value under a bare noun: `customer`, `invoice`, `address`."""
    noun = noun_of(key)
    if noun is None:
        return None
    text = str(value).strip()
    if (isinstance(value, float) and value.is_integer()) or (
        isinstance(value, str) and len(text) <= 60 and text.isdecimal()
    ):
        value = int(value)
    if noun in ADDRESS_WORDS:
        # A destination may be a place with a number in its name.
        number = _POSTCODE if noun == "destination" else _DIGIT
        placed = isinstance(value, str) and (
            bool(_STREET.match(text)) or (number.search(text) is not None and (" " in text or "," in text))
        )
        return SlotType.CONTACT if placed and len(text) <= 300 else _kind_of_shape(key, value)
    if isinstance(value, int):
        # Small numbers under such a name are counts and places in a list; long ones are numbers of records.
        return SlotType.ID if len(str(abs(value))) >= (4 if noun in PLACED else 3) else None
    if not isinstance(value, str):
        return None
    shape = shape_of(text)
    if shape is not None:
        return shape
    if (KEYLIKE.fullmatch(text) and not _is_plain(text)) or _WORD_AND_NUMBER.fullmatch(text):
        return SlotType.ID
    return None


def _kind_of_shape(key: str, value: object) -> SlotType | None:
    free = bool(key) and is_free(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return SlotType.ID if not free and is_card(value) else None
    if not isinstance(value, str):
        return None
    if free:
        out = holds_resource(key) and "://" in value and shape_of(value) is SlotType.CONTACT
        return SlotType.CONTACT if out else None
    if bare_site(value, key) is not None:
        return SlotType.CONTACT
    if len(value) <= 120 and _STREET.match(value):
        return SlotType.CONTACT
    return shape_of(value) or (SlotType.MONEY if is_money(value) else None)


@lru_cache(maxsize=8192)
def _is_plain(text: str) -> bool:
    """Whether a word with digits is a date, a time, a size or a version rather than the name of a record."""
    return bool(_PLAIN.fullmatch(text))


_PLAIN = re.compile(
    r"(?:19|20)\d{2}(?:[-/.]\d{1,2}){0,2}(?:[T_-][\d:.Z+-]+)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|[\d:.]*[:.][\d:.]*|v?\d+(?:\.\d+)+|\d+[a-zA-Z]{1,3}"
)


def _takes_boolean(schema: Mapping[str, Any] | None) -> bool:
    said = schema.get("type") if schema is not None else None
    return said == "boolean" or (isinstance(said, list) and "boolean" in said)


def field_kind(fields: Mapping[str, T], tool: str, leaf: Leaf) -> T | None:
    """Return what is said of a field: what stands under `tool.field` before that under `field`; None when nothing."""
    if not fields:
        return None
    name = plain_name(leaf.key)
    path = dotted(leaf.path)
    for key in (f"{tool}.{path}", f"{tool}.{leaf.key}", f"{tool}.{name}", path, leaf.key, name):
        if key in fields:
            return fields[key]
    return None
