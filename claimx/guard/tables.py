"""Tables in the text of a result: comma-separated values, Markdown, columns between tabs, each cell with its column's name."""

from __future__ import annotations

import csv
from collections.abc import Iterator

_SIGNS = ("|", "\t", ";", ",")
#: Lines read of one text; what stands further down is looked up again by whoever needs it.
_MOST_LINES = 1000
_LONGEST_NAME = 40


def cells(text: str) -> Iterator[tuple[str, str]]:
    """Yield each cell of the tables in a text with the name at the head of its column.

    >>> list(cells("item,price\\nmug,8\\ncup,12"))
    [('item', 'mug'), ('price', '8'), ('item', 'cup'), ('price', '12')]
    >>> list(cells("| item | price |\\n|---|---|\\n| mug | 8.00 |")), list(cells("Hi Ann, thanks.\\nSee you, Bob"))
    ([('item', 'mug'), ('price', '8.00')], [])
    """
    sign = ""
    names: list[str] = []
    for line in text.splitlines()[:_MOST_LINES]:
        if sign and len(row := _row(line, sign)) == len(names):
            if any(c.strip(" -:=+") for c in row):
                yield from ((n, c) for n, c in zip(names, row, strict=True) if c)
            continue
        sign, names = next(((s, r) for s in _SIGNS if _is_head(r := _row(line, s))), ("", []))


def _row(line: str, sign: str) -> list[str]:
    if sign not in line:
        return []
    if sign == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    try:
        return [c.strip() for c in next(csv.reader([line], delimiter=sign), [])]
    except csv.Error:
        return []


def _is_head(row: list[str]) -> bool:
    """Whether a line names columns: short names, none of them twice, no digits and no sentence."""
    return (
        len(row) >= 2
        and len(set(row)) == len(row)
        and all(0 < len(n) <= _LONGEST_NAME and n[0].isalpha() and n.count(" ") < 3 and n[-1] not in ".!?" for n in row)
        and not any(c.isdigit() for n in row for c in n)
    )
