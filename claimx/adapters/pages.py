"""Records in an envelope: the page of an API, an export with a heading. What is in the one list of it are the records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from claimx.adapters import messages
from claimx.records import Record

#: Elements that are looked at to tell whether a list holds records.
_LOOKED_AT = 20


def opened(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records within each record that is a page, and every other as it is.

    >>> [r.data for r in opened([Record(1, {"data": [{"a": 1}, {"a": 2}], "next": None}), Record(2, {"a": 3})])]
    [{'a': 1}, {'a': 2}, {'a': 3}]
    """
    for record in records:
        held = None if record.error else held_in(record.data)
        if held is None:
            yield record
        elif messages.is_message(held[0]):
            yield Record(record.line, held)
        else:
            yield from (Record(record.line, value) for value in held)


def held_in(data: Any) -> list[Any] | None:
    """Return the records in a page: the one list of objects in it. None where there is none, or more than one."""
    if not isinstance(data, Mapping):
        return None
    lists = [v for v in data.values() if isinstance(v, list) and v and _are_records(v)]
    return lists[0] if len(lists) == 1 else None


def _are_records(values: list[Any]) -> bool:
    return all(isinstance(v, Mapping | list) and v for v in islice(values, _LOOKED_AT))
