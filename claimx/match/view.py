"""A recorded call opened up for comparison: the leaves of its arguments and result, its lists, its text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from claimx.match.fields import Leaf, ListSize, leaves_of, schema_of, unwrapped
from claimx.types import LedgerEntry, SlotType, Tool
from claimx.values import Value, fold, parse


@dataclass(frozen=True, slots=True)
class CallView:
    """A call opened up for comparison: leaves of arguments and result, lists with their sizes, texts folded."""

    entry: LedgerEntry
    args: tuple[Leaf, ...]
    results: tuple[Leaf, ...]
    sizes: tuple[ListSize, ...]
    text: str
    parameters: Mapping[str, Any] | None = None
    parsed: dict[tuple[str, int], Value | None] = field(default_factory=dict)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return self.args + self.results


def view_of(entry: LedgerEntry, tool: Tool | None = None) -> CallView:
    """Open a call up. Free text results are one leaf."""
    args, arg_sizes = leaves_of(entry.args if entry.captured else None, f"{entry.id}.args")
    results, sizes = leaves_of(unwrapped(entry.result) if entry.captured else None, f"{entry.id}.result")
    text = fold("\n".join(str(leaf.value) for leaf in (*args, *results))[:60_000])
    return CallView(entry, tuple(args), tuple(results), (*arg_sizes, *sizes), text, tool.parameters if tool else None)


def read_leaf(view: CallView, kind: SlotType, index: int, leaf: Leaf, now: datetime | None) -> Value | None:
    at = (kind, index)
    if at not in view.parsed:
        schema = schema_of(view.parameters, leaf.key)
        raw = leaf.value
        if isinstance(raw, str) and len(raw) > 200:
            view.parsed[at] = None
        else:
            view.parsed[at] = parse(kind, raw, key=leaf.key, schema=schema, now=now, currency=leaf.currency)
    return view.parsed[at]
