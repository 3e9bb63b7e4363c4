"""What kind of value an argument carries, read off its name and schema: an identifier, an amount, an address, or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypeVar

from claimx.guard.walk import Leaf, plain_name
from claimx.types import SlotType
from claimx.values.keys import words_of

T = TypeVar("T")
#: Last words of names that hold identifiers by themselves.
_ID_WORDS = frozenset("id ids uuid uuids guid sku skus iban pnr vin imei isbn ean asin ref refs reference slug".split())
#: Last words that do so behind a noun that is numbered.
_NUMBER_WORDS = frozenset("number numbers no num nr nos code codes key keys token".split())
_NUMBERED = frozenset(
    "order orders invoice tracking account ticket reservation booking confirmation case card policy claim customer member "
    "reference serial transaction receipt shipment parcel routing contract employee patient quote return rma po issue "
    "passport license licence flight loan application purchase voucher coupon gift subscription statement payment charge "
    "refund incident request work product item user record promo seller sort swift tax".split()
)
#: Names that are made up on purpose for each call.
_MADE_UP = frozenset("idempotency correlation trace nonce span dedupe deduplication csrf".split())
_MONEY_WORDS = frozenset(
    "amount amounts price total subtotal cost fee fees sum refund balance charge credit debit deposit cents fare payment tip "
    "salary budget pence paid paise".split()
)
#: Words in names that hold amounts only of something else.
_NOT_MONEY = frozenset(
    "count quantity qty percent percentage pct rate number id ids type status method reason date time at on days code currency "
    "name note description points nights units weight size is has should allow auto notify".split()
)
_CONTACT_WORDS = frozenset(
    "email emails mail phone tel telephone mobile cell fax sms whatsapp recipient recipients to cc bcc address_email".split()
)
_COUNTED = frozenset(
    "count quantity qty page size limit offset index version year month day hour minute second days hours minutes seconds age "
    "percent percentage pct rate rating score lat lon latitude longitude status code port nights guests seats units retries "
    "attempt attempts position rank level priority weight height width".split()
)
_GENERIC = frozenset({"value", "amount", "units", "number", "items", "item"})
#: What stands for the caller or a default, and names no record.
SELF = frozenset("me self @me current default primary none null n/a na all any".split())
#: Keys of an object that are identifiers themselves: `{"SKU-12": 2}`.
KEYED = re.compile(r"(?=.*\d)[A-Z][A-Z0-9]*[-_#][A-Z0-9-]+|\d{4,}|[A-Z]{1,5}\d{3,}")
_FORMATS = {"uuid": SlotType.ID, "email": SlotType.CONTACT, "idn-email": SlotType.CONTACT}


def kind_of(leaf: Leaf, schema: Mapping[str, Any] | None = None) -> SlotType | None:
    """Return the kind of an argument that provenance is asked of, None for those it is not.

    >>> [str(kind_of(Leaf("a", (k,), v))) for k, v in (("orderId", "x1"), ("amount_cents", 5), ("note", "x"), ("to", "a@b.co"))]
    ['ID', 'MONEY', 'None', 'CONTACT']
    """
    value = leaf.value
    if isinstance(value, bool) or value == "" or KEYED.fullmatch(leaf.key):
        return None
    named = _kind_of_name(leaf.key)
    if named is None and leaf.key.lower() in _GENERIC and len(leaf.keys) > 1:
        named = _kind_of_name(leaf.keys[-2])
    if schema is not None:
        named = _FORMATS.get(str(schema.get("format")), named)
    if named is SlotType.MONEY:
        return SlotType.MONEY if _is_number(value) and _figure(value) != 0 else None
    if named is SlotType.CONTACT:
        if _is_address(value, leaf.key):
            return SlotType.CONTACT
        # An account that money goes to, or a user that something is shared with.
        return SlotType.ID if not _RECIPIENT.isdisjoint(words_of(leaf.key)) and KEYLIKE.fullmatch(str(value)) else None
    if named is SlotType.ID:
        return SlotType.ID if isinstance(value, str | int) and str(value).strip().lower() not in SELF else None
    return None


@lru_cache(maxsize=8192)
def _kind_of_name(key: str) -> SlotType | None:
    words = words_of(key)
    if not words or not _MADE_UP.isdisjoint(words):
        return None
    last, before = words[-1], words[:-1]
    if last in _ID_WORDS or (last in _NUMBER_WORDS and not _NUMBERED.isdisjoint(before)):
        return SlotType.ID
    if not _CONTACT_WORDS.isdisjoint(words):
        return SlotType.CONTACT
    if not _MONEY_WORDS.isdisjoint(words) and _NOT_MONEY.isdisjoint(words):
        return SlotType.MONEY
    return None


@lru_cache(maxsize=8192)
def names_id(key: str) -> bool:
    """Whether a field of this name holds an identifier.

    >>> [names_id(k) for k in ("id", "orderNumber", "page_number", "idempotency_key", "sku")]
    [True, True, False, False, True]
    """
    return _kind_of_name(key) is SlotType.ID


@lru_cache(maxsize=8192)
def may_hold_amount(key: str) -> bool:
    """Whether a number under this name may be an amount at all: counts, ids and times are not.

    >>> [may_hold_amount(k) for k in ("cents", "total", "quantity", "order_id", "value")]
    [True, True, False, False, True]
    """
    words = words_of(key)
    return _COUNTED.isdisjoint(words) and not names_id(key)


def field_kind(fields: Mapping[str, T], tool: str, leaf: Leaf) -> T | None:
    """Return what is said of a field: what stands under `tool.field` before that under `field`; None when nothing."""
    if not fields:
        return None
    name = plain_name(leaf.key)
    dotted = re.sub(r"\[\d+\]", "", leaf.path.partition(".")[2])
    for key in (f"{tool}.{dotted}", f"{tool}.{leaf.key}", f"{tool}.{name}", dotted, leaf.key, name):
        if key in fields:
            return fields[key]
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) or (isinstance(value, str) and any(c.isdigit() for c in value[:60]))


def _figure(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return 1.0


_MAIL = re.compile(r"[^\s@]+@[^\s@]+\.\w+")
_PHONE = re.compile(r"\s*\+?[\d(][\d\s().\-/]{5,}")
_PHONE_WORDS = frozenset("phone tel telephone mobile cell fax sms whatsapp".split())
_RECIPIENT = frozenset({"recipient", "recipients"})
KEYLIKE = re.compile(r"(?=.*\d)[\w.:/#-]{4,60}")


def _is_address(value: object, key: str) -> bool:
    """Whether a value is an e-mail address, or a phone number where the name or a plus sign says so: `to` may be a date."""
    text = str(value)
    if isinstance(value, str) and _MAIL.search(text):
        return True
    says = text.lstrip().startswith("+") or not _PHONE_WORDS.isdisjoint(words_of(key))
    return says and _PHONE.fullmatch(text) is not None
