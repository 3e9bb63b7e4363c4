"""Keys for indexing values: many recorded values are found for a claimed one without comparing each."""

from __future__ import annotations

from collections.abc import Hashable

from claimx.values.clock import Time
from claimx.values.contact import Contact
from claimx.values.currencies import CODES
from claimx.values.date import Date
from claimx.values.duration import Duration
from claimx.values.identifier import Identifier
from claimx.values.money import Money
from claimx.values.name import Name
from claimx.values.person import Person
from claimx.values.quantity import Count, Percent

_Value = Money | Identifier | Date | Time | Duration | Count | Percent | Contact | Person | Name


def key_of(value: _Value) -> Hashable | None:
    """Return a key such that two values with equal keys are the same; None for a value that leaves something open.

    >>> from claimx.values.money import parse_money
    >>> key_of(parse_money("$64")) == key_of(parse_money("64.00 USD"))
    True
    """
    match value:
        case Money() if value.high is None and value.other is None:
            return ("money", abs(value.amount), value.currency)
        case Identifier() if not value.masked:
            return ("id", value.core)
        case Contact() if not value.masked:
            return (value.kind, value.core)
        case Date() if None not in (value.year, value.month, value.day):
            if value.ambiguous or value.until or value.utc or value.weekday is not None:
                return None
            return ("date", value.year, value.month, value.day)
        case Time() if not value.half and value.until is None:
            return ("time", value.minutes, value.offset)
        case Count() if not (value.vague or value.high is not None or value.others):
            return ("count", value.number)
        case Percent() if value.other is None and value.high is None:
            return ("percent", abs(value.percent))
        case Duration() if not value.vague:
            return ("duration", value.low, value.high, value.business)
        case Person() if not value.role and any(len(w) > 1 for w in value.words):
            return ("person", tuple(sorted(value.words)))
        case Name():
            return ("name", "".join(value.words))
    return None


def lookup_keys(value: _Value) -> tuple[Hashable, ...]:
    """Return the keys under which values that are the same as this one may be stored.

    An amount without a currency is the same as that amount in any. Values that agree in part only (a masked number,
    a first name) must be compared one by one.

    >>> from claimx.values.money import parse_money
    >>> key_of(parse_money(64)) in lookup_keys(parse_money("$64"))
    True
    """
    key = key_of(value)
    if key is None:
        return ()
    if isinstance(value, Money):
        codes = value.shared if value.currency else CODES
        return (key, *(("money", abs(value.amount), c) for c in sorted(codes)), ("money", abs(value.amount), None))
    if isinstance(value, Time) and value.offset is not None:
        return (key, ("time", value.minutes, None))
    return (key,)
