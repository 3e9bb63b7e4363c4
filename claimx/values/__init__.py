"""Text or JSON to comparable values, and whether two of them agree. Pure: knows no reply, no tool, no ledger.

`parse` never raises: what cannot be read is None. `same` answers same, different or unknown, with the reason.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from datetime import datetime
from typing import Any

from claimx.types import SlotType
from claimx.values.amount import (
    Count,
    Duration,
    Percent,
    parse_count,
    parse_duration,
    parse_percent,
    same_count,
    same_duration,
    same_percent,
)
from claimx.values.comparison import Comparison, Outcome, near_miss, unknown_because
from claimx.values.contact import Contact, parse_contact, same_contact
from claimx.values.identifier import Identifier, parse_identifier, same_identifier
from claimx.values.money import Money, is_minor_key, parse_money, same_money
from claimx.values.name import Name, fold, parse_name, same_name
from claimx.values.state import Phase, phase_of, state_class
from claimx.values.when import Date, Time, parse_date, parse_time, same_date, same_time

Value = Money | Identifier | Date | Time | Duration | Count | Percent | Contact | Name

__all__ = [
    "Comparison", "Contact", "Count", "Date", "Duration", "Identifier", "Money", "Name", "Outcome", "Percent", "Phase", "Time",
    "Value", "compare", "fold", "is_minor_key", "key_of", "near_miss", "normalise", "parse", "phase_of", "same",
    "state_class",
]  # fmt: skip

_SAME = {
    Money: same_money, Identifier: same_identifier, Date: same_date, Time: same_time, Duration: same_duration,
    Count: same_count, Percent: same_percent, Contact: same_contact, Name: same_name,
}  # fmt: skip


def parse(
    kind: SlotType | str,
    raw: object,
    *,
    key: str = "",
    schema: Mapping[str, Any] | None = None,
    now: datetime | None = None,
    currency: str | None = None,
) -> Value | None:
    """Read text or a JSON value as a value of a slot type; None when it cannot be read.

    `key` is the name under which a JSON value stands, `schema` its JSON schema, `currency` the code beside it, `now`
    what relative dates are read against.

    >>> parse("MONEY", "$64") == parse(SlotType.MONEY, "$64.00")
    False
    >>> same(parse("MONEY", "$64"), parse("MONEY", "$64.00")).outcome
    <Outcome.SAME: 'same'>
    """
    try:
        kind = SlotType(kind)
    except ValueError:
        return None
    if isinstance(raw, str) and len(raw) > 2000:
        raw = raw[:2000]
    try:
        match kind:
            case SlotType.MONEY:
                return parse_money(raw, key=key, schema=schema, currency=currency)
            case SlotType.ID:
                return parse_identifier(raw)
            case SlotType.DATE:
                return parse_date(raw, key=key, now=now)
            case SlotType.TIME:
                return parse_time(raw)
            case SlotType.DURATION:
                return parse_duration(raw, key=key)
            case SlotType.COUNT:
                return parse_count(raw)
            case SlotType.PERCENT:
                return parse_percent(raw, key=key)
            case SlotType.CONTACT:
                return parse_contact(raw)
            case SlotType.PERSON:
                return parse_name(raw, person=True)
            case SlotType.NAME:
                return parse_name(raw)
    except (ArithmeticError, ValueError, OverflowError):
        # A value too odd to compute with (a year 0, an exponent beyond Decimal) is one that cannot be read.
        return None


def same(claimed: Value, recorded: Value) -> Comparison:
    """Hold one value against another of the same kind."""
    if type(claimed) is not type(recorded):
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} are not of the same kind")
    try:
        return _SAME[type(claimed)](claimed, recorded)  # type: ignore[arg-type]
    except (ArithmeticError, ValueError, OverflowError):
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} cannot be compared")


def compare(
    kind: SlotType | str,
    claimed: str,
    recorded: object,
    *,
    key: str = "",
    schema: Mapping[str, Any] | None = None,
    now: datetime | None = None,
    currency: str | None = None,
) -> Comparison:
    """Read both sides and compare them; unknown when either cannot be read.

    >>> compare("MONEY", "$49.00", 4.90).outcome.value, compare("ID", "SU-88421", "SU-88412").outcome.value
    ('different', 'different')
    """
    a = parse(kind, claimed, now=now)
    b = parse(kind, recorded, key=key, schema=schema, now=now, currency=currency)
    if a is None or b is None:
        return unknown_because(f"{(claimed if a is None else recorded)!r} cannot be read as {kind}")
    return same(a, b)


def normalise(kind: SlotType | str, text: str, *, now: datetime | None = None) -> dict[str, Any] | None:
    """Return a slot's value as plain JSON, None when it cannot be read."""
    value = parse(kind, text, now=now)
    return value.to_dict() if value is not None else None


def key_of(value: Value) -> Hashable | None:
    """Return a key such that equal keys mean the same value, for indexing; None where no such key exists."""
    match value:
        case Money():
            return ("money", abs(value.amount))
        case Identifier():
            return ("id", value.core)
        case Contact():
            return ("contact", value.core)
        case Date() if value.day is not None and value.month is not None:
            return ("date", value.year, value.month, value.day)
        case Time():
            return ("time", value.minutes)
        case Count():
            return ("count", value.number)
        case Percent():
            return ("percent", value.percent)
        case Duration():
            return ("duration", value.low, value.high)
        case Name():
            return ("name", value.words)
    return None
