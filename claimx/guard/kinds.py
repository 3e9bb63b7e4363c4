"""What kind of value an argument carries, read off its name and schema, else off its shape: an identifier, an amount, an
address, or neither."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from claimx.guard.field_names import (
    ADDRESS_WORDS,
    AMOUNT_WORDS,
    CONTACT_WORDS,
    COUNTED,
    FIRM_AMOUNTS,
    FREE_WORDS,
    GENERIC,
    ID_WORDS,
    JOINED_ID,
    MADE_UP,
    MONEY_WORDS,
    NOT_MONEY,
    NUMBER_WORDS,
    NUMBERED,
    PARTIES,
    PHONE_WORDS,
    PLACE_WORDS,
    PLACED,
    SAYINGS,
    SIDES,
    TIMES,
)
from claimx.guard.shapes import shape_of
from claimx.guard.walk import Leaf, dotted, plain_name
from claimx.types import SlotType
from claimx.values import Money, parse
from claimx.values.keys import words_of

T = TypeVar("T")
#: What stands for the caller or a default, and names no record.
SELF = frozenset("me self @me @here @channel @everyone current default primary none null n/a na all any".split())
#: Keys of an object that are identifiers themselves: `{"SKU-12": 2}`.
KEYED = re.compile(r"(?=.*\d)[A-Z][A-Z0-9]*[-_#][A-Z0-9-]+|\d{4,}|[A-Z]{1,5}\d{3,}")
#: A single word that may be an identifier where the field's name says that it names somebody or something.
KEYLIKE = re.compile(r"(?=.*\d)[\w.:/#*•●·…-]{4,60}")
_FORMATS = {"uuid": SlotType.ID, "email": SlotType.CONTACT, "idn-email": SlotType.CONTACT}
_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.\w+")
_PHONE = re.compile(r"\s*\+?[\d(][\d\s().\-/]{5,}")
_NO_NUMBER = re.compile(r"\s*[+-]?(?:nan|inf(?:inity)?)\s*", re.I)
#: A text that is an amount as a whole: a sign or a code, a number, a code or a word.
AMOUNT_TEXT = re.compile(
    r"\(?\s*[+\-−]?\s*(?:[A-Z]{0,3}\s?[$€£¥₹₩₽₺₪₫฿₴₦]|[A-Za-z]{3}\s)?\s*[+\-−]?[\d٠-٩０-９][\d.,'’ \u00a0\u202f]*(?:[kKmM]|mn|bn|thousand|million)?"
    r"\s*(?:[$€£¥₹₩₽₺₪₫฿₴₦¢%]|[A-Za-z]{3}|dollars?|euros?|pounds?|cents?|pence|percent|yen|rupees?|francs?)?\s*\)?"
)


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
    if KEYED.fullmatch(leaf.key):
        return _kind_of_shape("", value)
    named = name_kind(leaf.key)
    if named is None and leaf.key.lower() in GENERIC and len(leaf.keys) > 1:
        named = name_kind(leaf.keys[-2])
    if schema is not None:
        named = _FORMATS.get(str(schema.get("format")), named)
    if isinstance(value, bool):
        return named if is_firm(leaf.key) and not _takes_boolean(schema) else None
    if named is SlotType.MONEY:
        return _kind_under_amount(value)
    if named is SlotType.CONTACT:
        return _kind_under_contact(leaf)
    if named is SlotType.ID:
        return SlotType.ID if isinstance(value, str | int) else None
    return _kind_of_party(leaf) or _kind_of_shape(leaf.key, value)


def _kind_under_amount(value: object) -> SlotType | None:
    if not isinstance(value, str):
        return SlotType.MONEY if isinstance(value, int | float) and value != 0 else None
    if _NO_NUMBER.fullmatch(value):
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
    value, key, text = leaf.value, leaf.key, str(leaf.value)
    if isinstance(value, str) and _MAIL.search(text):
        return SlotType.CONTACT
    words = words_of(key)
    says = text.lstrip().startswith("+") or not PHONE_WORDS.isdisjoint(words)
    if says and _PHONE.fullmatch(text):
        return SlotType.CONTACT
    # An account that money goes to, or a user that something is shared with.
    if not PARTIES.isdisjoint(words) and KEYLIKE.fullmatch(text) and shape_of(text) is not SlotType.CONTACT:
        return SlotType.ID
    return _kind_of_party(leaf) or _kind_of_shape(key, value)


def _kind_of_party(leaf: Leaf) -> SlotType | None:
    """The kind of a value under a bare noun: `customer`, `invoice`, `address`."""
    value, noun = leaf.value, _noun_of(leaf.key)
    if noun is None:
        return None
    text = str(value).strip()
    if noun in ADDRESS_WORDS:
        placed = isinstance(value, str) and any(c.isdigit() for c in text) and (" " in text or "," in text)
        return SlotType.CONTACT if placed and len(text) <= 300 else _kind_of_shape(leaf.key, value)
    if isinstance(value, int):
        # Small numbers under such a name are counts and places in a list; long ones are numbers of records.
        return SlotType.ID if len(str(abs(value))) >= (4 if noun in PLACED else 3) else None
    if not isinstance(value, str):
        return None
    shape = shape_of(text)
    if shape is not None:
        return shape
    if KEYLIKE.fullmatch(text) and not _is_plain(text):
        return SlotType.ID
    return None


def _kind_of_shape(key: str, value: object) -> SlotType | None:
    if not isinstance(value, str) or (key and _is_free(key)):
        return None
    return shape_of(value)


@lru_cache(maxsize=8192)
def _is_plain(text: str) -> bool:
    """Whether a word with digits is a date, a time, a size or a version rather than the name of a record."""
    return bool(_PLAIN.fullmatch(text))


_PLAIN = re.compile(
    r"(?:19|20)\d{2}(?:[-/.]\d{1,2}){0,2}(?:[T_-][\d:.Z+-]+)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|[\d:.]{1,8}|v?\d+(?:\.\d+)+|\d+[a-zA-Z]{1,3}"
)


@lru_cache(maxsize=8192)
def name_kind(key: str) -> SlotType | None:
    """Return the kind that a field's name alone says its value is of; None where it leaves that open."""
    words = words_of(key)
    if not words or not MADE_UP.isdisjoint(words):
        return None
    last, before = words[-1], words[:-1]
    if last in ID_WORDS or (last in NUMBER_WORDS and not NUMBERED.isdisjoint(before)) or JOINED_ID.fullmatch(last):
        return SlotType.ID
    if not CONTACT_WORDS.isdisjoint(words):
        return SlotType.CONTACT
    if not MONEY_WORDS.isdisjoint(words) and NOT_MONEY.isdisjoint(words):
        return SlotType.MONEY
    return None


