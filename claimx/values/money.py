"""Amounts of money: text or JSON to a Decimal with a currency, and whether two amounts agree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because
from claimx.values.currencies import CENTS, CODES, currencies_of, exponent_of, main_currency_of
from claimx.values.keys import is_micro_key, is_minor_key, words_of
from claimx.values.numbers import Number, decimal_of, first_number, is_cut_to, is_roughly, numbers_in, rounds_to

_TOKEN = re.compile(r"[A-Za-z]{1,2}[$¥](?![A-Za-z])|Kč|zł|[A-Za-z]+\.?|[$€£¥₹₩₽₺₪₫฿₴₦¢]")
_RANGE = re.compile(r"\s*[A-Z$€£¥₹]{0,3}\s*(?:-|–|—|to|and)\s*[A-Z$€£¥₹]{0,3}\s*")
_AMOUNT_KEYS = ("amount", "value", "total", "price", "gross", "net", "units", "amount_value", "total_amount")
_CURRENCY_KEYS = ("currency", "currency_code", "currencyCode", "currency_iso", "iso_code")
_SCALE_KEYS = ("exponent", "decimals", "scale", "minor_digits", "decimal_places")
_MICRO = Decimal(1).scaleb(-6)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in major units. `currency` is an ISO 4217 code, None when unsaid.

    `shared` are all currencies that the sign may stand for, `minor` that the source counted minor units, `exact`
    that a sign, word or fraction shows major units, `step` the size of its last digit, `other` a second reading
    (`1.250`), `high` a range's end.
    """

    amount: Decimal
    currency: str | None
    text: str
    shared: frozenset[str] = frozenset()
    minor: bool = False
    exact: bool = False
    step: Decimal = Decimal(0)
    other: Decimal | None = None
    high: Decimal | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"amount": f"{self.amount:f}", "currency": self.currency}
        if self.high is not None:
            out["to_amount"] = f"{self.high:f}"
        return out


def parse_money(
    raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None, currency: str | None = None
) -> Money | None:
    """Read an amount from a reply's text or from a JSON value; None when it cannot be read.

    `key` and `schema` tell minor units (`amount_cents`), `currency` what stands beside the value in its record.

    >>> parse_money("€1.250,00").to_dict(), parse_money("sixty-four dollars").to_dict()
    ({'amount': '1250.00', 'currency': 'EUR'}, {'amount': '64', 'currency': 'USD'})
    >>> parse_money(6400, key="amount_cents").amount, parse_money({"amount": 6400, "currency": "JPY"}).currency
    (Decimal('64'), 'JPY')
    """
    if isinstance(raw, Mapping):
        return _parse_record(raw, currency, schema)
    named, minor = _told_by(key)
    beside = _code(currency) or named
    minor = minor if schema is None else is_minor_key(key, schema)
    if isinstance(raw, str):
        return _parse_text(raw, beside, minor=minor)
    number = decimal_of(raw)
    if number is None:
        return None
    shared = frozenset({beside} if beside else ())
    if is_micro_key(key):
        return Money(_plain(number * _MICRO), beside, str(raw), shared, minor=True, exact=True)
    amount = _major(number, beside) if minor else number
    exact = minor or isinstance(raw, float) or number != number.to_integral_value()
    return Money(amount, beside, str(raw), shared, minor=minor, exact=exact)


@lru_cache(maxsize=4096)
def _told_by(key: str) -> tuple[str | None, bool]:
    """The currency that a name has in it, and whether it counts minor units."""
    return next((c for w in words_of(key) if (c := w.upper()) in CODES), None), is_minor_key(key)


def _parse_record(raw: Mapping[Any, Any], currency: str | None, schema: Mapping[str, Any] | None) -> Money | None:
    code = next((_code(raw[k]) for k in _CURRENCY_KEYS if isinstance(raw.get(k), str)), None) or currency
    names = [str(k) for k in raw]
    name = next((n for n in names if is_minor_key(n) or is_micro_key(n)), None) or next(
        (n for n in _AMOUNT_KEYS if n in raw), None
    )
    if name is None or isinstance(raw.get(name), Mapping):
        return None
    scale = next((raw[k] for k in _SCALE_KEYS if isinstance(raw.get(k), int) and 0 < raw[k] < 10), None)
    if scale and (number := decimal_of(raw[name])) is not None:
        shown = frozenset({code} if code else ())
        return Money(_plain(number.scaleb(-scale)), code, str(raw[name]), shown, minor=True, exact=True)
    found = parse_money(raw[name], key=name, schema=schema, currency=code)
    nanos = decimal_of(raw.get("nanos")) if name == "units" else None
    if found and nanos is not None:
        return Money(_plain(found.amount + nanos.scaleb(-9)), found.currency, found.text, found.shared, exact=True)
    return found


def _code(text: object) -> str | None:
    return main_currency_of(text.strip()) if isinstance(text, str) and len(text) < 12 else None


def _major(number: Decimal, currency: str | None) -> Decimal:
    return _plain(number.scaleb(-exponent_of(currency)))


def _plain(number: Decimal) -> Decimal:
    """Drop trailing zeros without leaving an exponent."""
    number = number.normalize()
    return number if number.as_tuple().exponent <= 0 else number.quantize(Decimal(1))  # type: ignore[operator]


