"""The look at letters leaves out no two names that are the same."""

from __future__ import annotations

from itertools import product

from claimx.values import may_be_same_name
from claimx.values.name import Name, parse_name, same_name

TEXTS = (
    "Gold plan|gold|the Gold Plan|silver|Red Lamp|red lamps|redLamp|RL|lamp|PHL|Philadelphia|San Francisco Office|SFO|"
    "12 Main St|12 Main Street|Main Street|ln|Lane|Dr.|Zo\u00eb's Caf\u00e9|zoes cafe|O'Neil|Oneil|Bank of America|bankamerica|"
    "src/app.py|app.py|app|./src/app.py|v1.0.2|1.0|version 1.0.2|#ops|ops|#ops-test|box|boxes|class|classes|bus|buses|"
    "account|The|a|A-4821|4821|New York City|newyork|City|file|Stra\u00dfe|strasse|\u6771\u4eac|Tokyo"
).split("|")


def names() -> list[Name]:
    return [n for t in TEXTS if (n := parse_name(t)) is not None]


def test_names_that_are_the_same_may_be_the_same() -> None:
    pairs = [(a, b) for a, b in product(names(), repeat=2) if same_name(a, b).is_same]
    assert len(pairs) > len(names())
    assert [(a.text, b.text) for a, b in pairs if not may_be_same_name(a, b)] == []


def test_most_other_names_are_told_apart() -> None:
    plain = [n for n in names() if n.sort == "word"]
    pairs = [(a, b) for a, b in product(plain, repeat=2) if not same_name(a, b).is_same]
    left = [(a.text, b.text) for a, b in pairs if may_be_same_name(a, b)]
    assert len(left) < len(pairs) / 20
