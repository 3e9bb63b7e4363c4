"""Amounts of money: text or JSON to a Decimal with a currency, and whether two amounts agree."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.numbers import decimal_of, parse_number, rounds_to

_SYMBOLS = {
    "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL",
    "MX$": "MXN", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₪": "ILS",
    "₫": "VND", "฿": "THB", "₴": "UAH", "₦": "NGN", "zł": "PLN", "kr": "SEK", "Fr.": "CHF", "Rs.": "INR", "Rs": "INR",
}  # fmt: skip
_WORDS = {
    "dollar": "USD", "dollars": "USD", "bucks": "USD", "buck": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP",
    "quid": "GBP", "sterling": "GBP", "yen": "JPY", "rupee": "INR", "rupees": "INR", "yuan": "CNY", "renminbi": "CNY", "won": "KRW",
    "franc": "CHF", "francs": "CHF", "peso": "MXN", "pesos": "MXN", "real": "BRL", "reais": "BRL", "zloty": "PLN",
    "krona": "SEK", "kronor": "SEK", "kroner": "NOK", "lira": "TRY", "rand": "ZAR", "dirham": "AED", "dirhams": "AED",
}  # fmt: skip
_CENTS = frozenset({"cent", "cents", "pence", "penny", "pennies", "p", "¢"})
#: Minor-unit exponents that differ from 2 (ISO 4217, table A.1).
_EXPONENTS = {
    **dict.fromkeys(["BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF"], 0),
    **dict.fromkeys(["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"], 3),
}  # fmt: skip
_CODES = frozenset(
    "USD EUR GBP JPY INR CNY KRW RUB TRY ILS VND THB UAH NGN PLN SEK NOK DKK CHF AUD CAD NZD HKD SGD BRL MXN ZAR AED SAR "
    "CZK HUF RON BGN ARS CLP COP PEN EGP KES GHS PKR BDT LKR IDR MYR PHP TWD BHD KWD OMR JOD TND ISK QAR MAD".split()
)
#: Dollar-like symbols that other currencies share: `$` may stand for any of them.
_DOLLARS = frozenset({"USD", "AUD", "CAD", "NZD", "HKD", "SGD", "MXN"})
_MINOR_KEY = re.compile(r"(?:^|_)(?:cents?|minor(?:_units?)?|pence|in_cents|micros)(?:_|$)|cents$", re.I)
_TOKEN = re.compile(r"[A-Za-z]{1,2}\$|[A-Za-z]+|[$€£¥₹₩₽₺₪₫฿₴₦¢]")
_AMOUNT_KEYS = ("amount", "value", "total", "price", "gross", "net", "units")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in major units. `currency` is an ISO 4217 code, None when unknown; `loose` when only a shared sign."""

    amount: Decimal
    currency: str | None
    text: str
    loose: bool = False
    minor: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"amount": str(self.amount), "currency": self.currency}


def exponent_of(currency: str | None) -> int:
    """Return the number of minor-unit digits of a currency; 2 when it is unknown."""
    return _EXPONENTS.get(currency or "", 2)


def is_minor_key(key: str, schema: Mapping[str, Any] | None = None) -> bool:
    """Whether an argument's name, or its schema's description, says that it counts minor units.

    >>> is_minor_key("amount_cents"), is_minor_key("amountCents"), is_minor_key("percent"), is_minor_key("recents")
    (True, True, False, False)
    """
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key)
    if re.search(r"(?:^|[_.])(?:cents?|minor(?:_units?)?|pence)(?:[_.]|$)", snake, re.I):
        return True
    text = f"{(schema or {}).get('description', '')} {(schema or {}).get('title', '')}".lower()
    return bool(re.search(r"\b(?:in|as) (?:cents|pence|minor units|the (?:smallest|minor) (?:currency )?unit)", text))


def parse_money(
    raw: object, *, key: str = "", schema: Mapping[str, Any] | None = None, currency: str | None = None
) -> Money | None:
    """Read an amount from a reply's text or from a JSON value; None when it cannot be read.

    `key` and `schema` tell minor units (`amount_cents`), `currency` what stands beside the value in its record.

    >>> parse_money("€1.250,00").to_dict()
    {'amount': '1250.00', 'currency': 'EUR'}
    >>> parse_money(6400, key="amount_cents").amount
    Decimal('64')
    """
    if isinstance(raw, Mapping):
        for name in _AMOUNT_KEYS:
            if name in raw:
                code = raw.get("currency") or raw.get("currency_code") or currency
                return parse_money(raw[name], key=name, currency=code if isinstance(code, str) else currency)
        for name, inner in raw.items():
            if is_minor_key(str(name)):
                code = raw.get("currency") or currency
                return parse_money(inner, key=str(name), currency=code if isinstance(code, str) else currency)
        return None
    if isinstance(raw, str):
        return _parse_text(raw, currency, minor=is_minor_key(key, schema))
    number = decimal_of(raw)
    if number is None:
        return None
    code = currency.upper() if currency else None
    minor = is_minor_key(key, schema)
    return Money(_major(number, code) if minor else number, code, str(raw), minor=minor)


