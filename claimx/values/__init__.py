"""Text or JSON to comparable values, and whether two of them agree. Pure: knows no reply, no tool, no ledger.

`parse` never raises: what cannot be read is None. `same` answers same, different or unknown, with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from claimx.types import SlotType
from claimx.values.clock import Time, parse_time, same_time
from claimx.values.comparison import Comparison, Outcome, near_miss, unknown_because
from claimx.values.contact import Contact, parse_contact, same_contact
from claimx.values.date import Date, parse_date
from claimx.values.date_comparison import same_date
from claimx.values.duration import Duration, parse_duration, same_duration
from claimx.values.identifier import Identifier, parse_identifier, same_identifier
from claimx.values.index import key_of, lookup_keys
from claimx.values.keys import is_minor_key
from claimx.values.money import Money, parse_money, same_money
from claimx.values.name import Name, fold, parse_name, same_name
from claimx.values.name_letters import may_be_same_name
from claimx.values.person import Person, parse_person, same_person
from claimx.values.quantity import Count, Percent, parse_count, parse_percent, same_count, same_percent
from claimx.values.state import Phase, State, phase_of, same_state, state_class

Value = Money | Identifier | Date | Time | Duration | Count | Percent | Contact | Person | Name

__all__ = [
    "Comparison", "Contact", "Count", "Date", "Duration", "Identifier", "Money", "Name", "Outcome", "Percent",
    "Person", "Phase",
    "State", "Time", "Value", "compare", "fold", "is_minor_key", "key_of", "lookup_keys", "may_be_same_name", "near_miss",
    "normalise", "parse",
    "phase_of", "same", "same_state", "state_class",
]  # fmt: skip

#: Longer texts are prose, not values: what stands beyond is not read, so that no text costs more than this.
_MAX_TEXT = 600
_SAME: dict[type, Any] = {
    Money: same_money, Identifier: same_identifier, Date: same_date, Time: same_time, Duration: same_duration,
    Count: same_count, Percent: same_percent, Contact: same_contact, Person: same_person, Name: same_name,
}  # fmt: skip


def parse(
    kind: SlotType | str,
    raw: object,
    *,
    key: str = "",
    schema: Mapping[str, Any] | None = None,
    now: datetime | None = None,
    currency: str | None = None,
    thorough: bool = False,
) -> Value | None:
    """Read text or a JSON value as a value of a slot type; None when it cannot be read.

    `key` is the name under which a JSON value stands, `schema` its JSON schema, `currency` the code beside it,
    `now` what relative dates are read against; `thorough` lets slower libraries try what the own grammar cannot
    read.

    >>> parse("MONEY", "$64").to_dict(), parse("COUNT", "both").to_dict(), parse("DATE", "soon")
    ({'amount': '64', 'currency': 'USD'}, {'number': 2}, None)
    """
    if isinstance(raw, str) and len(raw) > _MAX_TEXT:
        raw = raw[:_MAX_TEXT]
    try:
        match SlotType(kind):
            case SlotType.MONEY:
                return parse_money(raw, key=key, schema=schema, currency=currency)
            case SlotType.ID:
                return parse_identifier(raw)
            case SlotType.DATE:
                return parse_date(raw, key=key, now=now, thorough=thorough)
            case SlotType.TIME:
                return parse_time(raw, key=key)
            case SlotType.DURATION:
                return parse_duration(raw, key=key, schema=schema)
            case SlotType.COUNT:
                return parse_count(raw)
            case SlotType.PERCENT:
                return parse_percent(raw, key=key, schema=schema)
            case SlotType.CONTACT:
                return parse_contact(raw, key=key)
            case SlotType.PERSON:
                return parse_person(raw)
            case SlotType.NAME:
                return parse_name(raw)
    except (ArithmeticError, ValueError, RecursionError):
        # A value too odd to compute with (a year 0, an exponent beyond Decimal, a record in itself) cannot be read.
        return None


def same(claimed: Value, recorded: Value) -> Comparison:
    """Hold one value against another: a person against an address, too; otherwise both must be of one kind.

    >>> same(parse("MONEY", "$49.00"), parse("MONEY", 4.90)).reason
    '49.00 USD is not 4.9: off by a factor of 10'
    """
    try:
        if type(claimed) is type(recorded):
            found: Comparison = _SAME[type(claimed)](claimed, recorded)
            return found
        if isinstance(claimed, Person | Contact) and isinstance(recorded, Person | Contact):
            return _same_party(claimed, recorded)
    except (ArithmeticError, ValueError):
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} cannot be compared")
    return unknown_because(f"{claimed.text!r} and {recorded.text!r} are not of the same kind")


def _same_party(claimed: Person | Contact, recorded: Person | Contact) -> Comparison:
    """A name against an address: an address whose letters say another name may still be that person's."""
    a, b = parse_person(claimed.text), parse_person(recorded.text)
    found = same_person(a, b) if a is not None and b is not None else None
    if found is None or (found.is_different and isinstance(claimed, Contact)):
        return unknown_because(f"{claimed.text!r} may or may not be of {recorded.text!r}")
    return found


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

    A recorded list agrees if any member does; a count is held against its length.

    >>> compare("ID", "SU-88421", "SU-88412").reason
    "'SU-88421' is not 'SU-88412': one digit transposed"
    >>> [compare("CONTACT", "bob@x.com", r).outcome.value for r in (["ann@x.com", "bob@x.com"], "Bob Ray")]
    ['same', 'same']
    """
    a = parse(kind, claimed, now=now, thorough=True)
    if a is None:
        return unknown_because(f"{claimed[:80]!r} cannot be read as {kind}")
    members = recorded[:100] if isinstance(recorded, list) and not isinstance(a, Count) else [recorded]
    found = [_compare_one(a, kind, r, key=key, schema=schema, now=now, currency=currency) for r in members]
    if not found:
        return unknown_because(f"nothing is recorded that {claimed!r} could be")
    for outcome in (Outcome.SAME, Outcome.UNKNOWN):
        hit = next((c for c in found if c.outcome is outcome), None)
        if hit is not None:
            return hit
    return found[0]


def _compare_one(
    a: Value,
    kind: SlotType | str,
    recorded: object,
    *,
    key: str,
    schema: Mapping[str, Any] | None,
    now: datetime | None,
    currency: str | None,
) -> Comparison:
    b = parse(kind, recorded, key=key, schema=schema, now=now, currency=currency)
    if b is None and isinstance(a, Contact):
        b = parse(SlotType.PERSON, recorded)
    if b is None:
        return unknown_because(f"{str(recorded)[:80]!r} cannot be read as {kind}")
    return same(a, b)


def normalise(kind: SlotType | str, text: str, *, now: datetime | None = None) -> dict[str, Any] | None:
    """Return a slot's value as plain JSON, None when it cannot be read.

    >>> normalise("PERCENT", "fifteen percent")
    {'percent': '15'}
    """
    value = parse(kind, text, now=now, thorough=True)
    return value.to_dict() if value is not None else None
