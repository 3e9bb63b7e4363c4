"""Runs on their way to another process: as plain tuples, which travel at half the cost of what they are made of."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Any

from claimx.archive.facets import Facets
from claimx.archive.intake import Item
from claimx.types import LedgerEntry, Run, Tool


def _fields(kind: Any) -> Any:
    return attrgetter(*kind.__dataclass_fields__)


_ITEM, _FACETS, _RUN, _ENTRY, _TOOL = map(_fields, (Item, Facets, Run, LedgerEntry, Tool))


class Parcel:
    """A chunk of runs. What comes out of its pickle is the list of them."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items

    def __reduce__(self) -> tuple[Any, ...]:
        return _opened, ([_closed(i) for i in self._items],)


def _closed(item: Item) -> tuple[Any, ...]:
    reply, ledger, tools, *more = _RUN(item.run)
    run = (reply, [_ENTRY(e) for e in ledger], [_TOOL(t) for t in tools], *more)
    _, file, line, facets, content = _ITEM(item)
    return run, file, line, _FACETS(facets), content


def _opened(closed: list[tuple[Any, ...]]) -> list[Item]:
    items = []
    for (reply, ledger, tools, *more), file, line, facets, content in closed:
        entries, listed = tuple([LedgerEntry(*e) for e in ledger]), tuple([Tool(*t) for t in tools])
        items.append(Item(Run(reply, entries, listed, *more), file, line, Facets(*facets), content))
    return items
