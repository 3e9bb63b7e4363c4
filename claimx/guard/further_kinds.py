"""Values of the further kinds that a policy asks to be traced: dates, people, counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from claimx.guard import texts
from claimx.guard.walk import Leaf
from claimx.types import SlotType
from claimx.values import Value, key_of, lookup_keys, parse, same

#: Of longer texts only the dates in them are values.
_SHORT = 40


class FurtherKinds:
    """Values by kind, each with the path where it was seen first. Only the kinds that are named are kept."""

    def __init__(self, kinds: Collection[str]) -> None:
        self._kinds = [SlotType(k) for k in kinds if k not in ("ID", "MONEY", "CONTACT")]
        self._values: dict[SlotType, list[tuple[Value, str]]] = defaultdict(list)
        self._keyed: dict[Any, str] = {}

    def add(self, leaf: Leaf, text: str) -> None:
        """File what a value says of each kind; `text` is its text, without what its call brought itself."""
        for kind in self._kinds:
            prose = isinstance(leaf.value, str) and len(text) > _SHORT
            parts = texts.date_texts(text) if prose and kind is SlotType.DATE else () if prose else (leaf.value,)
            for part in parts:
                self._add(kind, part, leaf)

    def _add(self, kind: SlotType, part: Any, leaf: Leaf) -> None:
        value = parse(kind, part, key=leaf.key, currency=leaf.currency)
        key = key_of(value) if value is not None else None
        if value is None or (key is not None and key in self._keyed):
            return
        if key is not None:
            self._keyed[key] = leaf.path
        self._values[kind].append((value, leaf.path))

    def find(
        self, kind: SlotType, value: Any, key: str, schema: Mapping[str, Any] | None, currency: str | None
    ) -> tuple[str, str] | None:
        """Return where a value was seen, None when it was not."""
        given = parse(kind, value, key=key, schema=schema, currency=currency)
        if given is None:
            return None
        for form in lookup_keys(given):
            if form in self._keyed:
                return self._keyed[form], "it is the same there"
        for seen, path in self._values[kind]:
            found = same(given, seen)
            if found.is_same:
                return path, found.reason
        return None