def _parse_text(text: str, beside: str | None, *, minor: bool) -> Money | None:
    text = text.strip()[:200]
    first = first_number(text)
    if first is None:
        return None
    code: str | None = None
    shared: frozenset[str] = frozenset()
    cents = False
    for token in _TOKEN.findall(text):
        if token.lower().rstrip(".") in CENTS:
            cents = True
        elif (
            (found := currencies_of(token))
            and (token.isupper() or len(token.rstrip(".")) != 3 or "$" in token)
            and len(found) < len(shared or "x" * 99)
        ):
            code, shared = main_currency_of(token), found
    value, other, high, step = first.value, first.other, None, first.step
    numbers = numbers_in(text) if any(c in text for c in "-–—¢") or " " in text else [first]
    second = next((n for n in numbers if n.start >= first.end), None)
    if second is not None and not cents and _RANGE.fullmatch(text, first.end, second.start) and second.value >= value:
        high = second.value
        if second.step > step and value < second.value / second.step:  # "$3-5k": the scale is that of both
            value, step = value * (scale := _scale(second)), step * scale
    if cents:
        if second is not None and second.value < 100 and code:
            value, step = value + second.value.scaleb(-2), Decimal("0.01")
        elif code in (None, "USD", "GBP", "EUR", "INR", "CHF") or shared == currencies_of("$"):
            value, step = value.scaleb(-2), step.scaleb(-2)
        if code is None and any(w in text.lower() for w in ("pence", "penn", "p")) and "paise" not in text.lower():
            code, shared = "GBP", frozenset({"GBP"})
    if text.startswith("(") and text.endswith(")"):
        value = -abs(value)
    whole = value == value.to_integral_value()
    if minor and not cents and code is None:
        return Money(_major(value, beside), beside, text, frozenset({beside} if beside else ()), minor=True, exact=True,
                     other=None if whole else value)  # fmt: skip
    if other is not None and first.step == Decimal("0.001") and exponent_of(code or beside) < 3:
        value, other, step = (
            other,
            value,
            Decimal(1),
        )  # €1.250 is a thousand and more: no such currency has three decimals
    if code is None and beside:
        code, shared = beside, frozenset({beside})
    exact = cents or bool(shared and code != beside) or not whole or first.step < 1
    return Money(value, code, text, shared, exact=exact, step=step, other=other, high=high)


def _scale(number: Number) -> Decimal:
    return Decimal(1).scaleb(number.step.adjusted()) if number.step >= 1000 else Decimal(1)


def same_money(claimed: Money, recorded: Money) -> Comparison:
    """Compare two amounts: signs are ignored (a refund of -64 is one of 64), currencies that both name must agree.

    >>> same_money(parse_money("$64"), parse_money(6.4)).reason
    '64 USD is not 6.4: off by a factor of 10'
    >>> same_money(parse_money("$64"), parse_money(6400)).outcome.value
    'unknown'
    """
    a, b = abs(claimed.amount), abs(recorded.amount)
    mine, theirs = show_money(claimed), show_money(recorded)
    if claimed.shared and recorded.shared and claimed.shared.isdisjoint(recorded.shared):
        return different_because(f"the currency is {recorded.currency}, not {claimed.currency}")
    if claimed.high is not None or recorded.high is not None:
        low, high = a, claimed.high or a
        if low <= b and (recorded.high or b) <= high:
            return same_because(f"{theirs} lies within {mine}")
        inside = b <= a <= (recorded.high or b)
        return (
            unknown_because(f"{mine} is one end of {theirs}")
            if inside
            else different_because(f"{mine} is not {theirs}")
        )
    if a == b:
        signs = "" if claimed.amount == recorded.amount else ", signs aside"
        return same_because(f"both are {mine}{signs}")
    readings = {abs(x) for x in (claimed.other, a) if x is not None} & {
        abs(x) for x in (recorded.other, b) if x is not None
    }
    if readings:
        return same_because(f"{claimed.text} can be read as {theirs}")
    step = claimed.step or None
    if rounds_to(b, a, step):
        return same_because(f"{theirs} rounds to {claimed.text}")
    if is_roughly(claimed.text, a, b):
        return same_because(f"{theirs} is {claimed.text}")
    factor = Decimal(10) ** exponent_of(claimed.currency or recorded.currency)
    if factor > 1 and b == a * factor and b == b.to_integral_value() and not recorded.exact and not recorded.minor:
        return unknown_because(
            f"{recorded.text} may be {mine} in minor units (ambiguous by a factor of {factor}): nothing says so"
        )
    if step and step >= 1 and is_cut_to(b, a, step):
        return unknown_because(f"{mine} may be {theirs} cut off")
    slip = near_miss(a, b)
    return different_because(f"{mine} is not {theirs}" + (f": {slip}" if slip else ""))


def show_money(money: Money) -> str:
    """Write an amount with its currency, for a reason."""
    ends = [f"{x:f}" for x in (money.amount, money.high) if x is not None]
    return " ".join(["-".join(ends), *([money.currency] if money.currency else [])])