@lru_cache(maxsize=8192)
def _noun_of(key: str) -> str | None:
    """Return the noun in a name that says whom or what its value is: `from_account` and `account_to` are accounts."""
    words = words_of(key)
    if not words or not MADE_UP.isdisjoint(words):
        return None
    last = words[-1].removesuffix("s") if words[-1].removesuffix("s") in PARTIES else words[-1]
    if last in PARTIES or last in ADDRESS_WORDS:
        return last
    if last in SIDES and len(words) > 1 and words[-2] in PARTIES:
        return words[-2]
    return None


@lru_cache(maxsize=8192)
def _is_free(key: str) -> bool:
    """Whether a field of this name holds text, code, a name to be given, a count or a time: nothing to trace by shape."""
    words = words_of(key)
    if not words or not MADE_UP.isdisjoint(words):
        return bool(words)
    return words[-1] in FREE_WORDS or words[-1] in COUNTED or not TIMES.isdisjoint(words)


@lru_cache(maxsize=8192)
def names_id(key: str) -> bool:
    """Whether a field of this name holds an identifier.

    >>> [names_id(k) for k in ("id", "orderNumber", "page_number", "idempotency_key", "sku", "customer", "orderid")]
    [True, True, False, False, True, True, True]
    """
    kind = name_kind(key)
    return kind is SlotType.ID or (kind is None and _noun_of(key) in PARTIES)


