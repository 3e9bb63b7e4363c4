"""Runs in the project's own shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters.found import Found
from claimx.adapters.plain import mapping
from claimx.errors import InputError
from claimx.records import Record
from claimx.types import Run

NAME = "claimx"


def matches(sample: Sequence[Any]) -> bool:
    """Whether records have a reply, or a ledger."""
    return any(_is_run(mapping(r)) for r in sample)


def _is_run(data: Mapping[str, Any]) -> bool:
    bare = isinstance(data.get("text"), str) and not {"role", "type", "parts", "message"} & set(data)
    return "reply" in data or "ledger" in data or bare


def read(records: Iterable[Record], parse: Callable[..., Run]) -> Iterator[Found]:
    """Read runs; each line stands for itself."""
    for record in records:
        if record.error is not None:
            yield Found(record.line, error=record.error)
            continue
        try:
            yield Found(record.line, parse(record.data, line=record.line))
        except InputError as e:
            yield Found(record.line, error=e)
