"""Properties over generated values: every supported form reads back, nothing raises, keys and comparison agree."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimx.types import SlotType
from claimx.values import Count, Date, Duration, Money, Percent, Time, key_of, lookup_keys, normalise, parse, same
from claimx.values.number_words import parse_words
from claimx.values.numbers import parse_number
from claimx.values.vocabulary import words

KINDS = st.sampled_from(list(SlotType))
CENTS = st.integers(min_value=0, max_value=10**9)
DAYS = st.dates(min_value=date(1900, 1, 1), max_value=date(2199, 12, 31))
FIELDS = ["amount", "currency", "value", "unit", "date", "name", "id", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=60) | st.decimals(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
#: Text made of the pieces that the grammars look for, so that their corners are met more often than by chance.
PIECES = st.lists(
    st.sampled_from(
        sorted(
            words(
                "1 12 1,250 1.250 0.5 ½ - – − + $ € £ % k m : / . , # @ ( ) a an and half two dozen hundred million "
                "hours days business May 5th 2024-05-06 tomorrow ago in to PM EST Z +05:30 T USD cents x ending **** "
                "... bob @x.com Thursday www. P1D +1 99999999999999999999 1e9 ß 李"
            )
        )
    ),
    max_size=12,
).flatmap(lambda parts: st.sampled_from(["", " "]).map(lambda gap: gap.join(parts)))

MONEY_FORMS = {
    "dollars": lambda x: f"${x:,.2f}",
    "code after": lambda x: f"{x:,.2f} USD",
    "code before": lambda x: f"USD {x:.2f}",
    "european": lambda x: f"${x:,.2f}".replace(",", "_").replace(".", ",").replace("_", "."),
    "french": lambda x: f"{x:,.2f} USD".replace(",", "\u202f").replace(".", ","),
    "swiss": lambda x: f"USD {x:,.2f}".replace(",", "’"),
    "minus": lambda x: f"−${x:,.2f}",
    "accounting": lambda x: f"(${x:,.2f})",
    "word": lambda x: f"{x:,.2f} dollars",
    "dollars and cents": lambda x: f"{int(x)} dollars and {int(x * 100) % 100} cents",
}
DATE_FORMS = {
    "iso": lambda d: d.isoformat(),
    "stamp": lambda d: f"{d.isoformat()}T10:20:30",
    "compact": lambda d: f"{d.year:04d}{d.month:02d}{d.day:02d}",
    "american": lambda d: f"{d:%B} {d.day}, {d.year}",
    "ordinal": lambda d: (
        f"{d:%b} {d.day}{'th' if 4 <= d.day <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(d.day % 10, 'th')}, {d.year}"
    ),
    "british": lambda d: f"{d.day} {d:%B} {d.year}",
    "weekday": lambda d: f"{d:%A}, {d.day} {d:%B} {d.year}",
    "slashes": lambda d: f"{d.year}/{d.month}/{d.day}",
    "german": lambda d: f"{d.day:02d}.{d.month:02d}.{d.year}",
    "us slashes": lambda d: f"{d.month}/{d.day}/{d.year}",
}


@settings(max_examples=60, deadline=None)
@given(cents=CENTS, form=st.sampled_from(sorted(MONEY_FORMS)))
def test_an_amount_reads_back_from_every_form(cents: int, form: str) -> None:
    amount = Decimal(cents) / 100
    value = parse("MONEY", MONEY_FORMS[form](amount))
    assert isinstance(value, Money)
    assert (abs(value.amount), value.currency) == (amount, "USD")
    assert same(value, parse("MONEY", cents, key="amount_cents")).is_same  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(cents=st.integers(min_value=1, max_value=10**7), other=st.integers(min_value=1, max_value=10**7))
def test_two_amounts_with_cents_are_the_same_only_if_equal(cents: int, other: int) -> None:
    a, b = parse("MONEY", f"${Decimal(cents) / 100:.2f}"), parse("MONEY", f"{Decimal(other) / 100:.2f}")
    assert a is not None
    assert b is not None
    assert same(a, b).is_same == (cents == other)


@settings(max_examples=80, deadline=None)
@given(day=DAYS, form=st.sampled_from(sorted(DATE_FORMS)))
def test_a_date_reads_back_from_every_form(day: date, form: str) -> None:
    value = parse("DATE", DATE_FORMS[form](day))
    assert isinstance(value, Date)
    assert (value.year, value.month, value.day) == (day.year, day.month, day.day)


@settings(max_examples=60, deadline=None)
@given(day=DAYS, shift=st.integers(min_value=1, max_value=400), form=st.sampled_from(["iso", "american", "british"]))
def test_another_day_is_different(day: date, shift: int, form: str) -> None:
    a, b = parse("DATE", DATE_FORMS[form](day)), parse("DATE", (day + timedelta(days=shift)).isoformat())
    assert a is not None
    assert b is not None
    assert same(a, b).is_different


@settings(max_examples=60, deadline=None)
@given(minutes=st.integers(min_value=0, max_value=1439))
def test_a_time_reads_back_in_twelve_and_twenty_four_hours(minutes: int) -> None:
    at = datetime(2027, 1, 1) + timedelta(minutes=minutes)
    for text in (
        f"{at:%H:%M}",
        f"{at:%I:%M %p}",
        f"{at:%I:%M%p}".lower(),
        at.isoformat(),
        f"{at:%Hh%M}",
        f"{at:%H%M} hours",
    ):
        value = parse("TIME", text)
        assert isinstance(value, Time)
        assert value.minutes == minutes, text


@settings(max_examples=60, deadline=None)
@given(seconds=st.integers(min_value=1, max_value=10**6))
def test_a_duration_reads_back_from_every_form(seconds: int) -> None:
    hours, rest = divmod(seconds, 3600)
    minutes, left = divmod(rest, 60)
    texts = (f"{seconds} seconds", f"{seconds:,} s", f"{hours} h {minutes} min {left} s", f"{hours}h{minutes}m{left}s",
             f"PT{hours}H{minutes}M{left}S", f"{hours} hours, {minutes} minutes and {left} seconds")  # fmt: skip
    for text in texts:
        value = parse("DURATION", text)
        assert isinstance(value, Duration), text
        assert (value.low, value.high) == (seconds, seconds), text
    assert parse("DURATION", seconds * 1000, key="timeout_ms").low == seconds  # type: ignore[union-attr]


@settings(max_examples=80, deadline=None)
@given(number=st.integers(min_value=0, max_value=10**9 - 1))
def test_a_whole_number_reads_back_from_digits_and_words(number: int) -> None:
    assert parse_number(f"{number:,}") == number
    assert parse_number(_indian(number)) == number
    assert parse_words(_spell(number)) == number
    value = parse("COUNT", _spell(number))
    assert isinstance(value, Count)
    assert value.number == number


@settings(max_examples=40, deadline=None)
@given(tenths=st.integers(min_value=0, max_value=1000))
def test_a_percentage_is_the_same_as_its_fraction(tenths: int) -> None:
    value = parse("PERCENT", f"{tenths / 10}%")
    assert isinstance(value, Percent)
    assert same(value, parse("PERCENT", tenths / 1000, key="fraction")).is_same  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(
    kind=KINDS,
    raw=JSON | PIECES,
    other=JSON | PIECES,
    key=st.sampled_from(["", "amount_cents", "timeout_ms", "year", "x_est"]),
)
def test_no_text_or_json_makes_it_raise(kind: SlotType, raw: Any, other: Any, key: str) -> None:
    a, b = parse(kind, raw, now=datetime(2027, 3, 10)), parse(kind, other, key=key)
    if a is not None:
        assert isinstance(a.to_dict(), dict)
        assert same(a, a).outcome.value in {"same", "unknown"}
        hash(key_of(a))
    if a is not None and b is not None:
        found = same(a, b)
        assert found.reason
        if key_of(a) is not None and key_of(a) == key_of(b):
            assert found.is_same
        if key_of(b) is not None and key_of(b) in lookup_keys(a):
            assert found.is_same


@pytest.mark.parametrize(
    "piece",
    ["1,", "1 ", "9", "a ", "half ", "one ", "and ", "- ", "x", "*", ".", "@", "a@", "a.", "May ", "5 ", "1:", "(", "#",
     "$1-", "in a ", "www."],
    ids=repr,
)  # fmt: skip
def test_reading_a_long_text_takes_no_longer_than_a_cap(piece: str) -> None:
    for text in (piece * 50_000, piece * 300 + "!"):
        for kind in SlotType:
            start = time.process_time()
            parse(kind, text, now=datetime(2027, 3, 10))
            assert time.process_time() - start < 0.1, kind


def test_a_value_is_found_among_five_hundred_in_under_a_millisecond() -> None:
    seen = {key_of(v): n for n in range(500) if (v := parse("MONEY", n * 1.37)) is not None}
    claimed = parse("MONEY", f"${400 * 1.37:.2f}")
    assert claimed is not None
    start = time.process_time()
    found = [seen[k] for k in lookup_keys(claimed) if k in seen]
    assert time.process_time() - start < 0.001
    assert found == [400]


def test_a_text_that_cannot_be_read_has_no_normal_form() -> None:
    assert normalise("DATE", "as soon as possible") is None
    assert normalise("MONEY", "a refund") is None
    assert parse("NO_SUCH_TYPE", "x") is None


def _indian(number: int) -> str:
    text = str(number)
    head, tail = text[:-3], text[-3:]
    groups = []
    while head:
        head, group = head[:-2], head[-2:]
        groups.insert(0, group)
    return ",".join([*groups, tail])


_SMALL = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
_TENS = ["zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def _spell(number: int) -> str:
    if number < 20:
        return _SMALL[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_SMALL[number % 10]}" if number % 10 else "")
    for size, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            head, rest = divmod(number, size)
            joint = " and " if size == 100 else " "
            return f"{_spell(head)} {word}" + (f"{joint}{_spell(rest)}" if rest else "")
    raise AssertionError(number)
