"""Currencies: their signs, words, codes and minor units. Data after ISO 4217 (list one) and common usage."""

from __future__ import annotations

from claimx.values.vocabulary import words

#: Signs and words that stand for one currency first, and may stand for others that share them.
_SHARED = {
    "$": "USD AUD CAD NZD HKD SGD MXN TWD ARS CLP COP BBD BSD JMD TTD FJD",
    "£": "GBP EGP FKP GIP",
    "¥": "JPY CNY",
    "kr": "SEK NOK DKK ISK",
    "rs": "INR PKR LKR NPR MUR",
    "peso": "MXN ARS CLP COP PHP UYU DOP",
    "franc": "CHF XAF XOF XPF",
    "dinar": "KWD BHD JOD TND IQD RSD DZD",
    "dirham": "AED MAD",
    "riyal": "SAR QAR OMR YER",
    "crown": "SEK NOK DKK CZK ISK",
    "shilling": "KES UGX TZS",
    "lira": "TRY",
    "real": "BRL",
}
_SIGNS = {
    "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD",
    "S$": "SGD", "SG$": "SGD",
    "R$": "BRL", "MX$": "MXN", "NT$": "TWD", "J$": "JMD", "€": "EUR", "₹": "INR", "₩": "KRW", "₽": "RUB",
    "₺": "TRY", "₪": "ILS",
    "₫": "VND", "฿": "THB", "₴": "UAH", "₦": "NGN", "zł": "PLN", "CN¥": "CNY", "JP¥": "JPY", "Kč": "CZK", "Ft": "HUF",
}  # fmt: skip
_NAMES = {
    "dollar": "$", "buck": "$", "euro": "EUR", "pound": "£", "quid": "GBP", "sterling": "GBP", "yen": "JPY",
    "rupee": "rs",
    "yuan": "CNY", "renminbi": "CNY", "won": "KRW", "zloty": "PLN", "krona": "SEK", "krone": "kr",
    "kroner": "kr", "kronor": "SEK",
    "rand": "ZAR", "baht": "THB", "ringgit": "MYR", "rupiah": "IDR", "shekel": "ILS", "forint": "HUF", "koruna": "CZK",
    "naira": "NGN", "hryvnia": "UAH", "ruble": "RUB", "rouble": "RUB", "reais": "BRL", "fr": "CHF",
    "rs": "rs", "kr": "kr",
    "bitcoin": "BTC",
    **{name: name for name in ("peso", "franc", "dinar", "dirham", "riyal", "crown", "shilling", "lira", "real")},
}  # fmt: skip
#: Minor-unit exponents that differ from 2 (ISO 4217, list one).
_EXPONENTS = {
    **dict.fromkeys(words("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"), 0),
    **dict.fromkeys(words("BHD IQD JOD KWD LYD OMR TND"), 3),
}
CODES = words(
    "USD EUR GBP JPY INR CNY KRW RUB TRY ILS VND THB UAH NGN PLN SEK NOK DKK CHF AUD CAD NZD HKD SGD BRL "
    "MXN ZAR AED SAR CZK HUF RON BGN ARS CLP COP PEN EGP KES GHS PKR BDT LKR NPR IDR MYR PHP TWD BHD KWD "
    "OMR JOD TND ISK QAR MAD UYU DOP RSD UGX TZS DZD IQD LYD XAF XOF XPF MUR BBD BSD JMD TTD FJD FKP GIP "
    "YER RWF PYG GNF BIF DJF KMF VUV UYI BTC GEL AMD AZN KZT"
)
#: Words for a hundredth of the currency beside them.
CENTS = frozenset({"cent", "cents", "pence", "penny", "pennies", "p", "c", "¢", "paise", "centimes"})


def currencies_of(token: str) -> frozenset[str]:
    """Return the currencies that a sign, word or code may stand for; empty when it is none.

    >>> currencies_of("€"), currencies_of("eur"), "CAD" in currencies_of("$"), currencies_of("refund")
    (frozenset({'EUR'}), frozenset({'EUR'}), True, frozenset())
    """
    return frozenset(_ranked(token))


def main_currency_of(token: str) -> str | None:
    """Return the currency that a sign, word or code stands for first.

    >>> main_currency_of("$"), main_currency_of("pounds"), main_currency_of("C$")
    ('USD', 'GBP', 'CAD')
    """
    ranked = _ranked(token)
    return ranked[0] if ranked else None


def exponent_of(currency: str | None) -> int:
    """Return the number of minor-unit digits of a currency; 2 when it is unknown.

    >>> exponent_of("JPY"), exponent_of("KWD"), exponent_of("EUR"), exponent_of(None)
    (0, 3, 2, 2)
    """
    return _EXPONENTS.get(currency or "", 2)


def _ranked(token: str) -> list[str]:
    upper, lower = token.upper(), token.lower().rstrip(".")
    if upper in CODES:
        return [upper]
    if token in _SIGNS or upper in _SIGNS:
        return [_SIGNS.get(token) or _SIGNS[upper]]
    name = next((_NAMES[n] for n in (lower, lower[:-1] if lower.endswith("s") else lower) if n in _NAMES), token)
    return _SHARED[name].split() if name in _SHARED else [name] if name in CODES else []
