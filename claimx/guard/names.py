"""What the name of a field alone says of the value under it: an identifier, an amount, an address, free text, a state."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from claimx.guard.field_names import (
    ADDRESS_WORDS,
    AMOUNT_WORDS,
    CHOSEN,
    CONTACT_WORDS,
    COUNTED,
    FIRM_AMOUNTS,
    FREE_WORDS,
    ID_WORDS,
    JOINED_ID,
    MADE_UP,
    MADE_UP_PAIRS,
    MONEY_WORDS,
    NOT_MONEY,
    NUMBER_WORDS,
    NUMBERED,
    PARTIES,
    PHONE_WORDS,
    PLACE_WORDS,
    RESOURCES,
    SAYINGS,
    SETTINGS,
    SIDES,
    SITES,
    TIMES,
)
from claimx.types import SlotType
from claimx.values.keys import words_of

_CREATES = frozenset({"create", "define"})
#: Words that tell which end of something a field holds.
_WAYS = frozenset({"to", "from", "source", "target", "destination"})
_BOUNDS = frozenset({"max", "min"})


def _is_made_up(words: tuple[str, ...]) -> bool:
    return not MADE_UP.isdisjoint(words) or any(pair in pairwise(words) for pair in MADE_UP_PAIRS)


@lru_cache(maxsize=8192)
def name_kind(key: str) -> SlotType | None:
    """Return the kind that a field's name alone says its value is of; None where it leaves that open."""
    words = words_of(key)
    if not words or _is_made_up(words):
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
def noun_of(key: str) -> str | None:
    """Return the noun in a name that says whom or what its value is: `from_account` and `account_to` are accounts."""
    words = words_of(key)
    if not words or _is_made_up(words):
        return None
    last = words[-1].removesuffix("s") if words[-1].removesuffix("s") in PARTIES else words[-1]
    if last in PARTIES or last in ADDRESS_WORDS:
        return last
    if last in SIDES and len(words) > 1 and words[-2] in PARTIES:
        return words[-2]
    return None


@lru_cache(maxsize=8192)
def is_free(key: str) -> bool:
    """Whether a field of this name holds text, code, a name to be given, a count or a time: nothing to trace by shape."""
    words = words_of(key)
    if not words or _is_made_up(words):
        return bool(words)
    return words[-1] in FREE_WORDS or words[-1] in COUNTED or not TIMES.isdisjoint(words)


@lru_cache(maxsize=8192)
def holds_resource(key: str) -> bool:
    """Whether a field of this name holds a file or an image, or where one is: a web address there leads out of the run."""
    words = words_of(key)
    return bool(words) and words[-1] in RESOURCES


@lru_cache(maxsize=8192)
def is_site(key: str) -> bool:
    """Whether a field of this name holds a web address, or the part of one."""
    return not SITES.isdisjoint(words_of(key)[-1:])


@lru_cache(maxsize=8192)
def names_its_own(tool: str, key: str) -> bool:
    """Whether a field names what the tool is about to create, so that its value is new by its nature.

    >>> [names_its_own("create_invoice", k) for k in ("invoice_number", "id", "order_id", "customer")]
    [True, True, False, False]
    >>> names_its_own("create_user", "username"), names_its_own("create_refund_for_order", "order_id")
    (True, False)
    """
    verb, *noun = words_of(tool)
    if verb not in _CREATES or not noun:
        return False
    words = [w for w in words_of(key) if w not in ID_WORDS | NUMBER_WORDS | {"name"}]
    own = [w.removesuffix("s") for w in noun]
    return [w.removesuffix("s").removesuffix("name") for w in words] == own or key.lower() == "id"


@lru_cache(maxsize=8192)
def holds_chosen(key: str) -> bool:
    """Whether a field of this name holds a name that a call may choose and later calls refer to."""
    return not CHOSEN.isdisjoint(words_of(key)[-1:])


@lru_cache(maxsize=8192)
def names_id(key: str) -> bool:
    """Whether a field of this name holds an identifier.

    >>> [names_id(k) for k in ("id", "orderNumber", "page_number", "idempotency_key", "sku", "customer", "orderid")]
    [True, True, False, False, True, True, True]
    """
    kind = name_kind(key)
    return kind is SlotType.ID or (kind is None and noun_of(key) in PARTIES)


def is_numbered(key: str) -> bool:
    """Whether a field of a result holds an identifier, also where it calls the number of a record just that: `{"number": 42, "title": "Crash"}`."""
    return names_id(key) or key.lower() in ("number", "nr", "no")


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
    # `max_refund` and `min_payment` are amounts, `max` and `min` of anything else are counts.
    counted = COUNTED - _BOUNDS if not MONEY_WORDS.isdisjoint(words) else COUNTED
    return (
        counted.isdisjoint(words)
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


@lru_cache(maxsize=8192)
def says_state(key: str) -> bool:
    """Whether words under this name tell a state or a kind, so that none of them names a record."""
    words = words_of(key)
    return bool(words) and words[-1] in SAYINGS


@lru_cache(maxsize=8192)
def may_name_thing(key: str) -> str | None:
    """Return the noun of a field that may name a thing by a short key (`valve`, `freezers`), None for texts, states, counts,
    times, settings, and what is known to be an identifier, an amount or an address anyhow.

    >>> [may_name_thing(k) for k in ("valve", "to_player", "freezers", "status", "size", "cell", "order_id", "title")]
    ['valve', 'player', 'freezer', None, None, None, None, None]
    """
    words = tuple(w for w in words_of(key) if w not in _WAYS)
    name = "_".join(words)
    if not words or is_free(name) or says_state(name) or not SETTINGS.isdisjoint(words[-1:]) or name_kind(name):
        return None
    return name.removesuffix("s")
