"""Runs in the project's own shape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters.found import Found
from claimx.adapters.plain import mapping
from claimx.errors import InputError, InputNote
from claimx.oddities import oddities
from claimx.records import Record
from claimx.types import Run

NAME = "claimx"


def matches(sample: Sequence[Any]) -> bool:
    """Whether records have a reply, or a ledger."""
    return any(_is_run(mapping(r)) for r in sample)


def _is_run(data: Mapping[str, Any]) -> bool:
    bare = isinstance(data.get("text"), str) and not {"role", "type", "parts", "message"} & set(data)
    return "reply" in data or "ledger" in data or bare


#: How often the same oddity is told line by line; the rest are counted at the end.
_TOLD = 5


def read(records: Iterable[Record], parse: Callable[..., Run]) -> Iterator[Found]:
    """Read runs; each line stands for itself. What is odd about a run is told as a note in front of it."""
    told: Counter[tuple[str, str]] = Counter()
    last = 0
    for record in records:
        last = record.line
        if record.error is not None:
            yield Found(record.line, error=record.error)
            continue
        try:
            run = parse(record.data, line=record.line)
        except InputError as e:
            yield Found(record.line, error=e)
            continue
        if run.reply and "reply" in record.data:  # a text alone, or a record that is passed on whole, needs no ledger
            for field, odd in oddities(record.data):
                kind = (re.sub(r"\d+", "", field), odd)
                told[kind] += 1
                if told[kind] <= _TOLD:
                    yield _note(record.line, f"field {field!r} {odd}", field)
        yield Found(record.line, run)
    for (field, odd), count in told.items():
        if count > _TOLD:
            yield _note(last, f"{count - _TOLD} more like this: field {field!r} {odd}", field)


def _note(line: int, message: str, field: str) -> Found:
    return Found(line, error=InputNote(f"line {line}: {message}", line=line, field=field))