def _major(number: Decimal, currency: str | None) -> Decimal:
    return number.scaleb(-exponent_of(currency)).normalize() + 0


def _parse_text(text: str, currency: str | None, *, minor: bool) -> Money | None:
    text = text.strip()[:200]
    number = parse_number(text)
    if number is None:
        return None
    code: str | None = None
    loose = cents = False
    for token in _TOKEN.findall(text):
        upper = token.upper()
        if token in _CENTS or (token.lower() in _CENTS and token != "P"):
            cents = True
        elif upper in _CODES and token.isupper():
            code, loose = upper, False
        elif code is None and upper in _SYMBOLS:
            code, loose = _SYMBOLS[upper], token in {"$", "¥"}
        elif code is None and token in _SYMBOLS:
            code, loose = _SYMBOLS[token], token == "kr"
        elif code is None and token.lower() in _WORDS:
            code, loose = _WORDS[token.lower()], token.lower() in {"dollar", "dollars", "pound", "pounds", "peso", "pesos"}
    if cents and code in (None, "USD", "GBP", "EUR"):
        major = parse_number(re.split(r"\band\b", text)[0])
        rest = parse_number(re.split(r"\band\b", text)[1]) if " and " in text and code else None
        number = major + rest / 100 if major is not None and rest is not None else number / 100
    elif minor and code is None:
        number = _major(number, currency)
    if text.startswith("(") and text.endswith(")"):
        number = -abs(number)
    known = code or (currency.upper() if currency else None)
    return Money(number, known, text, loose=loose, minor=minor)


def same_money(claimed: Money, recorded: Money) -> Comparison:
    """Compare two amounts: sign is ignored (a refund of -64 is a refund of 64), a known currency must agree.

    >>> same_money(parse_money("$64"), parse_money(6.4)).outcome.value
    'different'
    >>> same_money(parse_money("$64"), parse_money(6400)).outcome.value
    'unknown'
    """
    a, b = abs(claimed.amount), abs(recorded.amount)
    if claimed.currency and recorded.currency and claimed.currency != recorded.currency:
        shared = (claimed.loose or recorded.loose) and {claimed.currency, recorded.currency} <= _DOLLARS
        if not shared:
            return different_because(f"the currency is {recorded.currency}, not {claimed.currency}")
    if a == b:
        return same_because(f"both are {_show(claimed)}")
    if a and b and not recorded.minor and (b == a * 100 and b == b.to_integral_value()):
        return unknown_because(f"{recorded.text} may be {_show(claimed)} in minor units: nothing says so")
    # A shown amount without minor units may be rounded; one with them is exact.
    if a == a.to_integral_value() and "." not in claimed.text and "," not in claimed.text:
        about = re.search(r"\b(?:about|around|approximately|roughly|nearly|almost|over|~)", claimed.text, re.I)
        if about and b and abs(a - b) / b <= Decimal("0.05"):
            return same_because(f"{recorded.text} is about {_show(claimed)}")
    if re.search(r"\d\s?[kKmM]", claimed.text) and b and abs(a - b) / b <= Decimal("0.05"):
        return same_because(f"{recorded.text} rounds to {claimed.text}")
    if rounds_to(b, a) and b.as_tuple().exponent not in (0, -1, -2):
        return same_because(f"{recorded.text} rounds to {_show(claimed)}")
    if a and b and b / a in (Decimal(10), Decimal("0.1"), Decimal(100), Decimal("0.01")):
        factor = max(a / b, b / a).normalize()
        return different_because(f"{_show(claimed)} is not {_show(recorded)}: off by a factor of {factor:f}")
    return different_because(f"{_show(claimed)} is not {_show(recorded)}")


def _show(money: Money) -> str:
    amount = f"{money.amount.normalize():f}" if money.amount == money.amount.to_integral_value() else f"{money.amount:f}"
    return f"{amount} {money.currency}" if money.currency else amount