@lru_cache(maxsize=8192)
def is_firm(key: str) -> bool:
    """Whether a name leaves no doubt that its value is a number or a name of a record, so that `true` is none.

    >>> [is_firm(k) for k in ("amount_cents", "order_id", "refund", "email")]
    [True, True, False, False]
    """
    words = words_of(key)
    return bool(words) and name_kind(key) is not None and (words[-1] in ID_WORDS or not FIRM_AMOUNTS.isdisjoint(words))


@lru_cache(maxsize=8192)
def may_hold_amount(key: str) -> bool:
    """Whether a number under this name may be an amount at all: counts, ids and times are not.

    >>> [may_hold_amount(k) for k in ("cents", "total", "quantity", "order_id", "value", "year", "phone")]
    [True, True, False, False, True, False, False]
    """
    words = words_of(key)
    return (
        COUNTED.isdisjoint(words)
        and TIMES.isdisjoint(words)
        and PHONE_WORDS.isdisjoint(words)
        and not (words and words[-1] in ADDRESS_WORDS)
        and not names_id(key)
    )


@lru_cache(maxsize=8192)
def says_amount(key: str) -> bool:
    """Whether a name says that a number under it is an amount of money.

    >>> [says_amount(k) for k in ("cents", "unit_price", "amountEur", "stock", "views", "total_count", "year")]
    [True, True, True, False, False, False, False]
    """
    words = words_of(key)
    return not AMOUNT_WORDS.isdisjoint(words) and NOT_MONEY.isdisjoint(words) and may_hold_amount(key)


@lru_cache(maxsize=8192)
def is_place(key: str) -> bool:
    """Whether a field of this name holds a part of a postal address.

    >>> [is_place(k) for k in ("zip", "addressLine1", "house_number", "status")]
    [True, True, True, False]
    """
    return not (ADDRESS_WORDS | PLACE_WORDS).isdisjoint(words_of(key))


@lru_cache(maxsize=8192)
def may_be_phone(key: str) -> bool:
    """Whether a whole number under this name is a phone number."""
    return not PHONE_WORDS.isdisjoint(words_of(key))


def holds_amount(leaf: Leaf) -> bool:
    """Whether a number that a tool returned is an amount: by its name, by a name above it, by the currency beside a fraction, or
    because it is all that was returned.

    >>> [holds_amount(Leaf("r", k, 5)) for k in (("prices", "economy"), ("stock",), ("total", "tax", "rate"))]
    [True, False, False]
    """
    if not leaf.keys:
        return True
    if not may_hold_amount(leaf.key):
        return _noun_of(leaf.key) is not None and any(says_amount(k) for k in leaf.keys[-3:-1])
    beside = leaf.currency is not None and isinstance(leaf.value, float) and not leaf.value.is_integer()
    return beside or any(says_amount(k) for k in leaf.keys[-3:])


def is_no_number(value: object) -> bool:
    """Whether a value is `true`, not a number, or without end: never an amount and never an identifier."""
    if isinstance(value, float):
        return not math.isfinite(value)
    return isinstance(value, bool) or (isinstance(value, str) and _NO_NUMBER.fullmatch(value) is not None)


def _takes_boolean(schema: Mapping[str, Any] | None) -> bool:
    said = schema.get("type") if schema is not None else None
    return said == "boolean" or (isinstance(said, list) and "boolean" in said)


@lru_cache(maxsize=8192)
def says_state(key: str) -> bool:
    """Whether words under this name tell a state or a kind, so that none of them names a record."""
    words = words_of(key)
    return bool(words) and words[-1] in SAYINGS


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
